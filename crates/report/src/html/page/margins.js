// Shows the run times of every judged submission, and their margins to the time limit.

/** If the plot has more runs than this, each row shows the range of its runs, because so many dots would overlap. */
const MOST_DOTS = 1500;

/**
 * @param {Model.Report} report
 * @param {HTMLElement} main
 */
function addMargins(report, main) {
  const timed = report.submissions
    .map((submission) => ({ submission, runs: timedRuns(submission) }))
    .filter(({ runs }) => runs.length > 0);
  if (timed.length === 0) return;
  const limit = limitOf(report);
  const axis = timeAxis(
    timed.flatMap(({ runs }) => runs.map(({ time }) => time)),
    limit,
  );
  const isSpread = timed.reduce((sum, { runs }) => sum + runs.length, 0) > MOST_DOTS;
  const rows = timed.map(({ submission, runs }) => ({
    head: tailed(submission.shortName),
    words: timeWords(submission, runs, limit),
    marks: isSpread ? spreadOf(axis, runs) : runs.map(({ time, verdict }) => runMark(axis, time, verdict)),
  }));
  const about = isSpread
    ? "A line goes from a submission's fastest run to its slowest, with a bar at the median."
    : "A dot is a run that was accepted, a cross is a run that was not accepted.";
  main.append(
    section(
      "margins",
      "Margins to the time limit",
      make("p", { class: "about" }, about),
      timePlot("CPU times of submissions", axis, limitLines(limit), rows),
      timeTable(timed, limit),
    ),
  );
}

/**
 * Returns the runs of a submission that have a CPU time, the fastest first.
 * @param {Model.Submission} submission
 */
function timedRuns(submission) {
  return Array.from(submission.results.values())
    .flatMap(({ cpu_seconds: time, verdict, case: name }) => (typeof time === "number" ? { time, verdict, name } : []))
    .sort((one, other) => one.time - other.time);
}

/** @param {number | null} limit */
function limitLines(limit) {
  if (limit === null) return [];
  return [
    { look: "half-line", time: limit / 2, words: `half of the time limit, ${limitSeconds(limit / 2)}` },
    { look: "limit-line", time: limit, words: `time limit, ${limitSeconds(limit)}` },
  ];
}

/**
 * @param {Times.Axis} axis
 * @param {Times.Run[]} runs
 */
function spreadOf(axis, runs) {
  const slowest = runs[runs.length - 1];
  return [
    ...spreadMarks(
      axis,
      runs.map(({ time }) => time),
    ),
    runMark(axis, slowest.time, slowest.verdict),
  ];
}

/**
 * @param {Model.Submission} submission
 * @param {Times.Run[]} runs
 * @param {number | null} limit
 */
function timeWords(submission, runs, limit) {
  const slowest = runs[runs.length - 1];
  const share = limit === null ? "" : `, ${Math.round((100 * slowest.time) / limit)} % of the limit`;
  return (
    `${submission.name}: ${counted(runs.length, "run")}, median ${seconds(median(runs).time)}, ` +
    `slowest ${seconds(slowest.time)} on ${slowest.name}${share}`
  );
}

/**
 * @param {Times.Timed[]} timed
 * @param {number | null} limit
 */
function timeTable(timed, limit) {
  const rows = timed.map(({ submission, runs }) => {
    const slowest = runs[runs.length - 1];
    const times = [runs[0], median(runs), slowest].map(({ time }) => make("td", { class: "amount" }, seconds(time)));
    const margin = limit === null || slowest.time === 0 ? "–" : `${marginFigure(limit / slowest.time)}×`;
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, named(submission.name)),
      make("td", { class: "amount" }, grouped(runs.length)),
      times,
      make("td", { class: "amount" }, margin),
      make("td", {}, named(slowest.name)),
    );
  });
  return folded(
    "The times as a table",
    table(
      "CPU times of submissions",
      ["Submission", "Runs", "Fastest", "Median", "Slowest", "Limit / slowest", "Slowest case"],
      rows,
      "figures cards",
    ),
  );
}

/** @param {number} factor */
function marginFigure(factor) {
  return factor >= 1000 ? "> 999" : factor.toFixed(factor < 10 ? 2 : 0);
}
