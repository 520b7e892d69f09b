// Shows the head of the page: the run, and whether all is as expected.

/**
 * @param {Model.Report} report
 * @param {HTMLElement} main
 */
function addSummary(report, main) {
  const { page, run } = report;
  const heading = page?.heading || run?.package || "Report";
  skeletonElement("heading", HTMLElement).textContent = shownInLine(heading);
  const version = page?.version ?? run?.version;
  skeletonElement("version", HTMLElement).textContent = version ? shownInLine(version) : "";
  main.append(
    section(
      "summary",
      "Summary",
      outcome(report),
      verdictCounts(report),
      runFacts(report),
      summaryRemarks(report),
      ...leftOut(report),
      sandbox(report),
    ),
  );
  return true;
}

/**
 * Shows the outcome in words, with a sign, because not every reader sees colours.
 * @param {Model.Report} report
 */
function outcome(report) {
  const [look, sign, words] = outcomeWords(report);
  return make(
    "p",
    { class: `outcome ${look}`, id: "outcome" },
    make("span", { class: "sign", "aria-hidden": "true" }, sign),
    make("strong", {}, words),
  );
}

/** @param {Model.Report} report */
function outcomeWords(report) {
  const judged = report.end ?? report.generation;
  if (judged === null) return ["odd", "!", "Not finished: the report ends before the run did"];
  if (report.end !== null && report.end.submissions === 0 && report.end.skipped > 0) {
    return ["odd", "!", "Nothing was judged"];
  }
  const part = partWords(report);
  if (!judged.as_wanted) return ["bad", "✗", `Not all as expected${part}`];
  if (report.end !== null && report.end.skipped > 0) {
    return ["odd", "!", `Not all judged, the judged ones as expected${part}`];
  }
  if (part !== "") return ["odd", "!", `As expected${part}`];
  const doubts = doubtWords(report);
  return doubts === null ? ["good", "✓", "All as expected"] : ["odd", "!", `All as expected, with ${doubts}`];
}

/**
 * Says how many warnings follow the outcome; null if none does. No warning stands below a green outcome.
 * @param {Model.Report} report
 */
function doubtWords({ remarks, packages, leftOut: left, unreadable }) {
  const found = packages.reduce((sum, { finished }) => sum + (finished?.warnings ?? 0), 0);
  const count = (remarks?.doubts.length ?? 0) + found + left.length + (unreadable > 0 ? 1 : 0);
  return count === 0 ? null : counted(count, "warning");
}

/**
 * Counts the submissions of each verdict; null for a single submission.
 * @param {Model.Report} report
 */
function verdictCounts({ submissions }) {
  if (submissions.length < 2) return null;
  const counts = standingCounts(submissions);
  return make(
    "ul",
    { class: "verdict-counts", "aria-label": "Submissions of each verdict" },
    Array.from(counts, ([word, count]) =>
      make("li", {}, standingBadge(word), ` ${VERDICTS.has(word) ? verdictWords(word) : ""} ${grouped(count)}`),
    ),
  );
}

/**
 * Lists what a reader should know about the outcome.
 * @param {Model.Report} report
 */
function summaryRemarks({ remarks }) {
  if (remarks === null) return null;
  return [...remarks.doubts.map((text) => remark("odd", text)), ...remarks.remarks.map((text) => remark("", text))];
}

/**
 * Says on how many test cases the expected verdicts were checked; empty if on all, or if nothing is expected.
 * @param {Model.Report} report
 */
function partWords(report) {
  const part = report.run?.part_of_cases;
  const hasExpected = report.submissions.some(({ finished }) => finished !== null && finished.expected !== null);
  return part && hasExpected ? ` on ${grouped(part.used)} of ${grouped(part.all)} test cases` : "";
}

