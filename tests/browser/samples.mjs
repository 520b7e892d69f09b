// Made-up reports that show what real runs take too long to produce. Each is a list of JSON lines.

import {
  HOSTILE,
  PROTOTYPE_NAMES,
  built,
  ended,
  exhibit,
  judged,
  page,
  result,
  started,
  text,
  told,
} from "./lines.mjs";
import { classOf34 } from "./class_sample.mjs";
import { lineOf } from "./page.mjs";

/** Returns the board after a round of the flip game: the field and its neighbours are flipped. */
function flipped(grid, row, column) {
  const touched = [
    [row, column],
    [row - 1, column],
    [row + 1, column],
    [row, column - 1],
    [row, column + 1],
  ].filter(([y, x]) => y >= 0 && y < 4 && x >= 0 && x < 4);
  const cells = grid.map((line) => Array.from(line));
  for (const [y, x] of touched) cells[y][x] = cells[y][x] === "w" ? "b" : "w";
  return { grid: cells.map((line) => line.join("")), marks: touched };
}

function flipFilm(start, moves, end = null) {
  const frames = [{ caption: "start", grid: start, marks: [] }];
  for (const [row, column] of moves)
    frames.push({ caption: `flip row ${row + 1}, column ${column + 1}`, ...flipped(frames.at(-1).grid, row, column) });
  return { goal: null, frames, end };
}

const START = ["bbwb", "bwww", "bwww", "wwbw"];
const flipScene = (actual) => ({
  name: "",
  expected: flipFilm(START, [
    [0, 0],
    [3, 2],
    [2, 1],
  ]),
  actual,
  wrong: actual && "5 rounds, 3 are enough",
});

const coinFilm = {
  goal: null,
  end: "the program wrote no further row",
  frames: [
    { caption: "start", grid: ["BABAA"], marks: [] },
    {
      caption: "BABA..A",
      grid: ["BABA..A"],
      marks: [
        [0, 0],
        [0, 1],
      ],
    },
    {
      caption: "B..AABA",
      grid: ["B..AABA"],
      marks: [
        [0, 4],
        [0, 5],
      ],
    },
  ],
};

const swapFilm = {
  goal: ["bwbw", "wwww", "wbwb", "wwww"],
  end: "row 2, column 1 and row 2, column 2: both are white",
  frames: [
    { caption: "start", grid: ["wbbw", "bwww", "wwwb", "wwww"], marks: [] },
    {
      caption: "swap row 1, column 1 and row 1, column 2",
      grid: ["bwbw", "bwww", "wwwb", "wwww"],
      marks: [
        [0, 0],
        [0, 1],
      ],
    },
  ],
};

const DIFF = [
  { sign: "…", line: null, parts: [[false, "3 lines that are the same"]] },
  { sign: " ", line: 4, parts: [[false, "same line\n"]] },
  {
    sign: "-",
    line: 5,
    parts: [
      [false, "1 2 "],
      [true, "3"],
      [false, " 4\n"],
    ],
  },
  {
    sign: "+",
    line: 5,
    parts: [
      [false, "1 2 "],
      [true, "  7\t"],
      [false, " 4\n"],
    ],
  },
  { sign: " ", line: 6, parts: [[false, "end\n"]] },
];

const TALK = [
  { by_submission: false, at_seconds: 0.002, text: "guess a number\n", whole_bytes: 15, cut: false },
  { by_submission: true, at_seconds: 0.004, text: "50\n", whole_bytes: 3, cut: false },
  { by_submission: false, at_seconds: 0.005, text: "higher\n", whole_bytes: 7, cut: false },
  { by_submission: true, at_seconds: 1.5, text: `${HOSTILE.judge}\n`, whole_bytes: 900, cut: true },
];

