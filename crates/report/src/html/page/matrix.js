// The matrix of submissions and test cases.

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

/** The matrix that is shown, for the details to come back to; null if there is none. */
let matrixGrid = null;

function addMatrix(report, main) {
  if (report.cases.length === 0) return false;
  matrixGrid = new Grid({
    label: "Verdicts of submissions on test cases",
    corner: "submission",
    blank: "not run",
    rowHead: (submission) => [matrixVerdict(submission), tailed(submission.name)],
    columnHead: (testCase) => named(testCase.name),
    cell: (submission, testCase) => matrixCell(submission.results.get(testCase.name)),
    tell: (submission, testCase) => matrixWords(submission, testCase),
    open: (submission, testCase) => openDetails(report, submission, testCase.name, null),
  });
  const count = make("p", { class: "count", role: "status", id: "matrix-count" });
  const none = make("p", { class: "nothing" }, "No submission and test case passes the filters.");
  const refresh = () => refreshMatrix(report, count, none);
  main.append(
    section(
      "matrix",
      "Submissions and test cases",
      matrixFilters(refresh, count),
      matrixLegend(report),
      matrixGrid.element,
      none,
    ),
  );
  followChoice(refresh);
  return true;
}

function matrixFilters(refresh, count) {
  const change = (field) => (value) => {
    matrixChoice[field] = value;
    refresh();
  };
  return make(
    "div",
    { class: "filters", role: "group", "aria-label": "Filter and sort the matrix" },
    textFilter("Test case", "case-filter", change("text")),
    choiceList("Rows", "row-order", ROW_ORDERS, change("rows")),
    choiceList("Columns", "column-order", COLUMN_ORDERS, change("columns")),
    tickBox("only cases that somebody fails", change("onlyFailed")),
    tickBox("small cells", (isSmall) => {
      matrixGrid.element.classList.toggle("small", isSmall);
      matrixGrid.measure();
    }),
    count,
  );
}

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
    make("span", { class: "dim keys" }, "Arrow keys move, Enter shows a result."),
  );
}

function refreshMatrix(report, count, none) {
  const rows = chosenSubmissions(report).sort(rowOrder(matrixChoice.rows));
  const columns = report.cases.filter(isCaseChosen).sort(columnOrder(matrixChoice.columns));
  matrixGrid.show(rows, columns);
  none.hidden = rows.length > 0 && columns.length > 0;
  count.textContent =
    `${grouped(rows.length)} of ${counted(report.submissions.length, "submission")}, ` +
    `${grouped(columns.length)} of ${counted(report.cases.length, "test case")}`;
}

function isCaseChosen(testCase) {
  if (matrixChoice.onlyFailed && testCase.failed === 0) return false;
  return matrixChoice.text === "" || testCase.name.toLowerCase().includes(matrixChoice.text);
}

function rowOrder(order) {
  const keys = { failed: (one) => failedResults(one).length, time: (one) => slowestTime(one) };
  return matrixOrder(order, keys);
}

function columnOrder(order) {
  return matrixOrder(order, { failed: (one) => one.failed });
}

/** By name, or by a number, the largest first; what is equal stays as given. */
function matrixOrder(order, keys) {
  const key = Object.hasOwn(keys, order) ? keys[order] : null;
  return (one, other) => {
    if (order === "name") return byName(one.name, other.name) || one.index - other.index;
    return (key === null ? 0 : key(other) - key(one)) || one.index - other.index;
  };
}

function slowestTime(submission) {
  let slowest = submission.finished?.cpu_seconds_max ?? -1;
  if (submission.finished === null) {
    for (const result of submission.results.values()) slowest = Math.max(slowest, result.cpu_seconds ?? -1);
  }
  return slowest;
}

function matrixVerdict(submission) {
  const word = standing(submission);
  const short = { skipped: "–", unfinished: "…" }[word] ?? word;
  return make("span", { class: `verdict ${VERDICTS.has(word) ? verdictLook(word) : "none"}` }, short);
}

function matrixCell(result) {
  return result === undefined ? null : { text: result.verdict, look: verdictLook(result.verdict) };
}

/** The line below the matrix: nothing in it can only be had by pointing. */
function matrixWords(submission, testCase) {
  const result = submission.results.get(testCase.name);
  const names = [named(shortened(submission.name, 120)), " on ", named(shortened(testCase.name, 120)), ": "];
  if (result === undefined) return [...names, "not run"];
  const message =
    result.verdict === "AC" || !result.message ? "" : `: ${shortened(result.message.split("\n")[0], 160)}`;
  return [
    ...names,
    badge(result.verdict),
    ` ${verdictWords(result.verdict)}, ${seconds(result.cpu_seconds)}${message}`,
  ];
}

function shortened(text, most) {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
