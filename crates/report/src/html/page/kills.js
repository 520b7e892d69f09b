// Shows the kill matrix: mutants and the test cases that kill them.

/**
 * @param {Model.Report} report
 * @param {HTMLElement} main
 */
function addKillMatrix(report, main) {
  const rows = killRows(report);
  const cases = killCases(report, rows);
  if (rows.length === 0 || cases.length === 0) return;
  /** @type {Grid<Kills.Row, Kills.TestCase>} */
  const grid = new Grid({
    label: "Mutants and the test cases that kill them",
    corner: "mutant",
    blank: "does not kill, or is not known to",
    rowHead: ({ finished, name }) => [fateSign(finished), tailed(name)],
    columnHead: (testCase) => [
      named(testCase.name),
      testCase.isMinimal && make("span", { class: "star", title: "in the small set" }, "★"),
    ],
    cell: killCell,
    tell: killWords,
    open: openMutant,
  });
  const count = make("p", { class: "count", role: "status" });
  const none = make("p", { class: "nothing" }, "No mutant passes the filters.");
  main.append(
    section("kills", "Kill matrix", killFilters(rows, cases, grid, count, none), killLegend(rows), grid.element, none),
  );
}

/**
 * Returns the mutants of the kill matrix.
 * @param {Model.Report} report
 * @returns {Kills.Row[]}
 */
function killRows(report) {
  return report.mutants.flatMap((mutant) => {
    const { finished } = mutant;
    if (finished === null || !OWN_FATES.includes(finished.fate)) return [];
    const kills = new Set(finished.killed_by ?? (finished.case ? [finished.case] : []));
    return { name: mutantName(finished), mutant, finished, kills };
  });
}

/**
 * Returns the test cases that are known to kill a mutant, and those that are not known to kill any.
 * @param {Model.Report} report
 * @param {Kills.Row[]} rows
 * @returns {Kills.TestCase[]}
 */
function killCases(report, rows) {
  /** @type {Map<string, number>} */
  const kills = new Map();
  for (const name of report.strength?.idle_cases ?? []) kills.set(name, 0);
  for (const row of rows) {
    for (const name of row.kills) kills.set(name, (kills.get(name) ?? 0) + 1);
  }
  const minimal = new Set(report.strength?.minimal_cases ?? []);
  return Array.from(kills, ([name, count]) => ({ name, kills: count, isMinimal: minimal.has(name) })).sort(
    (one, other) => byName(one.name, other.name),
  );
}

/**
 * @param {Kills.Row[]} all
 * @param {Kills.TestCase[]} cases
 * @param {Grid<Kills.Row, Kills.TestCase>} grid
 * @param {HTMLElement} count
 * @param {HTMLElement} none
 */
function killFilters(all, cases, grid, count, none) {
  /** @type {Kills.Choice} */
  const wanted = { text: "", onlyAlive: false, rows: "number", columns: "name" };
  const refresh = () => {
    const rows = all.filter((row) => isRowWanted(row, wanted)).sort(mutantOrder(wanted.rows));
    const columns = [...cases].sort(
      (one, other) => (wanted.columns === "kills" ? other.kills - one.kills : 0) || byName(one.name, other.name),
    );
    grid.show(rows, columns);
    none.hidden = rows.length > 0;
    const shownMutants = `${grouped(rows.length)} of ${counted(all.length, "mutant")}`;
    count.textContent = `${shownMutants}, ${counted(cases.length, "test case")}`;
  };
  /** @param {"text" | "rows" | "columns"} field */
  const change = (field) => (/** @type {string} */ value) => {
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
        ["program", "by source position"],
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
    tickBox("only mutants that are not killed", (onlyAlive) => {
      wanted.onlyAlive = onlyAlive;
      refresh();
    }),
    count,
  );
}

/**
 * @param {Kills.Row} row
 * @param {Kills.Choice} choice
 */
function isRowWanted({ name, finished }, { text, onlyAlive }) {
  if (onlyAlive && finished.fate === "killed") return false;
  return text === "" || `${name} ${finished.operator}`.toLowerCase().includes(text);
}

/**
 * @param {string} order
 * @returns {(one: Kills.Row, other: Kills.Row) => number}
 */
function mutantOrder(order) {
  return (one, other) => {
    const byNumber = one.finished.number - other.finished.number;
    if (order === "kills") return one.kills.size - other.kills.size || byNumber;
    if (order !== "program") return byNumber;
    return byName(one.finished.file, other.finished.file) || one.finished.line - other.finished.line || byNumber;
  };
}

/**
 * Returns the number of test cases that the mutant did not run on.
 * @param {Json.MutantFinished} finished
 */
function notTried(finished) {
  return finished.not_tried ?? 0;
}

/**
 * Returns whether the report has at most the first test case that kills the mutant.
 * @param {Json.MutantFinished} finished
 */
function isFirstKillOnly(finished) {
  return (finished.killed_by ?? null) === null;
}

/** @param {Kills.Row[]} rows */
function killLegend(rows) {
  const isPartial = rows.some(({ finished }) => notTried(finished) > 0 || isFirstKillOnly(finished));
  return make(
    "p",
    { class: "legend" },
    make("span", {}, make("span", { class: "kill-key", "aria-hidden": "true" }, "●"), " kills"),
    make(
      "span",
      {},
      isPartial
        ? "empty: does not kill, or was not run (the line below the matrix gives the number of cases not run)"
        : "empty: does not kill",
    ),
    make("span", {}, "★ in the small set that kills the same mutants as all cases"),
  );
}

/**
 * @param {Kills.Row} row
 * @param {Kills.TestCase} testCase
 */
function killCell(row, testCase) {
  return row.kills.has(testCase.name) ? { text: "●", look: "kill" } : null;
}

/**
 * @param {Kills.Row} row
 * @param {Kills.TestCase} testCase
 */
function killWords({ name, finished: mutant, kills: killers }, testCase) {
  const kills = killers.has(testCase.name);
  const unknown = isFirstKillOnly(mutant)
    ? "only the first case that kills the mutant is known"
    : notTried(mutant) > 0
      ? `${counted(notTried(mutant), "case")} not run on the mutant`
      : "";
  const words = kills ? "kills the mutant" : unknown === "" ? "does not kill it" : "does not kill it, or was not run";
  const first = mutant.case === testCase.name && mutant.verdict ? [" with ", badge(mutant.verdict)] : "";
  return [
    named(name),
    ` (${mutant.operator}, ${FATES.get(mutant.fate) ?? mutant.fate}): `,
    named(testCase.name),
    ` ${words}`,
    first,
    unknown && `; ${unknown}`,
  ];
}