/** @param {Model.Report} report */
function runFacts(report) {
  const { run, end } = report;
  const limit = limitOf(report);
  const cached = cachedResults(report);
  return facts([
    ["Package", run && named(run.package)],
    ["Time limit", limit && limitSeconds(limit)],
    ["Submissions", submissionCount(report)],
    ["Test cases", caseCount(report)],
    [
      "Runs",
      end &&
        end.cases_run > 0 &&
        grouped(end.cases_run) + (cached > 0 ? `, ${grouped(cached)} of them from earlier runs` : ""),
    ],
    ["Wall time", end && roughSeconds(end.wall_seconds)],
    ["Jobs", run && String(run.jobs)],
    ["Seed", run && run.seed !== null && run.seed !== undefined && String(run.seed)],
    ["Sandbox", run?.sandbox?.overall],
    ["Tools", toolVersions(report)],
  ]);
}

/**
 * Returns the versions that the compilers and interpreters print, each once.
 * @param {Model.Report} report
 */
function toolVersions(report) {
  const builds = report.submissions.map((one) => one.build);
  const used = [...builds, ...report.packages.map((one) => one.finished), report.strength];
  const versions = new Set(used.flatMap((one) => one?.tools ?? []).map((tool) => tool.version ?? tool.path));
  return versions.size > 0 && shownInLine([...versions].sort().join("; "));
}

/**
 * Returns the time limit in seconds; null if there is none.
 * @param {Model.Report} report
 */
function limitOf(report) {
  return report.run?.time_limit_seconds ?? null;
}

/** @param {Model.Report} report */
function cachedResults(report) {
  let count = 0;
  for (const submission of report.submissions) {
    for (const result of submission.results.values()) count += result.cached ? 1 : 0;
  }
  return count;
}

/**
 * Counts the test cases of the run, also those that no submission reached; null if there are none.
 * @param {Model.Report} report
 */
function caseCount({ run, cases, submissions }) {
  const all = submissions.map(({ finished }) => (finished ? finished.cases_run + finished.cases_skipped : 0));
  const count = run?.part_of_cases?.used ?? all.reduce((most, one) => Math.max(most, one), cases.length);
  return count > 0 ? grouped(count) : null;
}

/** @param {Model.Report} report */
function submissionCount(report) {
  const { submissions } = report;
  if (submissions.length === 0) return null;
  const judged = submissions.filter(({ finished }) => finished !== null).length;
  const unwanted = submissions.filter((submission) => isAsWanted(submission) === false).length;
  const parts = [`${grouped(submissions.length)} found`, `${grouped(judged)} judged`];
  return [...parts, ...(unwanted > 0 ? [`${grouped(unwanted)} not as expected`] : [])].join(", ");
}

/**
 * Lists the parts that are missing in the report.
 * @param {Model.Report} report
 */
function leftOut(report) {
  const lines = report.leftOut.map((what) => ["Left out, because the page would be too large: ", what]);
  const cut =
    report.unreadable === 0 ? [] : [[`${counted(report.unreadable, "line")} of this report could not be read`]];
  const all = [...lines, ...cut];
  return all.length === 0
    ? []
    : [
        make(
          "ul",
          { class: "notice", id: "left-out" },
          all.map((line) => make("li", {}, line)),
        ),
      ];
}

/**
 * Lists the parts of the sandbox with their reasons; null if all of them are enforced.
 * @param {Model.Report} report
 */
function sandbox(report) {
  const enforcement = report.run?.sandbox;
  if (!enforcement || enforcement.overall === "full") return null;
  const words = { not: "not enforced", partial: "partly enforced", enforced: "enforced" };
  const parts = Object.entries(enforcement.parts);
  const lacking = parts.filter(([, part]) => part.state !== "enforced");
  const rows = [...lacking, ...parts.filter(([, part]) => part.state === "enforced")].map(([name, part]) =>
    make(
      "tr",
      { class: part.state === "enforced" ? "dim" : null },
      make("th", { scope: "row" }, name.replaceAll("_", " ")),
      make("td", {}, words[part.state]),
      make("td", {}, part.why),
      make("td", {}, part.remedy),
    ),
  );
  const title =
    enforcement.overall === "off"
      ? "The sandbox was off"
      : `The sandbox is partial: ${lacking.map(([name]) => name.replaceAll("_", " ")).join(", ")}`;
  return folded(title, table("Parts of the sandbox", ["Part", "State", "Reason", "What to do"], rows));
}
