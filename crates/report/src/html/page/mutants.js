// What a mutant is called, and what became of it.

const FATES = new Map([
  ["killed", "killed"],
  ["survived", "survives"],
  ["declared", "declared equivalent"],
  ["unjudged", "unjudged"],
  ["same-code", "the same as the program"],
  ["same-mutant", "the same as another mutant"],
  ["not-compiled", "does not compile"],
]);

/** Fates of those that the matrix shows; the others are no programs of their own. */
const OWN_FATES = ["survived", "unjudged", "declared", "killed"];

const FATE_LOOKS = new Map([
  ["killed", "good"],
  ["survived", "bad"],
  ["unjudged", "odd"],
]);

function mutantName(mutant) {
  return `#${mutant.number} ${mutant.file}:${mutant.line}:${mutant.column}`;
}

function fateSign(mutant) {
  const signs = { killed: "✓", survived: "✗", declared: "=", unjudged: "!" };
  const words = FATES.get(mutant.fate) ?? mutant.fate;
  return make(
    "span",
    { class: `sign ${FATE_LOOKS.get(mutant.fate) ?? "none"}`, title: words },
    make("span", { "aria-hidden": "true" }, signs[mutant.fate]),
    unseen(`${words}: `),
  );
}
