// How strong the test data is: the sum, the kill matrix, and what each test case is good for.

const FATES = new Map([
  ["killed", "killed"], ["survived", "survives"], ["declared", "declared equivalent"], ["unjudged", "unjudged"],
  ["same-code", "the same as the program"], ["same-mutant", "the same as another mutant"], ["not-compiled", "does not compile"],
]);

/** Fates of those that the matrix shows; the others are no programs of their own. */
const OWN_FATES = ["survived", "unjudged", "declared", "killed"];

const FATE_LOOKS = new Map([["killed", "good"], ["survived", "bad"], ["unjudged", "odd"]]);

function addStrength(report, main) {
  if (report.strength === null && report.mutants.length === 0) return;
  const { strength } = report;
  main.append(section("strength", "How strong the test data is", strength && [strengthOutcome(strength), strengthFacts(strength),
    strengthNotes(strength), strengthTables(strength)], !strength && make("p", { class: "notice" }, "The sum is lacking: the " +
    "run was not finished.")));
}

function strengthOutcome(sum) {
  const [look, sign, words] = strengthWord(sum);
  const rate = sum.mutants > 0 ? ` (${Math.floor(100 * sum.killed / sum.mutants)} %)` : "";
  return make("p", { class: `outcome ${look}` }, make("span", { class: "sign", "aria-hidden": "true" }, sign),
    make("strong", {}, words), `: ${grouped(sum.killed)} of ${counted(sum.mutants, "mutant")} killed${rate}`);
}

function strengthWord(sum) {
  if (sum.interrupted) return ["odd", "!", "Interrupted"];
  if (sum.disputed > 0) return ["bad", "✗", "An accepted submission is wrong"];
  if (sum.holes > 0) return ["bad", "✗", "The data has holes"];
  if (sum.wrongly_declared.length > 0) return ["bad", "✗", "Wrongly declared"];
  return sum.survived > 0 ? ["odd", "!", "Survivors that nobody has looked into"] : ["good", "✓", "No hole found"];
}

function strengthFacts(sum) {
  const some = (count) => count > 0 && grouped(count);
  return facts([
    ["Holes (with a find)", some(sum.holes)], ["Disputed", some(sum.disputed)], ["Survive", some(sum.survived)],
    ["Declared equivalent", some(sum.equivalent_declared)], ["Proved equivalent", some(sum.equivalent_proved)],
    ["Probably equivalent", some(sum.equivalent_suspected)], ["Unjudged", some(sum.unjudged)],
    ["Killed by verdict", Object.entries(sum.by_verdict).map(([verdict, count]) => `${verdict} ${count}`).join(", ") || null],
    ["Changes", grouped(sum.changes) + (sum.is_sample ? `, a sample of them by seed ${sum.seed}` : "")],
    ["Do not compile", some(sum.not_compiled)], ["Compile to what was there", some(sum.same_code)],
    ["Pairs not run", some(sum.pairs_unknown)], ["Time", roughSeconds(sum.seconds)],
  ]);
}

function strengthNotes(sum) {
  const list = (word, lines) => lines.map((line) => remark("odd", line, make("strong", {}, `${word}: `)));
  return [list("Wrongly declared", sum.wrongly_declared), list("Stale", sum.stale), list("Note", sum.remarks)];
}

function strengthTables(sum) {
  return make("div", { class: "side-by-side" },
    killTable("Program", sum.by_program), killTable("Kind of mistake", sum.by_operator));
}

function killTable(heading, counts) {
  const rows = Object.entries(counts).map(([name, [mutants, killed]]) => make("tr", {},
    make("th", { scope: "row" }, named(name)), make("td", { class: "amount" }, grouped(mutants)),
    make("td", { class: "amount" }, grouped(killed)),
    make("td", { class: "amount" }, mutants > killed ? make("strong", {}, grouped(mutants - killed)) : "–")));
  return rows.length > 0 && table(`Mutants by ${heading.toLowerCase()}`, [heading, "Mutants", "Killed", "Alive"], rows, "figures");
}

/** The kill matrix, of those that compile to something of their own. */
function addKillMatrix(report, main) {
  const mutants = report.mutants.filter((mutant) => OWN_FATES.includes(mutant.fate));
  const cases = killCases(report, mutants);
  if (mutants.length === 0 || cases.length === 0) return;
  const grid = new Grid({
    label: "Mutants and the test cases that kill them", corner: "mutant", blank: "does not kill, or is not known to",
    rowHead: (mutant) => [fateSign(mutant), named(mutantName(mutant))],
    columnHead: (testCase) => [named(testCase.name), testCase.isMinimal && make("span", { class: "star", title: "in the small set" }, "★")],
    cell: killCell, tell: killWords, open: openMutant,
  });
  const count = make("p", { class: "count", role: "status", id: "kill-count" });
  const none = make("p", { class: "nothing" }, "No mutant passes the filters.");
  main.append(section("kills", "Kill matrix", killFilters(mutants, cases, grid, count, none), killLegend(report), grid.element, none));
}

/** The cases that are known to kill, and those that are known not to. */
function killCases(report, mutants) {
  const kills = new Map();
  for (const name of report.strength?.idle_cases ?? []) kills.set(name, 0);
  for (const mutant of mutants) {
    mutant.kills = new Set(mutant.killed_by ?? (mutant.case ? [mutant.case] : []));
    for (const name of mutant.kills) kills.set(name, (kills.get(name) ?? 0) + 1);
  }
  const minimal = new Set(report.strength?.minimal_cases ?? []);
  return Array.from(kills, ([name, count]) => ({ name, kills: count, isMinimal: minimal.has(name) }))
    .sort((one, other) => byName(one.name, other.name));
}

