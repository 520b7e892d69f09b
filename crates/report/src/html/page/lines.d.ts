// The JSON lines of a report. tests/browser/line_types.mjs writes this file from `referee schema`.

declare namespace Json {
  type Line =
    | RunStarted
    | BuildFinished
    | SubmissionSkipped
    | CaseFinished
    | GroupFinished
    | SubmissionFinished
    | SimilarityFinished
    | CrosscheckFinished
    | DoctorFinished
    | CaseGenerated
    | GenerateFinished
    | VerifyStarted
    | VerifyFinding
    | VerifyTimeLimit
    | VerifyMargin
    | VerifyFinished
    | HuntFinished
    | MutantFinished
    | SurvivorHunted
    | StrengthFinished
    | RunFinished;

  interface RunStarted {
    cases_digest?: string | null;
    jobs: number;
    measuring_runs?: number | null;
    measuring_seconds?: number | null;
    memory_limit_bytes?: number | null;
    package: string;
    part_of_cases?: PartOfCases | null;
    partition?: Partition | null;
    sandbox?: Enforcement | null;
    schema_version: number;
    seed?: number | null;
    submissions?: number | null;
    submissions_digest?: string | null;
    time_limit_basis?: string | null;
    time_limit_measured: boolean;
    time_limit_seconds?: number | null;
    time_limit_source?: TimeLimitSource | null;
    type: "run_started";
    version: string;
  }

  interface BuildFinished {
    cached: boolean;
    language: string;
    message?: string | null;
    ok: boolean;
    remark?: string | null;
    seconds: number;
    submission: string;
    tools: Array<ToolFound>;
    type: "build_finished";
  }

  interface SubmissionSkipped {
    hint?: string | null;
    reason: string;
    student?: Student | null;
    submission: string;
    type: "submission_skipped";
  }

  interface CaseFinished {
    cached: boolean;
    case: string;
    close?: boolean | null;
    cpu_seconds?: number | null;
    cpu_seconds_all?: Array<number> | null;
    exit_code?: number | null;
    given_multiplier?: string | null;
    given_score?: string | null;
    key?: string | null;
    memory_bytes?: number | null;
    message?: string | null;
    passes?: number | null;
    score?: Figure | null;
    signal?: number | null;
    submission: string;
    team_message?: string | null;
    type: "case_finished";
    verdict: Verdict;
    wall_seconds?: number | null;
  }

  interface GroupFinished {
    cases_run: number;
    cases_skipped: number;
    group: string;
    max_score?: Figure | null;
    score?: Figure | null;
    submission: string;
    type: "group_finished";
    verdict?: Verdict | null;
  }

  interface SubmissionFinished {
    as_expected?: boolean | null;
    as_wanted: boolean;
    breaches: Array<string>;
    cases_failed: number;
    cases_run: number;
    cases_skipped: number;
    cpu_seconds_max?: number | null;
    expected?: Array<string> | null;
    first_failing_case?: string | null;
    max_score?: Figure | null;
    memory_bytes_max?: number | null;
    message?: string | null;
    points?: number | null;
    score?: Figure | null;
    student?: Student | null;
    submission: string;
    type: "submission_finished";
    verdict: Verdict;
  }

  interface SimilarityFinished {
    compared: number;
    cut: Array<string>;
    pairs: Array<SimilarPair>;
    seconds: number;
    similar: number;
    skipped: Array<NotCompared>;
    threshold: number;
    type: "similarity_finished";
  }

  interface CrosscheckFinished {
    boards: number;
    bounds_proved: number;
    declined: Record<string, number>;
    disagreements: number;
    histogram: Record<string, number>;
    moves_replayed: number;
    puzzle: string;
    scope: Scope;
    seconds: number;
    smallest?: Counterexample | null;
    solvers: Array<string>;
    type: "crosscheck_finished";
  }

  interface DoctorFinished {
    cost?: Cost | null;
    languages: Array<LanguageFound>;
    mechanisms: Record<string, Protection>;
    sandbox: Enforcement;
    schema_version: number;
    type: "doctor_finished";
    version: string;
  }

  interface CaseGenerated {
    case: string;
    change?: Change | null;
    command?: string | null;
    files: Record<string, Change>;
    message?: string | null;
    remarks: Array<string>;
    same_as?: string | null;
    seconds?: number | null;
    seed?: number | null;
    type: "case_generated";
    unmatched: Array<string>;
  }

  interface GenerateFinished {
    as_wanted: boolean;
    cases: number;
    changed: number;
    failed: number;
    kept: Array<string>;
    new: number;
    others: Record<string, Change>;
    removed: Array<string>;
    trash?: string | null;
    type: "generate_finished";
    unchanged: number;
    unmatched: number;
    wall_seconds: number;
    written?: string | null;
  }

  interface VerifyStarted {
    cases: number;
    folder?: string | null;
    format: string;
    package: string;
    submissions: number;
    title: string;
    type: "verify_started";
  }

  interface VerifyFinding {
    case?: string | null;
    check: string;
    hint?: string | null;
    message: string;
    package: string;
    place?: string | null;
    severity: Gravity;
    submission?: string | null;
    type: "verify_finding";
  }

  interface VerifyTimeLimit {
    ac_to_time_limit: number;
    is_stated: boolean;
    package: string;
    resolution_seconds: number;
    smallest_seconds?: number | null;
    time_limit_seconds: number;
    time_limit_to_tle: number;
    type: "verify_time_limit";
  }

  interface VerifyMargin {
    bound?: string | null;
    case: string;
    factor?: number | null;
    is_more: boolean;
    is_slowest: boolean;
    kept?: boolean | null;
    package: string;
    seconds: number;
    submission: string;
    type: "verify_margin";
    wall_limit_seconds?: number | null;
  }