/** A report of `grade` with every kind of result, on few submissions. */
export function grading() {
  const cases = [
    "sample/1",
    "sample/2",
    "secret/01-zero",
    "secret/02-all-black",
    "secret/group1/10",
    "secret/group1/9",
  ];
  const lines = [page("Flip Game (flipgame): 6 cases, time limit 2 s"), started("flipgame", 2)];
  const all = (submission, verdict, more) => cases.map((name) => result(submission, name, verdict, more));
  const add = (build, results, end) => lines.push(build, ...results, end);
  const boards = [flipScene(null)];
  cases.forEach((name, index) =>
    lines.push(told(name, { description: index === 2 ? "Nothing is to be done." : null, boards })),
  );
  const good = all("accepted/breadth_first.cpp", "AC");
  good[4].cpu_seconds = 0.9;
  good[5].cached = true;
  add(
    built("accepted/breadth_first.cpp", "C++"),
    good,
    judged("accepted/breadth_first.cpp", "AC", good, { expected: ["AC"], as_expected: true }),
  );
  const wrong = all("wrong_answer/white_only.py", "AC");
  wrong[1] = result("wrong_answer/white_only.py", cases[1], "WA", {
    message: 'line 1: expected "3", got "5"\nAll black is nearer (3 rounds) than all white (5 rounds).',
  });
  wrong[3] = result("wrong_answer/white_only.py", cases[3], "WA", { team_message: "Have you read the statement?" });
  const lineOfExhibit = exhibit("wrong_answer/white_only.py", cases[1], {
    diff: DIFF,
    stderr: text("Traceback: nothing\n"),
    boards: [
      {
        ...flipScene(
          flipFilm(
            START,
            [
              [0, 0],
              [1, 1],
              [2, 2],
              [3, 3],
              [0, 3],
            ],
            "not all fields have one colour",
          ),
        ),
        expected: null,
      },
    ],
  });
  const other = exhibit("wrong_answer/white_only.py", cases[3], {
    boards: [
      { name: "board 1", expected: swapFilm, actual: swapFilm, wrong: null },
      { name: "board 2", expected: coinFilm, actual: coinFilm, wrong: "the row is not sorted" },
    ],
    diff: DIFF,
  });
  lines.push(
    built("wrong_answer/white_only.py", "Python 3"),
    wrong[0],
    lineOfExhibit,
    wrong[1],
    wrong[2],
    other,
    ...wrong.slice(3),
    judged("wrong_answer/white_only.py", "WA", wrong, { expected: ["WA", "RTE"], as_expected: true }),
  );
  const slow = [
    result("slow.cpp", cases[0], "AC"),
    result("slow.cpp", cases[1], "TLE", {
      cpu_seconds: 2.4,
      cpu_seconds_all: [2.45, 2.4],
      close: true,
      wall_seconds: 2.41,
      message: "more than 2 s",
      exit_code: null,
      signal: 9,
    }),
  ];
  lines.push(
    built("slow.cpp", "C++"),
    slow[0],
    exhibit("slow.cpp", cases[1], { talk: TALK, talk_left_out: 3, output: text("", { cut: false }) }),
    slow[1],
    judged("slow.cpp", "TLE", slow, {
      cases_skipped: 4,
      expected: ["AC"],
      as_expected: false,
      breaches: ["It has to be accepted, and is TLE on sample/2."],
    }),
  );
  const crash = [
    result("crash.rs", cases[0], "RTE", { exit_code: null, signal: 11, message: "ended by signal 11" }),
    result("crash.rs", cases[1], "MLE"),
    result("crash.rs", cases[2], "OLE"),
  ];
  add(
    built("crash.rs", "Rust", { message: "warning: unused variable `x`" }),
    crash,
    judged("crash.rs", "RTE", crash, { cases_skipped: 3, as_wanted: true }),
  );
  lines.push(
    built("broken.c", "C", { ok: false, message: "broken.c:1:1: error: expected ';'\n  1 | int main( {\n" }),
    judged("broken.c", "CE", [], { cpu_seconds_max: null, memory_bytes_max: null }),
  );
  const odd = [
    result("odd.py", cases[0], "JE", {
      message: "the output validator ended with exit code 1",
      cpu_seconds: null,
      memory_bytes: null,
    }),
  ];
  add(built("odd.py", "Python 3"), odd, judged("odd.py", "JE", odd, { message: "the output validator failed" }));
  const partial = [
    result("partial.py", cases[4], "AC", { score: 30 }),
    result("partial.py", cases[5], "WA", { score: 0, passes: 2 }),
  ];
  lines.push(
    built("partial.py", "Python 3"),
    partial[0],
    exhibit("partial.py", cases[5], { boards: [{ ...flipScene(null), wrong: "line 1: found '5', expected '3'" }] }),
    partial[1],
    {
      type: "group_finished",
      submission: "partial.py",
      group: "secret/group1",
      verdict: "WA",
      score: 30,
      max_score: 70,
      cases_run: 2,
      cases_skipped: 5,
    },
    {
      type: "group_finished",
      submission: "partial.py",
      group: "secret/group2",
      verdict: null,
      score: null,
      max_score: 30,
      cases_run: 0,
      cases_skipped: 3,
    },
    judged("partial.py", "WA", partial, { score: 30.5, max_score: 100, as_wanted: true }),
  );
  lines.push({
    type: "submission_skipped",
    submission: "b.hs",
    reason: "ghc is not installed; install it with: apt-get install ghc",
  });
  lines.push({ type: "left_out", what: "the outputs of 120 more cases" });
  lines.push(ended({ submissions: 7, skipped: 1, cases_run: 21, wall_seconds: 4.2 }));
  return lines;
}

