// Run times on a logarithmic axis, as rows that are as wide as there is room.

/** Below this nobody measures. */
const SHORTEST = 0.001;

/** An axis that holds all `times` and the limit: where something stands on it, in percent. */
function timeAxis(times, limit) {
  const all = limit === null ? times : [...times, limit * 1.3];
  const longest = all.reduce((most, time) => Math.max(most, time), SHORTEST);
  const shortest = times.reduce((least, time) => Math.min(least, Math.max(SHORTEST, time)), longest);
  const from = Math.floor(Math.log10(shortest) + 1e-9);
  const to = Math.max(from + 1, Math.ceil(Math.log10(longest) * 4 - 1e-9) / 4);
  const at = (time) => {
    const share = (Math.log10(Math.max(SHORTEST, time)) - from) / (to - from);
    return 1 + 98 * Math.max(0, Math.min(1, share));
  };
  const ticks = Array.from({ length: Math.floor(to) - from + 1 }, (_, index) => 10 ** (from + index));
  return { at, ticks };
}

/** A plot: lines that go through all rows, the rows, and the axis. `rows` are `{ head, words, marks }`. */
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
    { class: "plot" },
    legend,
    make(
      "div",
      { class: rows.length > 25 ? "plot-rows tall" : "plot-rows", role: "group", tabindex: "0", "aria-label": label },
      make("div", { role: "list", "aria-label": label }, body),
    ),
    plotAxis(axis),
  );
}

function vertical(look, percent) {
  return draw("line", { class: look, x1: `${percent}%`, x2: `${percent}%`, y1: "0", y2: "100%" });
}

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

function tickWords(time) {
  return time < 1 ? `${Number((time * 1000).toPrecision(1))} ms` : `${Number(time.toPrecision(1))} s`;
}

/** A dot for one run: round if accepted, else a cross with the colour of its verdict. */
function runMark(axis, time, verdict) {
  const x = `${axis.at(time)}%`;
  if (verdict === "AC") return draw("circle", { class: "dot good", cx: x, cy: "50%", r: "3.5" });
  return draw(
    "svg",
    { x, y: "50%", overflow: "visible", class: `dot ${verdictLook(verdict)}` },
    draw("path", { d: "M-3.5-3.5 3.5 3.5M-3.5 3.5 3.5-3.5" }),
  );
}

/** The spread of many runs: a line from the fastest to the slowest, a bar at the middle one. */
function spreadMarks(axis, sorted) {
  const [least, most] = [axis.at(sorted[0]), axis.at(sorted.at(-1))];
  return [
    draw("line", { class: "spread", x1: `${least}%`, x2: `${most}%`, y1: "50%", y2: "50%" }),
    draw("rect", { class: "median", x: `${axis.at(median(sorted))}%`, y: "25%", width: "3", height: "50%" }),
  ];
}

function median(sorted) {
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
