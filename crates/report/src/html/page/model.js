// The lines of the report, put in order. Names of submissions and cases are anything at all, so they are keys of maps
// and never of objects.

/** What happened, made of the text of the report: one JSON object per line, the last of which may have been cut. */
function readReport(text) {
  const report = emptyReport();
  for (const line of text.split("\n")) {
    if (line.trim() !== "") readLine(report, line);
  }
  // Nobody reads the last exhibit if the report was cut in it.
  if (report.pendingExhibit !== null && parsed(report.pendingExhibit) === null) report.unreadable += 1;
  report.submissions = judgedSubmissions(report);
  for (const list of [report.submissions, report.cases])
    list.forEach((one, index) => {
      one.index = index;
    });
  return report;
}

/** Those that are judged: a hunt, say, has a program that was built and gets no verdict. */
function judgedSubmissions({ submissions, hunts, packages, mutants }) {
  const isOfGrading = hunts.length + packages.length + mutants.length === 0;
  const isJudged = ({ finished, skipped, results }) => finished !== null || skipped !== null || results.size > 0;
  return submissions.filter((submission) => isOfGrading || isJudged(submission));
}

function emptyReport() {
  return {
    page: null,
    run: null,
    end: null,
    unreadable: 0,
    leftOut: [],
    submissions: [],
    submissionByName: new Map(),
    cases: [],
    caseByName: new Map(),
    toldByCase: new Map(),
    pendingExhibit: null,
    packages: [],
    packageByName: new Map(),
    hunts: [],
    mutants: [],
    mutantByNumber: new Map(),
    strength: null,
    crosschecks: [],
    generated: [],
    generation: null,
  };
}

function readLine(report, line) {
  // Most of the text is exhibits, of which few are looked at: they are read when they are.
  if (line.startsWith('{"type":"exhibit",')) {
    report.pendingExhibit = line;
    return;
  }
  const read = parsed(line);
  if (read === null) report.unreadable += 1;
  else READERS.get(read.type)?.(report, read);
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const READERS = new Map([
  [
    "page",
    (report, line) => {
      report.page = line;
    },
  ],
  [
    "run_started",
    (report, line) => {
      report.run = line;
    },
  ],
  [
    "run_finished",
    (report, line) => {
      report.end = line;
    },
  ],
  [
    "left_out",
    (report, line) => {
      report.leftOut.push(line.what);
    },
  ],
  [
    "build_finished",
    (report, line) => {
      submissionOf(report, line.submission).build = line;
    },
  ],
  [
    "submission_skipped",
    (report, line) => {
      submissionOf(report, line.submission).skipped = line.reason;
    },
  ],
  [
    "submission_finished",
    (report, line) => {
      submissionOf(report, line.submission).finished = line;
    },
  ],
  [
    "group_finished",
    (report, line) => {
      submissionOf(report, line.submission).groups.push(line);
    },
  ],
  [
    "case_told",
    (report, line) => {
      report.toldByCase.set(line.case, line);
    },
  ],
  [
    "exhibit",
    (report, line) => {
      report.pendingExhibit = JSON.stringify(line);
    },
  ],
  ["case_finished", readResult],
  [
    "verify_started",
    (report, line) => {
      packageOf(report, line.package).started = line;
    },
  ],
  [
    "verify_finding",
    (report, line) => {
      packageOf(report, line.package).findings.push(line);
    },
  ],
  [
    "verify_time_limit",
    (report, line) => {
      packageOf(report, line.package).limit = line;
    },
  ],
  [
    "verify_margin",
    (report, line) => {
      packageOf(report, line.package).margins.push(line);
    },
  ],
  [
    "verify_finished",
    (report, line) => {
      packageOf(report, line.package).finished = line;
    },
  ],
  [
    "hunt_finished",
    (report, line) => {
      report.hunts.push({ hunt: line, told: null });
    },
  ],
  ["mutant_finished", readMutant],
  ["survivor_hunted", readSurvivor],
  ["find_told", readFind],
  [
    "strength_finished",
    (report, line) => {
      report.strength = line;
    },
  ],
  [
    "crosscheck_finished",
    (report, line) => {
      report.crosschecks.push(line);
    },
  ],
  [
    "case_generated",
    (report, line) => {
      report.generated.push(line);
    },
  ],
  [
    "generate_finished",
    (report, line) => {
      report.generation = line;
    },
  ],
]);

function submissionOf(report, name) {
  return foundOrAdded(report.submissionByName, report.submissions, name, () => ({
    name,
    build: null,
    skipped: null,
    finished: null,
    groups: [],
    results: new Map(),
    lastCase: null,
  }));
}

function packageOf(report, name) {
  return foundOrAdded(report.packageByName, report.packages, name, () => ({
    name,
    started: null,
    findings: [],
    limit: null,
    margins: [],
    finished: null,
  }));
}

function foundOrAdded(map, list, key, fresh) {
  if (!map.has(key)) {
    map.set(key, fresh());
    list.push(map.get(key));
  }
  return map.get(key);
}

function readResult(report, line) {
  const submission = submissionOf(report, line.submission);
  const testCase = report.caseByName.get(line.case) ?? placedCase(report, line.case, submission.lastCase);
  testCase.failed += line.verdict === "AC" ? 0 : 1;
  line.exhibit = report.pendingExhibit;
  report.pendingExhibit = null;
  submission.results.set(line.case, line);
  submission.lastCase = testCase;
}

/** A new case stands behind the one that the submission met before: each was run on some, in their order. */
function placedCase(report, name, before) {
  const testCase = { name, failed: 0 };
  const { cases } = report;
  const isNext = before === null || cases[cases.length - 1] === before;
  cases.splice(isNext ? cases.length : cases.indexOf(before) + 1, 0, testCase);
  report.caseByName.set(name, testCase);
  return testCase;
}

/** What was kept of a result to look at; null if nothing was. */
function exhibitOf(result) {
  if (typeof result.exhibit === "string") {
    const read = parsed(result.exhibit);
    const isOfResult = read !== null && read.submission === result.submission && read.case === result.case;
    result.exhibit = isOfResult ? read : null;
  }
  return result.exhibit;
}

function readMutant(report, line) {
  const mutant = foundOrAdded(report.mutantByNumber, report.mutants, line.number, () => ({ hunted: null, told: null }));
  Object.assign(mutant, line);
}

/** Where something found later kills a survivor after all there is a second line of it, which counts. */
function readSurvivor(report, line) {
  const mutant = foundOrAdded(report.mutantByNumber, report.mutants, line.number, () => ({ number: line.number }));
  mutant.hunted = line;
  mutant.told = null;
}

function readFind(report, line) {
  const owner = line.number === null ? report.hunts.at(-1) : report.mutantByNumber.get(line.number);
  if (owner) owner.told = line;
}

/** Whether a submission is as expected; null where that is not known, or nothing is wanted of it. */
function isAsWanted(submission) {
  const { finished } = submission;
  if (finished === null) return null;
  const mayEndInAnyWay = finished.as_wanted && finished.as_expected === null && finished.verdict !== "AC";
  return mayEndInAnyWay ? null : finished.as_wanted;
}

/** The verdict of a submission, or what stands in its place. */
function standing(submission) {
  if (submission.finished !== null) return submission.finished.verdict;
  return submission.skipped !== null ? "skipped" : "unfinished";
}

function failedResults(submission) {
  return Array.from(submission.results.values()).filter((result) => result.verdict !== "AC");
}
