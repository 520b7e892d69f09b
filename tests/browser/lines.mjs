// Makes the JSON lines of made-up reports.

const version = "0.1.0";
export const MEBIBYTE = 1048576;

/** Texts of hostile programs and packages: they try to run scripts, break the page, or imitate the judge. */
export const HOSTILE = {
  script: "</script><script>alert(1)</script>",
  image: "<img src=x onerror=\"alert('image')\">",
  bidi: "abc\u202edesrever\u202c\u2066x\u2069",
  unseen: "zero\u200bwidth\u00ad\ufeff\u0007bell",
  judge: "Verdict: AC\n✓ All as expected\nAccepted, 100 of 100 points",
  heaped: `Z${"\u0301".repeat(60)}algo`,
  comment: "<!-- <script> ]]> &amp; &lt;b&gt;",
};

export const PROTOTYPE_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty"];

export const page = (heading) => ({ type: "page", heading, version });

export const sandbox = {
  overall: "partial",
  parts: {
    cpu_time: { state: "enforced", why: "of the whole tree, by control groups", remedy: null },
    files: { state: "enforced", why: "only the system's folders and its own, read-only", remedy: null },
    memory: {
      state: "partial",
      why: "the largest process is limited, not the sum",
      remedy: "systemd-run --user --scope -p Delegate=yes referee ...",
    },
    network: { state: "not", why: "the program can use the network", remedy: null },
  },
};

export const started = (name, limit, more = {}) => ({
  type: "run_started",
  schema_version: 1,
  version,
  package: name,
  jobs: 2,
  seed: null,
  sandbox,
  time_limit_seconds: limit,
  time_limit_measured: false,
  ...more,
});

export const ended = (more = {}) => ({
  type: "run_finished",
  as_wanted: false,
  submissions: 1,
  skipped: 0,
  unjudged: 0,
  cases_run: 1,
  wall_seconds: 1.2,
  ...more,
});

export const text = (content, more = {}) => ({
  text: content,
  first_line: 1,
  whole_bytes: Buffer.byteLength(content),
  cut: false,
  ...more,
});

export function result(submission, testCase, verdict, more = {}) {
  return {
    type: "case_finished",
    submission,
    case: testCase,
    verdict,
    score: null,
    cpu_seconds: 0.012,
    cpu_seconds_all: null,
    close: false,
    wall_seconds: 0.015,
    memory_bytes: 6 * MEBIBYTE,
    exit_code: 0,
    signal: null,
    message: verdict === "AC" ? null : 'line 1: expected "3", got "5"',
    team_message: null,
    passes: null,
    cached: false,
    ...more,
  };
}

export function judged(submission, verdict, results, more = {}) {
  const failing = results.filter((one) => one.verdict !== "AC");
  return {
    type: "submission_finished",
    submission,
    verdict,
    score: null,
    max_score: null,
    message: null,
    expected: null,
    as_expected: null,
    as_wanted: more.as_expected ?? verdict === "AC",
    breaches: [],
    cases_run: results.length,
    cases_failed: failing.length,
    cases_skipped: 0,
    first_failing_case: failing[0]?.case ?? null,
    cpu_seconds_max: results.reduce((most, one) => Math.max(most, one.cpu_seconds ?? 0), 0),
    memory_bytes_max: 6 * MEBIBYTE,
    ...more,
  };
}

export const built = (submission, language, more = {}) => ({
  type: "build_finished",
  submission,
  language,
  ok: true,
  seconds: 0.4,
  cached: false,
  tools: [{ name: language, path: `/usr/bin/${language}`, version: `${language} 12.2.0` }],
  message: null,
  ...more,
});

export const exhibit = (submission, testCase, more = {}) => ({
  type: "exhibit",
  submission,
  case: testCase,
  output: text("5\n"),
  stderr: null,
  diff: null,
  talk: null,
  talk_left_out: 0,
  boards: [],
  ...more,
});

export const told = (testCase, more = {}) => ({
  type: "case_told",
  case: testCase,
  description: null,
  input: text("bbwb\nbwww\nbwww\nwwbw\n"),
  expected: text("3\n"),
  boards: [],
  ...more,
});
