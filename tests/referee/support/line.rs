//! Types for reading JSON lines, independent of the types with which the command writes them.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A line of a JSON report. This type follows the documentation, and does not use the types of the command.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[expect(dead_code, reason = "the tests only check that each field can be read and that there is no other field")]
pub(crate) enum Line {
    RunStarted {
        schema_version: u32,
        version: String,
        package: String,
        jobs: u32,
        seed: Option<u64>,
        sandbox: Option<Sandbox>,
        time_limit_seconds: Option<f64>,
        time_limit_measured: bool,
        time_limit_source: Option<String>,
        measuring_runs: Option<u64>,
        measuring_seconds: Option<f64>,
        memory_limit_bytes: Option<u64>,
        submissions: Option<u64>,
        partition: Option<Partition>,
        submissions_digest: Option<String>,
        cases_digest: Option<String>,
        part_of_cases: Option<PartOfCases>,
        time_limit_basis: Option<String>,
    },
    BuildFinished {
        submission: String,
        language: String,
        ok: bool,
        seconds: f64,
        cached: bool,
        tools: Vec<ToolFound>,
        remark: Option<String>,
        message: Option<String>,
    },
    SubmissionSkipped {
        submission: String,
        reason: String,
        hint: Option<String>,
        student: Option<Student>,
    },
    CaseFinished {
        submission: String,
        case: String,
        verdict: String,
        score: Option<f64>,
        cpu_seconds: Option<f64>,
        cpu_seconds_all: Option<Vec<f64>>,
        close: Option<bool>,
        wall_seconds: Option<f64>,
        memory_bytes: Option<u64>,
        exit_code: Option<i32>,
        signal: Option<i32>,
        message: Option<String>,
        team_message: Option<String>,
        cached: bool,
        passes: Option<u32>,
        given_score: Option<String>,
        given_multiplier: Option<String>,
        key: Option<String>,
    },
    GroupFinished {
        submission: String,
        group: String,
        verdict: Option<String>,
        score: Option<f64>,
        max_score: Option<f64>,
        cases_run: u32,
        cases_skipped: u32,
    },
    SubmissionFinished {
        submission: String,
        verdict: String,
        score: Option<f64>,
        max_score: Option<f64>,
        message: Option<String>,
        expected: Option<Vec<String>>,
        as_expected: Option<bool>,
        as_wanted: bool,
        breaches: Vec<String>,
        cases_run: u32,
        cases_failed: u32,
        cases_skipped: u32,
        first_failing_case: Option<String>,
        cpu_seconds_max: Option<f64>,
        memory_bytes_max: Option<u64>,
        points: Option<f64>,
        student: Option<Student>,
    },
    CrosscheckFinished {
        puzzle: String,
        scope: String,
        solvers: Vec<String>,
        boards: u64,
        disagreements: u64,
        histogram: BTreeMap<String, u64>,
        moves_replayed: u64,
        bounds_proved: u64,
        declined: BTreeMap<String, u64>,
        smallest: Option<Smallest>,
        seconds: f64,
    },
    DoctorFinished {
        schema_version: u32,
        version: String,
        sandbox: Sandbox,
        mechanisms: std::collections::BTreeMap<String, Part>,
        languages: Vec<LanguageFound>,
        cost: Option<Cost>,
    },
    CaseGenerated {
        case: String,
        files: BTreeMap<String, String>,
        change: Option<String>,
        command: Option<String>,
        seed: Option<u32>,
        same_as: Option<String>,
        seconds: Option<f64>,
        message: Option<String>,
        remarks: Vec<String>,
        unmatched: Vec<String>,
    },
    GenerateFinished {
        as_wanted: bool,
        cases: u32,
        failed: u32,
        unmatched: u32,
        new: u32,
        changed: u32,
        unchanged: u32,
        others: BTreeMap<String, String>,
        removed: Vec<String>,
        kept: Vec<String>,
        written: Option<String>,
        trash: Option<String>,
        wall_seconds: f64,
    },
    VerifyStarted {
        package: String,
        folder: Option<String>,
        title: String,
        format: String,
        cases: u64,
        submissions: u64,
    },
    VerifyFinding {
        package: String,
        check: String,
        severity: String,
        place: Option<String>,
        case: Option<String>,
        submission: Option<String>,
        message: String,
        hint: Option<String>,
    },
    VerifyTimeLimit {
        package: String,
        time_limit_seconds: f64,
        is_stated: bool,
        smallest_seconds: Option<f64>,
        ac_to_time_limit: f64,
        time_limit_to_tle: f64,
        resolution_seconds: f64,
    },
    VerifyMargin {
        package: String,
        submission: String,
        case: String,
        seconds: f64,
        is_more: bool,
        wall_limit_seconds: Option<f64>,
        bound: Option<String>,
        is_slowest: bool,
        factor: Option<f64>,
        kept: Option<bool>,
    },
    VerifyFinished {
        package: String,
        errors: u64,
        warnings: u64,
        notes: u64,
        checks: Vec<Check>,
        tools: Vec<ToolFound>,
        seconds: f64,
    },
    HuntFinished {
        package: String,
        submission: String,
        seed: u64,
        found: bool,
        kind: Option<String>,
        input: Option<String>,
        input_legal: Option<bool>,
        input_unchecked: Option<String>,
        expected: Option<String>,
        got: Option<String>,
        message: Option<String>,
        truth: Vec<String>,
        tried: u64,
        illegal: u64,
        unjudged: u64,
        exhausted: bool,
        seconds: f64,
        seconds_preparing: f64,
        undone: Option<String>,
        bytes_before_shrinking: Option<u64>,
        bytes: Option<u64>,
        shrink_tried: u64,
        minimal: Option<bool>,
        interrupted: bool,
        remarks: Vec<String>,
        written: Vec<String>,
    },
    MutantFinished {
        number: u64,
        program: String,
        role: String,
        file: String,
        line: u64,
        column: u64,
        operator: String,
        was: String,
        is: String,
        fate: String,
        cached: bool,
        same_as: Option<u64>,
        case: Option<String>,
        verdict: Option<String>,
        message: Option<String>,
        killers: Option<u64>,
        killed_by: Option<Vec<String>>,
        not_tried: Option<u64>,
        diff: Option<String>,
        reason: Option<String>,
    },
    SurvivorHunted {
        number: u64,
        program: String,
        killed: bool,
        by_find_of: Option<u64>,
        kind: Option<String>,
        input: Option<String>,
        input_legal: Option<bool>,
        input_unchecked: Option<String>,
        expected: Option<String>,
        got: Option<String>,
        message: Option<String>,
        tried: u64,
        unjudged: u64,
        exhausted: bool,
        interrupted: bool,
        seconds: f64,
        minimal: Option<bool>,
        remarks: Vec<String>,
        written: Vec<String>,
    },
    SimilarityFinished {
        pairs: Vec<SimilarPair>,
        similar: u64,
        compared: u64,
        skipped: Vec<NotCompared>,
        cut: Vec<String>,
        threshold: f64,
        seconds: f64,
    },
    StrengthFinished {
        package: String,
        seed: u64,
        mutants: u64,
        killed: u64,
        survived: u64,
        holes: u64,
        disputed: u64,
        equivalent_suspected: u64,
        equivalent_declared: u64,
        equivalent_proved: u64,
        unjudged: u64,
        not_compiled: u64,
        same_code: u64,
        changes: u64,
        is_sample: bool,
        minimal_cases: Option<Vec<String>>,
        minimal_is_proved: Option<bool>,
        idle_cases: Option<Vec<String>>,
        sole_killers: Option<Vec<SoleKiller>>,
        pairs_unknown: u64,
        runs_alone: u64,
        runs_together: u64,
        by_verdict: BTreeMap<String, u64>,
        by_operator: BTreeMap<String, (u64, u64)>,
        by_program: BTreeMap<String, (u64, u64)>,
        wrongly_declared: Vec<String>,
        stale: Vec<String>,
        remarks: Vec<String>,
        tools: Vec<ToolFound>,
        interrupted: bool,
        seconds: f64,
    },
    RunFinished {
        as_wanted: bool,
        submissions: u32,
        skipped: u32,
        unjudged: u32,
        cases_run: u32,
        wall_seconds: f64,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct SoleKiller {
    case: String,
    mutants: Vec<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct Check {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) seconds: f64,
    pub(crate) errors: u64,
    pub(crate) warnings: u64,
    pub(crate) notes: u64,
    pub(crate) skipped: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct SimilarPair {
    a: String,
    b: String,
    similarity: f64,
    share_of_a: f64,
    share_of_b: f64,
    lines_a: u64,
    lines_b: u64,
    regions: Vec<SimilarRegion>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct SimilarRegion {
    file_a: String,
    first_line_a: u64,
    last_line_a: u64,
    file_b: String,
    first_line_b: u64,
    last_line_b: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct NotCompared {
    submission: String,
    reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct PartOfCases {
    pub(crate) used: u32,
    pub(crate) all: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct Partition {
    pub(crate) part: u32,
    pub(crate) of: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct Sandbox {
    pub(crate) overall: String,
    pub(crate) parts: BTreeMap<String, Part>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct Part {
    pub(crate) state: String,
    pub(crate) why: String,
    pub(crate) remedy: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct LanguageFound {
    pub(crate) language: String,
    pub(crate) tools: Vec<ToolFound>,
    pub(crate) missing: Option<String>,
    pub(crate) remark: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct ToolFound {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) version: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct Cost {
    pub(crate) runs: u64,
    pub(crate) spawn_seconds: f64,
    pub(crate) sandbox_seconds: f64,
    pub(crate) setup_seconds: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct Smallest {
    pub(crate) input: String,
    pub(crate) reason: String,
    pub(crate) answers: BTreeMap<String, String>,
}

/// The student who handed in a submission.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "see Line")]
pub(crate) struct Student {
    name: String,
    layout: String,
    moodle_id: Option<String>,
    canvas_id: Option<String>,
    canvas_submission_id: Option<String>,
    is_late: Option<bool>,
    attempt: Option<u32>,
    attempts: u32,
    folder: String,
    files: Vec<String>,
}

/// Parses the lines of a report.
pub(crate) fn read_back(text: &str) -> Vec<Line> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}