/** A report of `grade` in which one submission is as expected, and one was not judged. */
export function partJudged() {
  const case1 = result("a.py", "secret/1", "AC");
  return [
    page("Half of the work"),
    started("half", 2),
    built("a.py", "python3"),
    case1,
    judged("a.py", "AC", [case1]),
    { type: "submission_skipped", submission: "x.c++", reason: "its name is not allowed; rename it" },
    ended({ as_wanted: true, skipped: 1 }),
  ];
}

/** A report with hostile names and texts everywhere. */
/** A report whose submissions are all as expected, but whose time limit is provisional. */
function warned() {
  const only = [result("accepted/a.py", "sample/1", "AC")];
  return [
    page("A package"),
    started("package", 2),
    built("accepted/a.py", "Python 3"),
    ...only,
    judged("accepted/a.py", "AC", only),
    { type: "remarks", doubts: ["the time limit of 2 s is provisional, so …"], remarks: ["a.py: run with PyPy"] },
    ended({ as_wanted: true }),
  ];
}

export function hostile() {
  const names = [...PROTOTYPE_NAMES, ...Object.values(HOSTILE), "a/b%2f#?&=\"'", "x".repeat(400)];
  const cases = [...PROTOTYPE_NAMES, HOSTILE.script, HOSTILE.image, HOSTILE.bidi];
  const lines = [page(`${HOSTILE.script}${HOSTILE.bidi}`), started(HOSTILE.image, 2)];
  const evil = Object.values(HOSTILE).join("\n");
  cases.forEach((name) => lines.push(told(name, { description: evil, input: text(evil), expected: text(evil) })));
  for (const name of names) {
    const results = cases.map((one) => result(name, one, "WA", { message: evil, team_message: evil }));
    lines.push(built(name, HOSTILE.script, { message: evil }));
    for (const one of results) {
      lines.push(
        exhibit(name, one.case, {
          output: text(evil),
          stderr: text(evil),
          diff: [{ sign: "-", line: 1, parts: [[true, evil]] }],
          talk: [{ by_submission: true, at_seconds: 0, text: evil, whole_bytes: 1 }],
          boards: [
            {
              name: HOSTILE.script,
              expected: null,
              actual: {
                goal: null,
                frames: [{ caption: evil, grid: ["w<b&", "\u202e\"'x"], marks: [[0, 1]] }],
                end: evil,
              },
              wrong: evil,
            },
          ],
        }),
        one,
      );
    }
    lines.push(judged(name, "WA", results, { breaches: [evil], message: evil }));
  }
  lines.push({ type: "left_out", what: evil }, { type: "unknown_type", x: 1 }, ended({ submissions: names.length }));
  return lines;
}

