// Shows pairs of similar programs, with both sources side by side.

/**
 * @param {Model.Report} report
 * @param {HTMLElement} main
 */
function addSimilar(report, main) {
  const { similarity } = report;
  if (similarity === null) return false;
  const pairs = similarity.pairs.filter((pair) => pair.similarity >= similarity.threshold);
  main.append(
    section(
      "similar",
      "Similar programs",
      make("p", {}, similarWords(similarity, pairs)),
      pairs.length > 0 && make("p", { class: "dim" }, SIMILAR_NOTE),
      pairs.map((pair) => similarPair(report, pair)),
      similarLimits(similarity),
    ),
  );
  return pairs.length > 0;
}

const SIMILAR_NOTE =
  "Similar code can have many reasons: the same lecture, the same book, one obvious solution. Read both programs before " +
  "you judge. Names, layout, comments and numbers do not count, and neither does code that many programs have.";

/** @param {number} share */
function percent(share) {
  return `${Math.floor(share * 100)} %`;
}

/**
 * @param {Json.SimilarityFinished} similarity
 * @param {Json.SimilarPair[]} pairs
 */
function similarWords({ similar, compared, threshold, pairs: all }, pairs) {
  const programs = counted(compared, "program");
  if (compared < 2) return `Nothing to compare: ${programs} can be compared.`;
  if (pairs.length === 0) {
    const [best] = all;
    return [
      `No two of ${programs} reach a similarity of ${percent(threshold)}.`,
      best && [" The most similar are ", named(best.a), " and ", named(best.b), ` with ${percent(best.similarity)}.`],
    ];
  }
  const listed = similar > pairs.length ? `; the ${grouped(pairs.length)} most similar follow` : "";
  return `${counted(similar, "pair")} of ${programs} with a similarity of at least ${percent(threshold)}${listed}.`;
}

/**
 * Shows a pair as a line that opens to both sources. They are drawn when the reader opens them.
 * @param {Model.Report} report
 * @param {Json.SimilarPair} pair
 */
function similarPair(report, pair) {
  const { a, b } = pair;
  const shares = `${percent(pair.share_of_a)} of the first, ${percent(pair.share_of_b)} of the second, ${counted(Math.max(pair.lines_a, pair.lines_b), "line")}`;
  const body = make("div", { class: "both-sources" });
  const summary = make("summary", {}, named(a), " and ", named(b), make("span", { class: "dim" }, ` ${shares}`));
  const details = make("details", { class: "folded similar-pair" }, summary, body);
  details.addEventListener("toggle", () => {
    if (body.childElementCount > 0) return;
    body.append(
      similarSource(report, a, pair.regions.map(placeInA)),
      similarSource(report, b, pair.regions.map(placeInB)),
    );
  });
  return details;
}

/** @param {Json.SimilarRegion} region */
function placeInA(region) {
  return { file: region.file_a, first: region.first_line_a, last: region.last_line_a };
}

/** @param {Json.SimilarRegion} region */
function placeInB(region) {
  return { file: region.file_b, first: region.first_line_b, last: region.last_line_b };
}

/**
 * @param {Model.Report} report
 * @param {string} name
 * @param {Model.Lines[]} places
 */
function similarSource(report, name, places) {
  const source = report.sourceOf.get(name);
  const column = make("div", { class: "one-source" });
  if (source === undefined) {
    column.append(make("p", { class: "dim" }, "The page does not have the source of ", named(name), "."));
    return column;
  }
  for (const { name: file, text } of source.files) {
    const title = file === "" ? name : `${name}: ${file}`;
    const own = places.map((place, index) => ({ ...place, number: index + 1 })).filter((place) => place.file === file);
    column.append(framedNodes(named(title), "", markedLines(title, text, own)));
  }
  return column;
}

/**
 * Shows the lines of a source. Lines in a region have the region's number, which is the same in both sources.
 * @param {string} title
 * @param {string} text
 * @param {(Model.Lines & { number: number })[]} places
 */
function markedLines(title, text, places) {
  const lines = text.replace(/\n$/, "").split("\n");
  /** @type {number[][]} */
  const numbers = lines.map(() => []);
  for (const { first, last, number } of places) {
    for (let line = first; line <= Math.min(last, lines.length); line += 1) numbers[line - 1]?.push(number);
  }
  const rows = lines.map((line, index) => {
    const [number] = numbers[index];
    const isFirst = number !== undefined && !numbers[index - 1]?.includes(number);
    return make(
      "tr",
      { class: number === undefined ? null : `shared shared-${number % 2}` },
      make("td", { class: "region" }, isFirst ? [unseen("shared part "), String(number)] : ""),
      make("td", { class: "number" }, String(index + 1)),
      make("td", { class: "code" }, line),
    );
  });
  return make(
    "table",
    { class: "source" },
    make("caption", { class: "unseen" }, shownInLine(title)),
    make("tbody", {}, rows),
  );
}

/** @param {Json.SimilarityFinished} similarity */
function similarLimits({ skipped, cut }) {
  const lines = [
    ...skipped.map(({ submission, reason }) => [named(submission), `: not compared, because ${reason}`]),
    ...cut.map((name) => [named(name), ": only the beginning was compared"]),
  ];
  if (lines.length === 0) return null;
  return folded(
    `${counted(lines.length, "program")} not compared, or not as a whole`,
    make(
      "ul",
      {},
      lines.map((line) => make("li", {}, line)),
    ),
  );
}
