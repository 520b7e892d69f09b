// A matrix of any size: only the cells in view are in the page, and the one that has the focus.

/** More cells than are seen are made on each side, so that little has to be made while scrolling. */
const SPARE_ROWS = 4;
const SPARE_COLUMNS = 6;

/** A matrix of more is not printed: what is wider than the paper would be cut, and who reads a hundred pages of it? */
const MOST_ROWS_ON_PAPER = 300;
const MOST_COLUMNS_ON_PAPER = 30;

/** How many there are, so that each has an id of its own. */
let grids = 0;

class Grid {
  /**
   * `rowHead(row)` and `columnHead(column)` make nodes; `cell(row, column)` gives `{ text, look }`, null if blank;
   * `tell(row, column)` says in words what is there; `open(row, column)` shows more of it.
   */
  constructor({ label, corner, rowHead, columnHead, cell, tell, open, blank }) {
    Object.assign(this, { label, rowHead, columnHead, cell, tell, open, blank });
    this.rows = [];
    this.columns = [];
    this.active = { row: 0, column: 0 };
    this.drawn = null;
    this.rowElements = new Map();
    this.headElements = new Map();
    this.places = new WeakMap();
    this.build(corner);
  }

  build(corner) {
    this.corner = make("div", { role: "columnheader", class: "grid-corner" }, corner);
    this.head = make("div", { role: "row", class: "grid-head", "aria-rowindex": "1" }, this.corner);
    this.rowBand = make("div", { class: "band row-band", "aria-hidden": "true" });
    this.columnBand = make("div", { class: "band column-band", "aria-hidden": "true" });
    this.plane = make("div", { class: "grid-plane", role: "presentation" }, this.head, this.rowBand, this.columnBand);
    this.scroller = make(
      "div",
      {
        class: "grid-scroll",
        role: "grid",
        "aria-label": this.label,
        onkeydown: (event) => this.pressed(event),
        onclick: (event) => this.clicked(event),
        onscroll: () => this.scheduleDraw(),
        onfocusin: (event) => this.focused(event),
        onpointerover: (event) => this.pointedAt(event),
        onpointerleave: () => this.point(this.active),
      },
      this.plane,
    );
    // No live region: it follows the pointer, too. It describes the cell that has the focus.
    grids += 1;
    this.status = make("p", { class: "grid-status", id: `grid-status-${grids}` });
    this.instead = make("p", { class: "only-paper" });
    this.element = make("div", { class: "grid" }, this.scroller, this.status, this.instead);
    new ResizeObserver(() => this.resized()).observe(this.scroller);
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
  }

  /** Shows these rows and columns, keeping the focus on the same row and column where they are still there. */
  show(rows, columns) {
    const { row, column } = this.active;
    const kept = { row: rows.indexOf(this.rows[row]), column: columns.indexOf(this.columns[column]) };
    this.rows = rows;
    this.columns = columns;
    this.active = { row: Math.max(0, kept.row), column: Math.max(0, kept.column) };
    this.scroller.setAttribute("aria-rowcount", String(rows.length + 1));
    this.scroller.setAttribute("aria-colcount", String(columns.length + 1));
    this.element.hidden = rows.length === 0 || columns.length === 0;
    this.measure();
  }

  /** Paper has no scroll bars: for it all cells are made, or none. */
  print(isPrinted) {
    const [rows, columns] = [this.rows.length, this.columns.length];
    const isTooLarge = rows > MOST_ROWS_ON_PAPER || columns > MOST_COLUMNS_ON_PAPER;
    this.element.classList.toggle("too-large", isTooLarge);
    this.instead.textContent = isTooLarge
      ? `${rows} by ${columns} cells are too many for paper; a browser shows them.`
      : "";
    this.isWhole = isPrinted && !isTooLarge;
    this.measure();
  }

  resized() {
    const { clientWidth, clientHeight } = this.scroller;
    if (clientWidth !== this.seen?.clientWidth || clientHeight !== this.seen?.clientHeight) this.measure();
  }

  /** Takes the sizes from the style sheet, which knows phones and print. */
  measure() {
    if (!this.scroller.isConnected) return;
    this.scroller.style.setProperty("--row-length", String(longestName(this.rows)));
    this.scroller.style.setProperty("--column-length", String(longestName(this.columns)));
    const style = getComputedStyle(this.scroller);
    const pixels = (name) => parseFloat(style.getPropertyValue(name));
    const { width: side, height: top } = this.corner.getBoundingClientRect();
    this.size = { width: pixels("--cell-width"), height: pixels("--cell-height"), side, top };
    this.plane.style.setProperty("inline-size", `${this.size.side + this.columns.length * this.size.width}px`);
    this.plane.style.setProperty("block-size", `${this.size.top + this.rows.length * this.size.height}px`);
    const { clientWidth, clientHeight } = this.scroller;
    this.seen = { clientWidth, clientHeight };
    this.clear();
    this.draw();
    this.point(this.active);
  }

