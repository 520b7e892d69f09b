// Shows the dialog about the result of a submission on a test case.

/**
 * @typedef {object} Opened
 * @property {Model.Submission} submission
 * @property {Model.TestCase | undefined} testCase
 * @property {HTMLElement | null} opener the element to focus when the dialog closes; null for the cell of the matrix
 */

/** @type {Opened | null} The result in the dialog; null while the dialog shows none. */
let opened = null;

/**
 * Shows a result, if the report has it. When the dialog closes, `opener` gets the focus; if it is null, the result's
 * cell in the matrix gets it.
 * @param {Model.Report} report
 * @param {Model.Submission} submission
 * @param {string} caseName
 * @param {HTMLElement | null} opener
 */
function openDetails(report, submission, caseName, opener) {
  const result = submission.results.get(caseName);
  if (result === undefined) return;
  const dialog = skeletonElement("details", HTMLDialogElement);
  opened = { submission, testCase: report.caseByName.get(caseName), opener: opened?.opener ?? opener };
  const content = detailsContent(report, submission, result);
  dialog.replaceChildren(...nodes(content));
  if (!dialog.open) {
    dialog.addEventListener("close", closedDetails, { once: true });
    dialog.showModal();
  }
  dialog.scrollTop = 0;
  document.getElementById("details-title")?.focus();
  setAddress(`#${addressOf(submission.name, caseName)}`);
}

function closedDetails() {
  if (opened === null) return;
  const { submission, testCase, opener } = opened;
  opened = null;
  setAddress("#");
  skeletonElement("details", HTMLDialogElement).replaceChildren();
  if (opener?.isConnected) opener.focus();
  else if (testCase !== undefined && matrixGrid?.goTo(submission, testCase)) matrixGrid.focusActive();
}

/**
 * Returns the address of a result in the page. It leads to the result for every reader who has the same file.
 * @param {string} submission
 * @param {string} caseName
 */
function addressOf(submission, caseName) {
  return `result/${encodeURIComponent(submission)}/${encodeURIComponent(caseName)}`;
}

/** @param {string} address */
function setAddress(address) {
  try {
    history.replaceState(null, "", address);
  } catch {
    // The call fails if the page may not change its address, for example in a frame.
  }
}

/**
 * Shows the result that the address of the page names, if the report has it.
 * @param {Model.Report} report
 */
