// Shows names and fates of mutants.

const FATES = new Map([
  ["killed", "killed"],
  ["survived", "survives"],
  ["declared", "declared equivalent"],
  ["unjudged", "unjudged"],
  ["same-code", "same code as the program"],
  ["same-mutant", "same code as another mutant"],
  ["not-compiled", "does not compile"],
]);

/** The fates of the mutants in the kill matrix: only mutants that compile to code of their own. */
const OWN_FATES = ["survived", "unjudged", "declared", "killed"];

const FATE_LOOKS = new Map([
  ["killed", "good"],
  ["survived", "bad"],
  ["unjudged", "odd"],
]);

const FATE_SIGNS = new Map([
  ["killed", "✓"],
  ["survived", "✗"],
  ["declared", "="],
  ["unjudged", "!"],
]);

/** @param {Json.MutantFinished} mutant */
function mutantName(mutant) {
  return `#${mutant.number} ${mutant.file}:${mutant.line}:${mutant.column}`;
}

/** @param {Json.MutantFinished} mutant */
function fateSign(mutant) {
  const words = FATES.get(mutant.fate) ?? mutant.fate;
  return make(
    "span",
    { class: `sign ${FATE_LOOKS.get(mutant.fate) ?? "none"}`, title: words },
    make("span", { "aria-hidden": "true" }, FATE_SIGNS.get(mutant.fate)),
    unseen(`${words}: `),
  );
}
