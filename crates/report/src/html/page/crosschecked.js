// Shows the comparison of the reference solvers.

/** The largest number of rows of the histogram. If there are more answers, a row is a range of them. */
const MOST_BARS = 26;

/**
 * @param {Model.Report} report
 * @param {HTMLElement} main
 */
function addCrosschecks(report, main) {
  report.crosschecks.forEach((result, index) => {
    const scope = { sampled: "fixtures and random boards", exhaustive: "all possible boards" }[result.scope];
    main.append(
      section(
        `crosscheck-${index + 1}`,
        ["Solvers of ", named(result.puzzle), ` on ${scope}`],
        agreement(result),
        crosscheckFacts(result),
        histogram(result),
        smallestBoard(result),
      ),
    );
  });
}

/** @param {Json.CrosscheckFinished} result */
function agreement(result) {
  const [look, sign, words] =
    result.disagreements === 0
      ? ["good", "✓", "All agree"]
      : ["bad", "✗", counted(result.disagreements, "disagreement")];
  return make(
    "p",
    { class: `outcome ${look}` },
    make("span", { class: "sign", "aria-hidden": "true" }, sign),
    make("strong", {}, words),
    ` on ${counted(result.boards, "board")}`,
  );
}

/** @param {Json.CrosscheckFinished} result */
function crosscheckFacts(result) {
  const declined = Object.entries(result.declined);
  return facts([
    ["Solvers", joined(result.solvers.map((solver) => named(solver)))],
    ["Lists of moves replayed", grouped(result.moves_replayed)],
    ["Bounds proved", grouped(result.bounds_proved)],
    [
      "Boards not supported",
      declined.length > 0 && declined.map(([solver, count]) => `${solver}: ${grouped(count)}`).join(", "),
    ],
    ["Time", roughSeconds(result.seconds)],
  ]);
}

/**
 * Shows the number of boards for each answer, with bars.
 * @param {Json.CrosscheckFinished} result
 */
function histogram(result) {
  const rows = histogramRows(result.histogram);
  if (rows.length === 0) return null;
  const most = Math.max(1, ...rows.map(([, count]) => count));
  const body = rows.map(([answer, count]) => {
    const bar = make("span", { class: "bar", "aria-hidden": "true" });
    bar.style.setProperty("inline-size", `${(100 * count) / most}%`);
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, answer),
      make("td", { class: "amount" }, grouped(count)),
      make("td", { class: "bar-cell" }, bar),
    );
  });
  return [
    make("h3", {}, "Answers"),
    table("How many boards have which answer", ["Answer", "Boards", unseen("as a bar")], body, "figures histogram"),
  ];
}

/**
 * Returns answers with their counts. The numbers come first, in order; many numbers are grouped into ranges. Then come
 * the other answers.
 * @param {Record<string, number>} counts
 * @returns {[string, number][]}
 */
function histogramRows(counts) {
  const entries = Object.entries(counts);
  /** @param {[string, number]} entry */
  const isNumber = ([answer]) => /^\d{1,9}$/.test(answer);
  const numbers = entries
    .filter(isNumber)
    .map(([answer, count]) => [Number(answer), count])
    .sort((one, other) => one[0] - other[0]);
  const largest = numbers.at(-1)?.[0] ?? 0;
  const width = numbers.length > MOST_BARS ? Math.ceil((largest + 1) / MOST_BARS) : 1;
  const ranges = new Map();
  for (const [number, count] of numbers) {
    const from = number - (number % width);
    ranges.set(from, (ranges.get(from) ?? 0) + count);
  }
  /** @param {number} from */
  const called = (from) => (width === 1 ? String(from) : `${from}–${from + width - 1}`);
  return [
    ...Array.from(ranges, ([from, count]) => /** @type {[string, number]} */ ([called(from), count])),
    ...entries.filter((one) => !isNumber(one)),
  ];
}

/** @param {Json.CrosscheckFinished} result */
function smallestBoard({ smallest }) {
  if (!smallest) return null;
  const answers = Object.entries(smallest.answers).map(([solver, answer]) => framed(`${solver} says`, answer));
  return [
    make("h3", {}, "The smallest board found"),
    framedMessage("Why", smallest.reason),
    framed("input", smallest.input),
    ...answers,
  ];
}
