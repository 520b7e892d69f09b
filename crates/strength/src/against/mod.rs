//! Runs mutants on the data: mutants of submissions on the package's test cases, mutants of validators on their tests.

pub(super) mod submissions;
pub(super) mod validators;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::metamutant::{Draft, Metamutant};
use super::mutants::Mutant;
use super::subject::Subject;
use referee_event::SurvivorHunted;
use referee_grading::verdict::Verdict;
use referee_hunt as hunt;
use referee_judge::{Digest, JudgeError, RunCounts};

/// The tests that mutants are run on: test cases, or tests of validators.
pub(super) trait MutantTests: Sync {
    /// Returns a remark that says why the program is not mutated; `None` if the program is mutated.
    fn why_not_mutated(&self, subject: &Subject) -> Option<String>;

    /// Compiles mutants of the program together, if its language can do that. Each mutant is given with the path of
    /// its sources now and when it is run.
    fn compile_together(&self, subject: &Subject, paths: &[(&Path, PathBuf)]) -> Result<(), JudgeError>;

    /// Compiles the metamutant in `folder`. Returns `None` if it cannot be used.
    fn compile_metamutant(
        &self,
        subject: &Subject,
        draft: &Draft<'_>,
        folder: &Path,
    ) -> Result<Option<Metamutant>, JudgeError>;

    /// Runs a mutant, whose sources are at `path`, on the tests. A mutant that compiles to the same code as the program
    /// or as an earlier mutant is not run.
    fn run(&self, subject: &Subject, mutant: &Mutant, path: &Path, calls: &Calls<'_>) -> Result<Outcome, JudgeError>;

    /// Runs the mutant on the tests that were found for other survivors. Returns `None` if none of these tests kills
    /// it.
    fn run_on_finds(
        &self,
        subject: &Subject,
        mutant: &Mutant,
        path: &Path,
        quest: &Quest<'_>,
    ) -> Result<Option<SurvivorHunted>, JudgeError>;

    /// Searches for a test on which the mutant and the unchanged program get different results.
    fn hunt(
        &self,
        subject: &Subject,
        mutant: &Mutant,
        path: &Path,
        quest: &Quest<'_>,
    ) -> Result<SurvivorHunted, JudgeError>;
}

/// The functions that a run of a mutant calls while it compiles the mutant.
#[derive(Clone, Copy)]
pub(super) struct Calls<'a> {
    /// Called before the mutant is compiled. Returns the metamutant that was compiled for the mutant's group; `None` if
    /// there is none. Fails if the judge fails.
    pub(super) before_compiling: &'a dyn Fn() -> Result<Option<Arc<Metamutant>>, JudgeError>,
    /// Identifies the metamutant of the mutant's group before it is compiled; `None` if there is none.
    pub(super) metamutant: Option<Digest>,
    /// Whether the package declares the mutant equivalent to the program. If it then survives in a metamutant, nothing
    /// more is done to find out whether it is the same code.
    pub(super) is_declared: bool,
    /// Called with the code that the mutant compiles to. Returns the number of an earlier mutant with the same code;
    /// `None` if no such mutant is known.
    pub(super) earlier: &'a dyn Fn(Digest) -> Option<usize>,
}

/// The settings of a search for a test that kills a survivor.
#[derive(Clone, Copy)]
pub(super) struct Quest<'a> {
    /// The time limit of the search.
    pub(super) time: Duration,
    pub(super) seed: u64,
    pub(super) jobs: usize,
    /// The folder for new test cases that kill mutants of submissions; `None` if no new tests are written.
    pub(super) add: Option<&'a Path>,
    pub(super) watch: &'a dyn hunt::Watch,
    /// Recognises packages of known puzzles; the hunt generates boards for them.
    pub(super) answer_key: &'static dyn hunt::AnswerKey,
}

/// The result of running a mutant on the data.
pub(super) struct Outcome {
    /// The result of compiling the mutant. If it is different code and was only compiled in a metamutant, the digest is
    /// that of its code there.
    pub(super) compiled: Compiled,
    /// The digest of its code in a metamutant; `None` if it was not run there.
    pub(super) in_metamutant: Option<Digest>,
    /// One result per test, in the order of the tests; empty if the mutant was not run.
    pub(super) cells: Vec<Cell>,
    /// The first test that kills the mutant; `None` if no test does.
    pub(super) first: Option<Kill>,
    /// The reason why the mutant could not be run, or why the judge failed on a test; `None` if neither happened.
    pub(super) unjudged: Option<String>,
    /// Whether all results were read from the cache.
    pub(super) cached: bool,
    /// How the results on test cases were found; zeros for mutants of validators.
    pub(super) counts: RunCounts,
}

/// The result of compiling a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compiled {
    /// The mutant does not compile.
    Failed,
    /// The mutant compiles to the same code as the program.
    Same,
    /// The mutant compiles to different code, with this digest.
    Different(Digest),
    /// The mutant was not compiled.
    Unknown,
}

/// The result of one test on a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// The test was not run, its result could not be judged, or its result may be due to chance.
    Unknown,
    /// The mutant and the program get the same verdict and score on the test.
    Spares,
    /// The mutant and the program get different verdicts or scores on the test.
    Kills,
}

/// A test that kills a mutant, and the mutant's verdict on it.
#[derive(Clone, Debug)]
pub(super) struct Kill {
    pub(super) case: String,
    pub(super) verdict: Verdict,
    pub(super) message: Option<String>,
}

impl Outcome {
    /// Returns the outcome of a mutant that was not run.
    pub(super) fn without_a_run(compiled: Compiled) -> Outcome {
        let counts = RunCounts::default();
        let (in_metamutant, cells) = (None, Vec::new());
        Outcome { compiled, in_metamutant, cells, first: None, unjudged: None, cached: false, counts }
    }

    /// Returns the outcome of a mutant that was not run, because an earlier mutant compiles to the same code.
    pub(super) fn repeated(product: Digest, earlier: usize) -> Outcome {
        // This reason is reported only if the earlier mutant has no result.
        let unjudged = format!("not run, because mutant {earlier} compiles to the same code, but it has no result");
        Outcome { unjudged: Some(unjudged), ..Outcome::without_a_run(Compiled::Different(product)) }
    }

    /// Returns how many tests kill the mutant; `None` if the result of some test is unknown.
    pub(super) fn kill_count(&self) -> Option<usize> {
        let is_complete = !self.cells.contains(&Cell::Unknown);
        is_complete.then(|| self.cells.iter().filter(|cell| **cell == Cell::Kills).count())
    }
}

/// Returns the report of a survivor that was not hunted, or for which the hunt found no test.
fn no_find(mutant: &Mutant, subject: &Subject) -> SurvivorHunted {
    SurvivorHunted { number: mutant.number, program: subject.name.clone(), ..SurvivorHunted::default() }
}

/// Returns the most informative line of a compiler's message: the first one that names an error, else the first line.
fn telling_line(text: &str) -> &str {
    let is_telling = |line: &&str| {
        let line = line.to_ascii_lowercase();
        ["error", "undefined", "cannot"].iter().any(|word| line.contains(word))
    };
    text.lines().find(is_telling).or_else(|| text.lines().next()).unwrap_or_default().trim()
}

/// Returns the name of a new test case or validator test. It contains the program, line and operator of the mutant that
/// the test kills: `mutant-two_halves-33-boundary`.
fn find_name(subject: &Subject, mutant: &Mutant) -> String {
    let path = subject.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' };
    let stem: String = path.chars().map(plain).take(40).collect();
    format!("mutant-{stem}-{}-{}", mutant.mutation.line, mutant.mutation.operator.name())
}
