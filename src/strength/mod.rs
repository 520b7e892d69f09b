//! How strong a package's test data is: which mistakes it does not notice.
//!
//! Mutation analysis (DeMillo, Lipton and Sayward, "Hints on Test Data Selection", 1978): every program of the package
//! that is right is changed in one place, as somebody might have got it wrong ([`mutate`], [`mutants`]), and held
//! against the data ([`against`]): an accepted submission against the test cases, a validator against the tests of
//! validators. What the data does not tell from the program survives. Of mutants that the compiler makes the same of
//! there is nothing to learn, and they are dropped (trivial compiler equivalence: Papadakis and others, ICSE 2015).
//!
//! A survivor is either equivalent to the program, or the data lacks a case. So it is hunted: a find is a test case
//! that nobody wrote. For the others the package may give a reason ([`declared`]), and nobody looks again. What kills
//! what says which cases are needed ([`cover`], [`tally`]).
//!
//! [`measuring`] is the way of all mutants. [`crew`] has all cores work, and tells everything in its order: the same
//! package, version and seed give the same report, whatever the number of jobs is, as far as hunts are not ended by the
//! clock.

mod against;
mod copies;
mod cover;
mod crew;
mod declared;
mod measuring;
mod mutants;
mod mutate;
mod subject;
mod tally;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use against::submissions::Cases;
use against::validators::{Validators, alone};
use measuring::Measuring;
use subject::{Role, Subject};

use crate::event::{Event, StrengthFinished};
use crate::hunt;
use crate::judge::{JudgeError, Settings, settings_of_rows};
use crate::package::{Findings, Package};
use crate::toolchain;

/// What to measure, and how.
pub struct Strength<'a> {
    /// The package.
    pub package: &'a Package,
    /// What the user calls it.
    pub given: &'a Path,
    /// How to judge.
    pub settings: &'a Settings,
    /// The seed of everything that is drawn.
    pub seed: u64,
    /// So many mutants at most, drawn by the seed.
    pub most: Option<usize>,
    /// Which programs are changed, by their names.
    pub wants: &'a (dyn Fn(&str) -> bool + Sync),
    /// How many cases are run on a mutant that is killed.
    pub rigour: Rigour,
    /// For how long each survivor is hunted, if it is.
    pub time: Option<Duration>,
    /// Whether mutants are hunted that the package declares equivalent.
    pub doubts: bool,
    /// The folder of the package that finds are written to.
    pub add: Option<PathBuf>,
}

/// How many cases are run on a mutant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rigour {
    /// No more once it is killed.
    UntilKilled,
    /// Until several have killed it: then it is not the one that needs some case.
    #[default]
    Some,
    /// All of them.
    All,
}

impl Rigour {
    /// After so many kills nothing more is run.
    fn most_kills(self) -> usize {
        match self {
            Rigour::UntilKilled => 1,
            Rigour::Some => 3,
            Rigour::All => usize::MAX,
        }
    }
}

/// How far it has come, and whether to go on.
pub trait Watch: hunt::Watch {
    /// So many of all mutants were held against the data, and so many of these survive.
    fn mutants(&self, done: usize, all: usize, survivors: usize);
    /// This one of all survivors is hunted.
    fn survivor(&self, number: usize, all: usize, name: &str);
}

/// Nothing could be measured.
#[derive(Debug, thiserror::Error)]
pub enum StrengthError {
    /// The judge failed, or the package cannot be used.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// What the package says of equivalent mutants cannot be read.
    #[error("{0}")]
    Declarations(Findings),
    /// There is no program to change.
    #[error("there is no program here that could be changed{0}")]
    NothingToChange(String),
}

/// The programs of a package that are changed, if their language is known: accepted submissions and validators.
pub fn names(package: &Package) -> Vec<String> {
    subject::names(package)
}

/// Measures, and tells `report` of everything in its order.
pub fn strength(
    strength: &Strength<'_>,
    watch: &dyn Watch,
    report: &mut dyn FnMut(Event),
) -> Result<StrengthFinished, StrengthError> {
    let started = Instant::now();
    let package = strength.package;
    let (declared, findings) = declared::read(package, strength.given).map_err(StrengthError::Declarations)?;
    let mut remarks: Vec<_> = findings.iter().map(ToString::to_string).collect();
    let found = subject::subjects(package, strength.settings)?;
    remarks.extend(found.remarks);
    let of_rows = settings_of_rows(strength.settings);
    let mut cases = Cases::open(package, strength.settings, &of_rows, strength.rigour)?;
    let wanted: Vec<&Subject> = found.subjects.iter().filter(|subject| (strength.wants)(&subject.name)).collect();
    let submissions: Vec<_> = wanted.iter().copied().filter(|subject| subject.role == Role::Submission).collect();
    cases.look_at(&submissions, &|| watch.stop())?;
    let alone = alone(package, &wanted);
    let mut validators = Validators::open(package, strength.settings, &of_rows, strength.rigour == Rigour::UntilKilled);
    for one in &alone {
        validators.look_at(one)?;
    }
    let (cases, validators) = (&cases, &validators);
    let measuring = Measuring { strength, subjects: &found.subjects, cases, validators, declared: &declared, watch };
    let (able, troubles): (Vec<_>, Vec<_>) =
        wanted.into_iter().partition(|subject| measuring.against(subject).trouble(subject).is_none());
    remarks.extend(troubles.into_iter().filter_map(|subject| measuring.against(subject).trouble(subject)));
    if able.is_empty() {
        return Err(StrengthError::NothingToChange(lines(&remarks)));
    }
    let names: BTreeSet<&str> = able.iter().map(|subject| subject.name.as_str()).collect();
    let mut finished = measuring.all(&names, report).map_err(|error| match error {
        StrengthError::NothingToChange(why) => StrengthError::NothingToChange(format!("{}{why}", lines(&remarks))),
        error => error,
    })?;
    finished.remarks.splice(0..0, remarks);
    finished.remarks.extend(validators.abort_remarks());
    finished.tools = toolchain::each_once(able.iter().flat_map(|subject| &subject.tools));
    finished.seconds = started.elapsed().as_secs_f64();
    Ok(finished)
}

/// Each on a line of its own, behind what is said before.
fn lines(remarks: &[String]) -> String {
    let lines: Vec<_> = std::iter::once("").chain(remarks.iter().map(String::as_str)).collect();
    lines.join("\n")
}
