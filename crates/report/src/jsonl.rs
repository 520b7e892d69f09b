//! JSON lines: one object per line, for programs. This module is the specification of the format.
//!
//! Every object has a `"type"`. The first object also has `"schema_version"`. That number changes if a field is removed
//! or changes its meaning. It does not change if fields or types are added. Times are in seconds, sizes in bytes. An
//! unknown value is `null`, never 0. Lines are in the order of submissions and test cases, independent of `-j`.
//!
//! `cached` in a build means that the compiler's output was reused: from an earlier run, or from the same sources in
//! this run. A build is also `cached` if all results of its submission are cached. `cached` in a case means that the
//! whole result, with its times, is from an earlier run. `passes` is the number of runs of the submission on the case,
//! in multi-pass problems; times and memory are the largest of all passes. `key` is a digest of everything that a
//! result depends on: the program, the input and the environment, including the machine. `given_score` and
//! `given_multiplier` are the numbers that the output validator wrote to `score.txt` and `score_multiplier.txt`, as
//! fractions. `close` is true if the first measured CPU time is from 0.8 to 1.25 times the limit. If the judge measured
//! the run again, `cpu_seconds_all` has the times of all runs with the same result, and the smallest counts.
//!
//! Characters that a terminal acts on are escaped. So is the start of any text that a CI service would read as a
//! command: `\u0023#[error]`. A JSON parser returns the original strings.
//!
//! If results are combined by groups, the cases of a submission are followed by a `group_finished` for each group. Its
//! `verdict` is `null` if none of its cases counts, or after a judge error. `cases_skipped` is the number of its cases
//! that do not count. A `score` is `null` if there is none, if only some of the cases were judged, or after a judge
//! error. Scores are added exactly, and written as a whole number or as the nearest double. `max_score` is the best
//! possible score, `null` if it is unbounded. The `message` of a submission gives the reason of a judge error if no
//! case gives it.
//!
//! `points` of a submission are from 0 to 100, rounded to hundredths. They are 0 after a compile error. They are `null`
//! without `--points`, and after a judge error. `student` is the student who handed in the submission, and `null` if the
//! run does not judge a class.
//!
//! Each submission that was found ends with `submission_finished` or `submission_skipped`. At the end of the run,
//! `submissions` is the number of submissions that were finished, and `skipped` the number of those that were skipped.
//! `as_wanted` of the run is true if all judged submissions are as expected, and every submission that the user named
//! was judged (`unjudged` is 0).
//!
//! With `--similarity`, a run has one `similarity_finished` after the last submission. `pairs` has the most similar pairs
//! of submissions, also some below `threshold`; `similar` is the number of pairs at or above it. A share is the part of
//! a program, from 0 to 1, that is also in the other program. Code of the template and code that many programs have
//! does not count. `regions` are the places with the same code, as lines counted from 1. A file is empty if the program
//! is a single file. `cut` names the programs of which only the beginning was compared. `merge` leaves this line out.
//!
//! `referee verify` writes one `run_started` and one `run_finished` around the lines of all packages. In a margin,
//! `is_more` means that the judge stopped the program at `seconds`; its full run time would be longer. `bound` is
//! `lower` or `upper`: how the run time bounds the time limit. `kept` is true if the margin is sufficient, and `null`
//! if no margin is required. If a check was skipped or is incomplete, `skipped` gives the reason.
//!
//! A hunt has one `hunt_finished` after the `build_finished` of its program. Its `kind` is the verdict of the program,
//! or `jury` if the package's accepted submissions disagree or fail. `exhausted` means that every possible input was
//! tried. `undone` is `searching` or `shrinking` if the time of `--seconds` ran out in that phase, otherwise `null`.
//! `input_legal` is `true` if all input validators of the package accept the input, or if a puzzle made it. It is
//! `null` if that is unknown. Then `input_unchecked` gives the reason: the package has no input validator, or one of
//! them cannot be run. `survivor_hunted` also has `input_legal` and `input_unchecked`, which are both `null` for a
//! mutant of a validator.
//!
//! `referee strength` writes a `mutant_finished` for every mutant, in the order of their numbers, then a
//! `survivor_hunted` for every survivor that was hunted, and then `strength_finished`. If an input that is found later
//! kills a survivor, the survivor has a second `survivor_hunted`, which replaces the first. A `fate` is `killed`,
//! `survived`, `declared` (the package declares the mutant equivalent, with a `reason`), `same-code` (it compiles to
//! the same code as the program), `same-mutant` (it compiles to the same code as another mutant), `not-compiled` or
//! `unjudged`. `killers` is the number of cases that kill the mutant, and `null` unless all cases were run. `killed_by`
//! lists the cases that are known to kill the mutant. `not_tried` is the number of cases with an unknown result.
//!
//! In `strength_finished`, `mutants` is the number of mutants with code of their own. Each of them is `killed`,
//! `survived`, `unjudged` or equivalent. The equivalent ones are `declared`, `proved` by trying all inputs, or
//! `suspected`, because the hunt found nothing in its time. `holes` is the number of survivors for which a hunt found
//! an input. `disputed` is the number of found inputs on which an accepted submission is wrong. Such an input says
//! nothing about the mutant. `minimal_cases` is a set of cases that kills the same mutants as all cases. No smaller set
//! exists if `minimal_is_proved` is true. `runs_alone` is the number of runs of mutants of submissions that had a
//! process of their own, and `runs_together` the number of those in a process that ran the mutant on several cases.
//!
//! ```json
//! {"type":"run_started","schema_version":1,"version":"0.1.0","package":"flipgame","jobs":2,"seed":null,"sandbox":{"overall":"partial","parts":{"network":{"state":"not","why":"the program can use the network","remedy":null}}},"time_limit_seconds":2.0,"time_limit_measured":false,"time_limit_source":"stated","measuring_runs":null,"measuring_seconds":null,"memory_limit_bytes":2147483648,"submissions":2,"partition":null,"submissions_digest":"0c7e4f9d1a2b3c4d","cases_digest":"5e6f708192a3b4c5","part_of_cases":null,"time_limit_basis":null}
//! {"type":"build_finished","submission":"a.cpp","language":"C++","ok":true,"seconds":0.41,"cached":false,"tools":[{"name":"g++","path":"/usr/bin/g++","version":"g++ (Debian 12.2.0-14) 12.2.0"}],"remark":null,"message":null}
//! {"type":"case_finished","submission":"a.cpp","case":"sample/1","verdict":"AC","score":null,"cpu_seconds":0.001,"cpu_seconds_all":null,"close":false,"wall_seconds":0.002,"memory_bytes":3407872,"exit_code":0,"signal":null,"message":null,"team_message":null,"passes":null,"cached":false,"given_score":null,"given_multiplier":null,"key":"9c1185a5c5e9fc54612808977ee8f548"}
//! {"type":"case_finished","submission":"a.cpp","case":"secret/01","verdict":"WA","score":null,"cpu_seconds":1.7,"cpu_seconds_all":[1.9,1.7],"close":true,"wall_seconds":0.002,"memory_bytes":null,"exit_code":0,"signal":null,"message":"line 1: expected \"0\", got \"6\"","team_message":null,"passes":null,"cached":true,"given_score":"1/3","given_multiplier":null,"key":null}
//! {"type":"submission_finished","submission":"a.cpp","verdict":"WA","score":null,"max_score":null,"message":null,"expected":null,"as_expected":null,"as_wanted":false,"breaches":[],"cases_run":2,"cases_failed":1,"cases_skipped":3,"first_failing_case":"secret/01","cpu_seconds_max":0.001,"memory_bytes_max":3407872,"points":null,"student":null}
//! {"type":"group_finished","submission":"partial.py","group":"secret/group2","verdict":"WA","score":0,"max_score":70,"cases_run":2,"cases_skipped":5}
//! {"type":"submission_finished","submission":"partial.py","verdict":"WA","score":30.5,"max_score":100,"message":null,"expected":["AC","WA"],"as_expected":true,"as_wanted":true,"breaches":[],"cases_run":9,"cases_failed":1,"cases_skipped":5,"first_failing_case":"secret/group2/02","cpu_seconds_max":0.001,"memory_bytes_max":3407872,"points":30.5,"student":null}
//! {"type":"submission_skipped","submission":"b.rs","reason":"rustc is not installed","hint":"install it with: apt-get install rustc","student":{"name":"Baker, Zoë","layout":"canvas","moodle_id":null,"canvas_id":"1042","canvas_submission_id":"88317","is_late":true,"attempt":2,"attempts":2,"folder":"bakerzoe_LATE_1042_88317_b-1.rs","files":["bakerzoe_LATE_1042_88317_b-1.rs"]}}
//! {"type":"similarity_finished","pairs":[{"a":"a.cpp","b":"b.cpp","similarity":0.77,"share_of_a":0.83,"share_of_b":0.71,"lines_a":41,"lines_b":44,"regions":[{"file_a":"","first_line_a":3,"last_line_a":43,"file_b":"","first_line_b":5,"last_line_b":48}]}],"similar":1,"compared":2,"skipped":[{"submission":"c.py","reason":"it is not text"}],"cut":[],"threshold":0.5,"seconds":0.02}
//! {"type":"crosscheck_finished","puzzle":"flipgame","scope":"exhaustive","solvers":["rows","bfs"],"boards":65536,"disagreements":0,"histogram":{"0":2,"Impossible":61440},"moves_replayed":4096,"bounds_proved":61440,"declined":{},"smallest":null,"seconds":4.2}
//! {"type":"doctor_finished","schema_version":1,"version":"0.1.0","sandbox":{"overall":"full","parts":{}},"mechanisms":{"seccomp":{"state":"enforced","why":"a filter of system calls","remedy":null}},"languages":[{"language":"C","tools":[{"name":"gcc","path":"/usr/bin/gcc","version":"gcc 12.2.0"}],"missing":null,"remark":null}],"cost":{"runs":500,"spawn_seconds":0.0006,"sandbox_seconds":0.00064,"setup_seconds":0.0011}}
//! {"type":"case_generated","case":"secret/05-large","files":{"ans":"changed","in":"unchanged"},"change":"changed","command":"gen.py 1000 1234567","seed":1234567,"same_as":null,"seconds":0.04,"message":null,"remarks":[],"unmatched":[]}
//! {"type":"generate_finished","as_wanted":true,"cases":7,"failed":0,"unmatched":0,"new":0,"changed":1,"unchanged":6,"others":{"secret/test_group.yaml":"new"},"removed":["secret/old.ans","secret/old.in"],"kept":[],"written":null,"trash":null,"wall_seconds":0.6}
//! {"type":"verify_started","package":"flipgame","folder":null,"title":"Flip Game","format":"2025-09","cases":55,"submissions":20}
//! {"type":"verify_finding","package":"flipgame","check":"inputs","severity":"error","place":"data/secret/01.in","case":"secret/01","submission":null,"message":"the input validator validate rejects the input: line 2","hint":null}
//! {"type":"verify_time_limit","package":"flipgame","time_limit_seconds":2.0,"is_stated":true,"smallest_seconds":1.0,"ac_to_time_limit":2.0,"time_limit_to_tle":1.5,"resolution_seconds":1.0}
//! {"type":"verify_margin","package":"flipgame","submission":"accepted/a.py","case":"secret/01","seconds":0.25,"is_more":false,"wall_limit_seconds":null,"bound":"lower","is_slowest":true,"factor":8.0,"kept":true}
//! {"type":"verify_finished","package":"flipgame","errors":1,"warnings":0,"notes":0,"checks":[{"name":"inputs","about":"90 inputs by 1 validator","seconds":0.4,"errors":1,"warnings":0,"notes":0,"skipped":null}],"tools":[],"seconds":0.5}
//! {"type":"hunt_finished","package":"flipgame","submission":"white_only.py","seed":1,"found":true,"kind":"WA","input":"bbbb\nbbbb\nbbbb\nbbbb\n","input_legal":true,"input_unchecked":null,"expected":"0\n","got":"4\n","message":"line 1: expected \"0\", got \"4\"","truth":["the reference solvers of flipgame: table, rows, gf2, bfs"],"tried":17,"illegal":0,"unjudged":0,"exhausted":false,"seconds":0.2,"seconds_preparing":0.1,"undone":null,"bytes_before_shrinking":20,"bytes":20,"shrink_tried":130,"minimal":true,"interrupted":false,"remarks":[],"written":["found/hunt-white_only-wa.in","found/hunt-white_only-wa.ans"]}
//! {"type":"mutant_finished","number":5,"program":"accepted/a.c","role":"submission","file":"accepted/a.c","line":6,"column":14,"operator":"off-by-one","was":"if (a < b) a = b;","is":"if (a < b - 1) a = b;","fate":"survived","cached":false,"same_as":null,"case":null,"verdict":null,"message":null,"killers":0,"killed_by":[],"not_tried":0,"diff":"@@ -6,1 +6,1 @@\n-    if (a < b) a = b;\n+    if (a < b - 1) a = b;\n","reason":null}
//! {"type":"survivor_hunted","number":5,"program":"accepted/a.c","killed":true,"by_find_of":null,"kind":"WA","input":"1 2\n","input_legal":true,"input_unchecked":null,"expected":"2\n","got":"1\n","message":"line 1: expected \"2\", got \"1\"","tried":17,"unjudged":0,"exhausted":false,"interrupted":false,"seconds":0.1,"minimal":true,"remarks":[],"written":["data/secret/mutant-a-6-off-by-one.in","data/secret/mutant-a-6-off-by-one.ans"]}
//! {"type":"strength_finished","package":"larger","seed":1,"mutants":12,"killed":7,"survived":2,"holes":2,"disputed":0,"equivalent_suspected":0,"equivalent_declared":3,"equivalent_proved":0,"unjudged":0,"not_compiled":0,"same_code":0,"changes":12,"is_sample":false,"minimal_cases":["secret/far"],"minimal_is_proved":true,"idle_cases":[],"sole_killers":[{"case":"secret/far","mutants":[6]}],"pairs_unknown":0,"runs_alone":36,"runs_together":0,"by_verdict":{"RTE":1,"WA":6},"by_operator":{"off-by-one":[2,0]},"by_program":{"accepted/a.c":[7,4]},"wrongly_declared":[],"stale":[],"remarks":[],"tools":[{"name":"gcc","path":"/usr/bin/gcc","version":"gcc (Debian 12.2.0-14) 12.2.0"}],"interrupted":false,"seconds":12.0}
//! {"type":"run_finished","as_wanted":false,"submissions":1,"skipped":1,"unjudged":1,"cases_run":2,"wall_seconds":0.9}
//! ```

