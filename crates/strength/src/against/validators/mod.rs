//! Runs mutants of validators on the tests of validators. A surviving mutant shows a wrong answer or an illegal input
//! that the tests would not notice.
//!
//! The unchanged validator decides which ruling is correct ([`original`]). The tests ([`validator_cases`]) are the
//! package's answers, inputs and folders of validator tests. A test kills a mutant whose ruling differs. `JE` is a
//! ruling, too: a judge notices a validator that crashes or runs out of time.
//!
//! Survivors are hunted ([`field`]): the hunt looks for an output or an input ([`question`]) on which mutant and
//! validator disagree. Candidates are the package's files and the outputs of its submissions ([`seeds`]), and small
//! changes of those ([`edits`]). A find becomes a validator test ([`add`]).
//!
//! Output validators that communicate with submissions are not mutated: their tests would be whole conversations.

mod add;
mod edits;
mod field;
mod original;
mod question;
mod seeds;
mod validator_cases;
mod validator_runner;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::{Against, Cell, Kill, Made, Outcome, Quest, nothing};
use crate::mutants::Mutant;
use crate::subject::{Role, Subject};
use field::Field;
use original::Original;
use question::Question;
use referee_event::SurvivorHunted;
use referee_grading::verdict::Verdict;
use referee_hunt::input_source::{Failure, Kind};
use referee_hunt::search::{Find, Search, Searched};
use referee_hunt::shrink::{Shrink, Shrunk};
use referee_judge::{JudgeError, Settings};
use referee_package::Package;
use validator_runner::Panel;

/// A copy of the package in which one validator is the only one of its kind.
pub(crate) struct Alone<'a> {
    pub(crate) subject: &'a Subject,
    package: Package,
}

/// Returns the validators among `subjects`. Each has a copy of the package in which it is the only validator of its
/// kind.
pub(crate) fn alone<'a>(package: &Package, subjects: &[&'a Subject]) -> Vec<Alone<'a>> {
    let validators = subjects.iter().filter(|subject| subject.role != Role::Submission);
    validators.map(|subject| Alone { subject, package: subject.package_with(package, subject.path.clone()) }).collect()
}

/// The tests of a package's validators, and the results of the unchanged validators.
pub(crate) struct Validators<'a> {
    package: &'a Package,
    settings: &'a Settings,
    of_mutants: &'a Settings,
    until_killed: bool,
    /// The unchanged validators by name; the error says why a validator cannot be mutated.
    originals: BTreeMap<String, Result<Original<'a>, String>>,
    /// The finds for earlier survivors: the validator's name, the survivor's number and the find.
    finds: Mutex<Vec<(String, usize, Question)>>,
}

/// The maximum number of failures of a mutant. After that, it is not run on more tests: each failure may take the full
/// time limit.
const MOST_FAILURES: usize = 2;

/// How many more candidates are tried when the first find is not of the preferred kind.
const SECOND_LOOK: u64 = 600;

impl<'a> Validators<'a> {
    pub(crate) fn open(
        package: &'a Package,
        settings: &'a Settings,
        of_mutants: &'a Settings,
        until_killed: bool,
    ) -> Self {
        let (originals, finds) = (BTreeMap::new(), Mutex::new(Vec::new()));
        Validators { package, settings, of_mutants, until_killed, originals, finds }
    }

    /// Runs an unchanged validator on its tests and stores its rulings.
    pub(crate) fn look_at(&mut self, alone: &'a Alone<'a>) -> Result<(), JudgeError> {
        let original = Original::look_at(alone.subject, &alone.package, self.of_mutants)?;
        self.originals.insert(alone.subject.name.clone(), original);
        Ok(())
    }

    /// Returns a remark for each validator that aborted and whose aborts were counted as rejections.
    pub(crate) fn abort_remarks(&self) -> Vec<String> {
        self.originals.values().flatten().flat_map(Original::abort_remarks).collect()
    }

