// The table of submissions: one `tbody` for each, so that what is told below a row goes with it when sorted.

/** The columns: heading, what to sort by (null sorts last), and what the cell shows. */
function submissionColumns(report) {
  const finished = (submission, field) => submission.finished?.[field] ?? null;
  const columns = [
    ["Submission", (one) => one.name, null],
    ["Verdict", (one) => standing(one), verdictCell],
    ["Declared", (one) => (finished(one, "expected") ?? []).join(" "), (one) => declaredCell(one), isDeclared],
    ["First failing case", (one) => finished(one, "first_failing_case"), (one) => failingCell(report, one)],
    ["Failed", (one) => finished(one, "cases_failed"), failedCell],
    ["Slowest, CPU", (one) => finished(one, "cpu_seconds_max"), (one) => slowestCell(report, one)],
    ["Memory", (one) => finished(one, "memory_bytes_max"), (one) => mebibytes(finished(one, "memory_bytes_max"))],
    ["Score", (one) => finished(one, "score"), (one) => scoreCell(one), hasScore],
    ["Language", (one) => one.build?.language ?? null, (one) => one.build?.language ?? NOTHING],
  ];
  return columns.filter(([, , , isNeeded]) => isNeeded === undefined || report.submissions.some(isNeeded));
}

/** What a cell shows of what there is not. */
const NOTHING = "–";

const isDeclared = (submission) => Boolean(submission.finished?.expected);
const hasScore = (submission) => typeof submission.finished?.score === "number";

function addSubmissions(report, main) {
  if (report.submissions.length === 0) return false;
  const columns = submissionColumns(report);
  const bodies = new Map(
    report.submissions.map((submission) => [submission, submissionBody(report, submission, columns)]),
  );
  const order = { column: null, isDown: false };
  const head = sortableHead(columns, order, () => arrange(report, columns, bodies, order, element));
  const element = make("table", { class: "submissions" }, make("caption", { class: "unseen" }, "Submissions"), head);
  const none = make("p", { class: "nothing" }, "No submission passes the filters.");
  const box = make(
    "div",
    {
      class: report.submissions.length > 30 ? "scrolled tall" : "scrolled",
      role: "group",
      tabindex: "0",
      "aria-label": "Table of submissions",
    },
    element,
  );
  main.append(section("submissions", "Submissions", choiceBar(report), sortList(columns, head), box, none));
  followChoice(() => {
    arrange(report, columns, bodies, order, element);
    none.hidden = chosenSubmissions(report).length > 0;
    box.hidden = !none.hidden;
  });
  return true;
}

function sortableHead(columns, order, changed) {
  const cells = columns.map(([title], index) => {
    const press = () => {
      order.isDown = order.column === index ? !order.isDown : false;
      order.column = index;
      cells.forEach((cell, other) => cell.setAttribute("aria-sort", sortWord(order, other)));
      changed();
    };
    return make("th", { scope: "col", "aria-sort": "none" }, button(title, press));
  });
  return make("thead", {}, make("tr", {}, cells));
}

function sortWord(order, column) {
  if (order.column !== column) return "none";
  return order.isDown ? "descending" : "ascending";
}

/** On a phone the table has no head; this presses its buttons. */
function sortList(columns, head) {
  const options = [["", "as given"], ...columns.map(([title], index) => [String(index), title.toLowerCase()])];
  const list = choiceList("Sort by", "submission-order", options, (value) => {
    if (value !== "") head.querySelectorAll("button")[Number(value)].click();
  });
  list.classList.add("only-narrow");
  return list;
}

/** Puts the chosen submissions into the table, in the order that is asked for. */
function arrange(report, columns, bodies, order, element) {
  const chosen = chosenSubmissions(report);
  if (order.column !== null) chosen.sort(comparison(columns[order.column][1], order.isDown));
  element.replaceChildren(element.caption, element.tHead, ...chosen.map((submission) => bodies.get(submission)));
}

