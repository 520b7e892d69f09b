// Draws boards, and films of moves on them.

/** The side of a field, in the units of the picture. */
const FIELD = 24;

const PIECES = new Map([
  ["w", "white piece"],
  ["b", "black piece"],
  ["A", "coin A"],
  ["B", "coin B"],
  [".", "free"],
]);

/**
 * Returns the scenes of a result. A scene without expected moves gets those of the test case.
 * @param {Extra.Exhibit | null} exhibit
 * @param {Extra.CaseTold | null} told
 */
function scenesOf(exhibit, told) {
  const right = told?.boards ?? [];
  const scenes = exhibit?.boards ?? [];
  if (scenes.length === 0) return right;
  return scenes.map((scene, index) => ({
    ...scene,
    expected: scene.expected ?? (right.find((other) => other.name === scene.name) ?? right[index])?.expected ?? null,
  }));
}

/**
 * Shows scenes below each other. If there are more than three, only the wrong ones are open.
 * @param {Extra.Pictures[]} scenes
 */
function boards(scenes) {
  if (scenes.length === 0) return null;
  if (scenes.length === 1) return sceneFigure(scenes[0]);
  const isLong = scenes.length > 3 && scenes.some((scene) => scene.wrong !== null);
  return make(
    "div",
    { class: "scenes" },
    scenes.map((scene, index) => {
      const title = scene.name || `board ${index + 1}`;
      const element = folded(
        [title, scene.wrong && [" ", make("span", { class: "sign bad" }, "✗ wrong here")]],
        sceneFigure(scene),
      );
      element.open = !isLong || scene.wrong !== null;
      return element;
    }),
  );
}

/**
 * Shows the expected moves beside those of the program.
 * @param {Extra.Pictures} scene
 */
function sceneFigure(scene) {
  const right = scene.right ? `The right answer: ${scene.right}` : "The right answer";
  const films = [filmFigure(right, scene.expected), filmFigure("Moves of the program", scene.actual)];
  return make(
    "div",
    { class: "scene" },
    scene.wrong &&
      make("p", { class: "wrong", tabindex: tabStop(scene.wrong) }, make("strong", {}, "Wrong: "), scene.wrong),
    make("div", { class: "films" }, films),
  );
}

/**
 * @param {string} title
 * @param {Extra.Strip | null} film
 */
function filmFigure(title, film) {
  if (!film || film.frames.length === 0) return null;
  /** @type {Boards.State} */
  const state = { step: 0, film, controls: null, goTo: () => {} };
  const picture = make("div", { class: "picture" });
  const status = make("p", { class: "step", "aria-live": "polite" });
  if (film.frames.length > 1) state.controls = filmControls(title, state, () => showFrame(state, picture, status));
  showFrame(state, picture, status);
  const goal =
    film.goal &&
    make("div", { class: "goal" }, make("p", { class: "step" }, "goal"), boardPicture("goal", film.goal, []));
  return make(
    "figure",
    { class: "film", onkeydown: (event) => filmKey(event, state) },
    make("figcaption", {}, title),
    make("div", { class: "stage" }, picture, goal),
    status,
    state.controls?.element,
    film.end && make("p", { class: "end", tabindex: tabStop(film.end) }, `End: ${film.end}`),
  );
}

/**
 * @param {Boards.State} state
 * @param {HTMLElement} picture
 * @param {HTMLElement} status
 */
function showFrame(state, picture, status) {
  const { film, step } = state;
  const frame = film.frames[step];
  picture.replaceChildren(boardPicture(frame.caption, frame.grid, frame.marks));
  const caption = frame.caption !== "start" && [": ", make("bdi", {}, frame.caption)];
  status.replaceChildren(...nodes([stepWords(state), caption]));
  state.controls?.update();
}

/** @param {Boards.State} state */
function stepWords({ film, step }) {
  const last = film.frames.length - 1;
  if (last === 0) return "the board, no moves to show";
  return step === 0 ? `start, ${counted(last, "move")}` : `move ${step} of ${last}`;
}

/**
 * Makes buttons and a slider for one film.
 * @param {string} title
 * @param {Boards.State} state
 * @param {() => void} refresh
 * @returns {Boards.Controls}
 */
