// Shows the summary of `referee strength`.

/**
 * @param {Model.Report} report
 * @param {HTMLElement} main
 */
function addStrength(report, main) {
  if (report.strength === null && report.mutants.length === 0) return;
  const { strength } = report;
  main.append(
    section(
      "strength",
      "How strong the test data is",
      strength && [
        strengthOutcome(strength),
        strengthFacts(strength),
        strengthNotes(strength),
        strengthTables(strength),
      ],
      !strength && make("p", { class: "notice" }, "There is no summary, because the run did not finish."),
    ),
  );
}

/** @param {Json.StrengthFinished} sum */
function strengthOutcome(sum) {
  const [look, sign, words] = strengthWord(sum);
  const rate = sum.mutants > 0 ? ` (${Math.floor((100 * sum.killed) / sum.mutants)} %)` : "";
  return make(
    "p",
    { class: `outcome ${look}` },
    make("span", { class: "sign", "aria-hidden": "true" }, sign),
    make("strong", {}, words),
    `: ${grouped(sum.killed)} of ${counted(sum.mutants, "mutant")} killed${rate}`,
  );
}

/** @param {Json.StrengthFinished} sum */
function strengthWord(sum) {
  if (sum.interrupted) return ["odd", "!", "Interrupted"];
  if (sum.disputed > 0) return ["bad", "✗", "An accepted submission is wrong"];
  if (sum.holes > 0) return ["bad", "✗", "The data has holes"];
  if (sum.wrongly_declared.length > 0) return ["bad", "✗", "Wrongly declared"];
  return sum.survived > 0 ? ["odd", "!", "Unresolved survivors"] : ["good", "✓", "No hole found"];
}

/** @param {Json.StrengthFinished} sum */
function strengthFacts(sum) {
  /** @param {number} count */
  const some = (count) => count > 0 && grouped(count);
  return facts([
    ["Holes", some(sum.holes)],
    ["Disputed", some(sum.disputed)],
    ["Survive", some(sum.survived)],
    ["Declared equivalent", some(sum.equivalent_declared)],
    ["Proved equivalent", some(sum.equivalent_proved)],
    ["Probably equivalent", some(sum.equivalent_suspected)],
    ["Unjudged", some(sum.unjudged)],
    [
      "Killed mutants of submissions, by verdict",
      Object.entries(sum.by_verdict)
        .map(([verdict, count]) => `${verdict} ${count}`)
        .join(", ") || null,
    ],
    ["Changes", grouped(sum.changes) + (sum.is_sample ? `, a sample drawn with seed ${sum.seed}` : "")],
    ["Not compiled", some(sum.not_compiled)],
    ["Same code as the program or another mutant", some(sum.same_code)],
    ["Pairs of mutant and test case not run", some(sum.pairs_unknown)],
    ["Time", roughSeconds(sum.seconds)],
  ]);
}

/** @param {Json.StrengthFinished} sum */
function strengthNotes(sum) {
  /**
   * @param {string} word
   * @param {string[]} lines
   */
  const list = (word, lines) => lines.map((line) => remark("odd", line, make("strong", {}, `${word}: `)));
  return [list("Wrongly declared", sum.wrongly_declared), list("Stale", sum.stale), list("Note", sum.remarks)];
}

/** @param {Json.StrengthFinished} sum */
function strengthTables(sum) {
  return make(
    "div",
    { class: "side-by-side" },
    killTable("Program", sum.by_program),
    killTable("Kind of mistake", sum.by_operator),
  );
}

/**
 * @param {string} heading
 * @param {Record<string, [number, number]>} counts
 */
function killTable(heading, counts) {
  const rows = Object.entries(counts).map(([name, [mutants, killed]]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, named(name)),
      make("td", { class: "amount" }, grouped(mutants)),
      make("td", { class: "amount" }, grouped(killed)),
      make("td", { class: "amount" }, mutants > killed ? make("strong", {}, grouped(mutants - killed)) : "–"),
    ),
  );
  return (
    rows.length > 0 &&
    table(`Mutants by ${heading.toLowerCase()}`, [heading, "Mutants", "Killed", "Alive"], rows, "figures cards")
  );
}
