// Shows a matrix of any size. Only the cells in view and the cell that has the focus have elements in the page.

/** This many rows and columns on each side of the view have elements, too, so that scrolling makes few new ones. */
const SPARE_ROWS = 4;
const SPARE_COLUMNS = 6;

/** A larger matrix is not printed: paper would cut its columns, and its rows would fill hundreds of pages. */
const MOST_ROWS_ON_PAPER = 300;
const MOST_COLUMNS_ON_PAPER = 30;

/** A matrix with more rows than this scrolls up and down in its own box. */
const MOST_ROWS_IN_WHOLE = 100;

/** The number of matrices made so far, for their ids. */
let grids = 0;

/**
 * @template {{ name: string }} Row
 * @template {{ name: string }} Column
 */
class Grid {
  /** @param {Matrix.Options<Row, Column>} options */
  constructor(options) {
    this.options = options;
    /** @type {Row[]} */
    this.rows = [];
    /** @type {Column[]} */
    this.columns = [];
    /** @type {Matrix.Place} The cell that the Tab key leads to. */
    this.active = { row: 0, column: 0 };
    /** @type {Matrix.View | null} The cells that have elements; null if they have to be made anew. */
    this.drawn = null;
    /** @type {Map<number, Matrix.RowElements>} */
    this.rowElements = new Map();
    /** @type {Map<number, HTMLElement>} */
    this.headElements = new Map();
    /** @type {WeakMap<Element, Matrix.Place>} */
    this.places = new WeakMap();
    /** In pixels: the width and height of a cell, the width of the row heads, and the height of the column heads. */
    this.size = { width: 0, height: 0, side: 0, top: 0 };
    /** The size of the scrolled box when it was last measured, in pixels. */
    this.seen = { clientWidth: 0, clientHeight: 0 };
    /** Whether all cells have elements, for paper. */
    this.isWhole = false;
    /** Whether the active cell had the focus before its element was removed. */
    this.wantsFocus = false;
    /** @type {number | null} The animation frame that draws next. */
    this.scheduled = null;

    this.corner = make("div", { role: "columnheader", class: "grid-corner" }, options.corner);
    this.head = make("div", { role: "row", class: "grid-head", "aria-rowindex": "1" }, this.corner);
    this.rowBand = make("div", { class: "band row-band", "aria-hidden": "true" });
    this.columnBand = make("div", { class: "band column-band", "aria-hidden": "true" });
    this.plane = make("div", { class: "grid-plane", role: "presentation" }, this.head, this.rowBand, this.columnBand);
    this.scroller = make(
      "div",
      {
        class: "grid-scroll",
        role: "grid",
        "aria-label": options.label,
        onkeydown: (event) => this.pressed(event),
        onclick: (event) => this.clicked(event),
        onscroll: () => this.scheduleDraw(),
        onfocusin: (event) => this.focused(event),
        onpointerover: (event) => this.pointedAt(event),
        onpointerleave: () => this.point(this.active),
      },
      this.plane,
    );
    // The status is not a live region, because it follows the pointer, too. It describes the cell that has the focus.
    grids += 1;
    this.status = make("p", { class: "grid-status", id: `grid-status-${grids}` });
    this.instead = make("p", { class: "only-paper" });
    this.element = make("div", { class: "grid" }, this.scroller, this.status, this.instead);
    new ResizeObserver(() => this.resized()).observe(this.scroller);
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
  }

  /**
   * Shows these rows and columns. The active cell stays active if its row and column are still shown.
   * @param {Row[]} rows
   * @param {Column[]} columns
   */
  show(rows, columns) {
    const { row, column } = this.active;
    const kept = { row: rows.indexOf(this.rows[row]), column: columns.indexOf(this.columns[column]) };
    this.rows = rows;
    this.columns = columns;
    this.active = { row: Math.max(0, kept.row), column: Math.max(0, kept.column) };
    this.scroller.setAttribute("aria-rowcount", String(rows.length + 1));
    this.scroller.setAttribute("aria-colcount", String(columns.length + 1));
    this.element.hidden = rows.length === 0 || columns.length === 0;
    this.element.classList.toggle("whole", rows.length <= MOST_ROWS_IN_WHOLE);
    this.measure();
  }