/** A large report of `grade`. By default it is the largest that a page must open without delay. */
export function large(rows = 200, columns = 200) {
  const draw = randomly(7);
  const lines = [page(`Large (large): ${columns} cases, time limit 2 s`), started("large", 2)];
  const cases = Array.from({ length: columns }, (_, index) => `secret/${String(index + 1).padStart(4, "0")}-case`);
  cases.forEach((name) =>
    lines.push(told(name, { input: text("1 2 3 4\n".repeat(200)), expected: text("5\n".repeat(100)) })),
  );
  for (let row = 0; row < rows; row += 1)
    lines.push(...largeSubmission(`team-${String(row + 1).padStart(3, "0")}.cpp`, cases, draw));
  lines.push(ended({ submissions: rows, cases_run: rows * columns }));
  return lines;
}

function largeSubmission(name, cases, draw) {
  const skill = draw();
  const lines = [built(name, "C++")];
  const results = [];
  for (const one of cases) {
    const verdict = draw() < 0.6 + 0.5 * skill ? "AC" : ["WA", "WA", "TLE", "RTE", "MLE"][Math.floor(draw() * 5)];
    const more = { cpu_seconds: verdict === "TLE" ? 2.2 : 0.002 * 10 ** (2.4 * draw()) };
    results.push(result(name, one, verdict, more));
    if (verdict !== "AC")
      lines.push(exhibit(name, one, { output: text("7\n".repeat(300)), diff: verdict === "WA" ? DIFF : null }));
    lines.push(results.at(-1));
  }
  const worst = results.find((one) => one.verdict !== "AC")?.verdict ?? "AC";
  return [...lines, judged(name, worst, results)];
}