/** Numbers as numbers, all else as names; what is unknown comes last in either direction. */
function comparison(key, isDown) {
  return (one, other) => {
    const [a, b] = [key(one), key(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = typeof a === "number" && typeof b === "number" ? a - b : byName(String(a), String(b));
    return isDown ? -order : order;
  };
}

function submissionBody(report, submission, columns) {
  const [, ...others] = columns;
  const cells = others.map(([title, , show]) => submissionCell(title, show(submission)));
  const more = submissionRemarks(submission);
  return make(
    "tbody",
    {},
    make("tr", {}, make("th", { scope: "row" }, wantedSign(submission), named(submission.name)), cells),
    more.length > 0 && make("tr", { class: "more" }, make("td", { colspan: String(columns.length) }, more)),
  );
}

/** A cell; on a phone those that have nothing to say are not shown. */
function submissionCell(title, content) {
  return make("td", { "data-label": title, class: content === NOTHING ? "lacking" : null }, content);
}

/** Whether it is as expected, as a sign with words. */
function wantedSign(submission) {
  const [look, sign, words] = wantedWords(submission);
  return make(
    "span",
    { class: `sign ${look}`, title: words },
    make("span", { "aria-hidden": "true" }, sign),
    unseen(`${words}: `),
  );
}

function wantedWords(submission) {
  if (submission.skipped !== null) return ["odd", "–", "skipped"];
  if (submission.finished === null) return ["odd", "!", "not finished"];
  if (submission.finished.verdict === "JE") return ["odd", "!", "the judge failed"];
  const wanted = isAsWanted(submission);
  if (wanted === null) return ["none", "·", "nothing declared"];
  return wanted ? ["good", "✓", "as expected"] : ["bad", "✗", "not as expected"];
}

function verdictCell(submission) {
  const word = standing(submission);
  return VERDICTS.has(word) ? badge(word) : make("span", { class: "dim" }, word);
}

function declaredCell({ finished }) {
  if (!finished?.expected) return NOTHING;
  const [look, sign, words] = finished.as_expected ? ["good", "✓", "as declared"] : ["bad", "✗", "not as declared"];
  return [
    finished.expected.join(" or "),
    " ",
    make("span", { class: `sign ${look}`, role: "img", "aria-label": words }, sign),
  ];
}

function failingCell(report, submission) {
  const name = submission.finished?.first_failing_case;
  if (!name) return NOTHING;
  if (!submission.results.has(name)) return named(name);
  return button(named(name), (event) => openDetails(report, submission, name, event.currentTarget), { class: "link" });
}

function failedCell({ finished }) {
  if (finished === null || finished.cases_run === 0) return NOTHING;
  const skipped =
    finished.cases_skipped > 0 && make("span", { class: "dim" }, `, ${grouped(finished.cases_skipped)} not run`);
  return [`${grouped(finished.cases_failed)} of ${grouped(finished.cases_run)}`, skipped];
}

function slowestCell(report, submission) {
  const time = submission.finished?.cpu_seconds_max ?? null;
  return time === null ? NOTHING : [seconds(time), shareBar(time, limitOf(report))];
}

/** How much of the limit something takes, as a bar. The figure stands beside it. */
function shareBar(amount, limit) {
  if (!limit) return null;
  const share = amount / limit;
  const bar = make(
    "span",
    { class: share > 1 ? "share over" : share > 0.5 ? "share near" : "share", "aria-hidden": "true" },
    make("span", {}),
  );
  bar.firstChild.style.setProperty("inline-size", `${Math.min(100, 100 * share)}%`);
  return bar;
}

function scoreCell({ finished }) {
  return scoreOf(finished?.score, finished?.max_score);
}

/** What there is to say below the row. */
function submissionRemarks(submission) {
  const { build, finished, skipped, groups } = submission;
  const failedBuild = build !== null && !build.ok;
  return [
    skipped !== null && remark("", `Skipped: ${skipped}`),
    finished?.message && remark("odd", finished.message),
    ...(finished?.breaches ?? []).map((breach) => remark("bad", breach)),
    build?.message && foldedBuild(build.message, failedBuild),
    groups.length > 0 && folded(`Groups (${groups.length})`, groupTable(groups)),
  ].filter(Boolean);
}

function foldedBuild(message, isOpen) {
  const element = folded("What the compiler said", framed("the compiler wrote", message));
  element.open = isOpen;
  return element;
}

function groupTable(groups) {
  const rows = groups.map((group) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, named(group.group)),
      make("td", {}, groupVerdict(group)),
      make("td", {}, scoreOf(group.score, group.max_score)),
      make("td", {}, grouped(group.cases_run)),
      make("td", {}, grouped(group.cases_skipped)),
    ),
  );
  return table("Groups", ["Group", "Verdict", "Score", "Cases run", "Not run"], rows);
}

/** A group of which cases were run has no verdict where the judge failed on one of them. */
function groupVerdict(group) {
  if (group.verdict) return badge(group.verdict);
  return group.cases_run > 0 ? badge("JE") : make("span", { class: "dim" }, "not run");
}