  /**
   * Makes the elements of all cells for paper, which cannot scroll. If the matrix is too large, a sentence replaces it.
   * @param {boolean} isPrinted
   */
  print(isPrinted) {
    const [rows, columns] = [this.rows.length, this.columns.length];
    const isTooLarge = rows > MOST_ROWS_ON_PAPER || columns > MOST_COLUMNS_ON_PAPER;
    this.element.classList.toggle("too-large", isTooLarge);
    this.instead.textContent = isTooLarge
      ? `${rows} by ${columns} cells are too many for paper; open this report in a browser to see them.`
      : "";
    this.isWhole = isPrinted && !isTooLarge;
    this.measure();
  }

  resized() {
    const { clientWidth, clientHeight } = this.scroller;
    if (clientWidth !== this.seen.clientWidth || clientHeight !== this.seen.clientHeight) this.measure();
  }

  /** Reads the sizes from the style sheet again, because they differ on phones and on paper. Then draws again. */
  measure() {
    if (!this.scroller.isConnected) return;
    this.scroller.style.setProperty("--row-length", String(longestName(this.rows)));
    this.scroller.style.setProperty("--column-length", String(longestName(this.columns)));
    const style = getComputedStyle(this.scroller);
    /** @param {string} name */
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

  /**
   * Returns the rows and columns in view. The bottom and the right of the view can lie outside the matrix.
   * @returns {Matrix.View}
   */
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
    this.fill(this.drawn);
    if (this.wantsFocus) this.focusActive();
    this.wantsFocus = false;
  }

