//! Everything that can happen in a run, as one enum. Pure: a report depends on nothing but events.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod diagnosis;
mod enforcement;
mod generation;
mod hunt;
mod partition;
#[doc(hidden)]
mod samples;
mod strength;
mod time_limit;
mod verification;

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use referee_grading::score::{Given, Score};
use referee_grading::verdict::{Breach, Verdict};

pub use diagnosis::{Cost, DoctorFinished, LanguageFound, ToolFound};
pub use enforcement::{Enforcement, Overall, Part, State};
pub use generation::{CaseGenerated, Change, GenerateFinished};
pub use hunt::{HuntFinished, Undone};
pub use partition::Partition;
pub use strength::{MutantFate, MutantFinished, SoleKiller, StrengthFinished, SurvivorHunted};
pub use time_limit::{Measuring, TimeLimit, TimeLimitSource};
pub use verification::{
    Gravity, VerifyCheck, VerifyFinding, VerifyFinished, VerifyMargin, VerifyStarted, VerifyTimeLimit,
};

/// Something happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// A run begins.
    RunStarted(RunStarted),
    /// A submission was compiled, or could not be.
    BuildFinished(BuildFinished),
    /// A submission was not judged, because this machine lacks a tool.
    SubmissionSkipped(SubmissionSkipped),
    /// A submission was judged on a test case.
    CaseFinished(CaseFinished),
    /// A submission was judged on a group of test cases.
    GroupFinished(GroupFinished),
    /// A submission was judged.
    SubmissionFinished(SubmissionFinished),
    /// Solvers of a puzzle were compared.
    CrosscheckFinished(CrosscheckFinished),
    /// What this machine can do was found out.
    DoctorFinished(DoctorFinished),
    /// A test case was made by its rule, or could not be.
    CaseGenerated(CaseGenerated),
    /// All test cases of a package were made.
    GenerateFinished(GenerateFinished),
    /// A package begins to be verified.
    VerifyStarted(VerifyStarted),
    /// Something was found in a package.
    VerifyFinding(VerifyFinding),
    /// How the time limit of a package lies.
    VerifyTimeLimit(VerifyTimeLimit),
    /// How far a run time is from it.
    VerifyMargin(VerifyMargin),
    /// A check of a package is over.
    VerifyCheck(VerifyCheck),
    /// A package was verified.
    VerifyFinished(VerifyFinished),
    /// A hunt is over.
    HuntFinished(Box<HuntFinished>),
    /// The data was held against a mutant of a program.
    MutantFinished(Box<MutantFinished>),
    /// A mutant that survives was hunted.
    SurvivorHunted(Box<SurvivorHunted>),
    /// The strength of a package's data was measured.
    StrengthFinished(Box<StrengthFinished>),
    /// The run is over.
    RunFinished(RunFinished),
}

/// See [`Event::RunStarted`].
#[derive(Clone, Debug, Default)]
pub struct RunStarted {
    /// The package, or what else the run is about.
    pub package: String,
    /// How many programs run at a time.
    pub jobs: usize,
    /// The seed, where there is any chance in the run.
    pub seed: Option<u64>,
    /// What the sandbox enforces; `None` where no program is run.
    pub sandbox: Option<Enforcement>,
    /// How many times a submission meets a test case, at most.
    pub planned: usize,
    /// CPU time per test case; `None` where no program is run.
    pub time_limit: Option<TimeLimit>,
    /// Memory; `None` where no program is run.
    pub memory_limit_bytes: Option<u64>,
    /// How many submissions there are, those of other parts, too; `None` where none are graded.
    pub submissions: Option<usize>,
    /// Which part of them is judged; `None` if all are.
    pub partition: Option<Partition>,
    /// A digest of the names of all submissions in their order; `None` where none are graded. It is the same in all
    /// parts of one run.
    pub submissions_digest: Option<String>,
    /// A digest of the test cases, by name and size, and of the options that say how to judge on them.
    pub cases_digest: Option<String>,
    /// A digest of what a measured time limit follows from; `None` for one that is stated.
    pub time_limit_basis: Option<String>,
    /// Whether verdicts are declared of any submission. It goes into no report for programs: each submission tells.
    pub has_declared: bool,
}

