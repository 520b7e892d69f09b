// Figures and words.

/** What a verdict means, and which of the four looks it has. */
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

function verdictWords(verdict) {
  return VERDICTS.get(verdict)?.[0] ?? verdict;
}

function verdictLook(verdict) {
  return VERDICTS.get(verdict)?.[1] ?? "odd";
}

/** The letters of a verdict, coloured; the words are there for those who do not know the letters. */
function badge(verdict) {
  return make("abbr", { class: `verdict ${verdictLook(verdict)}`, title: verdictWords(verdict) }, verdict);
}

function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

const GROUPED = new Intl.NumberFormat("en-GB");

function grouped(count) {
  return GROUPED.format(count);
}

function seconds(time) {
  if (time === null || time === undefined) return "–";
  if (time > 0 && time < 0.0005) return "< 0.001 s";
  return `${time.toFixed(time < 10 ? 3 : time < 100 ? 2 : 0)} s`;
}

/** A time that somebody chose, with the digits that they chose. */
function limitSeconds(time) {
  return `${Number(time.toPrecision(6))} s`;
}

/** A time that nobody compares with another: how long all of it took. */
function roughSeconds(time) {
  return time < 100 ? `${time.toFixed(1)} s` : `${Math.floor(time / 60)} min ${Math.round(time % 60)} s`;
}

function mebibytes(bytes) {
  if (bytes === null || bytes === undefined) return "–";
  const size = bytes / 1048576;
  return `${size.toFixed(size < 10 ? 1 : 0)} MiB`;
}

function byteCount(bytes) {
  return bytes < 10240
    ? counted(bytes, "byte")
    : bytes < 1048576
      ? `${Math.round(bytes / 1024)} KiB`
      : mebibytes(bytes);
}

/** A score in few enough digits to be read. */
function figure(score) {
  return String(Number(score.toFixed(4)));
}

function scoreOf(score, most) {
  if (score === null || score === undefined) return "–";
  return most === null || most === undefined ? figure(score) : `${figure(score)} of ${figure(most)}`;
}

function signalName(number) {
  return SIGNALS.has(number) ? `${number} (${SIGNALS.get(number)})` : String(number);
}

/** Names as people sort them: `secret/2` before `secret/10`. */
const byName = new Intl.Collator("en", { numeric: true }).compare;