    fn original(&self, subject: &Subject) -> Option<&Original<'a>> {
        self.originals.get(&subject.name)?.as_ref().ok()
    }

    /// Runs a mutant on the tests, and adds the results to `outcome`.
    fn hold(&self, original: &Original<'_>, panel: &Panel<'_>, mut outcome: Outcome) -> Result<Outcome, JudgeError> {
        outcome.cells = vec![Cell::Unknown; original.tests.len()];
        let mut failures = 0;
        for (index, (test, truth)) in original.tests.iter().zip(&original.truth).enumerate() {
            let ruling = panel.ask(&test.case, test.output().as_deref())?;
            let is_failure = ruling.verdict == Verdict::JudgeError;
            // The cause may be outside the mutant: if the unchanged validator also fails now, the result is unknown.
            if is_failure && failures == 0 && original.ask(&test.case, test.output().as_deref())?.verdict != *truth {
                outcome.unjudged = ruling.message;
                break;
            }
            if ruling.verdict == *truth {
                outcome.cells[index] = Cell::Spares;
                continue;
            }
            outcome.cells[index] = Cell::Kills;
            failures += usize::from(is_failure);
            let kill = Kill { case: test.case.name.clone(), verdict: ruling.verdict, message: ruling.message };
            outcome.first.get_or_insert(kill);
            if self.until_killed || failures == MOST_FAILURES {
                break;
            }
        }
        Ok(outcome)
    }

    /// Calls `go` with a [`Field`] that compares the mutant with its validator. The inner error says why they cannot be
    /// compared.
    fn on_field<T>(
        &self,
        subject: &Subject,
        path: &Path,
        quest: &Quest<'_>,
        go: impl FnOnce(&mut Field<'_, '_>) -> Result<T, JudgeError>,
    ) -> Result<Result<T, String>, JudgeError> {
        let Some(original) = self.original(subject) else { return Ok(Err("the right answer is unknown".to_owned())) };
        let changed = subject.package_with(self.package, path.to_path_buf());
        let panel = match Panel::open(subject, &changed, &original.settings)? {
            Ok(panel) => panel,
            Err(reason) => return Ok(Err(reason)),
        };
        let stock = original.stock(subject, self.package, self.settings)?;
        if stock.texts.is_empty() {
            return Ok(Err("the package has no text for this validator that is short enough to change".to_owned()));
        }
        go(&mut Field { original, mutant: &panel, stock, seed: quest.seed, end: None }).map(Ok)
    }

    /// Tries the finds of earlier survivors on this mutant. Returns its report, or `None` if no find kills it.
    fn earlier_find(
        &self,
        field: &Field<'_, '_>,
        subject: &Subject,
        mutant: &Mutant,
        quest: &Quest<'_>,
    ) -> Result<Option<SurvivorHunted>, JudgeError> {
        let finds = self.finds.lock().unwrap_or_else(PoisonError::into_inner);
        for (program, number, question) in finds.iter() {
            if quest.watch.stop() {
                return Err(JudgeError::Interrupted);
            }
            if *program == subject.name
                && let Some(failure) = field.disagreement(question)?
            {
                let find = Find { candidate: question.clone(), failure };
                let told = told(field, &find, subject, nothing(mutant, subject));
                return Ok(Some(SurvivorHunted { by_find_of: Some(*number), tried: 1, ..told }));
            }
        }
        Ok(None)
    }

    /// Searches for a new question on which the mutant and the validator disagree, and writes it into the package on
    /// request.
    fn look(
        &self,
        field: &mut Field<'_, '_>,
        subject: &Subject,
        mutant: &Mutant,
        quest: &Quest<'_>,
    ) -> Result<SurvivorHunted, JudgeError> {
        let started = Instant::now();
        let (searched, shrunk) = look(field, quest)?;
        let nothing = nothing(mutant, subject);
        let mut told = match &shrunk {
            Some(shrunk) => told(field, &shrunk.find, subject, nothing),
            None => nothing,
        };
        (told.tried, told.unjudged) = (searched.tried, searched.unjudged);
        told.interrupted = searched.interrupted || shrunk.as_ref().is_some_and(|shrunk| shrunk.interrupted);
        told.seconds = started.elapsed().as_secs_f64();
        told.minimal = shrunk.as_ref().map(|shrunk| shrunk.minimal);
        told.remarks.extend(searched.first_unjudged.map(|reason| {
            format!("on {} of them the validator itself fails; on the first: {reason}", searched.unjudged)
        }));
        let Some(Shrunk { find, .. }) = shrunk else { return Ok(told) };
        if quest.add.is_some() {
            let added = add::add(self.package, subject, mutant, field, &find.candidate)?;
            told.written = added.written;
            told.remarks.extend(added.remark);
        }
        let mut finds = self.finds.lock().unwrap_or_else(PoisonError::into_inner);
        finds.push((subject.name.clone(), mutant.number, find.candidate));
        Ok(told)
    }
}

