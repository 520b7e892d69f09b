// Plots run times: a row for each program, on a logarithmic axis as wide as the page.

/** The shortest time on an axis, in seconds. Measurements have no finer resolution. */
const SHORTEST = 0.001;

/**
 * Makes an axis that has room for all times and the limit. All are in seconds.
 * @param {number[]} times
 * @param {number | null} limit
 * @returns {Times.Axis}
 */
function timeAxis(times, limit) {
  const all = limit === null ? times : [...times, limit * 1.3];
  const longest = all.reduce((most, time) => Math.max(most, time), SHORTEST);
  const shortest = times.reduce((least, time) => Math.min(least, Math.max(SHORTEST, time)), longest);
  const from = Math.floor(Math.log10(shortest) + 1e-9);
  const to = Math.max(from + 1, Math.ceil(Math.log10(longest) * 4 - 1e-9) / 4);
  /** @param {number} time */
  const at = (time) => {
    const share = (Math.log10(Math.max(SHORTEST, time)) - from) / (to - from);
    return 1 + 98 * Math.max(0, Math.min(1, share));
  };
  const ticks = Array.from({ length: Math.floor(to) - from + 1 }, (_, index) => 10 ** (from + index));
  return { at, ticks };
}

/**
 * Makes a plot: the rows, lines through all rows, and the axis.
 * @param {string} label
 * @param {Times.Axis} axis
 * @param {Times.Line[]} lines
 * @param {Times.Row[]} rows
 */
function timePlot(label, axis, lines, rows) {
  const through = () => [
    axis.ticks.map((tick) => vertical("decade", axis.at(tick))),
    lines.map(({ look, time }) => vertical(look, axis.at(time))),
  ];
  const body = rows.map(({ head, words, marks }) =>
    make(
      "div",
      { class: "plot-row", role: "listitem" },
      make("div", { class: "plot-head" }, head),
      draw("svg", { class: "plot-line", role: "img", "aria-label": words }, through(), marks),
    ),
  );
  const legend = make(
    "p",
    { class: "legend" },
    lines.map(({ look, words }) =>
      make(
        "span",
        {},
        draw("svg", { class: "key", "aria-hidden": "true", viewBox: "0 0 12 12" }, vertical(look, 50)),
        ` ${words}`,
      ),
    ),
  );
  return make(
    "div",
    {},
    legend,
    make("div", { class: "plot-rows" }, make("div", { role: "list", "aria-label": label }, body)),
    plotAxis(axis),
  );
}

/**
 * @param {string} look
 * @param {number} percent
 */
function vertical(look, percent) {
  return draw("line", { class: look, x1: `${percent}%`, x2: `${percent}%`, y1: "0", y2: "100%" });
}

/** @param {Times.Axis} axis */
function plotAxis(axis) {
  const labels = axis.ticks.map((tick) =>
    draw(
      "text",
      {
        x: `${axis.at(tick)}%`,
        y: "12",
        class: axis.at(tick) < 4 ? "tick-label first" : axis.at(tick) > 94 ? "tick-label last" : "tick-label",
      },
      tickWords(tick),
    ),
  );
  return make(
    "div",
    { class: "plot-row axis", "aria-hidden": "true" },
    make("div", { class: "plot-head dim" }, "CPU time"),
    draw("svg", { class: "plot-line" }, labels),
  );
}

/** @param {number} time */
function tickWords(time) {
  return time < 1 ? `${Number((time * 1000).toPrecision(1))} ms` : `${Number(time.toPrecision(1))} s`;
}

/**
 * Draws a run: a dot if it was accepted, else a cross in the colour of its verdict.
 * @param {Times.Axis} axis
 * @param {number} time
 * @param {string} verdict
 */
function runMark(axis, time, verdict) {
  const x = `${axis.at(time)}%`;
  if (verdict === "AC") return draw("circle", { class: "dot good", cx: x, cy: "50%", r: "3.5" });
  return draw(
    "svg",
    { x, y: "50%", overflow: "visible", class: `dot ${verdictLook(verdict)}` },
    draw("path", { d: "M-3.5-3.5 3.5 3.5M-3.5 3.5 3.5-3.5" }),
  );
}

/**
 * Draws many runs: a line from the fastest to the slowest, with a bar at the median.
 * @param {Times.Axis} axis
 * @param {number[]} sorted
 */
function spreadMarks(axis, sorted) {
  const [least, most] = [axis.at(sorted[0]), axis.at(sorted[sorted.length - 1])];
  return [
    draw("line", { class: "spread", x1: `${least}%`, x2: `${most}%`, y1: "50%", y2: "50%" }),
    draw("rect", { class: "median", x: `${axis.at(median(sorted))}%`, y: "25%", width: "3", height: "50%" }),
  ];
}

/**
 * Returns the middle element; if the number of elements is even, the last one before the middle.
 * @template Element
 * @param {Element[]} sorted
 */
function median(sorted) {
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
