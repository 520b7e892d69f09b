// One submission on one test case, in a dialog.

/** What the dialog shows, and where the focus was before. */
let opened = null;

/** Shows a result. `opener` gets the focus back; null if that is the matrix. */
function openDetails(report, submission, caseName, opener) {
  const dialog = document.getElementById("details");
  opened = { report, submission, caseName, opener: opened?.opener ?? opener };
  dialog.replaceChildren(...detailsContent(report, submission, submission.results.get(caseName)));
  if (!dialog.open) {
    dialog.addEventListener("close", closedDetails, { once: true });
    dialog.showModal();
  }
  dialog.scrollTop = 0;
  document.getElementById("details-title").focus();
  setAddress(`#${addressOf(submission.name, caseName)}`);
}

function closedDetails() {
  const { report, submission, caseName, opener } = opened;
  opened = null;
  setAddress("#");
  document.getElementById("details").replaceChildren();
  if (opener?.isConnected) opener.focus();
  else if (matrixGrid?.goTo(submission, report.caseByName.get(caseName))) matrixGrid.focusActive();
}

/** An address that can be sent to somebody who has the same file. */
function addressOf(submission, caseName) {
  return `result/${encodeURIComponent(submission)}/${encodeURIComponent(caseName)}`;
}

function setAddress(address) {
  try {
    history.replaceState(null, "", address);
  } catch {
    // Where a page may not change its address (in a frame, say), there is none to send.
  }
}

/** Shows the result that the address names, if it names one. */
function followAddress(report) {
  const found = /^#result\/([^/]*)\/([^/]*)$/.exec(location.hash);
  if (found === null) return;
  const [submissionName, caseName] = found.slice(1).map(decoded);
  const submission = report.submissionByName.get(submissionName);
  if (submission?.results.has(caseName)) openDetails(report, submission, caseName, null);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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
      resultFacts(report, result),
      result.team_message && framed("the package's validator wrote to the team", result.team_message),
      told?.description && framed("the package says of this case", told.description),
      boards(scenesOf(exhibit, told)),
      exhibit?.diff && framedDiff(exhibit.diff),
      ...detailsTexts(result, told, exhibit),
    ),
  ].filter(Boolean);
}

function detailsHead(result) {
  const title = make(
    "h2",
    { id: "details-title", tabindex: "-1" },
    badge(result.verdict),
    " ",
    named(result.case),
    make("span", { class: "by" }, " ", named(result.submission)),
  );
  const close = button("✕", () => document.getElementById("details").close(), {
    class: "close",
    "aria-label": "Close",
  });
  return make("header", {}, title, close);
}

/** The way to this submission's other failing cases, in the order of the columns. */
function failureSteps(report, submission, result) {
  const failing = report.cases.filter((one) => (submission.results.get(one.name)?.verdict ?? "AC") !== "AC");
  const at = report.caseByName.get(result.case).index;
  const before = failing.filter((one) => one.index < at).at(-1);
  const after = failing.find((one) => one.index > at);
  const place = failing.findIndex((one) => one.index === at);
  if (failing.length === 0) return null;
  const step = (label, testCase) =>
    button(label, () => openDetails(report, submission, testCase.name, null), {
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

function framedMessage(title, message) {
  return make("div", { class: "judge-box" }, make("h3", {}, title), judgeSays(message));
}

function resultFacts(report, result) {
  const limit = limitOf(report);
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
      ["Result", result.cached && "of an earlier run, with its times"],
    ],
    "of-result",
  );
}

/** How sure the time is: what lies near the limit may be on its other side the next time. */
function measured(result) {
  const all = result.cpu_seconds_all;
  const words = [
    result.close === true && "close to the limit",
    all && `the least of ${all.length} times: ${all.map(seconds).join(", ")}`,
  ].filter(Boolean);
  return words.length > 0 && words.join("; ");
}

function detailsTexts(result, told, exhibit) {
  const kept =
    exhibit !== null
      ? null
      : make(
          "p",
          { class: "notice" },
          result.verdict === "AC"
            ? "The output of what was accepted is not kept in a report."
            : "The output was not kept in this report.",
        );
  return [
    exhibit && framedExcerpt("the program wrote", exhibit.output),
    kept,
    framedExcerpt("expected (the package's answer)", told?.expected),
    framedExcerpt("input", told?.input),
    exhibit?.stderr && framedExcerpt("standard error of the program", exhibit.stderr),
    exhibit?.talk && framedTalk(exhibit.talk),
  ];
}