  /**
   * Makes missing elements and removes those out of view. It moves no element, because that would lose the focus.
   * @param {Matrix.View} drawn
   */
  fill(drawn) {
    const { top, bottom, left, right } = drawn;
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

  /** @param {number} column */
  makeColumnHead(column) {
    const element = make(
      "div",
      { role: "columnheader", class: "grid-column", "aria-colindex": String(column + 2) },
      this.options.columnHead(this.columns[column]),
    );
    element.style.setProperty("left", `${this.size.side + column * this.size.width}px`);
    return element;
  }

  /** @param {number} row */
  makeRow(row) {
    const head = make(
      "div",
      { role: "rowheader", class: "grid-row-head", "aria-colindex": "1" },
      this.options.rowHead(this.rows[row]),
    );
    const element = make("div", { role: "row", class: "grid-row", "aria-rowindex": String(row + 2) }, head);
    element.style.setProperty("top", `${this.size.top + row * this.size.height}px`);
    return { element, head, cells: new Map() };
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  makeCell(row, column) {
    const content = this.options.cell(this.rows[row], this.columns[column]);
    const isActive = row === this.active.row && column === this.active.column;
    const element = make(
      "div",
      {
        role: "gridcell",
        class: `grid-cell ${content === null ? "blank" : content.look}`,
        "aria-colindex": String(column + 2),
        tabindex: isActive ? "0" : "-1",
        "aria-describedby": isActive ? this.status.id : null,
        "aria-label": content === null ? this.options.blank : null,
      },
      content?.text,
    );
    element.style.setProperty("left", `${this.size.side + column * this.size.width}px`);
    this.places.set(element, { row, column });
    return element;
  }

  /** @param {Matrix.Place} place */
  elementAt({ row, column }) {
    return this.rowElements.get(row)?.cells.get(column) ?? null;
  }

  /**
   * Makes another cell the one that the Tab key leads to.
   * @param {number} row
   * @param {number} column
   */
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

  /**
   * Scrolls a cell into view, clear of the row and column heads.
   * @param {number} row
   * @param {number} column
   */
  scrollTo(row, column) {
    const { width, height, side, top } = this.size;
    const { scroller } = this;
    const [x, y] = [column * width, row * height];
    const [wide, high] = [scroller.clientWidth - side - width, scroller.clientHeight - top - height];
    scroller.scrollLeft = Math.min(x, Math.max(scroller.scrollLeft, x - wide));
    scroller.scrollTop = Math.min(y, Math.max(scroller.scrollTop, y - high));
    this.scrollPageTo(row);
  }

  /**
   * Scrolls the page until a row of the matrix is in the window. A matrix that scrolls in its own box stays in place.
   * @param {number} row
   */
  scrollPageTo(row) {
    if (!this.element.classList.contains("whole")) return;
    const { height, top } = this.size;
    const from = this.scroller.getBoundingClientRect().top + top + row * height;
    const [least, most] = [2 * height, innerHeight - 3 * height - this.status.offsetHeight];
    scrollBy(0, Math.min(0, from - least) + Math.max(0, from - most));
  }

  /**
   * Activates the cell of a row and a column; returns false if they are not shown.
   * @param {Row} row
   * @param {Column} column
   */
  goTo(row, column) {
    const place = { row: this.rows.indexOf(row), column: this.columns.indexOf(column) };
    if (place.row < 0 || place.column < 0) return false;
    this.activate(place.row, place.column);
    return true;
  }

  /** @param {KeyboardEvent} event */
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

  /**
   * Returns the row and the column that a key leads to; they may lie outside the matrix. Null if the key moves nothing.
   * @param {KeyboardEvent} event
   */
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

  /** @param {MouseEvent} event */
  clicked(event) {
    const place = this.placeOf(event);
    if (place === null) return;
    this.activate(place.row, place.column);
    this.focusActive();
    this.openAt(place);
  }

  /** @param {Matrix.Place} place */
  openAt(place) {
    const [row, column] = [this.rows[place.row], this.columns[place.column]];
    if (this.options.cell(row, column) !== null) this.options.open(row, column);
  }

  /** @param {FocusEvent} event */
  focused(event) {
    const place = this.placeOf(event);
    if (place !== null) this.point(place);
  }

  /** @param {PointerEvent} event */
  pointedAt(event) {
    const place = this.placeOf(event);
    if (place !== null && event.pointerType === "mouse") this.point(place);
  }

  /**
   * Returns the cell that an event is about; null if it is about a head or the space between.
   * @param {Event} event
   */
  placeOf({ target }) {
    const cell = target instanceof Element ? target.closest(".grid-cell") : null;
    return cell === null ? null : (this.places.get(cell) ?? null);
  }

  /**
   * Marks row and column of a cell and shows its words below the matrix.
   * @param {Matrix.Place} place
   */
  point({ row, column }) {
    if (row >= this.rows.length || column >= this.columns.length) return;
    this.rowBand.style.setProperty("top", `${this.size.top + row * this.size.height}px`);
    this.columnBand.style.setProperty("left", `${this.size.side + column * this.size.width}px`);
    this.status.replaceChildren(...nodes([this.options.tell(this.rows[row], this.columns[column])]));
  }
}

/**
 * Returns the length of the longest name in characters. The style sheet bounds the room that heads take.
 * @param {{ name: string }[]} things
 */
function longestName(things) {
  return things.reduce((most, { name }) => Math.max(most, name.length), 0);
}

/**
 * Returns the numbers from `from` up to but not including `to`, and `other`, sorted.
 * @param {number} from
 * @param {number} to
 * @param {number} other
 */
function within(from, to, other) {
  const all = Array.from({ length: to - from }, (_, index) => from + index);
  if (other >= to) all.push(other);
  if (other < from) all.unshift(other);
  return all;
}

/**
 * Removes the elements that are not wanted and makes those that are missing, in order behind `before`.
 * @template Held
 * @param {Map<number, Held>} elements
 * @param {number[]} wanted
 * @param {Element} before
 * @param {(index: number) => Held} fresh
 * @param {(held: Held) => Element} elementOf
 */
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
    const held = elements.get(index) ?? fresh(index);
    if (!elements.has(index)) {
      elements.set(index, held);
      last.after(elementOf(held));
    }
    last = elementOf(held);
  }
}
