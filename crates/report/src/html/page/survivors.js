// The mutants that are not killed, one by one, and what hunting them found.

/** More than this are not opened at once. */
const OPEN_SURVIVORS = 12;

function addSurvivors(report, main) {
  const all = report.mutants.filter(
    (mutant) => ["survived", "unjudged", "declared"].includes(mutant.fate) || (mutant.hunted && !mutant.fate),
  );
  if (all.length === 0) return;
  const worth = (mutant) =>
    mutant.hunted?.killed ? 0 : mutant.hunted?.kind ? 1 : mutant.fate === "declared" ? 4 : mutant.hunted ? 3 : 2;
  const sorted = all.sort((one, other) => worth(one) - worth(other) || one.number - other.number);
  main.append(
    section(
      "survivors",
      "Mutants that survive",
      sorted.map((mutant, index) => {
        const element = make("details", { class: "survivor", id: `mutant-${mutant.number}` }, survivorHead(mutant));
        whenOpened(element, () => mutantBody(mutant));
        element.open = index < OPEN_SURVIVORS && worth(mutant) < 3;
        return element;
      }),
    ),
  );
}

/** Fills a fold when it is first opened: of hundreds few are. */
function whenOpened(element, fill) {
  let isFilled = false;
  element.addEventListener("toggle", () => {
    if (!element.open || isFilled) return;
    isFilled = true;
    element.append(...nodes([fill()]));
  });
}

function survivorHead(mutant) {
  const [look, words] = huntedWord(mutant);
  return make(
    "summary",
    {},
    make("span", { class: `tag ${look}` }, words),
    " ",
    mutant.file ? named(mutantName(mutant)) : `#${mutant.number}`,
    mutant.operator && make("span", { class: "dim" }, ` ${mutant.operator}`),
  );
}

/** A look and a word for what is known of a mutant. */
function huntedWord({ fate, hunted }) {
  if (hunted?.killed) return ["bad", "a hole"];
  if (hunted?.kind) return ["bad", "a dispute"];
  if (fate === "declared") return ["none", "declared equivalent"];
  if (fate === "unjudged") return ["odd", "unjudged"];
  if (!hunted) return ["odd", "survives"];
  if (hunted.exhausted) return ["none", "equivalent"];
  return hunted.interrupted || hunted.tried === hunted.unjudged ? ["odd", "unknown"] : ["none", "probably equivalent"];
}

function mutantBody(mutant) {
  const { hunted } = mutant;
  return make(
    "div",
    { class: "survivor-body" },
    mutant.diff
      ? framedPatch("the change", mutant.diff)
      : mutant.was !== undefined && framedPatch("the change", `-${mutant.was}\n+${mutant.is}\n`),
    mutant.reason && make("p", { class: "remark" }, make("strong", {}, "The package says: "), named(mutant.reason)),
    mutant.message && framedMessage("Why", mutant.message),
    hunted &&
      make(
        "p",
        { class: "about" },
        isOfOther(hunted) ? `What was found for #${hunted.by_find_of} kills it, too.` : huntedSentence(hunted),
      ),
    hunted && !isOfOther(hunted) && findTexts(hunted, mutant.told, "the mutant"),
    hunted && findNotes(hunted),
  );
}

/** Whether it was found for another mutant, and is shown there. */
function isOfOther(hunted) {
  return typeof hunted.by_find_of === "number";
}

function huntedSentence(hunted) {
  if (hunted.killed) return `${lackWords(hunted.kind)}${hunted.minimal ? "; no smaller step does" : ""}.`;
  if (hunted.kind) return "The package's own accepted submissions do not agree, or fail, on this.";
  if (hunted.exhausted) return "On all inputs there are it does the same as the program.";
  if (hunted.tried === 0) return "Nobody could look.";
  const tries = counted(hunted.tried, "try", "tries");
  if (hunted.tried === hunted.unjudged) return `On none of ${tries} could anybody tell.`;
  return hunted.interrupted
    ? `Interrupted after ${tries}.`
    : `Nothing found in ${tries} and ${roughSeconds(hunted.seconds)}.`;
}

function lackWords(kind) {
  const words = new Map([
    ["accepts", "The tests lack this, which it accepts"],
    ["rejects", "The tests lack this, which it rejects"],
    ["fails", "The tests lack this, on which it fails"],
  ]);
  return words.get(kind) ?? `The data lacks this, on which it gets ${kind}`;
}

/** Shows a mutant of the kill matrix in the dialog. */
function openMutant(mutant) {
  const dialog = document.getElementById("details");
  const opener = document.activeElement;
  const title = make("h2", { id: "details-title", tabindex: "-1" }, named(mutantName(mutant)));
  const close = button("✕", () => dialog.close(), { class: "close", "aria-label": "Close" });
  const by = Array.from(mutant.kills);
  const few = by.slice(0, 40).map((name) => named(name));
  dialog.replaceChildren(
    make("header", {}, title, close),
    make(
      "div",
      { class: "details-body" },
      facts(
        [
          ["Fate", FATES.get(mutant.fate) ?? mutant.fate],
          ["Program", named(mutant.program)],
          ["Kind of mistake", mutant.operator],
          ["First killed by", mutant.case && [named(mutant.case), mutant.verdict && [" ", badge(mutant.verdict)]]],
          ["Killed by", by.length > 0 && [`${by.length}: `, joined(few), by.length > 40 && ", …"]],
          ["Not tried", mutant.not_tried > 0 && counted(mutant.not_tried, "case")],
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
      opener?.focus();
    },
    { once: true },
  );
  dialog.showModal();
  title.focus();
}
