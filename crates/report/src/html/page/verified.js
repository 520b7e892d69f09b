// Shows the findings of `referee verify`, package by package.

/** The CSS class and the sign of each gravity, the worst first. */
const GRAVITIES = {
  error: ["bad", "✗"],
  warning: ["odd", "!"],
  note: ["none", "·"],
};

const BOUND_WORDS = new Map([
  ["lower", "must keep the limit"],
  ["upper", "must exceed the limit"],
]);

/**
 * @param {Model.Report} report
 * @param {HTMLElement} main
 */
function addVerified(report, main) {
  report.packages.forEach((one, index) => {
    const title = one.started?.title ? `${one.started.title} (${one.name})` : one.name;
    main.append(
      section(
        `package-${index + 1}`,
        ["Package ", named(title)],
        packageOutcome(one),
        packageFacts(one),
        findingList(one),
        checkTable(one),
        packageMargins(one),
      ),
    );
  });
}

/** @param {Model.Package} one */
function packageOutcome({ finished, findings }) {
  if (finished === null) return make("p", { class: "notice" }, "This package was not verified to the end.");
  const { errors, warnings, notes } = finished;
  const [look, sign] = errors > 0 ? ["bad", "✗"] : warnings > 0 ? ["odd", "!"] : ["good", "✓"];
  const words = [counted(errors, "error"), counted(warnings, "warning"), notes > 0 && counted(notes, "note")]
    .filter(Boolean)
    .join(", ");
  const lacking = errors + warnings + notes - findings.length;
  return make(
    "p",
    { class: `outcome ${look}` },
    make("span", { class: "sign", "aria-hidden": "true" }, sign),
    make("strong", {}, words),
    lacking > 0 && `; ${counted(lacking, "finding")} not shown in this report`,
  );
}

/** @param {Model.Package} one */
function packageFacts({ started, finished }) {
  return (
    started &&
    facts([
      ["Format", started.format],
      ["Folder", started.folder && named(started.folder)],
      ["Test cases", grouped(started.cases)],
      ["Submissions", grouped(started.submissions)],
      ["Time", finished && roughSeconds(finished.seconds)],
    ])
  );
}

/** @param {Model.Package} one */
function findingList({ findings }) {
  if (findings.length === 0) return null;
  const ranks = Object.keys(GRAVITIES);
  const sorted = [...findings].sort((one, other) => ranks.indexOf(one.severity) - ranks.indexOf(other.severity));
  const items = sorted.map(findingItem);
  const bar = make(
    "div",
    { class: "chips", role: "group", "aria-label": "Gravity" },
    gravityChip("error", sorted, items),
    gravityChip("warning", sorted, items),
    gravityChip("note", sorted, items),
  );
  return [make("h3", {}, "Findings"), bar, make("ul", { class: "findings" }, items)];
}

/**
 * Makes a button that hides and shows the findings of one gravity; null if there are none.
 * @param {Json.Gravity} severity
 * @param {Json.VerifyFinding[]} findings
 * @param {HTMLElement[]} items
 */
function gravityChip(severity, findings, items) {
  const count = findings.filter((finding) => finding.severity === severity).length;
  if (count === 0) return null;
  const [look] = GRAVITIES[severity];
  const element = button(
    [make("span", { class: `tag ${look}` }, severity), ` ${count}`],
    () => {
      const isShown = element.getAttribute("aria-pressed") !== "true";
      element.setAttribute("aria-pressed", String(isShown));
      items.forEach((item, index) => {
        if (findings[index].severity === severity) item.hidden = !isShown;
      });
    },
    { class: "chip", "aria-pressed": "true" },
  );
  return element;
}

