// Shows the matrix of submissions and test cases.

const matrixChoice = { text: "", onlyFailed: false, rows: "given", columns: "given" };

const ROW_ORDERS = [
  ["given", "as given"],
  ["name", "by name"],
  ["failed", "most failed first"],
  ["time", "slowest first"],
];
const COLUMN_ORDERS = [
  ["given", "as given"],
  ["name", "by name"],
  ["failed", "most failed first"],
];

/** @type {Grid<Model.Submission, Model.TestCase> | null} The matrix; null if the report has no results. */
let matrixGrid = null;

/**
 * @param {Model.Report} report
 * @param {HTMLElement} main
 */
function addMatrix(report, main) {
  if (report.cases.length === 0) return false;
  /** @type {Grid<Model.Submission, Model.TestCase>} */
  const grid = new Grid({
    label: "Verdicts of submissions on test cases",
    corner: "submission",
    blank: "not run",
    rowHead: (submission) => [matrixVerdict(submission), tailed(submission.shortName)],
    columnHead: (testCase) => named(testCase.name),
    cell: (submission, testCase) => matrixCell(submission.results.get(testCase.name)),
    tell: (submission, testCase) => matrixWords(submission, testCase),
    open: (submission, testCase) => openDetails(report, submission, testCase.name, null),
  });
  matrixGrid = grid;
  const count = make("p", { class: "count", role: "status" });
  const none = make("p", { class: "nothing" }, "No submission and test case passes the filters.");
  const refresh = () => refreshMatrix(report, grid, count, none);
  main.append(
    section(
      "matrix",
      "Submissions and test cases",
      matrixFilters(grid, refresh, count),
      matrixLegend(report),
      grid.element,
      none,
    ),
  );
  followChoice(refresh);
  return true;
}

/**
 * @param {Grid<Model.Submission, Model.TestCase>} grid
 * @param {() => void} refresh
 * @param {HTMLElement} count
 */
function matrixFilters(grid, refresh, count) {
  /** @param {"text" | "rows" | "columns"} field */
  const change = (field) => (/** @type {string} */ value) => {
    matrixChoice[field] = value;
    refresh();
  };
  return make(
    "div",
    { class: "filters", role: "group", "aria-label": "Filter and sort the matrix" },
    textFilter("Test case", "case-filter", change("text")),
    choiceList("Rows", "row-order", ROW_ORDERS, change("rows")),
    choiceList("Columns", "column-order", COLUMN_ORDERS, change("columns")),
    tickBox("only cases that a submission fails", (onlyFailed) => {
      matrixChoice.onlyFailed = onlyFailed;
      refresh();
    }),
    tickBox("small cells", (isSmall) => {
      grid.element.classList.toggle("small", isSmall);
      grid.measure();
    }),
    count,
  );
}

/** @param {Model.Report} report */
function matrixLegend(report) {
  const seen = new Set();
  for (const submission of report.submissions) {
    for (const result of submission.results.values()) seen.add(result.verdict);
  }
  const items = Array.from(VERDICTS.keys()).filter((verdict) => seen.has(verdict));
  return make(
    "p",
    { class: "legend" },
    items.map((verdict) =>
      make(
        "span",
        {},
        make("span", { class: `verdict ${verdictLook(verdict)}` }, verdict),
        ` ${verdictWords(verdict)}`,
      ),
    ),
    make("span", {}, "blank: not run"),
    make("span", { class: "dim keys" }, "Arrow keys select a cell, Enter shows its result."),
  );
}

/**
 * @param {Model.Report} report
 * @param {Grid<Model.Submission, Model.TestCase>} grid
 * @param {HTMLElement} count
 * @param {HTMLElement} none
 */
function refreshMatrix(report, grid, count, none) {
  const rows = chosenSubmissions(report).sort(rowOrder(matrixChoice.rows));
  const columns = report.cases.filter(isCaseChosen).sort(columnOrder(matrixChoice.columns));
  grid.show(rows, columns);
  none.hidden = rows.length > 0 && columns.length > 0;
  count.textContent =
    `${grouped(rows.length)} of ${counted(report.submissions.length, "submission")}, ` +
    `${grouped(columns.length)} of ${counted(report.cases.length, "test case")}`;
}

/** @param {Model.TestCase} testCase */
function isCaseChosen(testCase) {
  if (matrixChoice.onlyFailed && testCase.failed === 0) return false;
  return matrixChoice.text === "" || testCase.name.toLowerCase().includes(matrixChoice.text);
}

/**
 * @param {string} order
 * @returns {(one: Model.Submission, other: Model.Submission) => number}
 */
function rowOrder(order) {
  if (order === "failed") return matrixOrder(order, (one) => failedResults(one).length);
  return matrixOrder(order, order === "time" ? slowestTime : () => 0);
}

/**
 * @param {string} order
 * @returns {(one: Model.TestCase, other: Model.TestCase) => number}
 */
function columnOrder(order) {
  return matrixOrder(order, (one) => (order === "failed" ? one.failed : 0));
}

/**
 * Compares items by name, or by a number, the largest first. Equal items keep the order of the report.
 * @template {{ name: string, index: number }} Item
 * @param {string} order
 * @param {(item: Item) => number} key
 * @returns {(one: Item, other: Item) => number}
 */
function matrixOrder(order, key) {
  return (one, other) => {
    if (order === "name") return byName(one.name, other.name) || one.index - other.index;
    return key(other) - key(one) || one.index - other.index;
  };
}

/**
 * Returns the longest CPU time of a submission in seconds; -1 if none is known.
 * @param {Model.Submission} submission
 */
function slowestTime(submission) {
  let slowest = submission.finished?.cpu_seconds_max ?? -1;
  if (submission.finished === null) {
    for (const result of submission.results.values()) slowest = Math.max(slowest, result.cpu_seconds ?? -1);
  }
  return slowest;
}

/** @param {Model.Submission} submission */
function matrixVerdict(submission) {
  const word = standing(submission);
  const short = word === "skipped" ? "–" : word === "unfinished" ? "…" : word;
  return make("span", { class: `verdict ${VERDICTS.has(word) ? verdictLook(word) : "none"}` }, short);
}

/** @param {Model.Result | undefined} result */
function matrixCell(result) {
  return result === undefined ? null : { text: result.verdict, look: verdictLook(result.verdict) };
}

/**
 * Makes the line below the matrix. It is also the description of the focused cell, for readers without a pointer.
 * @param {Model.Submission} submission
 * @param {Model.TestCase} testCase
 */
function matrixWords(submission, testCase) {
  const result = submission.results.get(testCase.name);
  const names = [named(shortened(submission.shortName, 120)), " on ", named(shortened(testCase.name, 120)), ": "];
  if (result === undefined) return [...names, "not run"];
  const message =
    result.verdict === "AC" || !result.message ? "" : `: ${shortened(result.message.split("\n")[0], 160)}`;
  return [
    ...names,
    badge(result.verdict),
    ` ${verdictWords(result.verdict)}, ${seconds(result.cpu_seconds)}${message}`,
  ];
}

/**
 * @param {string} text
 * @param {number} most
 */
function shortened(text, most) {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
