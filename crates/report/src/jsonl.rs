//! JSON lines: one object per line, for programs. This module is the specification of the format.
//!
//! Every object has a `"type"`; the first also has `"schema_version"`, which is raised when a field changes its meaning
//! or goes. New fields and new types may come without that. Times are in seconds, sizes in bytes; what is unknown is
//! `null`, never 0. Lines come in the order of submissions and test cases, whatever `-j` is. `cached` tells that what
//! the compiler made was there already, of an earlier run or of the same sources in this one; of a case, that its
//! result, the times in it too, is that of an earlier run. A build is `cached`, too, where all results are. `passes` is
//! how many times the submission was run on the case, in problems of several passes; times and memory are the largest
//! of them. `key` is what a result is of (the program, the input and everything else that it depends on, the machine
//! too) in one number: results with the same key are of the same run, done again. `given_score` and `given_multiplier`
//! are what the output validator wrote into `score.txt` and `score_multiplier.txt`, as fractions. A CPU time from 0.8
//! to 1.25 times the limit, when it was measured first, is `close`; of one that was measured again, `cpu_seconds_all`
//! are all measurements of runs that did the same, and the smallest counts.
//!
//! Strings have escapes, such as `\u0023#[error]`, where a terminal would act on a character or a CI service would read
//! a command. To a reader of JSON they are the same strings.
//!
//! Where results add up by groups there is a `group_finished` for each group after the cases of a submission: its
//! `verdict` is `null` if none of its cases counts or after a judge error, `cases_skipped` of them do not count. A
//! `score` is `null` where there is none, or nobody knows it: of some of the cases only, or after a judge error. It is
//! whole, or the double that is nearest; it was added up exactly. `max_score` is the best there is, `null` without such
//! an end. The `message` of a submission says why the judge failed where no case does.
//!
//! Each submission that was found ends with `submission_finished` or `submission_skipped`; at the end of the run
//! `submissions` counts the first and `skipped` the second. `as_wanted` is about those that were judged, and false if
//! one that the user named was not (`unjudged`).
//!
//! `referee verify` has one `run_started` and one `run_finished` around the lines of all packages. In its margins
//! `is_more` tells that a program was stopped at `seconds` and takes longer, `bound` on which side it bounds the time
//! limit, and `kept` whether its margin is kept; it is null where none is asked for. A check that was left out, or not
//! done wholly, says so in `skipped`.
//!
//! A hunt has one `hunt_finished` after the `build_finished` of its program. Its `kind` is the verdict of the program,
//! or `jury` where the package's own accepted submissions do not agree; `exhausted` tells that there is no other input.
//! `undone` is `searching` or `shrinking` where the time of `--seconds` was over first, else null.
//!
//! `referee strength` tells of every mutant in the order of their numbers (`mutant_finished`), then of every survivor
//! that was hunted (`survivor_hunted`; where something found later kills it after all, there is a second line of it,
//! which counts), then the sum. A `fate` is `killed`, `survived`, `declared` (the package says with a `reason` that it
//! is equivalent), `same-code` (as the program) or `same-mutant` (as another one), `not-compiled` or `unjudged`.
//! `killers` is null unless all cases were run; `killed_by` are those that are known to kill it, `not_tried` tells of
//! how many nothing is known. Of the sum, `mutants` are those that compile to something of their own: `killed`,
//! `survived`, `unjudged` and those equivalent, which are `declared`, `proved` on all inputs, or `suspected`, since
//! nothing was found in the time there was. `holes` are survivors for which something was found; where that says that
//! an accepted submission is wrong, and nothing of the mutant, they are `disputed`. `minimal_cases` kill the same
//! mutants; there is no smaller set if `minimal_is_proved`.
//!
//! ```json
//! {"type":"run_started","schema_version":1,"version":"0.1.0","package":"flipgame","jobs":2,"seed":null,"sandbox":{"overall":"partial","parts":{"network":{"state":"not","why":"the program can use the network","remedy":null}}},"time_limit_seconds":2.0,"time_limit_measured":false,"time_limit_source":"stated","measuring_runs":null,"measuring_seconds":null,"memory_limit_bytes":2147483648,"submissions":2,"partition":null,"submissions_digest":"0c7e4f9d1a2b3c4d","cases_digest":"5e6f708192a3b4c5","time_limit_basis":null}
//! {"type":"build_finished","submission":"a.cpp","language":"C++","ok":true,"seconds":0.41,"cached":false,"tools":[{"name":"g++","path":"/usr/bin/g++","version":"g++ (Debian 12.2.0-14) 12.2.0"}],"message":null}
//! {"type":"case_finished","submission":"a.cpp","case":"sample/1","verdict":"AC","score":null,"cpu_seconds":0.001,"cpu_seconds_all":null,"close":false,"wall_seconds":0.002,"memory_bytes":3407872,"exit_code":0,"signal":null,"message":null,"team_message":null,"passes":null,"cached":false,"given_score":null,"given_multiplier":null,"key":"9c1185a5c5e9fc54612808977ee8f548"}
//! {"type":"case_finished","submission":"a.cpp","case":"secret/01","verdict":"WA","score":null,"cpu_seconds":1.7,"cpu_seconds_all":[1.9,1.7],"close":true,"wall_seconds":0.002,"memory_bytes":null,"exit_code":0,"signal":null,"message":"line 1: expected \"0\", got \"6\"","team_message":null,"passes":null,"cached":true,"given_score":"1/3","given_multiplier":null,"key":null}
//! {"type":"submission_finished","submission":"a.cpp","verdict":"WA","score":null,"max_score":null,"message":null,"expected":null,"as_expected":null,"as_wanted":false,"breaches":[],"cases_run":2,"cases_failed":1,"cases_skipped":3,"first_failing_case":"secret/01","cpu_seconds_max":0.001,"memory_bytes_max":3407872}
//! {"type":"group_finished","submission":"partial.py","group":"secret/group2","verdict":"WA","score":0,"max_score":70,"cases_run":2,"cases_skipped":5}
//! {"type":"submission_finished","submission":"partial.py","verdict":"WA","score":30.5,"max_score":100,"message":null,"expected":["AC","WA"],"as_expected":true,"as_wanted":true,"breaches":[],"cases_run":9,"cases_failed":1,"cases_skipped":5,"first_failing_case":"secret/group2/02","cpu_seconds_max":0.001,"memory_bytes_max":3407872}
//! {"type":"submission_skipped","submission":"b.rs","reason":"rustc is not installed; install it with: apt-get install rustc"}
//! {"type":"crosscheck_finished","puzzle":"flipgame","scope":"exhaustive","solvers":["rows","bfs"],"boards":65536,"disagreements":0,"histogram":{"0":2,"Impossible":61440},"moves_replayed":4096,"bounds_proved":61440,"declined":{},"smallest":null,"seconds":4.2}
//! {"type":"doctor_finished","schema_version":1,"version":"0.1.0","sandbox":{"overall":"full","parts":{}},"mechanisms":{"seccomp":{"state":"enforced","why":"a filter of system calls","remedy":null}},"languages":[{"language":"C","tools":[{"name":"gcc","path":"/usr/bin/gcc","version":"gcc 12.2.0"}],"missing":null}],"cost":{"runs":500,"spawn_seconds":0.0006,"sandbox_seconds":0.00064,"setup_seconds":0.0011}}
//! {"type":"case_generated","case":"secret/05-large","files":{"ans":"changed","in":"unchanged"},"change":"changed","command":"gen.py 1000 1234567","seed":1234567,"same_as":null,"seconds":0.04,"message":null,"remarks":[],"unmatched":[]}
//! {"type":"generate_finished","as_wanted":true,"cases":7,"failed":0,"unmatched":0,"new":0,"changed":1,"unchanged":6,"others":{"secret/test_group.yaml":"new"},"removed":["secret/old.ans","secret/old.in"],"kept":[],"written":null,"trash":null,"wall_seconds":0.6}
//! {"type":"verify_started","package":"flipgame","folder":null,"title":"Flip Game","format":"2025-09","cases":55,"submissions":20}
//! {"type":"verify_finding","package":"flipgame","check":"inputs","severity":"error","place":"data/secret/01.in","case":"secret/01","submission":null,"message":"the input is not valid, says validate: line 2","hint":null}
//! {"type":"verify_time_limit","package":"flipgame","time_limit_seconds":2.0,"is_stated":true,"smallest_seconds":1.0,"ac_to_time_limit":2.0,"time_limit_to_tle":1.5,"resolution_seconds":1.0}
//! {"type":"verify_margin","package":"flipgame","submission":"accepted/a.py","case":"secret/01","seconds":0.25,"is_more":false,"wall_limit_seconds":null,"bound":"lower","is_slowest":true,"factor":8.0,"kept":true}
//! {"type":"verify_finished","package":"flipgame","errors":1,"warnings":0,"notes":0,"checks":[{"name":"inputs","about":"90 inputs by 1 validator","seconds":0.4,"errors":1,"warnings":0,"notes":0,"skipped":null}],"tools":[],"seconds":0.5}
//! {"type":"hunt_finished","package":"flipgame","submission":"white_only.py","seed":1,"found":true,"kind":"WA","input":"bbbb\nbbbb\nbbbb\nbbbb\n","expected":"0\n","got":"4\n","message":"line 1: expected \"0\", got \"4\"","truth":["the reference solvers of flipgame: table, rows, gf2, bfs"],"tried":17,"illegal":0,"unjudged":0,"exhausted":false,"seconds":0.2,"seconds_preparing":0.1,"undone":null,"bytes_before_shrinking":20,"bytes":20,"shrink_tried":130,"minimal":true,"interrupted":false,"remarks":[],"written":["found/hunt-white_only-wa.in","found/hunt-white_only-wa.ans"]}
//! {"type":"mutant_finished","number":5,"program":"accepted/a.c","role":"submission","file":"accepted/a.c","line":6,"column":14,"operator":"off-by-one","was":"if (a < b) a = b;","is":"if (a < b - 1) a = b;","fate":"survived","cached":false,"same_as":null,"case":null,"verdict":null,"message":null,"killers":0,"killed_by":[],"not_tried":0,"diff":"@@ -6,1 +6,1 @@\n-    if (a < b) a = b;\n+    if (a < b - 1) a = b;\n","reason":null}
//! {"type":"survivor_hunted","number":5,"program":"accepted/a.c","killed":true,"by_find_of":null,"kind":"WA","input":"1 2\n","expected":"2\n","got":"1\n","message":"line 1: expected \"2\", got \"1\"","tried":17,"unjudged":0,"exhausted":false,"interrupted":false,"seconds":0.1,"minimal":true,"remarks":[],"written":["data/secret/mutant-a-6-off-by-one.in","data/secret/mutant-a-6-off-by-one.ans"]}
//! {"type":"strength_finished","package":"larger","seed":1,"mutants":12,"killed":7,"survived":2,"holes":2,"disputed":0,"equivalent_suspected":0,"equivalent_declared":3,"equivalent_proved":0,"unjudged":0,"not_compiled":0,"same_code":0,"changes":12,"is_sample":false,"minimal_cases":["secret/far"],"minimal_is_proved":true,"idle_cases":[],"sole_killers":[{"case":"secret/far","mutants":[6]}],"pairs_unknown":0,"by_verdict":{"RTE":1,"WA":6},"by_operator":{"off-by-one":[2,0]},"by_program":{"accepted/a.c":[7,4]},"wrongly_declared":[],"stale":[],"remarks":[],"tools":[{"name":"gcc","path":"/usr/bin/gcc","version":"gcc (Debian 12.2.0-14) 12.2.0"}],"interrupted":false,"seconds":12.0}
//! {"type":"run_finished","as_wanted":false,"submissions":1,"skipped":1,"unjudged":1,"cases_run":2,"wall_seconds":0.9}
//! ```

