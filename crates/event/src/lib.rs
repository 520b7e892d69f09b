//! The events of a run, as one enum. Every report is made from events alone.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod crosscheck;
mod diagnosis;
mod enforcement;
mod generation;
mod hunt;
mod not_judged;
mod partition;
#[doc(hidden)]
mod samples;
mod similarity;
mod strength;
mod student;
mod time_limit;
mod verification;

use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use referee_grading::score::{Given, Score};
use referee_grading::verdict::{Breach, Verdict};

pub use crosscheck::{Counterexample, CrosscheckFinished, Scope};
pub use diagnosis::{Cost, DoctorFinished, LanguageFound, ToolFound};
pub use enforcement::{Enforcement, Overall, Protection, State};
pub use generation::{CaseGenerated, Change, GenerateFinished};
pub use hunt::{HuntFinished, Undone};
pub use not_judged::NotJudged;
pub use partition::Partition;
pub use similarity::{NotCompared, ProgramSource, SimilarPair, SimilarRegion, SimilarityFinished};
pub use strength::{MutantFate, MutantFinished, SoleKiller, StrengthFinished, SurvivorHunted};
pub use student::{ClassLayout, Student};
pub use time_limit::{Measuring, TimeLimit, TimeLimitSource};
pub use verification::{
    Gravity, VerifyCheck, VerifyFinding, VerifyFinished, VerifyMargin, VerifyStarted, VerifyTimeLimit,
};

/// An event of a run.
#[derive(Clone, Debug)]
pub enum Event {
    /// A run has started.
    RunStarted(RunStarted),
    /// A submission was built, or could not be built.
    BuildFinished(BuildFinished),
    /// A submission was not judged, for example because this machine has no compiler for it.
    SubmissionSkipped(SubmissionSkipped),
    /// A submission was judged on a test case.
    CaseFinished(CaseFinished),
    /// A submission was judged on a group of test cases.
    GroupFinished(GroupFinished),
    /// A submission was judged.
    SubmissionFinished(SubmissionFinished),
    /// The submissions were compared with one another. Comes after the last submission, if the user asked for it.
    SimilarityFinished(Box<SimilarityFinished>),
    /// Solvers of a puzzle were compared.
    CrosscheckFinished(CrosscheckFinished),
    /// The capabilities of this machine were determined.
    DoctorFinished(DoctorFinished),
    /// A test case was generated, or its generation failed.
    CaseGenerated(CaseGenerated),
    /// The generation of a package's test cases has ended.
    GenerateFinished(GenerateFinished),
    /// The verification of a package has started.
    VerifyStarted(VerifyStarted),
    /// The verification reports an error, a warning or a note about a package.
    VerifyFinding(VerifyFinding),
    /// The verification compared a package's time limit with the run times that bound it.
    VerifyTimeLimit(VerifyTimeLimit),
    /// The verification compared one run time with the time limit.
    VerifyMargin(VerifyMargin),
    /// A check of a package has ended.
    VerifyCheck(VerifyCheck),
    /// The verification of a package has ended.
    VerifyFinished(VerifyFinished),
    /// The search for an input on which a submission fails has ended.
    HuntFinished(Box<HuntFinished>),
    /// It was determined whether the test data kills a mutant. The mutant was run only if necessary.
    MutantFinished(Box<MutantFinished>),
    /// The search for an input that kills a surviving mutant has ended.
    SurvivorHunted(Box<SurvivorHunted>),
    /// The strength of a package's data was measured.
    StrengthFinished(Box<StrengthFinished>),
    /// The run has ended.
    RunFinished(RunFinished),
}

/// The data of [`Event::RunStarted`].
#[derive(Clone, Debug, Default)]
pub struct RunStarted {
    /// The name of the package, or of the puzzle if the run concerns no package.
    pub package: String,
    /// The maximum number of programs that run at the same time.
    pub jobs: usize,
    /// The seed of the random choices; `None` if the run makes none.
    pub seed: Option<u64>,
    /// The state of the sandbox; `None` if the run executes no program.
    pub sandbox: Option<Enforcement>,
    /// The maximum number of test case results that the run can produce.
    pub planned: usize,
    /// The number of test cases and static tests on which each submission can be run. Machine-readable reports omit this
    /// field.
    pub cases: usize,
    /// The test cases and static tests of the package, if the run uses only a part of them. `None` if it uses all of
    /// them, or if it concerns no package.
    pub part_of_cases: Option<PartOfCases>,
    /// The CPU time limit per test case, and its origin; `None` if the run executes no program.
    pub time_limit: Option<TimeLimit>,
    /// The memory limit in bytes; `None` if the run executes no program.
    pub memory_limit_bytes: Option<u64>,
    /// The number of submissions over all parts of the run; `None` if the run grades no submissions.
    pub submissions: Option<usize>,
    /// The part of the submissions that this run judges; `None` if it judges all of them.
    pub partition: Option<Partition>,
    /// A digest of the names of all submissions, in order; `None` if the run grades no submissions. All parts of a run
    /// have the same digest.
    pub submissions_digest: Option<String>,
    /// A digest of the names and sizes of the test cases, and of the options that change how submissions are judged.
    /// `None` if the run grades no submissions.
    pub cases_digest: Option<String>,
    /// A digest of everything that a measured time limit depends on; `None` if the limit was not measured.
    pub time_limit_basis: Option<String>,
    /// Whether any submission has declared verdicts or scores. Machine-readable reports omit this field, because the
    /// event of each submission says whether it has any.
    pub has_declared: bool,
}