  clear() {
    const hadFocus = this.scroller.contains(document.activeElement);
    for (const { element } of this.rowElements.values()) element.remove();
    for (const element of this.headElements.values()) element.remove();
    this.rowElements.clear();
    this.headElements.clear();
    this.drawn = null;
    this.wantsFocus = hadFocus;
  }

  scheduleDraw() {
    this.scheduled ??= requestAnimationFrame(() => {
      this.scheduled = null;
      this.draw();
    });
  }

  /** The rows and columns in view. */
  view() {
    if (this.isWhole) return { top: 0, bottom: this.rows.length, left: 0, right: this.columns.length };
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.scroller;
    const { width, height, side, top } = this.size;
    return {
      top: Math.floor(scrollTop / height),
      bottom: Math.ceil((scrollTop + Math.max(0, clientHeight - top)) / height),
      left: Math.floor(scrollLeft / width),
      right: Math.ceil((scrollLeft + Math.max(0, clientWidth - side)) / width),
    };
  }

  draw() {
    if (this.rows.length === 0 || this.columns.length === 0) return;
    const view = this.view();
    const { drawn } = this;
    const isDrawn =
      drawn &&
      view.top >= drawn.top &&
      view.left >= drawn.left &&
      Math.min(view.bottom, this.rows.length) <= drawn.bottom &&
      Math.min(view.right, this.columns.length) <= drawn.right;
    if (isDrawn) return;
    this.drawn = {
      top: Math.max(0, view.top - SPARE_ROWS),
      bottom: Math.min(this.rows.length, view.bottom + SPARE_ROWS),
      left: Math.max(0, view.left - SPARE_COLUMNS),
      right: Math.min(this.columns.length, view.right + SPARE_COLUMNS),
    };
    this.fill();
    if (this.wantsFocus) this.focusActive();
    this.wantsFocus = false;
  }

  /** Makes the elements that are lacking and takes away those out of view; none is moved, so that the focus stays. */
  fill() {
    const { top, bottom, left, right } = this.drawn;
    const columns = within(left, right, this.active.column);
    keepOnly(
      this.headElements,
      columns,
      this.corner,
      (column) => this.makeColumnHead(column),
      (element) => element,
    );
    const rows = within(top, bottom, this.active.row);
    keepOnly(
      this.rowElements,
      rows,
      this.head,
      (row) => this.makeRow(row),
      ({ element }) => element,
    );
    for (const [row, { cells, head }] of this.rowElements) {
      keepOnly(
        cells,
        columns,
        head,
        (column) => this.makeCell(row, column),
        (element) => element,
      );
    }
  }

  makeColumnHead(column) {
    const element = make(
      "div",
      { role: "columnheader", class: "grid-column", "aria-colindex": String(column + 2) },
      this.columnHead(this.columns[column]),
    );
    element.style.setProperty("left", `${this.size.side + column * this.size.width}px`);
    return element;
  }

  makeRow(row) {
    const head = make(
      "div",
      { role: "rowheader", class: "grid-row-head", "aria-colindex": "1" },
      this.rowHead(this.rows[row]),
    );
    const element = make("div", { role: "row", class: "grid-row", "aria-rowindex": String(row + 2) }, head);
    element.style.setProperty("top", `${this.size.top + row * this.size.height}px`);
    return { element, head, cells: new Map() };
  }

  makeCell(row, column) {
    const content = this.cell(this.rows[row], this.columns[column]);
    const isActive = row === this.active.row && column === this.active.column;
    const element = make(
      "div",
      {
        role: "gridcell",
        class: `grid-cell ${content === null ? "blank" : content.look}`,
        "aria-colindex": String(column + 2),
        tabindex: isActive ? "0" : "-1",
        "aria-describedby": isActive ? this.status.id : null,
        "aria-label": content === null ? this.blank : null,
      },
      content?.text,
    );
    element.style.setProperty("left", `${this.size.side + column * this.size.width}px`);
    this.places.set(element, { row, column });
    return element;
  }

  elementAt({ row, column }) {
    return this.rowElements.get(row)?.cells.get(column) ?? null;
  }