function killFilters(mutants, cases, grid, count, none) {
  const wanted = { text: "", onlyAlive: false, rows: "number", columns: "name" };
  const refresh = () => {
    const rows = mutants.filter((mutant) => isMutantWanted(mutant, wanted)).sort(mutantOrder(wanted.rows));
    const columns = [...cases].sort((one, other) => (wanted.columns === "kills" ? other.kills - one.kills : 0) || byName(one.name, other.name));
    grid.show(rows, columns);
    none.hidden = rows.length > 0;
    count.textContent = `${grouped(rows.length)} of ${counted(mutants.length, "mutant")}, ${counted(cases.length, "test case")}`;
  };
  const change = (field) => (value) => {
    wanted[field] = value;
    refresh();
  };
  refresh();
  return make("div", { class: "filters", role: "search", "aria-label": "Filter mutants" },
    textFilter("Mutant", "mutant-filter", change("text")),
    choiceList("Rows", "mutant-order", [["number", "by number"], ["program", "by place"], ["kills", "least killed first"]], change("rows")),
    choiceList("Columns", "kill-column-order", [["name", "by name"], ["kills", "most kills first"]], change("columns")),
    tickBox("only those that are not killed", change("onlyAlive")), count);
}

function isMutantWanted(mutant, { text, onlyAlive }) {
  if (onlyAlive && mutant.fate === "killed") return false;
  return text === "" || `${mutantName(mutant)} ${mutant.operator}`.toLowerCase().includes(text);
}

function mutantOrder(order) {
  return (one, other) => {
    if (order === "kills") return one.kills.size - other.kills.size || one.number - other.number;
    if (order === "program") return byName(one.file, other.file) || one.line - other.line || one.number - other.number;
    return one.number - other.number;
  };
}

function killLegend(report) {
  const isPartial = report.mutants.some((mutant) => mutant.not_tried > 0 || mutant.killed_by === null);
  return make("p", { class: "legend" }, make("span", {}, make("span", { class: "kill-key", "aria-hidden": "true" }, "●"), " kills"),
    make("span", {}, isPartial ? "empty: does not kill, or was not tried (the line below tells how many were not)" : "empty: does not kill"),
    make("span", {}, "★ in the small set that kills the same"));
}

function mutantName(mutant) {
  return `#${mutant.number} ${mutant.file}:${mutant.line}:${mutant.column}`;
}

function fateSign(mutant) {
  const signs = { killed: "✓", survived: "✗", declared: "=", unjudged: "!" };
  const words = FATES.get(mutant.fate) ?? mutant.fate;
  return make("span", { class: `sign ${FATE_LOOKS.get(mutant.fate) ?? "none"}`, title: words },
    make("span", { "aria-hidden": "true" }, signs[mutant.fate]), unseen(`${words}: `));
}

function killCell(mutant, testCase) {
  return mutant.kills.has(testCase.name) ? { text: "●", look: "kill" } : null;
}

function killWords(mutant, testCase) {
  const kills = mutant.kills.has(testCase.name);
  const unknown = mutant.killed_by === null ? "only the first that kills is known" :
    mutant.not_tried > 0 ? `${counted(mutant.not_tried, "case")} not tried` : "";
  const words = kills ? "kills it" : unknown === "" ? "does not kill it" : "does not kill it, or was not tried";
  const first = mutant.case === testCase.name && mutant.verdict ? [" with ", badge(mutant.verdict)] : "";
  return [named(mutantName(mutant)), ` (${mutant.operator}, ${FATES.get(mutant.fate) ?? mutant.fate}): `, named(testCase.name),
    ` ${words}`, first, unknown && `; ${unknown}`];
}

/** What each test case is good for. */
function addCaseWorth(report, main) {
  const { strength } = report;
  const sole = new Map((strength?.sole_killers ?? []).map((one) => [one.case, one.mutants]));
  const minimal = strength?.minimal_cases ?? null;
  const idle = strength?.idle_cases ?? null;
  if (minimal === null && idle === null && sole.size === 0) return;
  const known = killCases(report, report.mutants.filter((mutant) => OWN_FATES.includes(mutant.fate)));
  const rows = known.map((testCase) => make("tr", {}, make("th", { scope: "row" }, named(testCase.name)),
    make("td", { class: "amount" }, testCase.kills > 0 ? grouped(testCase.kills) : "none"),
    make("td", {}, soleWords(sole.get(testCase.name))), make("td", {}, testCase.isMinimal ? "★ yes" : "–")));
  main.append(section("cases", "What the test cases are good for", make("p", { class: "about" }, worthWords(strength, minimal, idle, sole)),
    rows.length > 0 && table("Test cases and the mutants they kill", ["Test case", "Known to kill", "Alone kills", "In the small set"], rows, "figures")));
}

function soleWords(mutants) {
  if (!mutants) return "–";
  const few = mutants.slice(0, 8).map((number) => `#${number}`).join(", ");
  return `${grouped(mutants.length)}: ${few}${mutants.length > 8 ? ", …" : ""}`;
}

function worthWords(strength, minimal, idle, sole) {
  const smallest = strength?.minimal_is_proved ? "the smallest set that kills the same" : "a small set that kills the same";
  const idleWords = strength?.pairs_unknown > 0 ? "not seen to kill any" : "kill none";
  return [
    minimal && `${counted(minimal.length, "case")} ${minimal.length === 1 ? "is" : "are"} ${smallest}.`,
    sole.size > 0 && ` ${counted(sole.size, "case")} alone ${sole.size === 1 ? "kills" : "kill"} some mutant.`,
    idle && ` ${counted(idle.length, "case")} ${idleWords}${idle.length === 0 ? "." : ""}`, idle?.length > 0 && ": ",
    idle?.length > 0 && joined(idle.slice(0, 40).map((name) => named(name))), idle?.length > 40 && ", …",
  ];
}
