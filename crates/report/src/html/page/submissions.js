// Shows the table of submissions. Each has its own `tbody`, so that sorting keeps a row and the remarks below it
// together.

/** @param {Model.Report} report */
function submissionColumns(report) {
  /** @type {SubmissionColumn[]} */
  const columns = [
    {
      title: report.submissions.some(({ student }) => student !== null) ? "Student" : "Submission",
      key: (one) => one.shortName,
      show: nameCell,
    },
    { title: "Verdict", key: standing, show: verdictCell },
    {
      title: "Points",
      key: (one) => one.finished?.points ?? null,
      show: pointsCell,
      isNeeded: (one) => typeof one.finished?.points === "number",
    },
    {
      title: "Expected",
      key: (one) => (one.finished?.expected ?? []).join(" "),
      show: declaredCell,
      isNeeded: (one) => Boolean(one.finished?.expected),
    },
    { title: "Cases passed", key: (one) => passedCases(one), show: passedCell },
    {
      title: "First failing case",
      key: (one) => one.finished?.first_failing_case ?? null,
      show: (one) => failingCell(report, one),
    },
    {
      title: "Slowest, CPU",
      key: (one) => one.finished?.cpu_seconds_max ?? null,
      show: (one) => slowestCell(report, one),
    },
    {
      title: "Memory",
      key: (one) => one.finished?.memory_bytes_max ?? null,
      show: (one) => mebibytes(one.finished?.memory_bytes_max),
    },
    {
      title: "Score",
      key: (one) => one.finished?.score ?? null,
      show: scoreCell,
      isNeeded: (one) => typeof one.finished?.score === "number",
    },
    { title: "Handed in", key: ({ student }) => handedIn(student) || null, show: handedInCell, isNeeded: isNotable },
    { title: "Language", key: (one) => one.build?.language ?? null, show: (one) => one.build?.language ?? NOTHING },
  ];
  return columns.filter(({ isNeeded }) => isNeeded === undefined || report.submissions.some(isNeeded));
}

/** The content of a cell without a value. */
const NOTHING = "–";

/**
 * @param {Model.Report} report
 * @param {HTMLElement} main
 */
function addSubmissions(report, main) {
  if (report.submissions.length === 0) return false;
  const columns = submissionColumns(report);
  const bodies = new Map(
    report.submissions.map((submission) => [submission, submissionBody(report, submission, columns)]),
  );
  /** @type {SubmissionOrder} */
  const order = { column: null, isDown: false };
  const head = sortableHead(columns, order, () => arrange(report, columns, bodies, order, element));
  const element = make(
    "table",
    { class: "submissions cards" },
    make("caption", { class: "unseen" }, "Submissions"),
    head,
  );
  const none = make("p", { class: "nothing" }, "No submission passes the filters.");
  const before = [choiceBar(report), commonFoldersNote(report), sortList(columns, head)];
  main.append(section("submissions", "Submissions", ...before, element, none));
  followChoice(() => {
    arrange(report, columns, bodies, order, element);
    none.hidden = chosenSubmissions(report).length > 0;
    element.hidden = !none.hidden;
  });
  return true;
}

/**
 * @param {SubmissionColumn[]} columns
 * @param {SubmissionOrder} order
 * @param {() => void} changed
 */
