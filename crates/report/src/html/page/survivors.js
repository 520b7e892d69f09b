// Shows the mutants that survive, one by one, and the inputs that the hunts for them found.

/** The number of mutants that are open at first. */
const OPEN_SURVIVORS = 12;

/**
 * @param {Model.Report} report
 * @param {HTMLElement} main
 */
function addSurvivors(report, main) {
  const all = report.mutants.filter(
    ({ finished }) => finished === null || ["survived", "unjudged", "declared"].includes(finished.fate),
  );
  if (all.length === 0) return;
  const sorted = all.sort((one, other) => survivorRank(one) - survivorRank(other) || one.number - other.number);
  main.append(
    section(
      "survivors",
      "Mutants that survive",
      sorted.map((mutant, index) => {
        const element = make("details", { class: "survivor", id: `mutant-${mutant.number}` }, survivorHead(mutant));
        whenOpened(element, () => mutantBody(mutant));
        element.open = index < OPEN_SURVIVORS && survivorRank(mutant) < 3;
        return element;
      }),
    ),
  );
}

/**
 * Ranks mutants for the list: holes, disputes, mutants without a hunt, mutants with a hunt, declared mutants.
 * @param {Model.Mutant} mutant
 */
function survivorRank({ finished, hunted }) {
  if (hunted?.killed) return 0;
  if (hunted?.kind) return 1;
  if (finished?.fate === "declared") return 4;
  return hunted ? 3 : 2;
}

/**
 * Fills a fold when the reader first opens it. There may be hundreds of folds, and readers open few of them.
 * @param {HTMLDetailsElement} element
 * @param {() => Dom.Child} fill
 */
function whenOpened(element, fill) {
  let isFilled = false;
  element.addEventListener("toggle", () => {
    if (!element.open || isFilled) return;
    isFilled = true;
    element.append(...nodes([fill()]));
  });
}

/** @param {Model.Mutant} mutant */
function survivorHead(mutant) {
  const { finished } = mutant;
  const [look, words] = huntedWord(mutant);
  return make(
    "summary",
    {},
    make("span", { class: `tag ${look}` }, words),
    " ",
    finished ? named(mutantName(finished)) : `#${mutant.number}`,
    finished && make("span", { class: "dim" }, ` ${finished.operator}`),
  );
}

/**
 * Returns the CSS class and a description for the state of a mutant.
 * @param {Model.Mutant} mutant
 */
function huntedWord({ finished, hunted }) {
  const fate = finished?.fate;
  if (hunted?.killed) return ["bad", "a hole"];
  if (hunted?.kind) return ["bad", "a dispute"];
  if (fate === "declared") return ["none", "declared equivalent"];
  if (fate === "unjudged") return ["odd", "unjudged"];
  if (!hunted) return ["odd", "survives"];
  if (hunted.exhausted) return ["none", "equivalent"];
  return hunted.interrupted || hunted.tried === hunted.unjudged ? ["odd", "unknown"] : ["none", "probably equivalent"];
}

/** @param {Model.Mutant} mutant */
function mutantBody(mutant) {
  const { finished, hunted } = mutant;
  return make(
    "div",
    { class: "survivor-body" },
    finished && framedPatch("the change", finished.diff || `-${finished.was}\n+${finished.is}\n`),
    finished?.reason &&
      make("p", { class: "remark" }, make("strong", {}, "The package says: "), named(finished.reason)),
    finished?.message && framedMessage("Why", finished.message),
    hunted &&
      make(
        "p",
        { class: "about" },
        isOfOther(hunted)
          ? `The input found for mutant #${hunted.by_find_of} kills this mutant, too.`
          : huntedSentence(hunted),
      ),
    hunted && !isOfOther(hunted) && findTexts(hunted, mutant.told, "the mutant"),
    hunted && findNotes(hunted),
  );
}

/**
 * Returns whether the input was found for another mutant. The page shows such an input with the other mutant.
 * @param {Json.SurvivorHunted} hunted
 */
function isOfOther(hunted) {
  return typeof hunted.by_find_of === "number";
}

/** @param {Json.SurvivorHunted} hunted */
function huntedSentence(hunted) {
  if (hunted.killed)
    return `${lackWords(hunted.kind ?? "")}${hunted.minimal ? "; no slightly smaller input has this result" : ""}.`;
  if (hunted.kind) return "The package's own accepted submissions disagree or fail on this input.";
  if (hunted.exhausted) return "The mutant agrees with the program on all possible inputs.";
  if (hunted.tried === 0) return "Not hunted.";
  const tries = counted(hunted.tried, "try", "tries");
  if (hunted.tried === hunted.unjudged) return `None of ${tries} could be judged.`;
  return hunted.interrupted
    ? `Interrupted after ${tries}.`
    : `Nothing found in ${tries} and ${roughSeconds(hunted.seconds)}.`;
}

/** @param {string} kind */
function lackWords(kind) {
  const words = new Map([
    ["accepts", "The tests lack this case, which the mutant accepts and the unchanged validator rejects"],
    ["rejects", "The tests lack this case, which the mutant rejects and the unchanged validator accepts"],
    ["fails", "The tests lack this case, on which the mutant fails"],
  ]);
  return words.get(kind) ?? `The data lacks this input, on which the mutant gets ${kind}`;
}

/**
 * Shows a mutant of the kill matrix in the dialog.
 * @param {Kills.Row} row
 */
function openMutant({ name: mutantWords, mutant, finished, kills }) {
  const dialog = skeletonElement("details", HTMLDialogElement);
  const opener = document.activeElement;
  const title = make("h2", { id: "details-title", tabindex: "-1" }, named(mutantWords));
  const close = button("✕", () => dialog.close(), { class: "close", "aria-label": "Close" });
  const by = Array.from(kills);
  const few = by.slice(0, 40).map((name) => named(name));
  dialog.replaceChildren(
    make("header", {}, title, close),
    make(
      "div",
      { class: "details-body" },
      facts(
        [
          ["Fate", FATES.get(finished.fate) ?? finished.fate],
          ["Program", named(finished.program)],
          ["Kind of mistake", finished.operator],
          [
            "First killed by",
            finished.case && [named(finished.case), finished.verdict && [" ", badge(finished.verdict)]],
          ],
          ["Killed by", by.length > 0 && [`${by.length}: `, joined(few), by.length > 40 && ", …"]],
          ["Not run on", notTried(finished) > 0 && counted(notTried(finished), "case")],
        ],
        "of-result",
      ),
      mutantBody(mutant),
    ),
  );
  dialog.addEventListener(
    "close",
    () => {
      dialog.replaceChildren();
      if (opener instanceof HTMLElement) opener.focus();
    },
    { once: true },
  );
  dialog.showModal();
  title.focus();
}
