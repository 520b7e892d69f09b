// Writes figures and words for people.

/** The name of each verdict, and its CSS class, one of four. */
const VERDICTS = new Map([
  ["AC", ["accepted", "good"]],
  ["WA", ["wrong answer", "bad"]],
  ["RTE", ["run-time error", "bad"]],
  ["CE", ["compile error", "bad"]],
  ["TLE", ["time limit exceeded", "limit"]],
  ["MLE", ["memory limit exceeded", "limit"]],
  ["OLE", ["output limit exceeded", "limit"]],
  ["JE", ["judge error", "odd"]],
]);

const SIGNALS = new Map([
  [4, "SIGILL"],
  [5, "SIGTRAP"],
  [6, "SIGABRT"],
  [7, "SIGBUS"],
  [8, "SIGFPE"],
  [9, "SIGKILL"],
  [11, "SIGSEGV"],
  [13, "SIGPIPE"],
  [14, "SIGALRM"],
  [15, "SIGTERM"],
  [24, "SIGXCPU"],
  [25, "SIGXFSZ"],
  [31, "SIGSYS"],
]);

/** @param {string} verdict */
function verdictWords(verdict) {
  return VERDICTS.get(verdict)?.[0] ?? verdict;
}

/** @param {string} verdict */
function verdictLook(verdict) {
  return VERDICTS.get(verdict)?.[1] ?? "odd";
}

/**
 * Shows the letters of a verdict in its colour, with its words as the title.
 * @param {string} verdict
 */
function badge(verdict) {
  return make("abbr", { class: `verdict ${verdictLook(verdict)}`, title: verdictWords(verdict) }, verdict);
}

/**
 * Writes a number with its noun: "1 case", "2 cases".
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

const GROUPED = new Intl.NumberFormat("en-GB");

/** @param {number} count */
function grouped(count) {
  return GROUPED.format(count);
}

/**
 * Writes a measured time in seconds.
 * @param {number | null | undefined} time
 */
function seconds(time) {
  if (time === null || time === undefined) return "–";
  if (time > 0 && time < 0.0005) return "< 0.001 s";
  return `${time.toFixed(time < 10 ? 3 : time < 100 ? 2 : 0)} s`;
}

/**
 * Writes a time limit in seconds, with the digits that the package states.
 * @param {number} time
 */
function limitSeconds(time) {
  return `${Number(time.toPrecision(6))} s`;
}

/**
 * Writes the time of a whole run in seconds, in few digits.
 * @param {number} time
 */
function roughSeconds(time) {
  return time < 100 ? `${time.toFixed(1)} s` : `${Math.floor(time / 60)} min ${Math.round(time % 60)} s`;
}

/** @param {number | null | undefined} bytes */
function mebibytes(bytes) {
  if (bytes === null || bytes === undefined) return "–";
  const size = bytes / 1048576;
  return `${size.toFixed(size < 10 ? 1 : 0)} MiB`;
}

/** @param {number} bytes */
function byteCount(bytes) {
  return bytes < 10240
    ? counted(bytes, "byte")
    : bytes < 1048576
      ? `${Math.round(bytes / 1024)} KiB`
      : mebibytes(bytes);
}

/**
 * Writes a score with up to four decimal places.
 * @param {number} score
 */
function figure(score) {
  return String(Number(score.toFixed(4)));
}

/**
 * @param {number | null | undefined} score
 * @param {number | null | undefined} most
 */
function scoreOf(score, most) {
  if (score === null || score === undefined) return "–";
  return most === null || most === undefined ? figure(score) : `${figure(score)} of ${figure(most)}`;
}

/** @param {number} number */
function signalName(number) {
  return SIGNALS.has(number) ? `${number} (${SIGNALS.get(number)})` : String(number);
}

/** Compares names as people sort them: `secret/2` before `secret/10`. */
const byName = new Intl.Collator("en", { numeric: true }).compare;
