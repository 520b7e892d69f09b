// Shows the worth of the test cases: which mutants they kill.

/**
 * @param {Model.Report} report
 * @param {HTMLElement} main
 */
function addCaseWorth(report, main) {
  const { strength } = report;
  const sole = new Map((strength?.sole_killers ?? []).map((one) => [one.case, one.mutants]));
  const minimal = strength?.minimal_cases ?? null;
  const idle = strength?.idle_cases ?? null;
  if (minimal === null && idle === null && sole.size === 0) return;
  const known = killCases(report, killRows(report));
  const rows = known.map((testCase) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, named(testCase.name)),
      make("td", { class: "amount" }, testCase.kills > 0 ? grouped(testCase.kills) : "none"),
      make("td", {}, soleWords(sole.get(testCase.name))),
      make("td", {}, testCase.isMinimal ? "★ yes" : "–"),
    ),
  );
  main.append(
    section(
      "cases",
      "Mutants that each test case kills",
      make("p", { class: "about" }, worthWords(strength, minimal, idle, sole)),
      rows.length > 0 &&
        table(
          "Test cases and the mutants they kill",
          ["Test case", "Mutants killed", "Killed by no other case", "In the small set"],
          rows,
          "figures cards",
        ),
    ),
  );
}

/** @param {number[] | undefined} mutants */
function soleWords(mutants) {
  if (!mutants) return "–";
  const few = mutants
    .slice(0, 8)
    .map((number) => `#${number}`)
    .join(", ");
  return `${grouped(mutants.length)}: ${few}${mutants.length > 8 ? ", …" : ""}`;
}

/**
 * @param {Json.StrengthFinished | null} strength
 * @param {string[] | null} minimal
 * @param {string[] | null} idle
 * @param {Map<string, number[]>} sole
 * @returns {Dom.Child[]}
 */
function worthWords(strength, minimal, idle, sole) {
  const smallest = strength?.minimal_is_proved
    ? "the smallest set that kills the same mutants as all cases"
    : "a small set that kills the same mutants as all cases";
  const idleWords = strength !== null && strength.pairs_unknown > 0 ? "not seen to kill a mutant" : "without a kill";
  return [
    minimal && `${counted(minimal.length, "case")} ${minimal.length === 1 ? "is" : "are"} ${smallest}.`,
    sole.size > 0 &&
      ` ${counted(sole.size, "case")} ${sole.size === 1 ? "kills" : "kill"} a mutant that no other case kills.`,
    idle !== null && idle.length === 0 && " Every case kills a mutant.",
    idle !== null && idle.length > 0 && ` ${counted(idle.length, "case")} ${idleWords}: `,
    idle !== null && idle.length > 0 && joined(idle.slice(0, 40).map((name) => named(name))),
    idle !== null && idle.length > 40 && ", …",
  ];
}
