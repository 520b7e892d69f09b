// The kill matrix: mutants and the test cases that kill them.

/** The kill matrix, of those that compile to something of their own. */
function addKillMatrix(report, main) {
  const mutants = report.mutants.filter((mutant) => OWN_FATES.includes(mutant.fate));
  const cases = killCases(report, mutants);
  if (mutants.length === 0 || cases.length === 0) return;
  const grid = new Grid({
    label: "Mutants and the test cases that kill them",
    corner: "mutant",
    blank: "does not kill, or is not known to",
    rowHead: (mutant) => [fateSign(mutant), tailed(mutantName(mutant))],
    columnHead: (testCase) => [
      named(testCase.name),
      testCase.isMinimal && make("span", { class: "star", title: "in the small set" }, "★"),
    ],
    cell: killCell,
    tell: killWords,
    open: openMutant,
  });
  const count = make("p", { class: "count", role: "status", id: "kill-count" });
  const none = make("p", { class: "nothing" }, "No mutant passes the filters.");
  main.append(
    section(
      "kills",
      "Kill matrix",
      killFilters(mutants, cases, grid, count, none),
      killLegend(report),
      grid.element,
      none,
    ),
  );
}

/** The cases that are known to kill, and those that are known not to. */
function killCases(report, mutants) {
  const kills = new Map();
  for (const name of report.strength?.idle_cases ?? []) kills.set(name, 0);
  for (const mutant of mutants) {
    mutant.name = mutantName(mutant);
    mutant.kills = new Set(mutant.killed_by ?? (mutant.case ? [mutant.case] : []));
    for (const name of mutant.kills) kills.set(name, (kills.get(name) ?? 0) + 1);
  }
  const minimal = new Set(report.strength?.minimal_cases ?? []);
  return Array.from(kills, ([name, count]) => ({ name, kills: count, isMinimal: minimal.has(name) })).sort(
    (one, other) => byName(one.name, other.name),
  );
}

function killFilters(mutants, cases, grid, count, none) {
  const wanted = { text: "", onlyAlive: false, rows: "number", columns: "name" };
  const refresh = () => {
    const rows = mutants.filter((mutant) => isMutantWanted(mutant, wanted)).sort(mutantOrder(wanted.rows));
    const columns = [...cases].sort(
      (one, other) => (wanted.columns === "kills" ? other.kills - one.kills : 0) || byName(one.name, other.name),
    );
    grid.show(rows, columns);
    none.hidden = rows.length > 0;
    const shownMutants = `${grouped(rows.length)} of ${counted(mutants.length, "mutant")}`;
    count.textContent = `${shownMutants}, ${counted(cases.length, "test case")}`;
  };
  const change = (field) => (value) => {
    wanted[field] = value;
    refresh();
  };
  refresh();
  return make(
    "div",
    { class: "filters", role: "search", "aria-label": "Filter mutants" },
    textFilter("Mutant", "mutant-filter", change("text")),
    choiceList(
      "Rows",
      "mutant-order",
      [
        ["number", "by number"],
        ["program", "by place"],
        ["kills", "least killed first"],
      ],
      change("rows"),
    ),
    choiceList(
      "Columns",
      "kill-column-order",
      [
        ["name", "by name"],
        ["kills", "most kills first"],
      ],
      change("columns"),
    ),
    tickBox("only those that are not killed", change("onlyAlive")),
    count,
  );
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
  return make(
    "p",
    { class: "legend" },
    make("span", {}, make("span", { class: "kill-key", "aria-hidden": "true" }, "●"), " kills"),
    make(
      "span",
      {},
      isPartial
        ? "empty: does not kill, or was not tried (the line below tells how many were not)"
        : "empty: does not kill",
    ),
    make("span", {}, "★ in the small set that kills the same"),
  );
}

function killCell(mutant, testCase) {
  return mutant.kills.has(testCase.name) ? { text: "●", look: "kill" } : null;
}

function killWords(mutant, testCase) {
  const kills = mutant.kills.has(testCase.name);
  const unknown =
    mutant.killed_by === null
      ? "only the first that kills is known"
      : mutant.not_tried > 0
        ? `${counted(mutant.not_tried, "case")} not tried`
        : "";
  const words = kills ? "kills it" : unknown === "" ? "does not kill it" : "does not kill it, or was not tried";
  const first = mutant.case === testCase.name && mutant.verdict ? [" with ", badge(mutant.verdict)] : "";
  return [
    named(mutantName(mutant)),
    ` (${mutant.operator}, ${FATES.get(mutant.fate) ?? mutant.fate}): `,
    named(testCase.name),
    ` ${words}`,
    first,
    unknown && `; ${unknown}`,
  ];
}