function followAddress(report) {
  const found = /^#result\/([^/]*)\/([^/]*)$/.exec(location.hash);
  if (found === null) return;
  const [submissionName, caseName] = found.slice(1).map(decoded);
  const submission = report.submissionByName.get(submissionName);
  if (submission?.results.has(caseName)) openDetails(report, submission, caseName, null);
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * @param {Model.Report} report
 * @param {Model.Submission} submission
 * @param {Model.Result} result
 * @returns {Dom.Child[]}
 */
function detailsContent(report, submission, result) {
  const told = report.toldByCase.get(result.case) ?? null;
  const exhibit = exhibitOf(result);
  return [
    detailsHead(result),
    failureSteps(report, submission, result),
    make(
      "div",
      { class: "details-body" },
      result.message &&
        framedMessage(result.verdict === "JE" ? "Why the judge failed" : "The judge says", result.message),
      exhibit?.why && remark("bad", exhibit.why),
      resultFacts(report, result),
      result.verdict === "RTE" && framedStderr(exhibit),
      result.team_message && framed("message of the package's validator to the team", result.team_message),
      told?.description && framed("the package's description of this case", told.description),
      boards(scenesOf(exhibit, told)),
      exhibit?.diff && framedDiff(exhibit.diff),
      ...detailsTexts(result, told, exhibit),
    ),
  ];
}

/** @param {Model.Result} result */
function detailsHead(result) {
  const title = make(
    "h2",
    { id: "details-title", tabindex: "-1" },
    badge(result.verdict),
    " ",
    named(result.case),
    make("span", { class: "by" }, " ", named(result.submission)),
  );
  const close = button("✕", () => skeletonElement("details", HTMLDialogElement).close(), {
    class: "close",
    "aria-label": "Close",
  });
  return make("header", {}, title, close);
}

/**
 * Makes buttons that lead to the other failing cases of the submission, in the order of the report.
 * @param {Model.Report} report
 * @param {Model.Submission} submission
 * @param {Model.Result} result
 */
function failureSteps(report, submission, result) {
  const failing = report.cases.filter((one) => (submission.results.get(one.name)?.verdict ?? "AC") !== "AC");
  const at = report.caseByName.get(result.case)?.index ?? -1;
  const before = failing.filter((one) => one.index < at).at(-1);
  const after = failing.find((one) => one.index > at);
  const place = failing.findIndex((one) => one.index === at);
  if (failing.length === 0) return null;
  /**
   * @param {string} label
   * @param {Model.TestCase | undefined} testCase undefined without such a case
   */
  const step = (label, testCase) =>
    button(label, () => testCase && openDetails(report, submission, testCase.name, null), {
      disabled: testCase === undefined && "",
    });
  const count = place < 0 ? counted(failing.length, "failing case") : `failing case ${place + 1} of ${failing.length}`;
  return make(
    "div",
    { class: "steps" },
    step("← Previous failing case", before),
    make("span", { class: "dim" }, count),
    step("Next failing case →", after),
  );
}

/**
 * @param {string} title
 * @param {string} message
 */
function framedMessage(title, message) {
  return make("div", { class: "judge-box" }, make("h3", {}, title), judgeSays(message));
}

/**
 * @param {Model.Report} report
 * @param {Model.Result} result
 */
function resultFacts(report, result) {
  const limit = limitOf(report);
  /** @param {number | null | undefined} amount */
  const time = (amount) =>
    amount !== null &&
    amount !== undefined && [seconds(amount), limit && ` of ${limitSeconds(limit)}`, shareBar(amount, limit)];
  return facts(
    [
      ["Verdict", `${result.verdict}, ${verdictWords(result.verdict)}`],
      ["CPU time", time(result.cpu_seconds)],
      ["Measured", measured(result)],
      ["Wall time", result.wall_seconds !== null && result.wall_seconds !== undefined && seconds(result.wall_seconds)],
      ["Memory", result.memory_bytes !== null && result.memory_bytes !== undefined && mebibytes(result.memory_bytes)],
      ["Exit code", typeof result.exit_code === "number" && String(result.exit_code)],
      ["Signal", typeof result.signal === "number" && signalName(result.signal)],
      ["Passes", typeof result.passes === "number" && String(result.passes)],
      ["Score", typeof result.score === "number" && figure(result.score)],
      ["Result", result.cached && "from an earlier run, and so are the times"],
    ],
    "of-result",
  );
}

/**
 * Says how reliable the time is. If the time is near the limit, another run may get another verdict.
 * @param {Model.Result} result
 */
function measured(result) {
  const all = result.cpu_seconds_all;
  const words = [
    result.close === true && "close to the limit",
    all && `the shortest of ${all.length} times: ${all.map(seconds).join(", ")}`,
  ].filter(Boolean);
  return words.length > 0 && words.join("; ");
}

/**
 * Shows the standard error; null if there is none. After a crash it comes first, because it says most about the reason.
 * @param {Extra.Exhibit | null} exhibit
 */
function framedStderr(exhibit) {
  return framedExcerpt("standard error of the program", exhibit?.stderr, "breakable");
}

/**
 * @param {Model.Result} result
 * @param {Extra.CaseTold | null} told
 * @param {Extra.Exhibit | null} exhibit
 */
function detailsTexts(result, told, exhibit) {
  const kept =
    exhibit !== null
      ? null
      : make(
          "p",
          { class: "notice" },
          result.verdict === "AC"
            ? "A report does not contain the output of accepted runs."
            : "This report does not contain the output.",
        );
  return [
    exhibit && framedExcerpt("the program wrote", exhibit.output),
    kept,
    framedExcerpt("expected (the package's answer)", told?.expected),
    framedExcerpt("input", told?.input),
    result.verdict !== "RTE" && framedStderr(exhibit),
    exhibit?.talk && framedTalk(exhibit.talk, exhibit.talk_left_out),
  ];
}
