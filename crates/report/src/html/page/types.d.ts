// The types that the page's scripts share, for the type check; the page does not contain this file. lines.d.ts has the
// types of the JSON lines.

/** The lines that only a page has: see `Extra` in extra.rs. */
declare namespace Extra {
  type Line = Page | CaseTold | Exhibit | Results | FindTold | Remarks | FirstError | SimilarSource | LeftOut;

  interface Page {
    type: "page";
    heading: string;
    version: string;
  }

  interface CaseTold {
    type: "case_told";
    case: string;
    description: string | null;
    input: Text;
    expected: Text | null;
    boards: Pictures[];
  }

  interface Exhibit {
    type: "exhibit";
    submission: string;
    case: string;
    output: Text;
    stderr: Text | null;
    /** The line of the standard error that says why the program failed; missing if no line does. */
    why?: string;
    diff: DiffRow[] | null;
    talk: Said[] | null;
    /** The number of earlier messages that are left out of `talk`. */
    talk_left_out: number;
    boards: Pictures[];
  }

  /** Results of a submission on test cases: see results.rs. */
  interface Results {
    type: "results";
    submission: string;
    rows: ResultRow[];
  }

  /**
   * The test case (its name, or its number if the page has named it before), the verdict, CPU time and wall time in
   * microseconds, memory in bytes, the exit code or the negative number of the signal, 1 if the time is close to the
   * limit plus 2 if the result is cached, and the other fields that differ from those of an ordinary run.
   */
  type ResultRow = [
    string | number,
    Json.Verdict,
    number | null,
    number | null,
    number | null,
    (number | null)?,
    number?,
    Partial<Json.CaseFinished>?,
  ];

  interface FindTold {
    type: "find_told";
    /** The number of the mutant; null for the find of `hunt`. */
    number: number | null;
    diff: DiffRow[] | null;
    boards: Pictures[];
  }

  /** What a reader should know about the summary, as the terminal says it. */
  interface Remarks {
    type: "remarks";
    /** Sentences that limit what the summary says. */
    doubts: string[];
    remarks: string[];
  }

  interface FirstError {
    type: "first_error";
    submission: string;
    /** The line of the compiler's message, counted from 0. */
    line: number;
  }

  interface SimilarSource {
    type: "similar_source";
    submission: string;
    files: { name: string; text: string }[];
  }

  interface LeftOut {
    type: "left_out";
    what: string;
  }

  interface Text {
    text: string;
    first_line: number;
    whole_bytes: number;
    cut: boolean;
  }

  interface DiffRow {
    sign: "-" | "+" | " " | "…";
    line: number | null;
    /** Each part of the row: whether the part differs, and its text. */
    parts: [boolean, string][];
  }

  interface Said {
    by_submission: boolean;
    at_seconds: number;
    text: string;
    whole_bytes: number;
    cut: boolean;
  }

  interface Pictures {
    name: string;
    right: string | null;
    expected: Strip | null;
    actual: Strip | null;
    wrong: string | null;
  }

  interface Strip {
    goal: string[] | null;
    frames: Still[];
    end: string | null;
  }

  interface Still {
    caption: string;
    /** A text for each row, with a letter for each field. */
    grid: string[];
    /** Row and column of each marked field, from 0. */
    marks: [number, number][];
  }
}

/** The report in memory: see model.js. */
declare namespace Model {
  /** Lines of a file, from 1. */
  interface Lines {
    file: string;
    first: number;
    last: number;
  }

  interface Report {
    page: Extra.Page | null;
    run: Json.RunStarted | null;
    end: Json.RunFinished | null;
    /** The number of lines that are not JSON. */
    unreadable: number;
    leftOut: string[];
    remarks: Extra.Remarks | null;
    /** The folders that the names of all submissions begin with; empty if they share none. */
    commonFolders: string;
    submissions: Submission[];
    submissionByName: Map<string, Submission>;
    cases: TestCase[];
    caseByName: Map<string, TestCase>;
    /** The test cases in the order in which the rows of results name them. */
    caseByNumber: TestCase[];
    toldByCase: Map<string, Extra.CaseTold>;
    /** The JSON of the exhibit for the next row of results; null if there is none. */
    pendingExhibit: string | null;
    packages: Package[];
    packageByName: Map<string, Package>;
    hunts: Hunt[];
    mutants: Mutant[];
    mutantByNumber: Map<number, Mutant>;
    strength: Json.StrengthFinished | null;
    similarity: Json.SimilarityFinished | null;
    /** The sources of similar programs, by the names of the submissions. */
    sourceOf: Map<string, Extra.SimilarSource>;
    crosschecks: Json.CrosscheckFinished[];
    generated: Json.CaseGenerated[];
    generation: Json.GenerateFinished | null;
  }

  interface Submission {
    name: string;
    /** The name of the student; without a student, the name without the folders that all names begin with. */
    shortName: string;
    /** The position in the order of the report, from 0. */
    index: number;
    build: Json.BuildFinished | null;
    /** The line of the compiler's message with which its first error begins, counted from 0. */
    firstError: number;
    /** The reason why the submission was not judged; null if it was judged. */
    skipped: string | null;
    /** The student who handed it in; null if the run judges no class. */
    student: Json.Student | null;
    finished: Json.SubmissionFinished | null;
    groups: Json.GroupFinished[];
    /** The results by test case. */
    results: Map<string, Result>;
    lastCase: TestCase | null;
  }

