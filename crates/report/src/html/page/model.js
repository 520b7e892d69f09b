// Reads the lines of the report into a model. Names of submissions and test cases can be anything, "__proto__" too, so
// they are keys of maps and never of objects.

/**
 * Reads a report: one JSON object per line. The last line is cut if the run ended early.
 * @param {string} text
 */
function readReport(text) {
  const report = emptyReport();
  for (const line of text.split("\n")) {
    if (line.trim() !== "") readLine(report, line);
  }
  // Only the last line can be an exhibit that no result follows. It counts as unreadable if it is cut.
  if (report.pendingExhibit !== null && parsed(report.pendingExhibit) === null) report.unreadable += 1;
  report.submissions = judgedSubmissions(report);
  report.commonFolders = commonFolders(report.submissions.map(({ name }) => name));
  for (const one of report.submissions) one.shortName = shortNameOf(report, one);
  for (const list of [report.submissions, report.cases])
    list.forEach((one, index) => {
      one.index = index;
    });
  return report;
}

/**
 * Drops submissions that were built but not judged, such as the program of a hunt.
 * @param {Model.Report} report
 */
function judgedSubmissions({ submissions, hunts, packages, mutants }) {
  const isOfGrading = hunts.length + packages.length + mutants.length === 0;
  return submissions.filter(
    ({ finished, skipped, results }) => isOfGrading || finished !== null || skipped !== null || results.size > 0,
  );
}

/** @returns {Model.Report} */
function emptyReport() {
  return {
    page: null,
    run: null,
    end: null,
    unreadable: 0,
    leftOut: [],
    remarks: null,
    commonFolders: "",
    submissions: [],
    submissionByName: new Map(),
    cases: [],
    caseByName: new Map(),
    caseByNumber: [],
    toldByCase: new Map(),
    pendingExhibit: null,
    packages: [],
    packageByName: new Map(),
    hunts: [],
    mutants: [],
    mutantByNumber: new Map(),
    strength: null,
    similarity: null,
    sourceOf: new Map(),
    crosschecks: [],
    generated: [],
    generation: null,
  };
}

/**
 * @param {Model.Report} report
 * @param {string} text
 */
function readLine(report, text) {
  // Exhibits are most of the text, and readers open few of them. So exhibitOf parses an exhibit only when a reader
  // opens it.
  if (text.startsWith('{"type":"exhibit",')) {
    report.pendingExhibit = text;
    return;
  }
  const line = parsed(text);
  if (line === null) {
    report.unreadable += 1;
    return;
  }
  // Lines of types that this page does not know are ignored.
  switch (line.type) {
    case "page":
      report.page = line;
      break;
    case "run_started":
      report.run = line;
      break;
    case "run_finished":
      report.end = line;
      break;
    case "left_out":
      report.leftOut.push(line.what);
      break;
    case "remarks":
      report.remarks = line;
      break;
    case "first_error":
      submissionOf(report, line.submission).firstError = line.line;
      break;
    case "build_finished":
      submissionOf(report, line.submission).build = line;
      break;
    case "submission_skipped":
      Object.assign(submissionOf(report, line.submission), {
        skipped: [line.reason, line.hint].filter(Boolean).join("; "),
        student: line.student ?? null,
      });
      break;
    case "submission_finished":
      Object.assign(submissionOf(report, line.submission), { finished: line, student: line.student ?? null });
      break;
    case "group_finished":
      submissionOf(report, line.submission).groups.push(line);
      break;
    case "case_told":
      report.toldByCase.set(line.case, line);
      break;
    case "exhibit":
      report.pendingExhibit = text;
      break;
    case "results":
      readResults(report, line);
      break;
    case "verify_started":
      packageOf(report, line.package).started = line;
      break;
    case "verify_finding":
      packageOf(report, line.package).findings.push(line);
      break;
    case "verify_time_limit":
      packageOf(report, line.package).limit = line;
      break;
    case "verify_margin":
      packageOf(report, line.package).margins.push(line);
      break;
    case "verify_finished":
      packageOf(report, line.package).finished = line;
      break;
    case "hunt_finished":
      report.hunts.push({ hunt: line, told: null });
      break;
    case "mutant_finished":
      mutantOf(report, line.number).finished = line;
      break;
    case "survivor_hunted":
      readSurvivor(report, line);
      break;
    case "find_told":
      readFind(report, line);
      break;
    case "strength_finished":
      report.strength = line;
      break;
    case "similarity_finished":
      report.similarity = line;
      break;
    case "similar_source":
      report.sourceOf.set(line.submission, line);
      break;
    case "crosscheck_finished":
      report.crosschecks.push(line);
      break;
    case "case_generated":
      report.generated.push(line);
      break;
    case "generate_finished":
      report.generation = line;
      break;
  }
}

/**
 * Parses a line; null if it is not JSON. The same binary writes the lines and this page, so each line has a known type.
 * @param {string} line
 * @returns {Json.Line | Extra.Line | null}
 */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/**
 * @param {Model.Report} report
 * @param {string} name
 */
function submissionOf(report, name) {
  return foundOrAdded(report.submissionByName, report.submissions, name, () => ({
    name,
    shortName: name,
    index: 0,
    build: null,
    firstError: 0,
    skipped: null,
    student: null,
    finished: null,
    groups: [],
    results: new Map(),
    lastCase: null,
  }));
}

