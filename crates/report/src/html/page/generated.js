// Shows the test cases of `referee generate`, and the files that change.

/**
 * @param {Model.Report} report
 * @param {HTMLElement} main
 */
function addGenerated(report, main) {
  if (report.generated.length > 0) {
    main.append(
      section(
        "generated",
        "Generated test cases",
        generationFacts(report.generation),
        generatedTable(report.generated),
      ),
    );
  } else if (report.generation !== null) {
    main.append(section("generated", "Generated test cases", generationFacts(report.generation)));
  }
  addOtherFiles(report.generation, main);
}

/** @param {Json.GenerateFinished | null} sum */
function generationFacts(sum) {
  if (sum === null) return null;
  /** @param {number} count */
  const some = (count) => count > 0 && grouped(count);
  return facts([
    ["Cases", grouped(sum.cases)],
    ["Failed", some(sum.failed)],
    ["Without a match", some(sum.unmatched)],
    ["New", some(sum.new)],
    ["Changed", some(sum.changed)],
    ["Unchanged", some(sum.unchanged)],
    ["Written to", sum.written && named(sum.written)],
    ["Wall time", roughSeconds(sum.wall_seconds)],
  ]);
}

/** @param {Json.CaseGenerated[]} cases */
function generatedTable(cases) {
  const rows = cases.map((one) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, named(one.case)),
      make("td", {}, changeTag(one.change)),
      make("td", {}, changedFiles(one.files)),
      make("td", { class: "wide" }, generatedBy(one)),
      make("td", { class: "amount" }, seconds(one.seconds)),
    ),
  );
  return table("Generated test cases", ["Test case", "Change", "Files", "Made by", "Time"], rows, "figures cards");
}

/**
 * Shows how a case or a file differs. If there is no `change`, the generator failed.
 * @param {Json.Change | null | undefined} change
 */
function changeTag(change) {
  const looks = new Map([
    ["new", "good"],
    ["changed", "odd"],
    ["unchanged", "none"],
  ]);
  return change
    ? make("span", { class: `tag ${looks.get(change) ?? "none"}` }, change)
    : make("span", { class: "tag bad" }, "failed");
}

/** @param {Record<string, Json.Change>} files */
function changedFiles(files) {
  const changed = Object.entries(files).filter(([, change]) => change !== "unchanged");
  return changed.map(([ending, change]) => (change === "new" ? `new ${ending}` : ending)).join(", ") || "–";
}

/** @param {Json.CaseGenerated} one */
function generatedBy(one) {
  return [
    one.command
      ? make("code", {}, shownInLine(one.command))
      : one.same_as
        ? ["same rule as ", named(one.same_as)]
        : "–",
    one.message && framed("why it failed", one.message),
    one.unmatched.map((line) => remark("bad", `No match: ${line}`)),
    one.remarks.map((line) => remark("odd", line)),
  ];
}

/**
 * Shows files that belong to no test case.
 * @param {Json.GenerateFinished | null} sum
 * @param {HTMLElement} main
 */
function addOtherFiles(sum, main) {
  if (sum === null) return;
  /** @type {[string, Dom.Child][]} */
  const rows = [];
  for (const [path, change] of Object.entries(sum.others)) rows.push([path, changeTag(change)]);
  for (const path of sum.removed) rows.push([path, make("span", { class: "tag odd" }, "to be removed")]);
  for (const path of sum.kept) rows.push([path, make("span", { class: "tag none" }, "kept: no rule makes it")]);
  if (rows.length === 0) return;
  main.append(
    section(
      "other-files",
      "Other files",
      table(
        "Other files",
        ["File", "Change"],
        rows.map(([path, what]) => make("tr", {}, make("th", { scope: "row" }, named(path)), make("td", {}, what))),
        "figures cards",
      ),
    ),
  );
}
