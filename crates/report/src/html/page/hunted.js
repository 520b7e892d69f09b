// What `hunt` found.

function addHunts(report, main) {
  report.hunts.forEach(({ hunt, told }, index) => {
    const id = index === 0 ? "hunt" : `hunt-${index + 1}`;
    main.append(
      section(
        id,
        "The smallest input on which it fails",
        huntHead(hunt),
        huntFacts(hunt, report.submissionByName.get(hunt.submission)?.build),
        hunt.found && findTexts(hunt, told, "the program"),
        findNotes(hunt),
      ),
    );
  });
}

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
  const isVerdict = VERDICTS.has(hunt.kind);
  const what = isVerdict ? [badge(hunt.kind), ` ${verdictWords(hunt.kind)}`] : huntKind(hunt.kind);
  return make(
    "p",
    { class: "outcome bad" },
    make("span", { class: "sign", "aria-hidden": "true" }, "✗"),
    make("strong", {}, named(hunt.submission), ": ", what),
    ` on an input of ${findSize(hunt)}; ${minimalWords(hunt.minimal)}`,
  );
}

function huntKind(kind) {
  return kind === "jury" ? "the package's own accepted submissions do not agree, or fail," : String(kind);
}

function huntEnd(hunt) {
  if (hunt.interrupted) return "interrupted";
  return hunt.exhausted ? "all inputs there are were tried" : "more time or another seed may find something";
}

function findSize(hunt) {
  const { bytes, bytes_before_shrinking: before } = hunt;
  if (typeof bytes !== "number") return "unknown size";
  return byteCount(bytes) + (before > bytes ? `, made of ${byteCount(before)}` : "");
}

function minimalWords(minimal) {
  return minimal ? "no smaller step fails in the same way" : "the time was over before shrinking was finished";
}

function huntFacts(hunt, build) {
  return facts([
    ["Language", build?.language],
    ["Inputs tried", grouped(hunt.tried)],
    ["Smaller ones tried", hunt.found && grouped(hunt.shrink_tried)],
    ["Illegal ones", hunt.illegal > 0 && grouped(hunt.illegal)],
    ["Nobody could judge", hunt.unjudged > 0 && grouped(hunt.unjudged)],
    ["Time", roughSeconds(hunt.seconds)],
    ["Seed", String(hunt.seed)],
    ["Expected answers come from", hunt.truth.length > 0 && joined(hunt.truth.map((one) => named(one)))],
  ]);
}
