// Makes elements. All text of submissions, packages and users gets onto the page through `make` and `draw`. They put it
// only into text nodes and attribute values, and pass every string of it through `shown`.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** Characters that a reader cannot see: controls, format characters such as direction marks, unusual blanks. */
const INVISIBLE = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{DI}]/gu;

/** More combining marks on one letter than any script uses. They would cover the lines above and below. */
const HEAPED_MARKS = /(\p{M}{3})(\p{M}+)/gu;

/** Text that needs no escapes. Most texts match this fast check, which saves the two slow ones above. */
const PLAIN = /^[\n\t -~]*$/;

/**
 * Replaces invisible characters by visible escapes, since they can change how the reader sees the rest.
 * @param {string | number} text
 */
function shown(text) {
  const string = String(text);
  if (PLAIN.test(string)) return string;
  return string
    .replace(INVISIBLE, escaped)
    .replace(HEAPED_MARKS, (_, few, rest) => few + Array.from(rest, escaped).join(""));
}

/** @param {string} character */
function escaped(character) {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u{${code.toString(16)}}`;
}

/**
 * Like `shown`, for names and attributes: escapes line breaks and tabs, too.
 * @param {string | number} text
 */
function shownInLine(text) {
  return shown(text).replace(/[\n\t]/g, escaped);
}

/**
 * Finds an element of skeleton.html. Throws an error if there is none of this kind.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 */
function skeletonElement(id, kind) {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`no ${kind.name} has the id ${id}`);
}

/**
 * Makes an HTML element. An attribute that begins with "on" is a listener; null, undefined and false omit an attribute.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Dom.Attributes} attributes
 * @param {...Dom.Child} children
 */
function make(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * Makes an SVG element, by the rules of `make`.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Dom.Attributes} attributes
 * @param {...Dom.Child} children
 */
function draw(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

/**
 * @template {Element} Kind
 * @param {Kind} element
 * @param {Dom.Attributes} attributes
 * @param {Dom.Child[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    // `Dom.Attributes` makes sure that the listener takes the events of this name. The type checker cannot see this
    // here, because the name is a string. It accepts the listener as a method of an object, because it checks the types
    // of methods less strictly.
    if (typeof value === "function") element.addEventListener(name.slice(2), { handleEvent: value });
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, shownInLine(value));
  }
  element.append(...nodes(children));
  return element;
}

/**
 * Turns children into nodes: strings become text, null, undefined and false are dropped, arrays are flattened.
 * @param {Dom.Child[]} children
 * @returns {Node[]}
 */
function nodes(children) {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    if (Array.isArray(child)) return nodes(child);
    return child instanceof Node ? child : document.createTextNode(shown(child));
  });
}

/**
 * Shows a name that the page did not choose. Its text direction cannot affect the text around it, and the browser does
 * not translate it.
 * @param {string} name
 */
function named(name) {
  return make("bdi", { class: "name", translate: "no" }, shownInLine(name));
}

/**
 * Shows the end of a name that is too long, because paths differ at their ends.
 * @param {string} name
 */
function tailed(name) {
  return make("span", { class: "tailed" }, named(name));
}

/**
 * @param {Dom.Child} label
 * @param {() => void} onclick
 * @param {Dom.Attributes} [attributes]
 */
function button(label, onclick, attributes = {}) {
  return make("button", { type: "button", ...attributes, onclick }, label);
}

/**
 * Makes words for screen readers only.
 * @param {string} text
 */
function unseen(text) {
  return make("span", { class: "unseen" }, text);
}

/**
 * Makes a section of the page with a heading that links can point to.
 * @param {string} id
 * @param {Dom.Child} title
 * @param {...Dom.Child} children
 */
function section(id, title, ...children) {
  const heading = make("h2", { id: `${id}-title` }, title);
  return make("section", { id, "aria-labelledby": `${id}-title` }, heading, ...children);
}

/**
 * Makes a table. On phones, each row becomes a card, except in tables of few figures.
 * @param {string} label
 * @param {Dom.Child[]} columns
 * @param {HTMLTableRowElement[]} rows
 * @param {string} [look] the class of the table; "cards" unless given
 */
function table(label, columns, rows, look = "cards") {
  /** @param {number} index */
  const isAmount = (index) => rows[0]?.cells[index]?.classList.contains("amount");
  const head = make(
    "tr",
    {},
    columns.map((column, index) => make("th", { scope: "col", class: isAmount(index) ? "amount" : null }, column)),
  );
  for (const row of rows) labelCells(row, columns);
  return make(
    "table",
    { class: look },
    make("caption", { class: "unseen" }, label),
    make("thead", {}, head),
    make("tbody", {}, rows),
  );
}

/**
 * Names the column of each cell, for the cards of phones.
 * @param {HTMLTableRowElement} row
 * @param {Dom.Child[]} columns
 */
function labelCells(row, columns) {
  Array.from(row.cells).forEach((cell, index) => {
    const column = columns[index];
    if (cell.localName === "td" && typeof column === "string") cell.dataset.label = column;
    if (cell.textContent === "–" || cell.textContent === "") cell.classList.add("lacking");
  });
}

/**
 * Makes a list of facts by name, without the facts that have no value.
 * @param {[string, Dom.Child][]} pairs
 * @param {string} [look] a further class of the list
 */
function facts(pairs, look = "") {
  const known = pairs.filter(([, value]) => value !== null && value !== undefined && value !== false);
  return make(
    "dl",
    { class: `facts ${look}`.trim() },
    known.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))),
  );
}

/**
 * Makes content that the reader can unfold.
 * @param {Dom.Child} title
 * @param {...Dom.Child} children
 */
function folded(title, ...children) {
  return make("details", { class: "folded" }, make("summary", {}, title), ...children);
}
