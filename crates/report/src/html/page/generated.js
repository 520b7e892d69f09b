// What `generate` made, and what writing it would change.

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

function generationFacts(sum) {
  if (sum === null) return null;
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
  return table("Generated test cases", ["Test case", "Change", "Files", "Made by", "Time"], rows, "figures");
}

/** A case, or a file, that could not be made has no change. */
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

function changedFiles(files) {
  const changed = Object.entries(files).filter(([, change]) => change !== "unchanged");
  return changed.map(([ending, change]) => (change === "new" ? `new ${ending}` : ending)).join(", ") || "–";
}

function generatedBy(one) {
  return [
    one.command ? make("code", {}, shownInLine(one.command)) : one.same_as ? ["as ", named(one.same_as)] : "–",
    one.message && framed("why it failed", one.message),
    one.unmatched.map((line) => remark("bad", `No match: ${line}`)),
    one.remarks.map((line) => remark("odd", line)),
  ];
}

/** Files that belong to no case. */
function addOtherFiles(sum, main) {
  if (sum === null) return;
  const rows = [
    ...Object.entries(sum.others).map(([path, change]) => [path, changeTag(change)]),
    ...sum.removed.map((path) => [path, make("span", { class: "tag odd" }, "to be removed")]),
    ...sum.kept.map((path) => [path, make("span", { class: "tag none" }, "kept: no rule makes it")]),
  ];
  if (rows.length === 0) return;
  main.append(
    section(
      "other-files",
      "Other files",
      table(
        "Other files",
        ["File", "Change"],
        rows.map(([path, what]) => make("tr", {}, make("th", { scope: "row" }, named(path)), make("td", {}, what))),
        "figures",
      ),
    ),
  );
}