/// See [`Event::BuildFinished`].
#[derive(Clone, Debug)]
pub struct BuildFinished {
    /// The submission.
    pub submission: String,
    /// Its language's name for people.
    pub language: String,
    /// Whether it can be run now.
    pub ok: bool,
    /// How long that took.
    pub seconds: f64,
    /// Whether what its compiler made was there already.
    pub cached: bool,
    /// The compilers and interpreters of its language, where it matters what results are of.
    pub tools: Vec<ToolFound>,
    /// What the compiler said, cut.
    pub message: Option<String>,
}

/// See [`Event::SubmissionSkipped`].
#[derive(Clone, Debug)]
pub struct SubmissionSkipped {
    /// The submission.
    pub submission: String,
    /// Why it is not judged, and what to do.
    pub reason: String,
}

/// See [`Event::CaseFinished`].
#[derive(Clone, Debug)]
pub struct CaseFinished {
    /// The submission.
    pub submission: String,
    /// The test case.
    pub case: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The score; `None` where cases have none.
    pub score: Option<Score>,
    /// What the validator wrote of a score, before it is known what that means.
    pub given: Given,
    /// CPU time; `None` if nothing ran.
    pub cpu_seconds: Option<f64>,
    /// Wall time; `None` if nothing ran.
    pub wall_seconds: Option<f64>,
    /// CPU time of all measurements that count, where there was more than one; the smallest is that of the result.
    pub cpu_seconds_all: Option<Vec<f64>>,
    /// Whether the CPU time is close to the limit, on either side: from 0.8 to 1.25 times as much, when it was measured
    /// first. `None` if nothing was run.
    pub close: Option<bool>,
    /// Peak memory; `None` if unknown.
    pub memory_bytes: Option<u64>,
    /// The exit code, if it exited.
    pub exit_code: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// Why the verdict is what it is.
    pub message: Option<String>,
    /// How many times the submission was run; `None` where the problem has one run for each case.
    pub passes: Option<u32>,
    /// What the output validator has to say to the submission's author.
    pub team_message: Option<String>,
    /// A hash (BLAKE3) of what it wrote to standard output; `None` if nothing ran. It goes into no report.
    pub output_hash: Option<[u8; 32]>,
    /// What the result is of: the program, the input and everything else that it depends on, in one number, as text.
    /// `None` where nobody asked, or it cannot be told.
    pub key: Option<String>,
    /// Whether an earlier run has found that, and nothing was run now.
    pub cached: bool,
    /// What to show of a case that was not accepted.
    pub exhibit: Option<Box<Exhibit>>,
}

impl CaseFinished {
    /// Whether it was ended for its time, so that nobody knows how long it takes. One that came to its end a little
    /// after the time limit was not.
    pub fn was_cut_short(&self) -> bool {
        self.verdict == Verdict::TimeLimitExceeded && self.exit_code.is_none()
    }
}

/// The texts of a case that was not accepted, each cut to a bound.
#[derive(Clone, Debug, Default)]
pub struct Exhibit {
    /// What the case tests, in the package's words.
    pub description: Option<String>,
    /// The input.
    pub input: Excerpt,
    /// The answer.
    pub expected: Excerpt,
    /// The submission's standard output.
    pub output: Excerpt,
    /// The submission's standard error.
    pub stderr: Excerpt,
    /// The last that the submission and the output validator said to each other; `None` where they do not talk.
    pub exchanges: Option<Vec<Exchange>>,
}

/// Something that one side said before the other said anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// Whether the submission said it, else the output validator.
    pub by_submission: bool,
    /// When, since the start of the run.
    pub at: Duration,
    /// Its beginning.
    pub bytes: Vec<u8>,
    /// How many bytes it has in all.
    pub whole_bytes: u64,
}

/// The part of a text around the place that matters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The number of the first line kept, from 1.
    pub first_line: usize,
    /// The bytes kept.
    pub bytes: Vec<u8>,
    /// How many bytes the whole text has.
    pub whole_bytes: usize,
}

impl Excerpt {
    /// The bytes, if they are the whole text.
    pub fn whole(&self) -> Option<&[u8]> {
        (self.first_line == 1 && self.bytes.len() == self.whole_bytes).then_some(self.bytes.as_slice())
    }
}