/// The part of a package's test cases and static tests that a run uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PartOfCases {
    /// The number that the run uses.
    pub used: usize,
    /// The number that the package has.
    pub all: usize,
}

/// The data of [`Event::BuildFinished`].
#[derive(Clone, Debug)]
pub struct BuildFinished {
    /// The submission.
    pub submission: String,
    /// The display name of the submission's language.
    pub language: String,
    /// Whether the submission can be run.
    pub ok: bool,
    /// The duration of the build, in seconds.
    pub seconds: f64,
    /// Whether the compiled program came from the cache.
    pub cached: bool,
    /// The compilers and interpreters of the language. Empty if the run neither caches results nor reports their keys
    /// ([`CaseFinished::key`]): the tools are determined together with the keys.
    pub tools: Vec<ToolFound>,
    /// Which interpreter runs the submission, and why, if its language has two interpreters; `None` if the language has
    /// only one.
    pub remark: Option<String>,
    /// Why the submission cannot be run, for example the compiler's message; `None` if it can be run.
    pub message: Option<String>,
}

/// The data of [`Event::SubmissionSkipped`].
#[derive(Clone, Debug)]
pub struct SubmissionSkipped {
    /// The submission.
    pub submission: String,
    /// Why the submission is not judged.
    pub reason: String,
    /// What the user of the judge can do, such as an option of the command; `None` if there is nothing special. Pages for
    /// students leave it out.
    pub hint: Option<String>,
    /// The student who handed in the submission; `None` if the run does not judge a class.
    pub student: Option<Arc<Student>>,
}

impl SubmissionSkipped {
    /// Returns the reason and the hint in one line.
    pub fn reason_and_hint(&self) -> String {
        NotJudged { reason: self.reason.clone(), hint: self.hint.clone() }.to_string()
    }
}

/// The data of [`Event::CaseFinished`].
#[derive(Clone, Debug)]
pub struct CaseFinished {
    /// The submission.
    pub submission: String,
    /// The test case.
    pub case: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The score; `None` if the case has none.
    pub score: Option<Score>,
    /// The scores that the validator wrote, before the rules of the case are applied.
    pub given: Given,
    /// The CPU time in seconds; `None` if the submission was not run.
    pub cpu_seconds: Option<f64>,
    /// The wall time in seconds; `None` if the submission was not run.
    pub wall_seconds: Option<f64>,
    /// The CPU times of all measurements that count, in seconds; `None` if there was only one. The smallest is
    /// `cpu_seconds`.
    pub cpu_seconds_all: Option<Vec<f64>>,
    /// Whether the first measured CPU time is close to the limit: from 0.8 to 1.25 times the limit. `None` if the
    /// submission was not run, or if this comparison was not made: for example, it is not made for mutants.
    pub close: Option<bool>,
    /// The peak memory in bytes; `None` if it is unknown.
    pub memory_bytes: Option<u64>,
    /// The exit code; `None` if the submission did not exit by itself.
    pub exit_code: Option<i32>,
    /// The signal that ended the submission; `None` if no signal did.
    pub signal: Option<i32>,
    /// The reason for the verdict; `None` if there is nothing to add.
    pub message: Option<String>,
    /// The number of runs of the submission; `None` unless the problem is multi-pass.
    pub passes: Option<u32>,
    /// The output validator's message to the submission's author; `None` if there is none.
    pub team_message: Option<String>,
    /// The BLAKE3 hash of the submission's standard output; `None` if the submission was not run, or if the result came
    /// from the cache. Reports omit it.
    pub output_hash: Option<[u8; 32]>,
    /// A digest of everything that the result depends on: the program, the input, and the environment. `None` if it was
    /// not requested or cannot be computed.
    pub key: Option<String>,
    /// Whether the result came from the cache, so that the submission was not run.
    pub cached: bool,
    /// Excerpts of the input, the answer and the output; `None` if the case was accepted or not run.
    pub exhibit: Option<Box<Exhibit>>,
}

impl CaseFinished {
    /// Returns whether the judge stopped the run because it took too long. Its full run time is then unknown. False for
    /// a run that exceeded the time limit slightly and ended by itself.
    pub fn was_cut_short(&self) -> bool {
        self.verdict == Verdict::TimeLimitExceeded && self.exit_code.is_none()
    }
}

