//! Measures how strong a package's test data is: which mistakes in programs the data does not reveal.
//!
//! The method is mutation analysis (DeMillo, Lipton and Sayward, "Hints on Test Data Selection", 1978). Each mutant is
//! a correct program of the package with one plausible mistake in it ([`mutate`], [`mutants`]). [`against`] runs
//! mutants of accepted submissions on the test cases, and mutants of validators on the tests of validators. A mutant
//! survives if it gets the same result as the original program on every test. A mutant that compiles to the same code
//! as the program or as another mutant shows nothing new. So it is not counted (trivial compiler equivalence: Papadakis
//! and others, ICSE 2015).
//!
//! A survivor is either equivalent to the program, or a test case is missing. So survivors are hunted: [`referee_hunt`]
//! searches for a new test that kills the survivor. If a survivor is equivalent, the package may declare it with a
//! reason ([`declared`]); by default, declared mutants are not hunted. [`cover`] and [`tally`] compute from the kills
//! which test cases are needed.
//!
//! [`measuring`] takes all mutants through these steps. Many mutants of a program in C++ are compiled at once
//! ([`metamutant`]). [`referee_judge::in_order`] spreads the work over all cores and reports results in order. The same
//! package, version and seed give the same report for any number of jobs, except where measured times decide: near a
//! limit, at the end of a hunt, and where test cases are divided into quick and slow ones.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod against;
mod copies;
mod cover;
mod declared;
mod measuring;
mod metamutant;
mod mutants;
mod mutate;
mod products;
mod subject;
mod tally;
mod together;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use against::submissions::Cases;
use against::validators::{Validators, sole_validators};
use measuring::Measuring;
use subject::{Role, Subject};

use referee_event::{Event, StrengthFinished};
use referee_hunt as hunt;
use referee_judge::{JudgeError, Settings, settings_of_mutants, toolchain};
use referee_package::{Findings, Package};

/// The settings of one strength measurement.
pub struct Strength<'a> {
    /// The package whose test data is measured.
    pub package: &'a Package,
    /// The path or name of the package, as the user gave it.
    pub path: &'a Path,
    /// The judge's settings.
    pub settings: &'a Settings,
    /// Recognises packages of known puzzles; the hunt generates boards for them.
    pub answer_key: &'static dyn hunt::AnswerKey,
    /// The seed of all random choices.
    pub seed: u64,
    /// The maximum number of mutants; if there are more, the seed decides which ones are measured. `None` measures all.
    pub max_mutants: Option<usize>,
    /// Returns whether the program with this name is mutated.
    pub is_wanted: &'a (dyn Fn(&str) -> bool + Sync),
    /// Decides when the judge stops running a mutant on further test cases.
    pub rigour: Rigour,
    /// Whether each mutant is compiled alone, and each of its runs has a process of its own.
    pub is_one_by_one: bool,
    /// The time limit for hunting each survivor; `None` if survivors are not hunted.
    pub time: Option<Duration>,
    /// Whether mutants that the package declares equivalent are hunted, too.
    pub hunt_declared: bool,
    /// The folder for new test cases that kill mutants of submissions. New tests that kill mutants of validators go to
    /// the package's folders of validator tests. `None` if new test cases and tests are reported but not written.
    pub add: Option<PathBuf>,
}

/// Decides when the judge stops running a mutant on further test cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rigour {
    /// Stops at the first test case that kills the mutant.
    UntilKilled,
    /// Stops after three test cases have killed the mutant, or one by an exceeded limit. The package could lose any two
    /// of the three and would still kill the mutant.
    #[default]
    Some,
    /// Runs all test cases, but stops after two of them have killed the mutant by an exceeded limit.
    All,
}

impl Rigour {
    /// Returns the number of kills after which a mutant is not run on further test cases.
    fn most_kills(self) -> usize {
        match self {
            Rigour::UntilKilled => 1,
            Rigour::Some => 3,
            Rigour::All => usize::MAX,
        }
    }

    /// Returns the number of kills by an exceeded limit after which a mutant is not run on further test cases. A run
    /// that exceeds a limit can take as long as hundreds of other runs.
    fn most_slow_kills(self) -> usize {
        match self {
            Rigour::UntilKilled | Rigour::Some => 1,
            Rigour::All => 2,
        }
    }
}