function sortableHead(columns, order, changed) {
  const cells = columns.map(({ title }, index) => {
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

/**
 * @param {SubmissionOrder} order
 * @param {number} column
 */
function sortWord(order, column) {
  if (order.column !== column) return "none";
  return order.isDown ? "descending" : "ascending";
}

/**
 * Makes a list that presses the buttons of the table head. Phones show the list, not the head.
 * @param {SubmissionColumn[]} columns
 * @param {HTMLElement} head
 */
function sortList(columns, head) {
  const options = [["", "as given"], ...columns.map(({ title }, index) => [String(index), title.toLowerCase()])];
  const list = choiceList("Sort by", "submission-order", options, (value) => {
    if (value !== "") head.querySelectorAll("button")[Number(value)].click();
  });
  list.classList.add("only-narrow");
  return list;
}

/**
 * Puts the chosen submissions into the table, in the chosen order.
 * @param {Model.Report} report
 * @param {SubmissionColumn[]} columns
 * @param {Map<Model.Submission, HTMLElement>} bodies
 * @param {SubmissionOrder} order
 * @param {HTMLTableElement} element
 */
function arrange(report, columns, bodies, order, element) {
  const chosen = chosenSubmissions(report);
  if (order.column !== null) chosen.sort(comparison(columns[order.column].key, order.isDown));
  const shownBodies = chosen.map((submission) => bodies.get(submission));
  element.replaceChildren(...nodes([element.caption, element.tHead, shownBodies]));
}

/**
 * Compares numbers as numbers and all else as names. Unknown values come last in either direction.
 * @param {SubmissionColumn["key"]} key
 * @param {boolean} isDown
 * @returns {(one: Model.Submission, other: Model.Submission) => number}
 */
function comparison(key, isDown) {
  return (one, other) => {
    const [a, b] = [key(one), key(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = typeof a === "number" && typeof b === "number" ? a - b : byName(String(a), String(b));
    return isDown ? -order : order;
  };
}

/**
 * @param {Model.Report} report
 * @param {Model.Submission} submission
 * @param {SubmissionColumn[]} columns
 */
function submissionBody(report, submission, columns) {
  const [, ...others] = columns;
  const cells = others.map(({ title, show }) => submissionCell(title, show(submission)));
  const more = submissionRemarks(report, submission);
  return make(
    "tbody",
    {},
    make("tr", {}, make("th", { scope: "row" }, nameCell(submission)), cells),
    more.length > 0 &&
      make("tr", { class: "more" }, make("td", { colspan: String(columns.length) }, make("div", {}, more))),
  );
}

/**
 * Makes a cell. Phones do not show a cell without a value.
 * @param {string} title
 * @param {Dom.Child} content
 */
function submissionCell(title, content) {
  return make("td", { "data-label": title, class: content === NOTHING ? "lacking" : null }, content);
}

/**
 * Shows with a sign whether a submission is as expected.
 * @param {Model.Submission} submission
 */
function wantedSign(submission) {
  const [look, sign, words] = wantedWords(submission);
  return make(
    "span",
    { class: `sign ${look}`, title: words },
    make("span", { "aria-hidden": "true" }, sign),
    unseen(`${words}: `),
  );
}

/** @param {Model.Submission} submission */
function wantedWords(submission) {
  if (submission.skipped !== null) return ["odd", "–", "not judged"];
  if (submission.finished === null) return ["odd", "!", "not finished"];
  if (submission.finished.verdict === "JE") return ["odd", "!", "the judge failed"];
  const wanted = isAsWanted(submission);
  if (wanted === null) return ["none", "·", "no expected verdict"];
  return wanted ? ["good", "✓", "as expected"] : ["bad", "✗", "not as expected"];
}

/** @param {Model.Submission} submission */
function nameCell(submission) {
  return make("div", { class: "own-name" }, wantedSign(submission), named(submission.shortName));
}

/** @param {Model.Submission} submission */
function pointsCell({ finished }) {
  return typeof finished?.points === "number" ? figure(finished.points) : NOTHING;
}

/** @param {Model.Submission} submission */
function isNotable({ student }) {
  return handedIn(student) !== "";
}

/** @param {Model.Submission} submission */
function handedInCell({ student }) {
  return handedIn(student) || NOTHING;
}

/**
 * Says whether a submission was late, and which attempt it is; empty if it was in time, or if nothing is known.
 * @param {Json.Student | null} student
 */
function handedIn(student) {
  if (student === null) return "";
  const attempt = student.attempts > 1 && student.attempt ? `attempt ${student.attempt} of ${student.attempts}` : "";
  return [student.is_late === true ? "late" : "", attempt].filter(Boolean).join(", ");
}

/** @param {Model.Submission} submission */
function verdictCell(submission) {
  const word = standing(submission);
  return VERDICTS.has(word) ? badge(word) : make("span", { class: "dim verdict-words" }, standingWords(word));
}

/**
 * @param {Model.Submission} submission
 * @returns {Dom.Child}
 */
function declaredCell({ finished }) {
  if (!finished?.expected) return NOTHING;
  const [look, sign, words] = finished.as_expected
    ? ["good", "✓", "the expected verdict"]
    : ["bad", "✗", "not the expected verdict"];
  return [
    finished.expected.join(" or "),
    " ",
    make("span", { class: `sign ${look}`, role: "img", "aria-label": words }, sign),
  ];
}

/**
 * @param {Model.Report} report
 * @param {Model.Submission} submission
 */
function failingCell(report, submission) {
  const name = submission.finished?.first_failing_case;
  if (!name) return NOTHING;
  if (!submission.results.has(name)) return named(name);
  const link = button(named(name), () => openDetails(report, submission, name, link), { class: "link" });
  return link;
}

/**
 * Returns the number of test cases on which a submission was accepted; null if it was not judged.
 * @param {Model.Submission} submission
 */
function passedCases({ finished }) {
  if (finished === null || finished.cases_run + finished.cases_skipped === 0) return null;
  return finished.cases_run - finished.cases_failed;
}

/**
 * @param {Model.Submission} submission
 * @returns {Dom.Child}
 */
function passedCell(submission) {
  const passed = passedCases(submission);
  if (passed === null || submission.finished === null) return NOTHING;
  const { cases_run: run, cases_skipped: left } = submission.finished;
  const notRun = left > 0 && make("span", { class: "dim not-run" }, `${grouped(left)} not run`);
  return [`${grouped(passed)} of ${grouped(run + left)}`, notRun];
}

/**
 * @param {Model.Report} report
 * @param {Model.Submission} submission
 * @returns {Dom.Child}
 */
function slowestCell(report, submission) {
  const time = submission.finished?.cpu_seconds_max ?? null;
  return time === null ? NOTHING : [seconds(time), shareBar(time, limitOf(report))];
}

/**
 * Shows the share of the limit that a time takes, as a bar beside the number.
 * @param {number} amount
 * @param {number | null} limit
 */
function shareBar(amount, limit) {
  if (!limit) return null;
  const share = amount / limit;
  const filledPart = make("span", {});
  filledPart.style.setProperty("inline-size", `${Math.min(100, 100 * share)}%`);
  return make(
    "span",
    { class: share > 1 ? "share over" : share > 0.5 ? "share near" : "share", "aria-hidden": "true" },
    filledPart,
  );
}

/** @param {Model.Submission} submission */
function scoreCell({ finished }) {
  return scoreOf(finished?.score, finished?.max_score);
}

/**
 * Makes the content below the row of a submission. The summary lists the remarks on builds, if the report is complete.
 * @param {Model.Report} report
 * @param {Model.Submission} submission
 * @returns {Dom.Child[]}
 */
function submissionRemarks(report, submission) {
  const { build, finished, skipped, groups } = submission;
  return [
    skipped !== null && remark("", `Not judged: ${skipped}`),
    finished?.message && remark("odd", finished.message),
    ...(finished?.breaches ?? []).map((breach) => remark("bad", breach)),
    report.remarks === null && build?.remark && remark("", build.remark),
    build?.message && foldedBuild(build.message, submission.firstError, !build.ok),
    groups.length > 0 && folded(`Groups (${groups.length})`, groupTable(groups)),
  ].filter((line) => line);
}

/**
 * Shows the message of a compiler. It begins with the first error; a reader can unfold the warnings before that.
 * @param {string} message
 * @param {number} firstError the line with which the first error begins, counted from 0
 * @param {boolean} isOpen
 */
function foldedBuild(message, firstError, isOpen) {
  const lines = message.split("\n");
  const before = lines.slice(0, firstError);
  const element = folded(
    "What the compiler said",
    framed("the compiler wrote", lines.slice(firstError).join("\n"), "", "breakable"),
    before.length > 0 &&
      folded(
        `${counted(before.length, "line")} before the first error`,
        framed("the compiler wrote before that", before.join("\n"), "", "breakable"),
      ),
  );
  element.open = isOpen;
  return element;
}

/** @param {Json.GroupFinished[]} groups */
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

/**
 * Shows the verdict of a group. If cases ran but there is no verdict, the judge failed on one of the cases.
 * @param {Json.GroupFinished} group
 */
function groupVerdict(group) {
  if (group.verdict) return badge(group.verdict);
  return group.cases_run > 0 ? badge("JE") : make("span", { class: "dim" }, "not run");
}