mod escape;
mod of_event;
pub mod read;
mod to_event;

pub(super) use escape::escaped;
pub(super) use of_event::line;
pub use to_event::event;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use super::Report;
use super::atomic_output::{Destination, Whole};
use referee_event::{self as event, Change, Enforcement, Event, Protection};
use referee_grading::score::Score;
use referee_grading::verdict::Verdict;

/// The version of the format.
pub const SCHEMA_VERSION: u32 = 1;

/// One line.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Line<'a> {
    /// The first line.
    RunStarted(RunStarted<'a>),
    /// A submission was compiled, or could not be.
    BuildFinished(BuildFinished<'a>),
    /// A submission was not judged, because this machine lacks a tool.
    SubmissionSkipped(SubmissionSkipped<'a>),
    /// A submission was judged on a test case.
    CaseFinished(CaseFinished<'a>),
    /// A submission was judged on a group of test cases, where results add up by groups.
    GroupFinished(GroupFinished<'a>),
    /// A submission was judged.
    SubmissionFinished(SubmissionFinished<'a>),
    /// Solvers were compared.
    CrosscheckFinished(CrosscheckFinished<'a>),
    /// What this machine can do: the only line of `referee doctor`.
    DoctorFinished(DoctorFinished<'a>),
    /// A test case was made, or could not be.
    CaseGenerated(CaseGenerated<'a>),
    /// All test cases were made: the last line of `referee generate`.
    GenerateFinished(GenerateFinished<'a>),
    /// A package begins to be verified.
    VerifyStarted(Cow<'a, event::VerifyStarted>),
    /// Something was found in a package.
    VerifyFinding(Cow<'a, event::VerifyFinding>),
    /// How the time limit of a package lies.
    VerifyTimeLimit(Cow<'a, event::VerifyTimeLimit>),
    /// How far a run time is from the time limit.
    VerifyMargin(Cow<'a, event::VerifyMargin>),
    /// A package was verified.
    VerifyFinished(Cow<'a, event::VerifyFinished>),
    /// A hunt is over.
    HuntFinished(Cow<'a, event::HuntFinished>),
    /// The data was held against a mutant of a program.
    MutantFinished(Cow<'a, event::MutantFinished>),
    /// A mutant that survives was hunted.
    SurvivorHunted(Cow<'a, event::SurvivorHunted>),
    /// The strength of a package's data was measured.
    StrengthFinished(Cow<'a, event::StrengthFinished>),
    /// The last line.
    RunFinished(RunFinished),
}

/// Declares the objects behind the lines, so that reading back refuses fields that are not listed here.
macro_rules! lines {
    ($($(#[$about:meta])* $name:ident $(<$life:lifetime>)? { $($field:ident: $type:ty,)* })*) => { $(
        $(#[$about])*
        #[derive(Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[expect(missing_docs, reason = "the fields are those of the event of the same name")]
        pub struct $name $(<$life>)? { $(pub $field: $type,)* }
    )* };
}

lines! {
    /// See [`Event::RunStarted`].
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
        time_limit_basis: Option<Cow<'a, str>>,
    }
    /// See [`Event::BuildFinished`].
    BuildFinished<'a> {
        submission: Cow<'a, str>,
        language: Cow<'a, str>,
        ok: bool,
        seconds: f64,
        cached: bool,
        tools: Cow<'a, [event::ToolFound]>,
        message: Option<Cow<'a, str>>,
    }
    /// See [`Event::SubmissionSkipped`].
    SubmissionSkipped<'a> {
        submission: Cow<'a, str>,
        reason: Cow<'a, str>,
    }
    /// See [`Event::CaseFinished`].
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
    /// See [`Event::GroupFinished`].
    GroupFinished<'a> {
        submission: Cow<'a, str>,
        group: Cow<'a, str>,
        verdict: Option<Verdict>,
        score: Option<Figure>,
        max_score: Option<Figure>,
        cases_run: usize,
        cases_skipped: usize,
    }
    /// See [`Event::SubmissionFinished`]; each breach is a sentence.
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
    }
    /// See [`Event::CrosscheckFinished`].
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
    /// See [`event::Counterexample`]; answers by solver.
    Counterexample<'a> {
        input: Cow<'a, str>,
        reason: Cow<'a, str>,
        answers: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    }
    /// See [`Event::DoctorFinished`].
    DoctorFinished<'a> {
        schema_version: u32,
        version: Cow<'a, str>,
        sandbox: Cow<'a, Enforcement>,
        mechanisms: BTreeMap<Cow<'a, str>, Protection>,
        languages: Cow<'a, [event::LanguageFound]>,
        cost: Option<event::Cost>,
    }
    /// See [`Event::CaseGenerated`].
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
    /// See [`Event::GenerateFinished`].
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
    /// See [`Event::RunFinished`].
    RunFinished {
        as_wanted: bool,
        submissions: usize,
        skipped: usize,
        unjudged: usize,
        cases_run: usize,
        wall_seconds: f64,
    }
}

/// A score. Whole ones are written without a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Figure {
    /// A whole score.
    Whole(i64),
    /// The double that is nearest.
    Near(f64),
}

impl From<&Score> for Figure {
    fn from(score: &Score) -> Figure {
        score.to_i64().map_or_else(|| Figure::Near(score.to_f64()), Figure::Whole)
    }
}

/// The JSON Schema of a line.
pub fn schema() -> Schema {
    let mut schema = schemars::schema_for!(Line<'static>);
    schema.insert("title".to_owned(), "A line of a report of referee".into());
    schema
}

/// What an earlier report has, in whose place a new one comes.
#[derive(Clone, Debug, Default)]
pub struct Before {
    /// Submissions that it has results of, and that come again.
    pub submissions: HashSet<String>,
    /// Submission and case of its last result.
    pub last: Option<(String, String)>,
}

/// Writes JSON lines. Every line is flushed, so that the report is whole up to the last event whatever happens.
pub struct JsonLines {
    out: Whole,
    /// What the report before has more than this one.
    before: Before,
    is_kept: bool,
}

impl JsonLines {
    /// Writes to `out`, which takes the place of the report `before` it when it has told as much.
    pub fn new(out: Box<dyn Destination>, before: Before) -> Self {
        JsonLines { out: Whole::new(out), before, is_kept: false }
    }

    /// What was told now is no more what the report before has alone.
    fn catch_up(&mut self, event: &Event) {
        let Before { submissions, last } = &mut self.before;
        match event {
            Event::CaseFinished(case) => {
                let is_last = |last: &(String, String)| last.0 == case.submission && last.1 == case.case;
                if last.as_ref().is_some_and(is_last) {
                    submissions.remove(&case.submission);
                }
            }
            Event::SubmissionFinished(finished) => _ = submissions.remove(&finished.submission),
            Event::SubmissionSkipped(skipped) => _ = submissions.remove(&skipped.submission),
            Event::RunFinished(_) => submissions.clear(),
            _ => {}
        }
    }
}

impl Report for JsonLines {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        let Some(line) = of_event::line(event) else { return Ok(()) };
        let line = escaped(serde_json::to_string(&line)?) + "\n";
        self.out.write_all(line.as_bytes())?;
        self.out.flush()?;
        self.catch_up(event);
        if self.before.submissions.is_empty() && !self.is_kept {
            self.is_kept = true;
            self.out.keep()?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>, is_whole: bool) -> io::Result<()> {
        // What has told less than the report before it does not take its place.
        if self.before.submissions.is_empty() { self.out.finish(is_whole) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_in_the_documentation_reads_back_with_no_unknown_field() {
        let source = include_str!("jsonl.rs");
        let example: Vec<_> = source.lines().filter_map(|line| line.strip_prefix("//! {")).collect();
        assert_eq!(example.len(), 22);
        for line in example {
            let parsed: Line<'_> = serde_json::from_str(&format!("{{{line}")).unwrap();
            let again: serde_json::Value = serde_json::to_value(&parsed).unwrap();
            assert_eq!(again, serde_json::from_str::<serde_json::Value>(&format!("{{{line}")).unwrap());
        }
    }
}
