// Shows the result of `referee hunt`.

/**
 * @param {Model.Report} report
 * @param {HTMLElement} main
 */
function addHunts(report, main) {
  report.hunts.forEach(({ hunt, told }, index) => {
    const id = index === 0 ? "hunt" : `hunt-${index + 1}`;
    main.append(
      section(
        id,
        "Search for a failing input",
        huntHead(hunt),
        huntFacts(hunt, report.submissionByName.get(hunt.submission)?.build),
        hunt.found && findTexts(hunt, told, "the program"),
        findNotes(hunt),
      ),
    );
  });
}

/** @param {Json.HuntFinished} hunt */
function huntHead(hunt) {
  if (!hunt.found) {
    return make(
      "p",
      { class: "outcome good" },
      make("span", { class: "sign", "aria-hidden": "true" }, "✓"),
      make("strong", {}, "Nothing found"),
      ` for `,
      named(hunt.submission),
      `: ${huntEnd(hunt)}`,
    );
  }
  const kind = hunt.kind ?? "";
  const what = VERDICTS.has(kind) ? [badge(kind), ` ${verdictWords(kind)}`] : huntKind(kind);
  return make(
    "p",
    { class: "outcome bad" },
    make("span", { class: "sign", "aria-hidden": "true" }, "✗"),
    make("strong", {}, named(hunt.submission), ": ", what),
    ` on an input of ${findSize(hunt)}; ${minimalWords(hunt)}`,
  );
}

/** @param {string} kind */
function huntKind(kind) {
  return kind === "jury" ? "the package's own accepted submissions disagree or fail" : kind;
}

/** @param {Json.HuntFinished} hunt */
function huntEnd(hunt) {
  if (hunt.interrupted) return "interrupted";
  if (hunt.exhausted) return "all possible inputs were tried";
  return "the time ran out; more time or another seed may find a failing input";
}

/** @param {Json.HuntFinished} hunt */
function findSize(hunt) {
  const { bytes, bytes_before_shrinking: before } = hunt;
  if (typeof bytes !== "number") return "unknown size";
  return byteCount(bytes) + (typeof before === "number" && before > bytes ? `, shrunk from ${byteCount(before)}` : "");
}

/** @param {Json.HuntFinished} hunt */
function minimalWords({ minimal, interrupted }) {
  if (minimal) return "no slightly smaller input fails in the same way";
  const reason = interrupted ? "shrinking was interrupted" : "the time ran out before shrinking was finished";
  return `${reason}, so a smaller input may exist`;
}

/**
 * @param {Json.HuntFinished} hunt
 * @param {Json.BuildFinished | null | undefined} build
 */
function huntFacts(hunt, build) {
  return facts([
    ["Language", build?.language],
    ["Inputs tried", grouped(hunt.tried)],
    ["Smaller inputs tried", hunt.found && grouped(hunt.shrink_tried)],
    ["Illegal inputs", hunt.illegal > 0 && grouped(hunt.illegal)],
    ["Inputs not judged", hunt.unjudged > 0 && grouped(hunt.unjudged)],
    ["Time", roughSeconds(hunt.seconds)],
    ["Seed", String(hunt.seed)],
    ["Expected answers come from", hunt.truth.length > 0 && joined(hunt.truth.map((one) => named(one)))],
  ]);
}