function filmControls(title, state, refresh) {
  const last = state.film.frames.length - 1;
  state.goTo = (step) => {
    state.step = Math.max(0, Math.min(last, step));
    refresh();
  };
  /**
   * @param {string} path
   * @param {string} words
   * @param {() => number} step returns the frame to go to
   */
  const press = (path, words, step) =>
    button(sign(path), () => state.goTo(step()), { "aria-label": `${title}: ${words}`, title: words });
  const back = [
    press("M3 2H5V14H3ZM14 2V14L6 8Z", "start", () => 0),
    press("M12 2V14L4 8Z", "previous move", () => state.step - 1),
  ];
  const on = [
    press("M4 2V14L12 8Z", "next move", () => state.step + 1),
    press("M2 2V14L10 8ZM11 2H13V14H11Z", "last move", () => last),
  ];
  const slider = make("input", {
    type: "range",
    min: "0",
    max: String(last),
    value: "0",
    "aria-label": `${title}: move`,
    oninput: () => state.goTo(Number(slider.value)),
  });
  const update = () => {
    slider.value = String(state.step);
    slider.setAttribute("aria-valuetext", `${stepWords(state)}: ${shownInLine(state.film.frames[state.step].caption)}`);
    // A button at an end of the film is not disabled, because a disabled button would lose the focus while a reader
    // presses it again and again.
    back.forEach((one) => one.setAttribute("aria-disabled", String(state.step === 0)));
    on.forEach((one) => one.setAttribute("aria-disabled", String(state.step === last)));
  };
  return { element: make("div", { class: "film-controls" }, back, slider, on), update };
}

/**
 * Draws the picture on a button.
 * @param {string} path
 */
function sign(path) {
  return draw("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, draw("path", { d: path }));
}

/**
 * Handles the arrow keys, which step through the film. The slider handles its own arrow keys.
 * @param {KeyboardEvent} event
 * @param {Boards.State} state
 */
function filmKey(event, state) {
  const isOfSlider = event.target instanceof Element && event.target.matches("input");
  if (state.controls === null || isOfSlider) return;
  const last = state.film.frames.length - 1;
  const step = new Map([
    ["ArrowLeft", state.step - 1],
    ["ArrowRight", state.step + 1],
    ["Home", 0],
    ["End", last],
  ]).get(event.key);
  if (step === undefined) return;
  event.preventDefault();
  state.goTo(step);
}

/**
 * Draws a board. Its label has the rows letter by letter.
 * @param {string} caption
 * @param {string[]} grid
 * @param {[number, number][]} marks
 */
function boardPicture(caption, grid, marks) {
  const columns = Math.max(1, ...grid.map((row) => Array.from(row).length));
  const fields = grid.flatMap((row, y) => Array.from(row, (letter, x) => field(letter, x, y)));
  const rings = marks.map(([row, column]) =>
    draw("rect", {
      class: "ring",
      x: column * FIELD + 1.5,
      y: row * FIELD + 1.5,
      width: FIELD - 3,
      height: FIELD - 3,
      rx: 4,
    }),
  );
  const picture = draw(
    "svg",
    {
      class: "board",
      viewBox: `0 0 ${columns * FIELD} ${Math.max(1, grid.length) * FIELD}`,
      role: "img",
      "aria-label": `${caption}: ${boardWords(grid, marks)}`,
    },
    fields,
    rings,
  );
  picture.style.setProperty("--columns", String(columns));
  return picture;
}

/**
 * @param {string[]} grid
 * @param {[number, number][]} marks
 */
function boardWords(grid, marks) {
  const where = marks.map(([row, column]) => `row ${row + 1} column ${column + 1}`).join(", ");
  return `rows ${grid.join(", ")}${where === "" ? "" : `; marked: ${where}`}`;
}

/**
 * @param {string} letter
 * @param {number} x
 * @param {number} y
 */
function field(letter, x, y) {
  const [left, top] = [x * FIELD, y * FIELD];
  const shade = (x + y) % 2 === 0 ? "square" : "square other";
  return [draw("rect", { class: shade, x: left, y: top, width: FIELD, height: FIELD }), ...piece(letter, left, top)];
}

/**
 * @param {string} letter
 * @param {number} left
 * @param {number} top
 */
function piece(letter, left, top) {
  if (letter === ".") return [];
  const [x, y] = [left + FIELD / 2, top + FIELD / 2];
  const isKnown = PIECES.has(letter);
  const disc = draw("circle", { class: `piece piece-${isKnown ? letter : "other"}`, cx: x, cy: y, r: FIELD * 0.36 });
  if (letter === "w" || letter === "b") return [disc];
  return [disc, draw("text", { class: `letter letter-${isKnown ? letter : "other"}`, x, y: y + 4.5 }, letter)];
}
