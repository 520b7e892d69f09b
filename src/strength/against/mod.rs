//! What mutants are held against: of a submission the package's test cases, of a validator its tests.

pub(super) mod submissions;
pub(super) mod validators;

use std::path::Path;
use std::time::Duration;

use super::mutants::Mutant;
use super::subject::Subject;
use crate::event::SurvivorHunted;
use crate::hunt;
use crate::judge::{Digest, JudgeError};
use crate::verdict::Verdict;

/// Something that mutants can be held against.
pub(super) trait Against: Sync {
    /// Why nothing is learnt of mutants of a program, if so.
    fn trouble(&self, subject: &Subject) -> Option<String>;

    /// Holds a mutant, whose sources are at `path`, against the data.
    fn run(&self, subject: &Subject, mutant: &Mutant, path: &Path) -> Result<Outcome, JudgeError>;

    /// Whether something that was found for another survivor tells this one from the program, too.
    fn by_find(
        &self,
        subject: &Subject,
        mutant: &Mutant,
        path: &Path,
        quest: &Quest<'_>,
    ) -> Result<Option<SurvivorHunted>, JudgeError>;

    /// Looks for something that tells a survivor from the program.
    fn hunt(
        &self,
        subject: &Subject,
        mutant: &Mutant,
        path: &Path,
        quest: &Quest<'_>,
    ) -> Result<SurvivorHunted, JudgeError>;
}

/// How to look.
#[derive(Clone, Copy)]
pub(super) struct Quest<'a> {
    pub(super) time: Duration,
    pub(super) seed: u64,
    pub(super) jobs: usize,
    /// The folder of the package that finds are written to, if they are.
    pub(super) add: Option<&'a Path>,
    pub(super) watch: &'a dyn hunt::Watch,
}

/// What came of holding a mutant against the data.
pub(super) struct Outcome {
    /// What the compiler made of it.
    pub(super) product: Made,
    /// By test case, or test of a validator.
    pub(super) cells: Vec<Cell>,
    /// The first that kills it.
    pub(super) first: Option<Kill>,
    /// Why nobody can tell, the first time that was so.
    pub(super) unjudged: Option<String>,
    /// Whether all of it is what earlier runs have found out.
    pub(super) cached: bool,
}

/// What a compiler made of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// Nothing.
    Nothing,
    /// The same as of the program.
    Same,
    /// Something else.
    Other(Digest),
    /// Nobody looked.
    Unknown,
}

/// What is known of a mutant and a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Nothing.
    Unknown,
    /// The test does not tell it from the program.
    Spares,
    /// It does.
    Kills,
}

/// How a mutant is killed.
#[derive(Clone, Debug)]
pub(super) struct Kill {
    pub(super) case: String,
    pub(super) verdict: Verdict,
    pub(super) message: Option<String>,
}

impl Outcome {
    /// Of a mutant that was not run.
    pub(super) fn without_a_run(product: Made) -> Outcome {
        Outcome { product, cells: Vec::new(), first: None, unjudged: None, cached: false }
    }

    /// How many tests kill it; `None` if not all were run.
    pub(super) fn killers(&self) -> Option<usize> {
        let is_whole = !self.cells.contains(&Cell::Unknown);
        is_whole.then(|| self.cells.iter().filter(|cell| **cell == Cell::Kills).count())
    }
}

/// Of a survivor for which nothing was found, nor looked for.
fn nothing(mutant: &Mutant, subject: &Subject) -> SurvivorHunted {
    SurvivorHunted { number: mutant.number, program: subject.name.clone(), ..SurvivorHunted::default() }
}

/// The line of a compiler's words that says most: the first one with an error in it.
fn telling_line(text: &str) -> &str {
    let is_telling = |line: &&str| {
        let line = line.to_ascii_lowercase();
        ["error", "undefined", "cannot"].iter().any(|word| line.contains(word))
    };
    text.lines().find(is_telling).or_else(|| text.lines().next()).unwrap_or_default().trim()
}

/// A name that tells what a case or test is for: `mutant-two_halves-33-boundary`.
fn name(subject: &Subject, mutant: &Mutant) -> String {
    let path = subject.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' };
    let stem: String = path.chars().map(plain).take(40).collect();
    format!("mutant-{stem}-{}-{}", mutant.mutation.line, mutant.mutation.operator.word())
}
