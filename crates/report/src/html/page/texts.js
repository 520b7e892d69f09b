// Texts that somebody else wrote, each in a frame that says whose it is.

/** A text in its frame. `note` says what is missing of it. */
function framed(whose, text, note = "") {
  const body =
    text === ""
      ? make("p", { class: "dim" }, "(nothing)")
      : make("pre", { tabindex: "0", role: "group", "aria-label": whose }, text);
  return framedNodes(whose, note, body);
}

function framedNodes(whose, note, ...body) {
  const caption = make("figcaption", {}, make("span", {}, whose), note && make("span", { class: "dim" }, ` ${note}`));
  return make("figure", { class: "theirs" }, caption, ...body);
}

/** A `Text` of the report: the part that was kept, with the size of the whole. */
function framedExcerpt(whose, excerpt) {
  return excerpt ? framed(whose, excerpt.text, excerptRemark(excerpt)) : null;
}

function excerptRemark(excerpt) {
  const from = excerpt.first_line > 1 ? `from line ${grouped(excerpt.first_line)}, ` : "";
  return `${from}${byteCount(excerpt.whole_bytes)}${excerpt.cut ? " in all, cut" : ""}`;
}

/** What two programs said to each other, in turns. */
function framedTalk(talk) {
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
  const body =
    turns.length > 0 ? make("ol", { class: "talk" }, turns) : make("p", { class: "dim" }, "(nothing was said)");
  const box = make(
    "div",
    { class: "scrolled", role: "group", tabindex: "0", "aria-label": "what was said last" },
    body,
  );
  return framedNodes("what submission and validator said last", "", box);
}

function talkRemark(said) {
  return said.cut && make("p", { class: "dim" }, `${byteCount(said.whole_bytes)} in all`);
}

/** What the judge says, which may quote the submission and have several lines. */
function judgeSays(message) {
  return make("p", { class: "judge-says", tabindex: tabStop(message) }, message);
}

/** A sentence below what it is about. */
function remark(look, text, ...before) {
  return make("p", { class: `remark ${look}`.trim(), tabindex: tabStop(text) }, ...before, text);
}

/** What is long has to be scrolled in its box, by keyboard too. */
function tabStop(text) {
  return text.length > 400 || text.split("\n").length > 6 ? "0" : null;
}

/** A unified diff as text, its lines coloured by their signs. */
function framedPatch(whose, patch) {
  const lines = patch
    .replace(/\n$/, "")
    .split("\n")
    .filter((line) => !line.startsWith("@@"));
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
