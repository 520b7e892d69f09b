// Making elements. Everything that anybody wrote gets onto the page through `make` and `draw`, as text nodes and
// attribute values only, and every string of it through `shown`.

const SVG = "http://www.w3.org/2000/svg";

/** Controls, format characters (direction marks among them), blanks that are not a blank, all that has no picture. */
const UNSEEN = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{DI}]/gu;

/** More marks than any script puts on one letter; they would be drawn over the lines above and below. */
const HEAPED_MARKS = /(\p{M}{3})(\p{M}+)/gu;

/** Most text is plain, and a matrix has many cells: the classes above take long. */
const PLAIN = /^[\n\t -~]*$/;

/** `text` with everything made visible that is not seen itself and changes how the rest is read. */
function shown(text) {
  const string = String(text);
  if (PLAIN.test(string)) return string;
  return string
    .replace(UNSEEN, escaped)
    .replace(HEAPED_MARKS, (_, few, rest) => few + Array.from(rest, escaped).join(""));
}

function escaped(character) {
  const code = character.codePointAt(0);
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u{${code.toString(16)}}`;
}

/** The same for what stands in one line: names, and what is put into attributes. */
function shownInLine(text) {
  return shown(text).replace(/[\n\t]/g, escaped);
}

/** An HTML element. Keys of `attributes` that begin with "on" are listeners; null and false leave one out. */
function make(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element, by the same rules. */
function draw(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, shownInLine(value));
  }
  element.append(...nodes(children));
  return element;
}

/** Strings become text; null, undefined and false are nothing; arrays are taken apart. */
function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(shown(child))));
}

/** A name that somebody else chose: kept in its box, in one direction, and never taken for words of the page. */
function named(name, extra = "") {
  return make("bdi", { class: `name ${extra}`.trim(), translate: "no" }, shownInLine(name));
}

/** A name of which the end is seen where it does not fit: that is what tells paths apart. */
function tailed(name) {
  return make("span", { class: "tailed" }, named(name));
}

function button(label, onclick, attributes = {}) {
  return make("button", { type: "button", ...attributes, onclick }, label);
}

/** Words for those who do not see the picture beside them. */
function unseen(text) {
  return make("span", { class: "unseen" }, text);
}

/** A part of the page with its heading, to be linked to. */
function section(id, title, ...children) {
  const heading = make("h2", { id: `${id}-title` }, title);
  return make("section", { id, "aria-labelledby": `${id}-title` }, heading, ...children);
}

/** A table in a box of its own that can be scrolled, by keyboard too. */
function table(label, columns, rows, extra = "") {
  const isAmount = (index) => rows[0]?.cells[index]?.classList.contains("amount");
  const head = make(
    "tr",
    {},
    columns.map((column, index) => make("th", { scope: "col", class: isAmount(index) ? "amount" : null }, column)),
  );
  const body = make(
    "table",
    { class: extra || null },
    make("caption", { class: "unseen" }, label),
    make("thead", {}, head),
    make("tbody", {}, rows),
  );
  return scrolled(label, body);
}

function scrolled(label, ...children) {
  return make("div", { class: "scrolled", role: "group", "aria-label": label, tabindex: "0" }, ...children);
}

/** Facts by name. Pairs without a value are left out. */
function facts(pairs, extra = "") {
  const known = pairs.filter(([, value]) => value !== null && value !== undefined && value !== false);
  return make(
    "dl",
    { class: `facts ${extra}`.trim() },
    known.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))),
  );
}

/** What is shown when asked for. */
function folded(title, ...children) {
  return make("details", { class: "folded" }, make("summary", {}, title), ...children);
}