/** Returns a generator of pseudorandom numbers from 0 to 1, the same ones for the same seed. */
function randomly(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function verification() {
  const margin = (submission, seconds, more = {}) => ({
    type: "verify_margin",
    package: "flipgame",
    submission,
    case: "secret/01",
    seconds,
    is_more: false,
    wall_limit_seconds: null,
    bound: null,
    is_slowest: true,
    factor: 2 / seconds,
    kept: null,
    ...more,
  });
  const finding = (severity, message, more = {}) => ({
    type: "verify_finding",
    package: "flipgame",
    check: "inputs",
    severity,
    place: "data/secret/01.in:2:1",
    case: "secret/01",
    submission: null,
    message,
    hint: null,
    ...more,
  });
  const check = (name, more = {}) => ({
    name,
    about: "90 inputs by 1 validator",
    seconds: 0.4,
    errors: 0,
    warnings: 0,
    notes: 0,
    skipped: null,
    ...more,
  });
  return [
    page("2 packages"),
    started("flipgame other", null),
    {
      type: "verify_started",
      package: "flipgame",
      folder: "cases/flipgame",
      title: "Flip Game",
      format: "2025-09",
      cases: 55,
      submissions: 20,
    },
    finding("note", "a note on something"),
    finding("error", "the input validator validate rejects the input: line 2\nhas a blank at its end", {
      hint: "take the blank away",
    }),
    finding("warning", `the name is odd: ${HOSTILE.bidi}`, { check: "format", submission: "accepted/a.py" }),
    {
      type: "verify_time_limit",
      package: "flipgame",
      time_limit_seconds: 2,
      is_stated: true,
      smallest_seconds: 1,
      ac_to_time_limit: 2,
      time_limit_to_tle: 1.5,
      resolution_seconds: 1,
    },
    margin("accepted/a.py", 0.25, { bound: "lower", kept: true }),
    margin("accepted/b_java", 0.4, { bound: "lower", kept: true }),
    margin("accepted/close.py", 1.4, { bound: "lower", kept: false }),
    margin("time_limit_exceeded/slow.cpp", 3, { is_more: true, bound: "upper", kept: true }),
    margin("wrong_answer/w.cpp", 0.004),
    {
      type: "verify_finished",
      package: "flipgame",
      errors: 1,
      warnings: 1,
      notes: 1,
      tools: [],
      seconds: 5.2,
      checks: [
        check("format", { warnings: 1 }),
        check("inputs", { errors: 1, notes: 1 }),
        check("answers"),
        check("submissions", { skipped: "javac is not installed" }),
      ],
    },
    {
      type: "verify_started",
      package: "other",
      folder: null,
      title: HOSTILE.script,
      format: "legacy",
      cases: 3,
      submissions: 1,
    },
    ended({ submissions: 20, cases_run: 1100, wall_seconds: 30 }),
  ];
}

export function hunting(found = true) {
  const none = {
    found: false,
    kind: null,
    input: null,
    input_legal: null,
    input_unchecked: null,
    expected: null,
    got: null,
    message: null,
    bytes: null,
    bytes_before_shrinking: null,
    minimal: null,
    exhausted: true,
  };
  const hunt = {
    type: "hunt_finished",
    package: "flipgame",
    submission: "white_only.py",
    seed: 1,
    found: true,
    kind: "WA",
    input: "bbbb\nbbbb\nbbbb\nbbbb\n",
    input_legal: true,
    input_unchecked: null,
    expected: "0\n",
    got: `4\n${HOSTILE.script}${HOSTILE.bidi}\n`,
    message: 'line 1: expected "0", got "4"',
    truth: ["the reference solvers of flipgame: table, rows, gf2, bfs"],
    tried: 17,
    illegal: 2,
    unjudged: 0,
    exhausted: false,
    seconds: 0.2,
    seconds_preparing: 0.1,
    undone: null,
    bytes_before_shrinking: 40,
    bytes: 20,
    shrink_tried: 130,
    minimal: true,
    interrupted: false,
    remarks: ["a generator could not be used"],
    written: ["found/hunt-white_only-wa.in", "found/hunt-white_only-wa.ans"],
  };
  const black = ["bbbb", "bbbb", "bbbb", "bbbb"];
  const find = {
    type: "find_told",
    number: null,
    diff: DIFF,
    boards: [
      {
        name: "",
        expected: flipFilm(black, []),
        actual: flipFilm(black, [
          [0, 0],
          [1, 1],
        ]),
        wrong: "4 rounds, none is needed",
      },
    ],
  };
  const lines = [
    page("Hunting white_only.py in Flip Game"),
    started("flipgame", 2, { seed: 1 }),
    built("white_only.py", "Python 3"),
  ];
  lines.push(
    ...(found ? [hunt, find] : [{ ...hunt, ...none }]),
    ended({ as_wanted: !found, submissions: 1, cases_run: 17 }),
  );
  return lines;
}

export function strength(count = 60, columns = 20) {
  const draw = randomly(3);
  const cases = Array.from({ length: columns }, (_, index) => `secret/${index + 1}`);
  const lines = [page("Strength of larger"), started("larger", 1, { seed: 1 })];
  for (let number = 1; number <= count; number += 1) lines.push(mutant(number, cases, draw));
  lines.push(
    survivor(7, {
      killed: true,
      kind: "WA",
      input: "1 2\n",
      input_unchecked: "the package has no input validator, so no program checked it",
      expected: "2\n",
      got: "1\n",
      message: 'line 1: expected "2", got "1"',
      minimal: true,
      written: ["data/secret/mutant-a-6-off-by-one.in"],
    }),
  );
  lines.push({ type: "find_told", number: 7, diff: DIFF, boards: [flipScene(flipFilm(START, [[0, 0]]))] });
  lines.push(
    survivor(14, { exhausted: false }),
    survivor(14, { killed: true, by_find_of: 7 }),
    survivor(21, { kind: "jury", input: "3\n", message: "a.c says 1, b.py says 2" }),
  );
  lines.push(survivor(28, { exhausted: true }));
  lines.push({
    type: "strength_finished",
    package: "larger",
    seed: 1,
    mutants: count,
    killed: count - 8,
    survived: 6,
    holes: 2,
    disputed: 1,
    equivalent_suspected: 1,
    equivalent_declared: 1,
    equivalent_proved: 1,
    unjudged: 1,
    not_compiled: 3,
    same_code: 2,
    changes: count + 5,
    is_sample: true,
    minimal_cases: cases.slice(0, 3),
    minimal_is_proved: true,
    idle_cases: ["sample/idle"],
    sole_killers: [{ case: "secret/1", mutants: [1, 2, 3, 4, 5, 6, 8, 9, 10, 11] }],
    pairs_unknown: 40,
    by_verdict: { RTE: 1, WA: count - 9 },
    by_operator: { "off-by-one": [30, 26], boundary: [count - 30, count - 34] },
    by_program: { "accepted/a.c": [count, count - 8] },
    wrongly_declared: ["accepted/a.c: was `x`: killed by secret/1"],
    stale: ["accepted/b.c: nothing is like that"],
    remarks: [],
    tools: [{ name: "gcc", path: "/usr/bin/gcc", version: "gcc 12.2.0" }],
    interrupted: false,
    seconds: 12,
  });
  lines.push(ended({ submissions: 1, cases_run: 900, wall_seconds: 12 }));
  return lines;
}

function mutant(number, cases, draw) {
  const fate =
    number % 31 === 0
      ? "not-compiled"
      : number % 35 === 0
        ? "declared"
        : number % 49 === 0
          ? "unjudged"
          : number % 7 === 0
            ? "survived"
            : "killed";
  const killers = fate === "killed" ? cases.filter(() => draw() < 0.2) : [];
  if (fate === "killed" && killers.length === 0) killers.push(cases[0]);
  return {
    type: "mutant_finished",
    number,
    program: "accepted/a.c",
    role: "submission",
    file: "accepted/a.c",
    line: 6 + number,
    column: 14,
    operator: "off-by-one",
    was: "if (a < b) a = b;",
    is: "if (a < b - 1) a = b;",
    fate,
    cached: false,
    same_as: null,
    case: killers[0] ?? null,
    verdict: killers.length > 0 ? "WA" : null,
    message: null,
    killers: killers.length,
    diff:
      fate === "killed" ? null : "@@ -5,2 +5,2 @@\n int a, b;\n-    if (a < b) a = b;\n+    if (a < b - 1) a = b;\n",
    reason: fate === "declared" ? "of two equal numbers either may be printed" : null,
    killed_by: fate === "not-compiled" ? null : killers,
    not_tried: fate === "killed" ? 4 : 0,
  };
}

function survivor(number, more) {
  return {
    type: "survivor_hunted",
    number,
    program: "accepted/a.c",
    killed: false,
    by_find_of: null,
    kind: null,
    input: null,
    input_legal: null,
    input_unchecked: null,
    expected: null,
    got: null,
    message: null,
    tried: 17,
    unjudged: 0,
    exhausted: false,
    interrupted: false,
    seconds: 5,
    minimal: null,
    remarks: [],
    written: [],
    ...more,
  };
}

export function crosschecking() {
  const base = {
    type: "crosscheck_finished",
    puzzle: "flipgame",
    scope: "exhaustive",
    solvers: ["rows", "bfs"],
    boards: 65536,
    disagreements: 0,
    histogram: { 0: 2, 1: 32, 2: 240, 3: 1120, 4: 2702, Impossible: 61440 },
    moves_replayed: 4096,
    bounds_proved: 61440,
    declined: { bfs: 12 },
    smallest: null,
    seconds: 4.2,
  };
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [String(index), (index + 1) * 7]));
  return [
    page("Crosscheck"),
    started("flipgame coins", null, { sandbox: null, seed: 5 }),
    base,
    {
      ...base,
      puzzle: "coins",
      scope: "sampled",
      disagreements: 1,
      histogram: many,
      smallest: { input: "BABAA\n5\n", reason: "rows says 3, bfs says 4", answers: { rows: "3\n", bfs: "4\n" } },
    },
    ended({ submissions: 0, cases_run: 0, wall_seconds: 9.1 }),
  ];
}