/** @param {Json.VerifyFinding} finding */
function findingItem(finding) {
  const [look, sign] = GRAVITIES[finding.severity];
  const place = finding.place ?? finding.case ?? finding.submission;
  return make(
    "li",
    { class: `finding ${look}` },
    make(
      "p",
      {},
      make("span", { class: `tag ${look}` }, `${sign} ${finding.severity}`),
      " ",
      make("span", { class: "dim" }, `${finding.check} `),
      place && named(place),
      finding.case && finding.case !== place && [" case ", named(finding.case)],
      finding.submission && finding.submission !== place && [" submission ", named(finding.submission)],
    ),
    make("p", { class: "finding-text", tabindex: tabStop(finding.message) }, finding.message),
    finding.hint && make("p", { class: "hint" }, make("strong", {}, "What to do: "), finding.hint),
  );
}

/** @param {Model.Package} one */
function checkTable({ finished }) {
  if (finished === null || finished.checks.length === 0) return null;
  const rows = finished.checks.map((check) => {
    const [look, sign, words] = checkWord(check);
    const counts = [check.errors, check.warnings, check.notes].map((count) =>
      make("td", { class: "amount" }, count > 0 ? grouped(count) : "–"),
    );
    return make(
      "tr",
      {},
      make(
        "th",
        { scope: "row" },
        make("span", { class: `sign ${look}`, role: "img", "aria-label": words }, sign),
        ` ${check.name}`,
      ),
      make(
        "td",
        { class: "wide" },
        check.about,
        check.skipped && remark("odd", `${check.about ? "Incomplete" : "Skipped"}: ${check.skipped}`),
      ),
      counts,
      make("td", { class: "amount" }, seconds(check.seconds)),
    );
  });
  return [
    make("h3", {}, "Checks"),
    table("Checks", ["Check", "What was checked", "Errors", "Warnings", "Notes", "Time"], rows, "figures cards"),
  ];
}

/** @param {Json.VerifyCheck} check */
function checkWord(check) {
  if (check.errors > 0) return ["bad", "✗", "errors"];
  if (check.warnings > 0) return ["odd", "!", "warnings"];
  return check.skipped ? ["none", "–", "skipped or incomplete"] : ["good", "✓", "nothing wrong"];
}

/**
 * Shows the margins of the run times that bound the time limit, and of every submission's slowest run.
 * @param {Model.Package} one
 */
function packageMargins({ name, limit, margins }) {
  if (limit === null && margins.length === 0) return null;
  const head = [
    make("h3", {}, "Margins to the time limit"),
    limit && make("p", { class: "about" }, limitSentence(limit)),
  ];
  const bounding = margins.filter((margin) => margin.is_slowest || margin.bound);
  if (bounding.length === 0) return head;
  const axis = timeAxis(
    bounding.map((margin) => margin.seconds),
    limit?.time_limit_seconds ?? null,
  );
  const rows = bounding.map((margin) => ({
    head: [marginSign(margin), named(margin.submission)],
    words: marginWords(margin, limit),
    marks: [marginMark(axis, margin)],
  }));
  const about =
    "A dot is a lower bound of the time limit, a triangle an upper bound, and a diamond neither. An arrow means that " +
    "the judge stopped the program at this time, so the program takes longer.";
  return [
    head,
    make("p", { class: "about" }, about),
    timePlot(`Margins of ${name}`, axis, packageLines(limit), rows),
    marginTable(bounding, limit),
  ];
}

/** @param {Json.VerifyTimeLimit} limit */
function limitSentence(limit) {
  const smallest =
    limit.smallest_seconds === null || limit.smallest_seconds === undefined
      ? "the smallest allowed time limit is unknown"
      : `the smallest allowed time limit is ${limitSeconds(limit.smallest_seconds)}`;
  return (
    `Time limit ${limitSeconds(limit.time_limit_seconds)}, ${limit.is_stated ? "stated" : "measured"}; ${smallest}. ` +
    `The time limit must be at least ${limit.ac_to_time_limit} times the slowest run that must pass, ` +
    `rounded up to a multiple of ${limitSeconds(limit.resolution_seconds)}. ` +
    `A run that must exceed the limit must take at least ${limit.time_limit_to_tle} times the limit.`
  );
}