  /** Makes another cell the one that the Tab key comes to. */
  activate(row, column) {
    const before = this.elementAt(this.active);
    before?.setAttribute("tabindex", "-1");
    before?.removeAttribute("aria-describedby");
    this.active = { row, column };
    this.scrollTo(row, column);
    this.drawn = null;
    this.draw();
    const now = this.elementAt(this.active);
    now?.setAttribute("tabindex", "0");
    now?.setAttribute("aria-describedby", this.status.id);
    this.point(this.active);
  }

  focusActive() {
    this.elementAt(this.active)?.focus({ preventScroll: true });
  }

  /** Brings a cell into view, beside the names and not behind them. */
  scrollTo(row, column) {
    const { width, height, side, top } = this.size;
    const { scroller } = this;
    const [x, y] = [column * width, row * height];
    const [wide, high] = [scroller.clientWidth - side - width, scroller.clientHeight - top - height];
    scroller.scrollLeft = Math.min(x, Math.max(scroller.scrollLeft, x - wide));
    scroller.scrollTop = Math.min(y, Math.max(scroller.scrollTop, y - high));
  }

  /** Goes to a row and a column by what they are, for those who come from elsewhere. */
  goTo(row, column) {
    const place = { row: this.rows.indexOf(row), column: this.columns.indexOf(column) };
    if (place.row < 0 || place.column < 0) return false;
    this.activate(place.row, place.column);
    return true;
  }

  pressed(event) {
    const target = this.destination(event);
    if (event.key === "Enter" || event.key === " ") this.openAt(this.active);
    else if (target === null) return;
    else {
      this.activate(
        Math.max(0, Math.min(this.rows.length - 1, target[0])),
        Math.max(0, Math.min(this.columns.length - 1, target[1])),
      );
      this.focusActive();
    }
    event.preventDefault();
  }

  /** Where a key leads to; null if nowhere. */
  destination({ key, ctrlKey, altKey, metaKey }) {
    if (altKey || metaKey) return null;
    const { row, column } = this.active;
    const page = Math.max(1, this.view().bottom - this.view().top - 2);
    const [lastRow, lastColumn] = [this.rows.length - 1, this.columns.length - 1];
    return (
      new Map([
        ["ArrowUp", [row - 1, column]],
        ["ArrowDown", [row + 1, column]],
        ["ArrowLeft", [row, column - 1]],
        ["ArrowRight", [row, column + 1]],
        ["PageUp", [row - page, column]],
        ["PageDown", [row + page, column]],
        ["Home", [ctrlKey ? 0 : row, 0]],
        ["End", [ctrlKey ? lastRow : row, lastColumn]],
      ]).get(key) ?? null
    );
  }

  clicked(event) {
    const place = this.placeOf(event);
    if (place === null) return;
    this.activate(place.row, place.column);
    this.focusActive();
    this.openAt(place);
  }

  openAt({ row, column }) {
    if (this.cell(this.rows[row], this.columns[column]) !== null) this.open(this.rows[row], this.columns[column]);
  }

  focused(event) {
    const place = this.placeOf(event);
    if (place !== null) this.point(place);
  }

  pointedAt(event) {
    const place = this.placeOf(event);
    if (place !== null && event.pointerType === "mouse") this.point(place);
  }

  placeOf(event) {
    const cell = event.target.closest(".grid-cell");
    return cell === null ? null : (this.places.get(cell) ?? null);
  }

  /** Marks row and column of a cell, and says what it is. */
  point({ row, column }) {
    if (row >= this.rows.length || column >= this.columns.length) return;
    this.rowBand.style.setProperty("top", `${this.size.top + row * this.size.height}px`);
    this.columnBand.style.setProperty("left", `${this.size.side + column * this.size.width}px`);
    this.status.replaceChildren(...nodes([this.tell(this.rows[row], this.columns[column])]));
  }
}

/** In characters; the heads take as much room as that needs, between bounds of the style sheet. */
function longestName(things) {
  return things.reduce((most, { name }) => Math.max(most, name.length), 0);
}

/** The numbers from `from` to `to`, and `other` if it is none of them, in order. */
function within(from, to, other) {
  const all = Array.from({ length: to - from }, (_, index) => from + index);
  if (other >= to) all.push(other);
  if (other < from) all.unshift(other);
  return all;
}

/** Leaves only `wanted` in `elements`, making what is lacking, in order behind `before`. */
function keepOnly(elements, wanted, before, fresh, elementOf) {
  const isWanted = new Set(wanted);
  for (const [index, held] of elements) {
    if (!isWanted.has(index)) {
      elementOf(held).remove();
      elements.delete(index);
    }
  }
  let last = before;
  for (const index of wanted) {
    if (!elements.has(index)) {
      elements.set(index, fresh(index));
      last.after(elementOf(elements.get(index)));
    }
    last = elementOf(elements.get(index));
  }
}