/// See [`Event::GroupFinished`].
#[derive(Clone, Debug)]
pub struct GroupFinished {
    /// The submission.
    pub submission: String,
    /// The group's path below `data/`.
    pub group: String,
    /// The verdict; `None` if none of its cases counts, or the judge failed and nobody knows.
    pub verdict: Option<Verdict>,
    /// The score; `None` where the group has none, or the judge failed and nobody knows.
    pub score: Option<Score>,
    /// The largest score it can have, or the smallest where that is best; `None` if there is no such end.
    pub max_score: Option<Score>,
    /// How many of its cases count.
    pub cases_run: usize,
    /// How many do not: they could not change anything, or the group is not run after what another one got. Where all
    /// cases are run regardless, they were run in vain.
    pub cases_skipped: usize,
}

/// See [`Event::SubmissionFinished`].
#[derive(Clone, Debug)]
pub struct SubmissionFinished {
    /// The submission.
    pub submission: String,
    /// Its language's name for people.
    pub language: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The score; `None` where the problem has none, or nobody knows: of some of the cases, or after a judge error.
    pub score: Option<Score>,
    /// The best score there is; `None` if there is no such end.
    pub max_score: Option<Score>,
    /// Why the judge failed, where no case says it.
    pub message: Option<String>,
    /// The verdicts of which it must get one, as declared; `None` where nothing is declared.
    pub expected: Option<Vec<String>>,
    /// Whether it did as declared; `None` where nothing is declared, or the judge failed and nobody knows.
    pub as_expected: Option<bool>,
    /// Whether it ended as expected: as declared, or accepted where nothing is declared. A jury's program of which
    /// nothing is declared may end in any way.
    pub as_wanted: bool,
    /// The rules it broke.
    pub breaches: Vec<Breach>,
    /// On how many cases it was judged.
    pub cases_run: usize,
    /// On how many of them it was not accepted.
    pub cases_failed: usize,
    /// On how many others it was not judged, because they could not matter any more, or it could not be run.
    pub cases_skipped: usize,
    /// The first case on which it was not accepted.
    pub first_failing_case: Option<String>,
    /// The largest CPU time over the cases.
    pub cpu_seconds_max: Option<f64>,
    /// The largest peak memory over the cases.
    pub memory_bytes_max: Option<u64>,
}

/// See [`Event::CrosscheckFinished`].
#[derive(Clone, Debug)]
pub struct CrosscheckFinished {
    /// The puzzle.
    pub puzzle: String,
    /// On which boards.
    pub scope: Scope,
    /// The solvers compared.
    pub solvers: Vec<String>,
    /// How many boards were compared.
    pub boards: u64,
    /// On how many of them something was wrong.
    pub disagreements: u64,
    /// How many boards have which answer.
    pub histogram: BTreeMap<String, u64>,
    /// How many answers' moves were replayed to the goal.
    pub moves_replayed: u64,
    /// How many answers were proved the best by their certificate.
    pub bounds_proved: u64,
    /// By solver: how many boards it does not serve.
    pub declined: BTreeMap<String, u64>,
    /// The smallest board found on which something is wrong.
    pub smallest: Option<Counterexample>,
    /// How long it took.
    pub seconds: f64,
}

/// The boards of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The bundled package's inputs and random boards of every kind.
    Sampled,
    /// Everything there is, or what the puzzle's argument says stands for it.
    Exhaustive,
}

/// A board on which solvers do not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The board, as the package writes it.
    pub input: String,
    /// What is wrong.
    pub reason: String,
    /// Each solver's answer.
    pub answers: Vec<(String, String)>,
}

/// See [`Event::RunFinished`].
#[derive(Clone, Debug)]
pub struct RunFinished {
    /// Whether everything ended as expected.
    pub as_wanted: bool,
    /// How many submissions were judged.
    pub submissions: usize,
    /// How many were found and not judged.
    pub skipped: usize,
    /// How many of these were asked for by name.
    pub unjudged: usize,
    /// How many times a submission was run on a case.
    pub cases_run: usize,
    /// How long it took.
    pub wall_seconds: f64,
}