impl Against for Validators<'_> {
    fn trouble(&self, subject: &Subject) -> Option<String> {
        let reason = self.originals.get(&subject.name)?.as_ref().err()?;
        Some(format!("{} is not changed: {reason}", subject.name))
    }

    fn run(&self, subject: &Subject, _: &Mutant, path: &Path) -> Result<Outcome, JudgeError> {
        let Some(original) = self.original(subject) else { return Ok(Outcome::without_a_run(Made::Unknown)) };
        let changed = subject.package_with(self.package, path.to_path_buf());
        let Ok(panel) = Panel::open(subject, &changed, &original.settings)? else {
            return Ok(Outcome::without_a_run(Made::Nothing));
        };
        let product = panel.product(path)?;
        if product == original.product {
            return Ok(Outcome::without_a_run(Made::Same));
        }
        self.hold(original, &panel, Outcome::without_a_run(Made::Other(product)))
    }

    fn by_find(
        &self,
        subject: &Subject,
        mutant: &Mutant,
        path: &Path,
        quest: &Quest<'_>,
    ) -> Result<Option<SurvivorHunted>, JudgeError> {
        let killed = self.on_field(subject, path, quest, |field| self.earlier_find(field, subject, mutant, quest))?;
        Ok(killed.unwrap_or_default())
    }

    fn hunt(
        &self,
        subject: &Subject,
        mutant: &Mutant,
        path: &Path,
        quest: &Quest<'_>,
    ) -> Result<SurvivorHunted, JudgeError> {
        let hunted =
            self.on_field(subject, path, quest, |field| match self.earlier_find(field, subject, mutant, quest)? {
                Some(killed) => Ok(killed),
                None => self.look(field, subject, mutant, quest),
            })?;
        Ok(hunted.unwrap_or_else(|reason| SurvivorHunted { remarks: vec![reason], ..nothing(mutant, subject) }))
    }
}

/// Searches for a find and shrinks it. Prefers a find that the mutant accepts and the validator rejects.
fn look(
    field: &mut Field<'_, '_>,
    quest: &Quest<'_>,
) -> Result<(Searched<Question>, Option<Shrunk<Question>>), JudgeError> {
    let (jobs, watch, deadline) = (quest.jobs, quest.watch, Instant::now() + quest.time);
    let search = Search { jobs, wanted: None, past_disputes: false, from: 0, deadline, watch };
    let mut searched = search.run(field)?;
    let mut find = searched.find.take();
    if find.as_ref().is_some_and(|find| find.failure.kind != SLIPS_THROUGH) {
        let from = searched.number.map_or(0, |number| number + 1);
        field.end = Some(from + SECOND_LOOK);
        let second = Search { wanted: Some(Verdict::Accepted), from, ..search }.run(field)?;
        searched.tried += second.tried;
        searched.interrupted |= second.interrupted;
        find = second.find.or(find);
    }
    let shrink = Shrink { jobs, deadline, watch };
    let shrunk = find.map(|find| shrink.run(field, find)).transpose()?;
    Ok((searched, shrunk))
}

/// The mutant accepts something that the validator rejects.
const SLIPS_THROUGH: Kind = Kind::Program(Verdict::Accepted);

fn told(field: &Field<'_, '_>, find: &Find<Question>, subject: &Subject, nothing: SurvivorHunted) -> SurvivorHunted {
    let Failure { kind, message, .. } = &find.failure;
    let word = match kind {
        Kind::Program(Verdict::Accepted) => "accepts",
        Kind::Program(Verdict::WrongAnswer) => "rejects",
        _ => "fails",
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (asked, case) = (find.candidate.bytes(), &field.stock.likes[find.candidate.like]);
    let mut told = SurvivorHunted { killed: true, kind: Some(word.to_owned()), message: message.clone(), ..nothing };
    if subject.role == Role::InputValidator {
        told.input = Some(text(&asked));
    } else {
        told.input = Some(text(&seeds::read(&case.input).unwrap_or_default()));
        told.expected = Some(text(&seeds::read(&case.answer).unwrap_or_default()));
        told.got = Some(text(&asked));
        told.remarks.push(format!("the find is an output for {}", case.name));
    }
    told
}