export function generation() {
  const one = (name, more) => ({
    type: "case_generated",
    case: name,
    files: { ans: "unchanged", in: "unchanged" },
    change: "unchanged",
    command: "gen.py 1000 1234567",
    seed: 1234567,
    same_as: null,
    seconds: 0.04,
    message: null,
    remarks: [],
    unmatched: [],
    ...more,
  });
  return [
    page("Generating larger"),
    started("larger", 1),
    one("secret/01", {}),
    one("secret/02", { change: "changed", files: { ans: "changed", in: "new" } }),
    one("secret/03", { change: null, files: {}, message: "gen.py ended with exit code 1:\nTraceback" }),
    one("secret/04", { same_as: "secret/01", command: null, remarks: ["odd"], unmatched: ["no 7 in it"] }),
    {
      type: "generate_finished",
      as_wanted: false,
      cases: 4,
      failed: 1,
      unmatched: 1,
      new: 0,
      changed: 1,
      unchanged: 2,
      others: { "secret/test_group.yaml": "new" },
      removed: ["secret/old.ans"],
      kept: ["secret/old.png"],
      written: null,
      trash: null,
      wall_seconds: 0.6,
    },
  ];
}

/** Two similar programs, one of them hostile, and one whose source the page does not have. */
export function similar() {
  const source = (names, end) =>
    names
      .flatMap((name) => [
        `def ${name}(a):`,
        "    total = 0",
        "    for x in a:",
        "        total += x",
        "    return total",
      ])
      .concat(end)
      .join("\n");
  const pair = (a, b, share_of_a, share_of_b, regions) => ({
    a,
    b,
    similarity: (share_of_a + share_of_b) / 2,
    share_of_a,
    share_of_b,
    lines_a: 10,
    lines_b: 12,
    regions,
  });
  const region = (first_a, first_b, lines, file_b = "") => ({
    file_a: "",
    first_line_a: first_a,
    last_line_a: first_a + lines - 1,
    file_b,
    first_line_b: first_b,
    last_line_b: first_b + lines - 1,
  });
  return [
    page("A class"),
    started("sum", 1, { submissions: 3 }),
    ...["anna.py", HOSTILE.script, "ben"].flatMap((name) => {
      const accepted = result(name, "secret/1", "AC");
      return [accepted, judged(name, "AC", [accepted])];
    }),
    {
      type: "similarity_finished",
      pairs: [
        pair("anna.py", HOSTILE.script, 1, 0.839, [region(1, 6, 5), region(6, 1, 5)]),
        pair("anna.py", "ben", 0.71, 0.7, [region(1, 3, 5, "main.py")]),
        pair(HOSTILE.script, "ben", 0.3, 0.2, []),
      ],
      similar: 2,
      compared: 3,
      skipped: [{ submission: "dora.py", reason: "it is a link" }],
      cut: ["ben"],
      threshold: 0.6,
      seconds: 0.1,
    },
    { type: "similar_source", submission: "anna.py", files: [{ name: "", text: source(["one", "two"], "") }] },
    {
      type: "similar_source",
      submission: HOSTILE.script,
      files: [{ name: "", text: source(["f", "g"], [HOSTILE.image, HOSTILE.bidi, `s = "${"long ".repeat(60)}"`]) }],
    },
    ended({ submissions: 3, as_wanted: true, cases_run: 3 }),
  ];
}

/** Returns the text of a report. If `isCut`, it ends in the middle of a line. */
export function textOf(lines, isCut = false) {
  const all = lines.map(lineOf).join("\n");
  return isCut ? all.slice(0, Math.floor(all.length * 0.7)) : all;
}

export const SAMPLES = new Map([
  ["grading", () => textOf(grading())],
  ["class", () => textOf(classOf34())],
  ["class-of-moodle", () => textOf(classOf34(true))],
  ["part-judged", () => textOf(partJudged())],
  ["warned", () => textOf(warned())],
  ["hostile", () => textOf(hostile())],
  ["large", () => textOf(large())],
  ["narrow", () => textOf(large(150, 20))],
  ["wide", () => textOf(large(10, 5000))],
  ["cut", () => textOf(grading(), true)],
  ["empty", () => textOf([page("Nothing yet")])],
  ["verification", () => textOf(verification())],
  ["hunting", () => textOf(hunting())],
  ["hunting-in-vain", () => textOf(hunting(false))],
  ["strength", () => textOf(strength())],
  ["strength-large", () => textOf(strength(700, 60))],
  ["similar", () => textOf(similar())],
  ["crosschecking", () => textOf(crosschecking())],
  ["generation", () => textOf(generation())],
]);
