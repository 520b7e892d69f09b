// Shows the difference between expected and written lines.

const ROW_WORDS = new Map([
  ["-", "expected"],
  ["+", "written"],
  [" ", ""],
  ["…", "left out"],
]);
const ROW_LOOKS = new Map([
  ["-", "expected"],
  ["+", "written"],
  ["…", "gap"],
]);

/** @param {Extra.DiffRow[]} rows */
function framedDiff(rows) {
  const lines = rows.map((row) =>
    make(
      "tr",
      { class: ROW_LOOKS.get(row.sign) ?? null },
      make("td", { class: "number" }, row.line === null || row.line === undefined ? "" : String(row.line)),
      make("td", { class: "row-sign" }, row.sign === "…" ? "⋮" : row.sign, unseen(ROW_WORDS.get(row.sign) ?? "")),
      make(
        "td",
        { class: "row-text" },
        row.parts.map(([isMarked, text]) => diffPart(isMarked, text)),
      ),
    ),
  );
  const head = make(
    "tr",
    {},
    make("th", { scope: "col" }, "line"),
    make("th", { scope: "col" }, "sign"),
    make("th", { scope: "col" }, "text"),
  );
  const body = make(
    "table",
    { class: "diff" },
    make("caption", { class: "unseen" }, "Expected and written lines"),
    make("thead", { class: "unseen" }, head),
    make("tbody", {}, lines),
  );
  const legend = make(
    "span",
    { class: "legend" },
    make("del", {}, "- expected"),
    " ",
    make("ins", {}, "+ the program wrote"),
  );
  return framedNodes(["difference: ", legend], "", body);
}

/**
 * Makes blanks visible in a part that differs, because they can be the difference.
 * @param {boolean} isMarked
 * @param {string} text
 */
function diffPart(isMarked, text) {
  return isMarked ? make("mark", {}, text.replaceAll(" ", "·").replaceAll("\t", "→")) : text;
}