  interface TestCase {
    name: string;
    /** The position in the order of the report, from 0. */
    index: number;
    /** The number of submissions that fail on the test case. */
    failed: number;
  }

  interface Result extends Omit<Json.CaseFinished, "type"> {
    /** The output with its diff and pictures: JSON until a reader opens the result; null if the report has none. */
    exhibit: string | Extra.Exhibit | null;
  }

  interface Package {
    name: string;
    started: Json.VerifyStarted | null;
    findings: Json.VerifyFinding[];
    limit: Json.VerifyTimeLimit | null;
    margins: Json.VerifyMargin[];
    finished: Json.VerifyFinished | null;
  }

  interface Hunt {
    hunt: Json.HuntFinished;
    told: Extra.FindTold | null;
  }

  interface Mutant {
    number: number;
    /** Null if the report has the hunt for the mutant, but not its result. */
    finished: Json.MutantFinished | null;
    hunted: Json.SurvivorHunted | null;
    told: Extra.FindTold | null;
  }
}

/** The arguments of `make` and `draw`: see dom.js. */
declare namespace Dom {
  type Child = Node | string | number | false | null | undefined | Child[];

  type AttributeName =
    | `aria-${string}`
    | `data-${string}`
    | "autocomplete"
    | "class"
    | "colspan"
    | "cx"
    | "cy"
    | "d"
    | "disabled"
    | "for"
    | "height"
    | "href"
    | "id"
    | "max"
    | "min"
    | "overflow"
    | "placeholder"
    | "r"
    | "role"
    | "rx"
    | "scope"
    | "spellcheck"
    | "tabindex"
    | "title"
    | "translate"
    | "type"
    | "value"
    | "viewBox"
    | "width"
    | "x"
    | "x1"
    | "x2"
    | "y"
    | "y1"
    | "y2";

  type Listeners = { [Name in keyof HTMLElementEventMap as `on${Name}`]?: (event: HTMLElementEventMap[Name]) => void };

  type Attributes = { [Name in AttributeName]?: string | number | false | null } & Listeners;
}

/** The matrix of any size: see grid.js. */
declare namespace Matrix {
  interface Place {
    row: number;
    column: number;
  }

  /** Rows and columns of the cells that are in the page; bottom and right are excluded. */
  interface View {
    top: number;
    bottom: number;
    left: number;
    right: number;
  }

  interface RowElements {
    element: HTMLElement;
    head: HTMLElement;
    cells: Map<number, HTMLElement>;
  }

  interface Content {
    text: string;
    look: string;
  }

  interface Options<Row, Column> {
    label: string;
    corner: string;
    /** The words for a cell without content. */
    blank: string;
    rowHead(row: Row): Dom.Child;
    columnHead(column: Column): Dom.Child;
    /** The content of a cell; null if the cell is blank. */
    cell(row: Row, column: Column): Content | null;
    /** The words below the matrix about a cell. */
    tell(row: Row, column: Column): Dom.Child;
    /** Shows more about a cell that is not blank. */
    open(row: Row, column: Column): void;
  }
}

/** Run times on an axis: see times.js. */
declare namespace Times {
  interface Axis {
    /** The position of a time, given in seconds, on the axis, in percent. */
    at(time: number): number;
    /** The powers of ten on the axis, in seconds. */
    ticks: number[];
  }

  interface Line {
    look: string;
    /** Seconds. */
    time: number;
    words: string;
  }

  interface Row {
    head: Dom.Child;
    words: string;
    marks: Dom.Child;
  }

  interface Run {
    /** CPU time in seconds. */
    time: number;
    verdict: Json.Verdict;
    /** The test case. */
    name: string;
  }

  interface Timed {
    submission: Model.Submission;
    /** At least one run, the fastest first. */
    runs: Run[];
  }
}

/** Boards stepped through: see boards.js. */
declare namespace Boards {
  interface Controls {
    element: HTMLElement;
    update(): void;
  }

  interface State {
    step: number;
    film: Extra.Strip;
    /** Null if the film has one frame only. */
    controls: Controls | null;
    goTo(step: number): void;
  }
}

/** Mutants and the test cases that kill them: see kills.js. */
declare namespace Kills {
  interface Row {
    name: string;
    mutant: Model.Mutant;
    finished: Json.MutantFinished;
    /** The test cases that are known to kill the mutant. */
    kills: Set<string>;
  }

  interface TestCase {
    name: string;
    /** The number of mutants that the test case is known to kill. */
    kills: number;
    isMinimal: boolean;
  }

  interface Choice {
    text: string;
    onlyAlive: boolean;
    rows: string;
    columns: string;
  }
}

/** A column of the table of submissions: see submissions.js. */
interface SubmissionColumn {
  title: string;
  /** The value by which the table is sorted; null sorts last. */
  key(submission: Model.Submission): string | number | null;
  show(submission: Model.Submission): Dom.Child;
  /** Whether the column is needed for this submission; if this function is missing, it is always needed. */
  isNeeded?(submission: Model.Submission): boolean;
}

/** How the table of submissions is sorted. */
interface SubmissionOrder {
  /** The index of a column; null for the order of the report. */
  column: number | null;
  isDown: boolean;
}