mod escape;
mod of_event;
pub mod read;
mod to_event;
mod write;

pub(super) use escape::escaped;
pub(super) use of_event::line;
pub use to_event::event;
pub use write::{JsonLines, ReplacedResults};

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use referee_event::{self as event, Change, Enforcement, Protection};
use referee_grading::score::Score;
use referee_grading::verdict::Verdict;

/// The version of the format.
pub const SCHEMA_VERSION: u32 = 1;

/// One line.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Line<'a> {
    /// A run has started. The first line.
    RunStarted(RunStarted<'a>),
    /// A submission was compiled, or does not compile.
    BuildFinished(BuildFinished<'a>),
    /// A submission was not judged, for example because this machine lacks a tool.
    SubmissionSkipped(SubmissionSkipped<'a>),
    /// A submission was judged on a test case.
    CaseFinished(CaseFinished<'a>),
    /// A submission was judged on a test group. Only problems that combine results by groups have this line.
    GroupFinished(GroupFinished<'a>),
    /// A submission was judged.
    SubmissionFinished(SubmissionFinished<'a>),
    /// The submissions were compared with one another.
    SimilarityFinished(Cow<'a, event::SimilarityFinished>),
    /// Solvers were compared.
    CrosscheckFinished(CrosscheckFinished<'a>),
    /// The capabilities of this machine were determined. The only line of `referee doctor`.
    DoctorFinished(DoctorFinished<'a>),
    /// A test case was generated, or its generation failed.
    CaseGenerated(CaseGenerated<'a>),
    /// All test cases of a package were generated. The last line of `referee generate`.
    GenerateFinished(GenerateFinished<'a>),
    /// The verification of a package has started.
    VerifyStarted(Cow<'a, event::VerifyStarted>),
    /// The verification has a finding about a package.
    VerifyFinding(Cow<'a, event::VerifyFinding>),
    /// A package's time limit was compared with the run times that bound it.
    VerifyTimeLimit(Cow<'a, event::VerifyTimeLimit>),
    /// A run time was compared with the time limit.
    VerifyMargin(Cow<'a, event::VerifyMargin>),
    /// The verification of a package has ended.
    VerifyFinished(Cow<'a, event::VerifyFinished>),
    /// A hunt has ended.
    HuntFinished(Cow<'a, event::HuntFinished>),
    /// The fate of a mutant was determined.
    MutantFinished(Cow<'a, event::MutantFinished>),
    /// A surviving mutant was hunted.
    SurvivorHunted(Cow<'a, event::SurvivorHunted>),
    /// The strength of a package's data was measured.
    StrengthFinished(Cow<'a, event::StrengthFinished>),
    /// The run has ended. The last line.
    RunFinished(RunFinished),
}

/// Declares the types of the lines. A line with a field that its type does not have cannot be read back.
macro_rules! lines {
    ($($(#[$about:meta])* $name:ident $(<$life:lifetime>)? { $($field:ident: $type:ty,)* })*) => { $(
        $(#[$about])*
        #[derive(Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[expect(missing_docs, reason = "the event of the same name documents the fields")]
        pub struct $name $(<$life>)? { $(pub $field: $type,)* }
    )* };
}

lines! {
    /// The data of a `run_started` line: the package, the limits and the digests of the run.
    RunStarted<'a> {
        schema_version: u32,
        version: Cow<'a, str>,
        package: Cow<'a, str>,
        jobs: usize,
        seed: Option<u64>,
        sandbox: Option<Cow<'a, Enforcement>>,
        time_limit_seconds: Option<f64>,
        time_limit_measured: bool,
        time_limit_source: Option<event::TimeLimitSource>,
        measuring_runs: Option<usize>,
        measuring_seconds: Option<f64>,
        memory_limit_bytes: Option<u64>,
        submissions: Option<usize>,
        partition: Option<event::Partition>,
        submissions_digest: Option<Cow<'a, str>>,
        cases_digest: Option<Cow<'a, str>>,
        part_of_cases: Option<event::PartOfCases>,
        time_limit_basis: Option<Cow<'a, str>>,
    }
    /// The data of a `build_finished` line: the result of building one submission.
    BuildFinished<'a> {
        submission: Cow<'a, str>,
        language: Cow<'a, str>,
        ok: bool,
        seconds: f64,
        cached: bool,
        tools: Cow<'a, [event::ToolFound]>,
        remark: Option<Cow<'a, str>>,
        message: Option<Cow<'a, str>>,
    }
    /// The data of a `submission_skipped` line: a submission, and why it was not judged.
    SubmissionSkipped<'a> {
        submission: Cow<'a, str>,
        reason: Cow<'a, str>,
        hint: Option<Cow<'a, str>>,
        student: Option<Cow<'a, event::Student>>,
    }
    /// The data of a `case_finished` line: the result of one submission on one test case.
    CaseFinished<'a> {
        submission: Cow<'a, str>,
        case: Cow<'a, str>,
        verdict: Verdict,
        score: Option<Figure>,
        cpu_seconds: Option<f64>,
        cpu_seconds_all: Option<Cow<'a, [f64]>>,
        close: Option<bool>,
        wall_seconds: Option<f64>,
        memory_bytes: Option<u64>,
        exit_code: Option<i32>,
        signal: Option<i32>,
        message: Option<Cow<'a, str>>,
        team_message: Option<Cow<'a, str>>,
        cached: bool,
        passes: Option<u32>,
        given_score: Option<Cow<'a, str>>,
        given_multiplier: Option<Cow<'a, str>>,
        key: Option<Cow<'a, str>>,
    }
    /// The data of a `group_finished` line: the result of one submission on one test group.
    GroupFinished<'a> {
        submission: Cow<'a, str>,
        group: Cow<'a, str>,
        verdict: Option<Verdict>,
        score: Option<Figure>,
        max_score: Option<Figure>,
        cases_run: usize,
        cases_skipped: usize,
    }
    /// The data of a `submission_finished` line: the result of one submission. `breaches` has a sentence for each
    /// declared rule that the submission broke.
    SubmissionFinished<'a> {
        submission: Cow<'a, str>,
        verdict: Verdict,
        score: Option<Figure>,
        max_score: Option<Figure>,
        message: Option<Cow<'a, str>>,
        expected: Option<Cow<'a, [String]>>,
        as_expected: Option<bool>,
        as_wanted: bool,
        breaches: Vec<String>,
        cases_run: usize,
        cases_failed: usize,
        cases_skipped: usize,
        first_failing_case: Option<Cow<'a, str>>,
        cpu_seconds_max: Option<f64>,
        memory_bytes_max: Option<u64>,
        points: Option<f64>,
        student: Option<Cow<'a, event::Student>>,
    }
    /// The data of a `crosscheck_finished` line: the result of comparing the solvers of a puzzle.
    CrosscheckFinished<'a> {
        puzzle: Cow<'a, str>,
        scope: event::Scope,
        solvers: Cow<'a, [String]>,
        boards: u64,
        disagreements: u64,
        histogram: Cow<'a, BTreeMap<String, u64>>,
        moves_replayed: u64,
        bounds_proved: u64,
        declined: Cow<'a, BTreeMap<String, u64>>,
        smallest: Option<Counterexample<'a>>,
        seconds: f64,
    }
    /// A board on which solvers disagree or an answer is invalid. The keys of `answers` are the solvers' names.
    Counterexample<'a> {
        input: Cow<'a, str>,
        reason: Cow<'a, str>,
        answers: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    }
    /// The data of a `doctor_finished` line: the capabilities of this machine.
    DoctorFinished<'a> {
        schema_version: u32,
        version: Cow<'a, str>,
        sandbox: Cow<'a, Enforcement>,
        mechanisms: BTreeMap<Cow<'a, str>, Protection>,
        languages: Cow<'a, [event::LanguageFound]>,
        cost: Option<event::Cost>,
    }
    /// The data of a `case_generated` line: a generated test case, and how its files differ from those in the package.
    CaseGenerated<'a> {
        case: Cow<'a, str>,
        files: Cow<'a, BTreeMap<String, Change>>,
        change: Option<Change>,
        command: Option<Cow<'a, str>>,
        seed: Option<u32>,
        same_as: Option<Cow<'a, str>>,
        seconds: Option<f64>,
        message: Option<Cow<'a, str>>,
        remarks: Cow<'a, [String]>,
        unmatched: Cow<'a, [String]>,
    }
    /// The data of a `generate_finished` line: the numbers of test cases, and the changes of other files.
    GenerateFinished<'a> {
        as_wanted: bool,
        cases: usize,
        failed: usize,
        unmatched: usize,
        new: usize,
        changed: usize,
        unchanged: usize,
        others: Cow<'a, BTreeMap<String, Change>>,
        removed: Cow<'a, [String]>,
        kept: Cow<'a, [String]>,
        written: Option<Cow<'a, str>>,
        trash: Option<Cow<'a, str>>,
        wall_seconds: f64,
    }
    /// The data of a `run_finished` line: the numbers of results of the run.
    RunFinished {
        as_wanted: bool,
        submissions: usize,
        skipped: usize,
        unjudged: usize,
        cases_run: usize,
        wall_seconds: f64,
    }
}

/// A score. Whole scores are written without a decimal point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Figure {
    /// A whole score.
    Whole(i64),
    /// The double nearest to the exact score.
    Near(f64),
}

impl From<&Score> for Figure {
    fn from(score: &Score) -> Figure {
        score.to_i64().map_or_else(|| Figure::Near(score.to_f64()), Figure::Whole)
    }
}

/// Returns the JSON Schema of a line.
pub fn schema() -> Schema {
    let mut schema = schemars::schema_for!(Line<'static>);
    schema.insert("title".to_owned(), "A line of a report of referee".into());
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_in_the_documentation_reads_back_with_no_unknown_field() {
        let source = include_str!("jsonl.rs");
        let example: Vec<_> = source.lines().filter_map(|line| line.strip_prefix("//! {")).collect();
        assert_eq!(example.len(), 23);
        for line in example {
            let parsed: Line<'_> = serde_json::from_str(&format!("{{{line}")).unwrap();
            let again: serde_json::Value = serde_json::to_value(&parsed).unwrap();
            assert_eq!(again, serde_json::from_str::<serde_json::Value>(&format!("{{{line}")).unwrap());
        }
    }
}
