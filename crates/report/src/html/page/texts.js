// Shows texts of submissions and packages. Each text has a frame with a caption that names its source.

/**
 * Shows a text in its frame. `note` says which part of the text is missing.
 * @param {string} whose
 * @param {string} text
 * @param {string} note
 * @param {string | null} look the class of the text
 */
function framed(whose, text, note = "", look = null) {
  const body =
    text === ""
      ? make("p", { class: "dim" }, "(nothing)")
      : make("pre", { tabindex: "0", role: "group", "aria-label": whose, class: look }, text);
  return framedNodes(whose, note, body);
}

/**
 * @param {Dom.Child} whose
 * @param {string} note
 * @param {...Dom.Child} body
 */
function framedNodes(whose, note, ...body) {
  const caption = make("figcaption", {}, make("span", {}, whose), note && make("span", { class: "dim" }, ` ${note}`));
  return make("figure", { class: "theirs" }, caption, ...body);
}

/**
 * Shows an excerpt in its frame, with the size of the whole text; null if there is none.
 * @param {string} whose
 * @param {Extra.Text | null | undefined} excerpt
 * @param {string | null} look the class of the text
 */
function framedExcerpt(whose, excerpt, look = null) {
  return excerpt ? framed(whose, excerpt.text, excerptRemark(excerpt), look) : null;
}

/** @param {Extra.Text} excerpt */
function excerptRemark(excerpt) {
  const from = excerpt.first_line > 1 ? `from line ${grouped(excerpt.first_line)}, ` : "";
  return `${from}${byteCount(excerpt.whole_bytes)}${excerpt.cut ? " in all, cut" : ""}`;
}

/**
 * Shows the messages of submission and validator, in turns. `leftOut` is the number of earlier messages that the page
 * does not have.
 * @param {Extra.Said[]} talk
 * @param {number} leftOut
 */
function framedTalk(talk, leftOut) {
  const turns = talk.map((said) =>
    make(
      "li",
      { class: said.by_submission ? "by-submission" : "by-judge" },
      make(
        "p",
        { class: "who" },
        said.by_submission ? "submission" : "validator",
        make("span", { class: "dim" }, ` at ${seconds(said.at_seconds)}`),
      ),
      make("pre", {}, said.text),
      talkRemark(said),
    ),
  );
  const body = turns.length > 0 ? make("ol", { class: "talk" }, turns) : make("p", { class: "dim" }, "(no messages)");
  const box = make("div", { class: "scrolled", role: "group", tabindex: "0", "aria-label": "last messages" }, body);
  const note = leftOut > 0 ? `${counted(leftOut, "earlier message")} left out` : "";
  return framedNodes("last messages between submission and validator", note, box);
}

/** @param {Extra.Said} said */
function talkRemark(said) {
  return said.cut && make("p", { class: "dim" }, `${byteCount(said.whole_bytes)} in all`);
}

/**
 * Shows a message of the judge. It can quote the submission and have several lines.
 * @param {string} message
 */
function judgeSays(message) {
  return make("p", { class: "judge-says", tabindex: tabStop(message) }, message);
}

/**
 * Shows a sentence below its subject.
 * @param {string} look
 * @param {string} text
 * @param {...Dom.Child} before
 */
function remark(look, text, ...before) {
  return make("p", { class: `remark ${look}`.trim(), tabindex: tabStop(text) }, ...before, text);
}

/**
 * Lets the Tab key lead to a long text, which scrolls in its box, so that the keyboard can scroll it.
 * @param {string} text
 */
function tabStop(text) {
  return text.length > 400 || text.split("\n").length > 6 ? "0" : null;
}

/**
 * Shows a unified diff as text, its lines coloured by their signs.
 * @param {string} whose
 * @param {string} patch
 */
function framedPatch(whose, patch) {
  const lines = patch
    .replace(/\n$/, "")
    .split("\n")
    .filter((line) => !line.startsWith("@@"));
  /** @type {Map<string, "del" | "ins">} */
  const looks = new Map([
    ["-", "del"],
    ["+", "ins"],
  ]);
  return framedNodes(
    whose,
    "",
    make(
      "pre",
      { tabindex: "0", role: "group", "aria-label": whose, class: "patch" },
      lines.map((line) => [make(looks.get(line[0]) ?? "span", {}, line), "\n"]),
    ),
  );
}