/// The texts of a case that was not accepted, each cut to a maximum size.
#[derive(Clone, Debug, Default)]
pub struct Exhibit {
    /// The package's description of the case; `None` if there is none.
    pub description: Option<String>,
    /// The input.
    pub input: Excerpt,
    /// The answer.
    pub expected: Excerpt,
    /// The submission's standard output.
    pub output: Excerpt,
    /// The submission's standard error.
    pub stderr: Excerpt,
    /// The last messages between the submission and the output validator; `None` if the problem is not interactive.
    pub exchanges: Option<Vec<Exchange>>,
}

/// A message of an interaction: the bytes that one side sent until the other side sent something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// Whether the submission sent the bytes. Otherwise the output validator sent them.
    pub by_submission: bool,
    /// The time since the start of the run.
    pub at: Duration,
    /// The first bytes of the message.
    pub bytes: Vec<u8>,
    /// The size of the whole message, in bytes.
    pub whole_bytes: u64,
}

/// A part of a text, for example around the first difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The number of the first line in the excerpt, counted from 1.
    pub first_line: usize,
    /// The bytes of the excerpt.
    pub bytes: Vec<u8>,
    /// The size of the whole text, in bytes.
    pub whole_bytes: usize,
}

impl Excerpt {
    /// Returns the bytes if they are the whole text; `None` if the excerpt is shorter.
    pub fn whole(&self) -> Option<&[u8]> {
        (self.first_line == 1 && self.bytes.len() == self.whole_bytes).then_some(self.bytes.as_slice())
    }
}

/// The data of [`Event::GroupFinished`].
#[derive(Clone, Debug)]
pub struct GroupFinished {
    /// The submission.
    pub submission: String,
    /// The group's path below `data/`.
    pub group: String,
    /// The verdict; `None` if none of the group's cases counts, or if the judge failed before the group ended.
    pub verdict: Option<Verdict>,
    /// The score; `None` if the group has none, or if the judge failed.
    pub score: Option<Score>,
    /// The best score that the group can have: the largest one, or the smallest if smaller scores are better. `None` if
    /// it is unbounded.
    pub max_score: Option<Score>,
    /// The number of the group's cases that count.
    pub cases_run: usize,
    /// The number of the group's cases that do not count. There are two reasons: they could not change the result, or
    /// this group requires another group that was not passed. With `--all-cases`, the judge runs these cases
    /// nevertheless.
    pub cases_skipped: usize,
}

/// The data of [`Event::SubmissionFinished`].
#[derive(Clone, Debug)]
pub struct SubmissionFinished {
    /// The submission.
    pub submission: String,
    /// The display name of the submission's language.
    pub language: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The score; `None` if the problem has none, if only some cases were judged, or if the judge failed.
    pub score: Option<Score>,
    /// The best possible score; `None` if it is unbounded.
    pub max_score: Option<Score>,
    /// Why the judge failed; `None` if it did not, or if the result of a case gives the reason.
    pub message: Option<String>,
    /// The verdicts that the first declared rule requires, or those that it permits if it requires none; `None` if
    /// nothing is declared.
    pub expected: Option<Vec<String>>,
    /// Whether the result matches the declaration; `None` if nothing is declared, or if the judge failed.
    pub as_expected: Option<bool>,
    /// Whether the result is as expected. It must match the declaration if there is one. Without a declaration, a
    /// user's submission must be accepted, and a jury submission must compile. False if the judge failed.
    pub as_wanted: bool,
    /// The declared rules that the submission broke.
    pub breaches: Vec<Breach>,
    /// The number of cases on which the submission was judged.
    pub cases_run: usize,
    /// The number of cases on which the submission was judged and not accepted.
    pub cases_failed: usize,
    /// The number of cases on which the submission was not judged. Either they could not change the result, or the
    /// submission could not be run.
    pub cases_skipped: usize,
    /// The first case on which the submission was not accepted; `None` if there is none.
    pub first_failing_case: Option<String>,
    /// The largest CPU time over the cases, in seconds; `None` if the submission was not run on any.
    pub cpu_seconds_max: Option<f64>,
    /// The largest peak memory over the cases, in bytes; `None` if it is unknown.
    pub memory_bytes_max: Option<u64>,
    /// The points from 0 to 100, with at most two decimals; 0 if the submission does not compile. `None` if the run gives
    /// no points, or if the judge failed.
    pub points: Option<f64>,
    /// The student who handed in the submission; `None` if the run does not judge a class.
    pub student: Option<Arc<Student>>,
}

/// The data of [`Event::RunFinished`].
#[derive(Clone, Debug)]
pub struct RunFinished {
    /// Whether every result is as expected, and every submission that the user named was judged.
    pub as_wanted: bool,
    /// The number of judged submissions.
    pub submissions: usize,
    /// The number of submissions that were not judged, for example because a compiler is missing.
    pub skipped: usize,
    /// The number of skipped submissions that the user named.
    pub unjudged: usize,
    /// The number of test case results.
    pub cases_run: usize,
    /// The duration in seconds.
    pub wall_seconds: f64,
}