  interface VerifyFinished {
    checks: Array<VerifyCheck>;
    errors: number;
    notes: number;
    package: string;
    seconds: number;
    tools: Array<ToolFound>;
    type: "verify_finished";
    warnings: number;
  }

  interface HuntFinished {
    bytes?: number | null;
    bytes_before_shrinking?: number | null;
    exhausted: boolean;
    expected?: string | null;
    found: boolean;
    got?: string | null;
    illegal: number;
    input?: string | null;
    input_legal?: boolean | null;
    input_unchecked?: string | null;
    interrupted: boolean;
    kind?: string | null;
    message?: string | null;
    minimal?: boolean | null;
    package: string;
    remarks: Array<string>;
    seconds: number;
    seconds_preparing: number;
    seed: number;
    shrink_tried: number;
    submission: string;
    tried: number;
    truth: Array<string>;
    type: "hunt_finished";
    undone?: Undone | null;
    unjudged: number;
    written: Array<string>;
  }

  interface MutantFinished {
    cached: boolean;
    case?: string | null;
    column: number;
    diff?: string | null;
    fate: MutantFate;
    file: string;
    is: string;
    killed_by?: Array<string> | null;
    killers?: number | null;
    line: number;
    message?: string | null;
    not_tried?: number | null;
    number: number;
    operator: string;
    program: string;
    reason?: string | null;
    role: string;
    same_as?: number | null;
    type: "mutant_finished";
    verdict?: Verdict | null;
    was: string;
  }

  interface SurvivorHunted {
    by_find_of?: number | null;
    exhausted: boolean;
    expected?: string | null;
    got?: string | null;
    input?: string | null;
    input_legal?: boolean | null;
    input_unchecked?: string | null;
    interrupted: boolean;
    killed: boolean;
    kind?: string | null;
    message?: string | null;
    minimal?: boolean | null;
    number: number;
    program: string;
    remarks: Array<string>;
    seconds: number;
    tried: number;
    type: "survivor_hunted";
    unjudged: number;
    written: Array<string>;
  }

  interface StrengthFinished {
    by_operator: Record<string, [number, number]>;
    by_program: Record<string, [number, number]>;
    by_verdict: Record<string, number>;
    changes: number;
    disputed: number;
    equivalent_declared: number;
    equivalent_proved: number;
    equivalent_suspected: number;
    holes: number;
    idle_cases?: Array<string> | null;
    interrupted: boolean;
    is_sample: boolean;
    killed: number;
    minimal_cases?: Array<string> | null;
    minimal_is_proved?: boolean | null;
    mutants: number;
    not_compiled: number;
    package: string;
    pairs_unknown: number;
    remarks: Array<string>;
    runs_alone?: number;
    runs_together?: number;
    same_code: number;
    seconds: number;
    seed: number;
    sole_killers?: Array<SoleKiller> | null;
    stale: Array<string>;
    survived: number;
    tools: Array<ToolFound>;
    type: "strength_finished";
    unjudged: number;
    wrongly_declared: Array<string>;
  }

  interface RunFinished {
    as_wanted: boolean;
    cases_run: number;
    skipped: number;
    submissions: number;
    type: "run_finished";
    unjudged: number;
    wall_seconds: number;
  }

  type Change = "unchanged" | "changed" | "new";

  type ClassLayout = "moodle" | "canvas" | "github_classroom" | "folders" | "files";

  interface Cost {
    runs: number;
    sandbox_seconds: number;
    setup_seconds: number;
    spawn_seconds: number;
  }

  interface Counterexample {
    answers: Record<string, string>;
    input: string;
    reason: string;
  }

  interface Enforcement {
    overall: Overall;
    parts: Record<string, Protection>;
  }

  type Figure = number;

  type Gravity = "error" | "warning" | "note";

  interface LanguageFound {
    language: string;
    missing?: string | null;
    remark?: string | null;
    tools: Array<ToolFound>;
  }

  type MutantFate = "not-compiled" | "same-code" | "same-mutant" | "killed" | "survived" | "declared" | "unjudged";

  interface NotCompared {
    reason: string;
    submission: string;
  }

  type Overall = "full" | "partial" | "off";

  interface PartOfCases {
    all: number;
    used: number;
  }

  interface Partition {
    of: number;
    part: number;
  }

  interface Protection {
    remedy?: string | null;
    state: State;
    why: string;
  }

  type Scope = "sampled" | "exhaustive";

  interface SimilarPair {
    a: string;
    b: string;
    lines_a: number;
    lines_b: number;
    regions: Array<SimilarRegion>;
    share_of_a: number;
    share_of_b: number;
    similarity: number;
  }

  interface SimilarRegion {
    file_a: string;
    file_b: string;
    first_line_a: number;
    first_line_b: number;
    last_line_a: number;
    last_line_b: number;
  }

  interface SoleKiller {
    case: string;
    mutants: Array<number>;
  }

  type State = "enforced" | "partial" | "not";

  interface Student {
    attempt?: number | null;
    attempts: number;
    canvas_id?: string | null;
    canvas_submission_id?: string | null;
    files: Array<string>;
    folder: string;
    is_late?: boolean | null;
    layout: ClassLayout;
    moodle_id?: string | null;
    name: string;
  }

  type TimeLimitSource = "stated" | "measured" | "provisional";

  interface ToolFound {
    name: string;
    path: string;
    version?: string | null;
  }

  type Undone = "searching" | "shrinking";

  type Verdict = "AC" | "WA" | "TLE" | "MLE" | "OLE" | "RTE" | "CE" | "JE";

  interface VerifyCheck {
    about: string;
    errors: number;
    name: string;
    notes: number;
    seconds: number;
    skipped?: string | null;
    warnings: number;
  }
}
