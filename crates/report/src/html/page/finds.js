// Shows an input that a hunt found, on which a submission or a mutant fails.

/**
 * Shows the texts and pictures of a find. `whose` names the program.
 * @param {Json.HuntFinished | Json.SurvivorHunted} find
 * @param {Extra.FindTold | null} told
 * @param {string} whose
 */
function findTexts(find, told, whose) {
  const isVerdict = VERDICTS.has(find.kind ?? "");
  const message = find.message && framedMessage("Why", find.message);
  return [
    message,
    boards(told?.boards ?? []),
    make(
      "div",
      { class: "find-texts" },
      find.input !== null && find.input !== undefined && framed("input", find.input, byteRemark(find.input)),
      find.expected !== null && find.expected !== undefined && framed("expected", find.expected),
      find.got !== null && find.got !== undefined && framed(isVerdict ? `${whose} wrote` : "output", find.got),
    ),
    find.input_unchecked && remark("odd", `It is unknown whether this input is legal: ${find.input_unchecked}.`),
    told?.diff && framedDiff(told.diff),
  ];
}

/** @param {string} text */
function byteRemark(text) {
  return byteCount(new TextEncoder().encode(text).length);
}

/**
 * Shows the remarks of a hunt, and the files that it wrote.
 * @param {Json.HuntFinished | Json.SurvivorHunted} find
 */
function findNotes(find) {
  return [
    ...find.remarks.map((line) => remark("odd", line)),
    find.written.length > 0 &&
      make("p", { class: "remark" }, "Written: ", joined(find.written.map((path) => named(path)))),
  ];
}

/**
 * Inserts commas between elements.
 * @param {Dom.Child[]} things
 */
function joined(things) {
  return things.flatMap((thing, index) => (index === 0 ? [thing] : [", ", thing]));
}