/** @param {Json.VerifyTimeLimit | null} limit */
function packageLines(limit) {
  if (limit === null) return [];
  const { time_limit_seconds: time, smallest_seconds: smallest } = limit;
  const lines = [{ look: "limit-line", time, words: `time limit, ${limitSeconds(time)}` }];
  if (typeof smallest === "number" && smallest !== time) {
    lines.unshift({
      look: "half-line",
      time: smallest,
      words: `smallest allowed time limit, ${limitSeconds(smallest)}`,
    });
  }
  return lines;
}

/** @param {Json.VerifyMargin} margin */
function marginSign({ kept }) {
  if (kept === null || kept === undefined) return null;
  const [look, sign, words] = kept ? ["good", "✓", "margin kept: "] : ["bad", "✗", "margin not kept: "];
  return make("span", { class: `sign ${look}` }, make("span", { "aria-hidden": "true" }, sign), unseen(words));
}

/**
 * @param {Json.VerifyMargin} margin
 * @param {Json.VerifyTimeLimit | null} limit
 */
function marginWords(margin, limit) {
  return (
    `${margin.submission}: ${margin.is_more ? "more than " : ""}${seconds(margin.seconds)} on ${margin.case}, ` +
    `${factorWords(margin, limit)}${boundWords(margin)}`
  );
}

/** @param {Json.VerifyMargin} margin */
function boundWords({ bound, kept }) {
  const words = BOUND_WORDS.get(bound ?? "");
  return (
    (words === undefined ? "" : `, ${words}`) +
    (kept === null || kept === undefined ? "" : kept ? ", margin kept" : ", margin not kept")
  );
}

/**
 * Returns the ratio of the time limit to a run time, or its inverse if the run must exceed the limit.
 * @param {Json.VerifyMargin} margin
 * @param {Json.VerifyTimeLimit | null} limit
 */
function factorWords(margin, limit) {
  const most = limit?.time_limit_seconds;
  if (margin.bound === "upper" && most && margin.seconds >= most) return `1/${marginFigure(margin.seconds / most)}`;
  return typeof margin.factor === "number" ? `${marginFigure(margin.factor)}×` : "–";
}

/**
 * @param {Times.Axis} axis
 * @param {Json.VerifyMargin} margin
 */
function marginMark(axis, margin) {
  const shapes = new Map([
    ["lower", "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0-4 0Z"],
    ["upper", "M0-5 5 4-5 4Z"],
  ]);
  const look = margin.kept === false ? "bad" : margin.kept === true ? "good" : "none";
  return draw(
    "svg",
    { x: `${axis.at(margin.seconds)}%`, y: "50%", overflow: "visible", class: `margin-mark ${look}` },
    draw("path", { d: shapes.get(margin.bound ?? "") ?? "M0-5 4 0 0 5-4 0Z" }),
    margin.is_more && draw("path", { class: "more-arrow", d: "M6 0H13M10-3 13 0 10 3" }),
  );
}

/**
 * @param {Json.VerifyMargin[]} margins
 * @param {Json.VerifyTimeLimit | null} limit
 */
function marginTable(margins, limit) {
  const rows = margins.map((margin) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, marginSign(margin), named(margin.submission)),
      make("td", {}, named(margin.case)),
      make("td", { class: "amount" }, `${margin.is_more ? "> " : ""}${seconds(margin.seconds)}`),
      make("td", { class: "amount" }, factorWords(margin, limit)),
      make("td", {}, BOUND_WORDS.get(margin.bound ?? "") ?? "–"),
      make("td", {}, margin.kept === true ? "yes" : margin.kept === false ? "no" : "–"),
    ),
  );
  return folded(
    "The times as a table",
    table("Margins", ["Submission", "Case", "CPU time", "Margin", "Bound", "Kept"], rows, "figures cards"),
  );
}
