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
//! [`crew`] has all cores work, and tells everything in its order: the same package, version and seed give the same
//! report, whatever the number of jobs is, as far as hunts are not ended by the clock.

mod against;
mod copies;
mod cover;
mod crew;
mod declared;
mod mutants;
mod mutate;
mod subject;
mod tally;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use against::submissions::Cases;
use against::validators::{Validators, alone};
use against::{Against, Made, Outcome, Quest};
use declared::{Declared, Reason};
use mutants::{Change, Mutant};
use subject::{Role, Subject};
use tally::Tally;

use crate::event::{Event, MutantFate, MutantFinished, StrengthFinished};
use crate::hunt;
use crate::judge::{Digest, JudgeError, Settings, settings_of_rows};
use crate::package::{Findings, Package};
use crate::temporary;

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
    #[error("the package has no program that could be changed: {0}")]
    NothingToChange(String),
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
    for subject in wanted.iter().filter(|subject| subject.role == Role::Submission) {
        cases.look_at(subject)?;
    }
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
        return Err(StrengthError::NothingToChange(remarks.join("; ")));
    }
    let names: BTreeSet<&str> = able.iter().map(|subject| subject.name.as_str()).collect();
    let mut finished = measuring.all(&names, report)?;
    finished.remarks.splice(0..0, remarks);
    finished.seconds = started.elapsed().as_secs_f64();
    Ok(finished)
}

/// Everything that it is done with.
struct Measuring<'a> {
    strength: &'a Strength<'a>,
    subjects: &'a [Subject],
    cases: &'a Cases<'a>,
    validators: &'a Validators<'a>,
    declared: &'a Declared,
    watch: &'a dyn Watch,
}

/// A mutant that survives, and what the package says of it.
struct Survivor<'a> {
    mutant: &'a Mutant,
    reason: Option<Reason>,
}

/// What is known when all mutants were run.
struct Ran<'a> {
    tally: Tally,
    survivors: Vec<Survivor<'a>>,
    /// Declarations that some mutant is like.
    met: BTreeSet<usize>,
    is_whole: bool,
}

