// A made-up report on a class of 34 programs: every fault, long and odd names, and 100 test cases.

import { HOSTILE, MEBIBYTE, built, ended, exhibit, judged, page, result, started, text, told } from "./lines.mjs";

/** What all names begin with, as if all programs are in one folder. */
export const CLASS_FOLDER = "downloads/Programming 1 (winter term), problem sheet 3/";

const CASES = [
  ...Array.from({ length: 3 }, (_, index) => `sample/${index + 1}`),
  ...Array.from({ length: 97 }, (_, index) => `secret/${String(index + 1).padStart(3, "0")}`),
];

const NAMES = [
  "Ada Lovelace",
  "Jörg Müller-Lüdenscheidt",
  "王小明",
  "佐藤 さくら",
  "🦊 Fox",
  "محمد علي",
  `Rita ${HOSTILE.bidi}`,
  HOSTILE.script,
  HOSTILE.image,
  "x".repeat(200),
  `O'Brien & "Sons"`,
  "=cmd()",
  ...Array.from({ length: 22 }, (_, index) => `Student ${String(index + 13)}`),
];

/** A message of a compiler whose longest line has 2,000 characters without a blank. */
export const LONG_MESSAGE = [
  "main.cpp: In function ‘int main()’:",
  `main.cpp:7:11: error: no match for ‘operator<<’ in ‘std::basic_${"template_argument,".repeat(112)}’`.slice(0, 2000),
  "    7 | std::cout << sorted << std::endl;",
  "main.cpp:7:11: note: candidate: ‘operator<<(int, int)’ (built-in)",
].join("\n");

const TRACEBACK = 'Traceback (most recent call last):\n  File "main.py", line 3, in <module>\nIndexError: list index\n';

/** The faults, in turns: each makes the lines of one student. */
const FAULTS = [
  accepted,
  accepted,
  (name) => failed(name, 1, "WA", { exit_code: 0 }, { output: text("5\n") }),
  (name) =>
    failed(
      name,
      8,
      "RTE",
      { exit_code: 1, message: "exit code 1" },
      { stderr: text(TRACEBACK), why: "IndexError: list index" },
    ),
  (name) => failed(name, 40, "TLE", { cpu_seconds: 2.4, exit_code: null, signal: 9, message: "more than 2 s" }),
  (name) => failed(name, 70, "RTE", { exit_code: null, signal: 11, message: "signal 11" }),
  (name) => failed(name, 2, "OLE", { message: "more than 8 MiB of output" }),
  (name) => failed(name, 99, "MLE", { memory_bytes: 512 * MEBIBYTE, message: "more than 512 MiB" }),
  notCompiled,
  (name) => [{ type: "submission_skipped", submission: name, reason: "main.pdf: neither a source nor an executable" }],
];

function accepted(name) {
  const results = CASES.map((testCase) => result(name, testCase, "AC"));
  return [built(name, "Python 3"), ...results, judged(name, "AC", results)];
}

/** Returns the lines of a program that fails on the test case with this number, counted from 0. */
function failed(name, place, verdict, more, texts = {}) {
  const before = CASES.slice(0, place).map((testCase) => result(name, testCase, "AC"));
  const last = result(name, CASES[place], verdict, more);
  const results = [...before, last];
  const end = judged(name, verdict, results, { cases_skipped: CASES.length - results.length });
  return [built(name, "C++"), ...before, exhibit(name, CASES[place], texts), last, end];
}

function notCompiled(name) {
  const end = judged(name, "CE", [], { cases_skipped: CASES.length, cpu_seconds_max: null, memory_bytes_max: null });
  const message = `main.cpp:3:5: warning: unused variable ‘x’\n    3 | int x;\n${LONG_MESSAGE}`;
  return [built(name, "C++", { ok: false, message }), { type: "first_error", submission: name, line: 2 }, end];
}

/** Adds the student and the points, as if the class comes from Moodle and `--points` is given. */
function asOfMoodle(line, number, name) {
  const student = {
    name,
    layout: "moodle",
    moodle_id: String(1000 + number),
    is_late: number % 9 === 0,
    attempt: number % 7 === 0 ? 2 : 1,
    attempts: number % 7 === 0 ? 3 : 1,
    folder: `${name}_${1000 + number}_assignsubmission_file_`,
    files: ["main.py"],
  };
  if (line.type === "submission_skipped") return { ...line, student };
  if (line.type !== "submission_finished") return line;
  return { ...line, student, points: line.verdict === "AC" ? 100 : line.cases_run - line.cases_failed };
}

/** Returns the lines of the report. */
export function classOf34(isOfMoodle = false) {
  const lines = [
    page("Sum of Squares (sumofsquares): 100 cases, time limit 2 s"),
    started("sumofsquares", 2, { submissions: NAMES.length, memory_limit_bytes: 512 * MEBIBYTE }),
    ...CASES.map((name) => told(name)),
  ];
  NAMES.forEach((name, index) => {
    // The work of a student has the name of the student.
    const own = FAULTS[index % FAULTS.length](isOfMoodle ? name : `${CLASS_FOLDER}${name}/main.py`);
    lines.push(...(isOfMoodle ? own.map((line) => asOfMoodle(line, index, name)) : own));
  });
  const runs = lines.filter(({ type }) => type === "case_finished").length;
  const skipped = lines.filter(({ type }) => type === "submission_skipped").length;
  lines.push({
    type: "remarks",
    doubts: [
      `not judged: ${CLASS_FOLDER}${NAMES[9]}/main.py and 2 others: main.pdf: neither a source nor an executable`,
    ],
    remarks: [`${CLASS_FOLDER}${NAMES[0]}/main.py: run with Python 3 (PyPy), as on Kattis and DOMjudge`],
  });
  lines.push(ended({ submissions: NAMES.length - skipped, skipped, unjudged: skipped, cases_run: runs }));
  return lines;
}