/// Receives the progress of a measurement, and decides whether it continues.
pub trait Watch: hunt::Watch {
    /// Reports that the judge has run `done` of `all` mutants on the data, and that `survivors` of these `done`
    /// survive.
    fn mutants(&self, done: usize, all: usize, survivors: usize);
    /// Reports that the hunt for survivor `number` of `all` begins. `name` is the name of the program from which the
    /// survivor was made.
    fn survivor(&self, number: usize, all: usize, name: &str);
}

/// The reason why nothing could be measured.
#[derive(Debug, thiserror::Error)]
pub enum StrengthError {
    /// The judge failed, or the package cannot be used.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The package's declarations of equivalent mutants cannot be read.
    #[error("{0}")]
    Declarations(Findings),
    /// The package has no program to mutate, or no change can be made to its programs. Contains the remarks that say
    /// why.
    #[error("the package has no program that can be mutated{0}")]
    NothingToChange(String),
}

/// Returns the names of the accepted submissions and the validators. They are mutated if their language is supported.
pub fn names(package: &Package) -> Vec<String> {
    subject::names(package)
}

/// Measures the package's strength and passes every event to `report`, in order.
pub fn strength(
    strength: &Strength<'_>,
    watch: &dyn Watch,
    report: &mut dyn FnMut(Event),
) -> Result<StrengthFinished, StrengthError> {
    let started = Instant::now();
    let package = strength.package;
    let (declared, findings) = declared::read(package, strength.path).map_err(StrengthError::Declarations)?;
    let mut remarks: Vec<_> = findings.iter().map(ToString::to_string).collect();
    let found = subject::subjects(package, strength.settings)?;
    remarks.extend(found.remarks);
    let of_mutants = Settings { warm: !strength.is_one_by_one, ..settings_of_mutants(strength.settings) };
    let mut cases = Cases::open(package, strength.settings, &of_mutants, (strength.rigour, strength.is_one_by_one))?;
    let wanted: Vec<&Subject> = found.subjects.iter().filter(|subject| (strength.is_wanted)(&subject.name)).collect();
    let submissions: Vec<_> = wanted.iter().copied().filter(|subject| subject.role == Role::Submission).collect();
    cases.run_originals(&submissions, &|| watch.stop())?;
    let sole_validators = sole_validators(package, &wanted);
    let mut validators = Validators::open(package, strength.settings, &of_mutants, strength.rigour);
    for one in &sole_validators {
        validators.run_original(one)?;
    }
    let (cases, validators) = (&cases, &validators);
    let measuring = Measuring { strength, subjects: &found.subjects, cases, validators, declared: &declared, watch };
    let (able, unable): (Vec<_>, Vec<_>) =
        wanted.into_iter().partition(|subject| measuring.tests_of(subject).why_not_mutated(subject).is_none());
    remarks.extend(unable.into_iter().filter_map(|subject| measuring.tests_of(subject).why_not_mutated(subject)));
    if able.is_empty() {
        return Err(StrengthError::NothingToChange(lines(&remarks)));
    }
    let names: BTreeSet<&str> = able.iter().map(|subject| subject.name.as_str()).collect();
    let mut finished = measuring.measure(&names, report).map_err(|error| match error {
        StrengthError::NothingToChange(why) => StrengthError::NothingToChange(format!("{}{why}", lines(&remarks))),
        error => error,
    })?;
    finished.remarks.splice(0..0, remarks);
    finished.remarks.extend(validators.abort_remarks());
    finished.tools = toolchain::each_once(able.iter().flat_map(|subject| &subject.tools));
    finished.seconds = started.elapsed().as_secs_f64();
    Ok(finished)
}

/// Joins remarks for appending to a message: each begins on a new line.
fn lines(remarks: &[String]) -> String {
    let lines: Vec<_> = std::iter::once("").chain(remarks.iter().map(String::as_str)).collect();
    lines.join("\n")
}

#[cfg(test)]
referee_judge::init_before_main!(referee_judge::SANDBOX);