impl Measuring<'_> {
    fn against(&self, subject: &Subject) -> &dyn Against {
        match subject.role {
            Role::Submission => self.cases,
            Role::OutputValidator | Role::InputValidator => self.validators,
        }
    }

    /// All mutants of the programs with these names.
    fn all(&self, names: &BTreeSet<&str>, report: &mut dyn FnMut(Event)) -> Result<StrengthFinished, StrengthError> {
        let strength = self.strength;
        let is_wanted = |mutant: &Mutant| names.contains(self.subjects[mutant.subject].name.as_str());
        let changes: Vec<_> = mutants::all(self.subjects).into_iter().filter(is_wanted).collect();
        let count = changes.len();
        let drawn = mutants::sample(changes, strength.most.unwrap_or(usize::MAX), strength.seed);
        let is_sample = drawn.len() < count;
        let above = temporary::folder("mutants")
            .map_err(|source| JudgeError::System { doing: "making a temporary folder", source })?;
        let mut ran = self.run(&drawn, above.path(), report)?;
        let interrupted = !ran.is_whole || !self.hunt(&mut ran, above.path(), report)?;
        let cases: Vec<_> = strength.package.cases.iter().map(|case| case.name.clone()).collect();
        let mut finished = ran.tally.finish(&cases, strength.rigour != Rigour::UntilKilled);
        finished.package.clone_from(&strength.package.name);
        finished.seed = strength.seed;
        finished.changes = count;
        finished.is_sample = is_sample;
        finished.interrupted = interrupted;
        if !is_sample && !interrupted {
            let sources: BTreeSet<_> = drawn.iter().map(|mutant| self.file_of(mutant)).collect();
            finished.stale = self.declared.unmet(&|one| ran.met.contains(&one), &|file| sources.contains(file));
        }
        Ok(finished)
    }

    fn file_of(&self, mutant: &Mutant) -> String {
        self.subjects[mutant.subject].file_name(mutant.file)
    }

    fn run<'m>(&self, drawn: &'m [Mutant], above: &Path, report: &mut dyn FnMut(Event)) -> Result<Ran<'m>, JudgeError> {
        let mut ran = Ran { tally: Tally::default(), survivors: Vec::new(), met: BTreeSet::new(), is_whole: true };
        let mut products: HashMap<(usize, Digest), usize> = HashMap::new();
        let work = |mutant: &Mutant| {
            let subject = &self.subjects[mutant.subject];
            let copied = copies::copied(subject, mutant, above)?;
            self.against(subject).run(subject, mutant, &copied.path)
        };
        let tell = |index: usize, outcome: Outcome| {
            let mutant = &drawn[index];
            let same_as = match outcome.product {
                Made::Other(product) => {
                    let first = *products.entry((mutant.subject, product)).or_insert(mutant.number);
                    (first != mutant.number).then_some(first)
                }
                _ => None,
            };
            let (told, reason) = self.told(mutant, &outcome, same_as);
            ran.met.extend(reason.as_ref().map(|reason| reason.declaration));
            let of_submission = self.subjects[mutant.subject].role == Role::Submission;
            ran.tally.mutant(&told, of_submission.then_some(&outcome));
            if let (MutantFate::Killed, Some(reason)) = (told.fate, &reason) {
                ran.tally.wrongly_declared(contradiction(&told, reason));
            }
            if matches!(told.fate, MutantFate::Survived | MutantFate::Declared) {
                ran.survivors.push(Survivor { mutant, reason });
            }
            report(Event::MutantFinished(Box::new(told)));
            self.watch.mutants(index + 1, drawn.len(), ran.survivors.len());
        };
        let whole = crew::in_order(drawn, self.strength.settings.jobs, &|| self.watch.stop(), work, tell);
        ran.is_whole = match whole {
            Err(JudgeError::Interrupted) => false,
            whole => whole?,
        };
        Ok(ran)
    }

    /// What is told of a mutant, and what the package says of it.
    fn told(&self, mutant: &Mutant, outcome: &Outcome, same_as: Option<usize>) -> (MutantFinished, Option<Reason>) {
        let subject = &self.subjects[mutant.subject];
        let (mutation, text) = (&mutant.mutation, &subject.sources[mutant.file].text);
        let change = Change::of(mutation, text);
        let file = self.file_of(mutant);
        let reason = self.declared.of(&file, mutation.line, &change);
        let fate = fate(outcome, same_as.is_some(), reason.is_some());
        let is_open = matches!(fate, MutantFate::Survived | MutantFate::Declared | MutantFate::Unjudged);
        let first = outcome.first.as_ref().filter(|_| fate == MutantFate::Killed);
        let unjudged = outcome.unjudged.clone().filter(|_| fate == MutantFate::Unjudged);
        let told = MutantFinished {
            number: mutant.number,
            program: subject.name.clone(),
            role: subject.role.word().to_owned(),
            file,
            line: mutation.line,
            column: mutation.column,
            operator: mutation.operator.word().to_owned(),
            was: change.was,
            is: change.is,
            fate,
            cached: outcome.cached,
            same_as,
            case: first.map(|kill| kill.case.clone()),
            verdict: first.map(|kill| kill.verdict),
            message: first.and_then(|kill| kill.message.clone()).or(unjudged),
            killers: (!outcome.cells.is_empty() && same_as.is_none()).then(|| outcome.killers()).flatten(),
            diff: is_open.then(|| mutants::diff(mutation, text)),
            reason: reason.as_ref().filter(|_| fate == MutantFate::Declared).map(|reason| reason.because.clone()),
        };
        (told, reason)
    }

    /// Hunts the survivors. Whether it came to its end.
    fn hunt(&self, ran: &mut Ran<'_>, above: &Path, report: &mut dyn FnMut(Event)) -> Result<bool, JudgeError> {
        let strength = self.strength;
        let Some(time) = strength.time else { return Ok(true) };
        let (seed, jobs, add) = (strength.seed, strength.settings.jobs.max(1), strength.add.as_deref());
        let hunted: Vec<_> =
            ran.survivors.iter().filter(|survivor| survivor.reason.is_none() || strength.doubts).collect();
        for (index, Survivor { mutant, reason }) in hunted.iter().enumerate() {
            if self.watch.stop() {
                return Ok(false);
            }
            let subject = &self.subjects[mutant.subject];
            self.watch.survivor(index + 1, hunted.len(), &subject.name);
            let copied = copies::copied(subject, mutant, above)?;
            let quest = Quest { time, seed, jobs, add, watch: &Hunting(self.watch) };
            let found = match self.against(subject).hunt(subject, mutant, &copied.path, &quest) {
                Err(JudgeError::Interrupted) => return Ok(false),
                found => found?,
            };
            ran.tally.survivor(&found, reason.is_some());
            if let (true, Some(reason)) = (found.killed, reason) {
                ran.tally.wrongly_declared(format!("mutant {}: {}", mutant.number, reason.because));
            }
            let interrupted = found.interrupted;
            report(Event::SurvivorHunted(Box::new(found)));
            if interrupted {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The same eyes, for a single hunt.
struct Hunting<'a>(&'a dyn Watch);

impl hunt::Watch for Hunting<'_> {
    fn tried(&self, inputs: u64) {
        self.0.tried(inputs);
    }

    fn shrunk(&self, bytes: usize) {
        self.0.shrunk(bytes);
    }

    fn stop(&self) -> bool {
        self.0.stop()
    }
}

fn fate(outcome: &Outcome, is_like_another: bool, is_declared: bool) -> MutantFate {
    match outcome.product {
        Made::Nothing => MutantFate::NotCompiled,
        Made::Same => MutantFate::SameCode,
        _ if is_like_another => MutantFate::SameMutant,
        _ if outcome.first.is_some() => MutantFate::Killed,
        _ if outcome.unjudged.is_some() => MutantFate::Unjudged,
        _ if is_declared => MutantFate::Declared,
        _ => MutantFate::Survived,
    }
}

fn contradiction(told: &MutantFinished, reason: &Reason) -> String {
    let case = told.case.as_deref().unwrap_or_default();
    format!("{}:{}: {case} kills what is said to be equivalent: {}", told.file, told.line, reason.because)
}