/**
 * @param {Model.Report} report
 * @param {string} name
 */
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

/**
 * @param {Model.Report} report
 * @param {number} number
 */
function mutantOf(report, number) {
  return foundOrAdded(report.mutantByNumber, report.mutants, number, () => ({
    number,
    finished: null,
    hunted: null,
    told: null,
  }));
}

/**
 * @template Key, Value
 * @param {Map<Key, Value>} map
 * @param {Value[]} list gets the new values in their order
 * @param {Key} key
 * @param {() => Value} fresh
 */
function foundOrAdded(map, list, key, fresh) {
  const found = map.get(key);
  if (found !== undefined) return found;
  const added = fresh();
  map.set(key, added);
  list.push(added);
  return added;
}

/**
 * Reads consecutive results of a submission. The pending exhibit belongs to the first one.
 * @param {Model.Report} report
 * @param {Extra.Results} line
 */
function readResults(report, { submission: name, rows }) {
  const submission = submissionOf(report, name);
  for (const row of rows) {
    const testCase = typeof row[0] === "string" ? namedCase(report, row[0], submission) : report.caseByNumber[row[0]];
    testCase.failed += row[1] === "AC" ? 0 : 1;
    submission.results.set(testCase.name, resultOf(name, testCase.name, row, report.pendingExhibit));
    report.pendingExhibit = null;
    submission.lastCase = testCase;
  }
}

/**
 * Returns the test case with a name, and gives it the next number, by which later rows refer to it.
 * @param {Model.Report} report
 * @param {string} name
 * @param {Model.Submission} submission
 */
function namedCase(report, name, submission) {
  const testCase = report.caseByName.get(name) ?? placedCase(report, name, submission.lastCase);
  report.caseByNumber.push(testCase);
  return testCase;
}

/**
 * @param {string} submission
 * @param {string} testCase
 * @param {Extra.ResultRow} row
 * @param {string | null} exhibit
 * @returns {Model.Result}
 */
function resultOf(submission, testCase, [, verdict, cpu, wall, memory, ending = 0, flags = 0, others], exhibit) {
  return {
    submission,
    case: testCase,
    verdict,
    cpu_seconds: cpu === null ? null : cpu / 1e6,
    wall_seconds: wall === null ? null : wall / 1e6,
    memory_bytes: memory,
    exit_code: ending !== null && ending >= 0 ? ending : null,
    signal: ending !== null && ending < 0 ? -ending : null,
    score: null,
    message: null,
    team_message: null,
    passes: null,
    close: flags % 2 === 1,
    cached: flags >= 2,
    ...others,
    exhibit,
  };
}

/**
 * Adds a test case behind `before`, the last test case of the submission so far. This gives the list the order of the
 * test cases, although each submission may have run on only some of them.
 * @param {Model.Report} report
 * @param {string} name
 * @param {Model.TestCase | null} before
 */
function placedCase(report, name, before) {
  const testCase = { name, index: 0, failed: 0 };
  const { cases } = report;
  const isNext = before === null || cases[cases.length - 1] === before;
  cases.splice(isNext ? cases.length : cases.indexOf(before) + 1, 0, testCase);
  report.caseByName.set(name, testCase);
  return testCase;
}

/**
 * Returns the output of a result with its diff, messages and pictures; null if the report has none.
 * @param {Model.Result} result
 */
function exhibitOf(result) {
  if (typeof result.exhibit === "string") {
    const read = parsed(result.exhibit);
    const isOfResult = read?.type === "exhibit" && read.submission === result.submission && read.case === result.case;
    result.exhibit = isOfResult ? read : null;
  }
  return result.exhibit;
}

/**
 * Keeps the last line of each survivor. A second line exists if the input found for a later mutant also kills it.
 * @param {Model.Report} report
 * @param {Json.SurvivorHunted} line
 */
function readSurvivor(report, line) {
  const mutant = mutantOf(report, line.number);
  mutant.hunted = line;
  mutant.told = null;
}

/**
 * @param {Model.Report} report
 * @param {Extra.FindTold} line
 */
function readFind(report, line) {
  const owner = line.number === null ? report.hunts.at(-1) : report.mutantByNumber.get(line.number);
  if (owner) owner.told = line;
}

/**
 * Returns whether a submission is as expected; null if that is not known, or if nothing is expected of it.
 * @param {Model.Submission} submission
 */
function isAsWanted(submission) {
  const { finished } = submission;
  if (finished === null) return null;
  const isAnyVerdictFine = finished.as_wanted && finished.as_expected === null && finished.verdict !== "AC";
  return isAnyVerdictFine ? null : finished.as_wanted;
}

/**
 * Returns the words for a standing: the letters of a verdict, or words in place of a verdict.
 * @param {string} word as `standing` returns it
 */
function standingWords(word) {
  return word === "skipped" ? "not judged" : word === "unfinished" ? "not finished" : word;
}

/**
 * Returns the verdict of a submission, or "skipped" or "unfinished" if it has none.
 * @param {Model.Submission} submission
 */
function standing(submission) {
  if (submission.finished !== null) return submission.finished.verdict;
  return submission.skipped !== null ? "skipped" : "unfinished";
}

/** @param {Model.Submission} submission */
function failedResults(submission) {
  return Array.from(submission.results.values()).filter((result) => result.verdict !== "AC");
}
