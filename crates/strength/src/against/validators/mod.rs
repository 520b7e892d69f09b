//! Runs mutants of validators on the tests of validators. A surviving mutant is an example of a mistake in the
//! validator that the tests would not reveal.
//!
//! The unchanged validator decides which ruling is correct ([`original`]). The tests ([`validator_cases`]) are the
//! package's inputs, its answers and its validator tests. A test kills a mutant if the mutant's ruling differs from the
//! validator's. A judge error (`JE`) counts as a ruling, too, because users notice if a validator crashes or runs out
//! of time.
//!
//! Survivors are hunted ([`question_source`]): the hunt looks for an output or an input ([`question`]) on which mutant
//! and validator disagree. Candidates are the package's files, the outputs of its submissions and junk ([`seeds`]), and
//! small changes of the package's files and outputs ([`edits`]). On request, the text that was found becomes a
//! validator test ([`add`]).
//!
//! Output validators that communicate with submissions are not mutated: a fixed output cannot test them, because each
//! test would be a dialogue.

mod add;
mod edits;
mod metamutants;
mod near;
mod original;
mod question;
mod question_source;
mod seeds;
mod validator_cases;
mod validator_runner;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::{Calls, Cell, Compiled, Kill, MutantTests, Outcome, Quest, no_find};
use crate::Rigour;
use crate::metamutant::{Draft, Metamutant};
use crate::mutants::{Change, Mutant};
use crate::subject::{Role, Subject};
use metamutants::ValidatorBuilder;
use original::Original;
use question::Question;
use question_source::QuestionSource;
use referee_event::SurvivorHunted;
use referee_grading::verdict::Verdict;
use referee_hunt::input_source::{Failure, Kind};
use referee_hunt::search::{Find, Search, Searched};
use referee_hunt::shrink::{Shrink, Shrunk};
use referee_judge::{Contained, Digest, JudgeError, Settings};
use referee_package::Package;
use validator_runner::ValidatorRunner;

/// A validator, and a copy of the package in which it is the only one of its kind.
pub(crate) struct SoleValidator<'a> {
    pub(crate) subject: &'a Subject,
    package: Package,
}

/// Returns the validators among `subjects`, each with its own copy of the package.
pub(crate) fn sole_validators<'a>(package: &Package, subjects: &[&'a Subject]) -> Vec<SoleValidator<'a>> {
    let validators = subjects.iter().filter(|subject| subject.role != Role::Submission);
    validators
        .map(|subject| SoleValidator { subject, package: subject.package_with(package, subject.path.clone()) })
        .collect()
}

/// The tests of a package's validators, and the results of the unchanged validators.
pub(crate) struct Validators<'a> {
    package: &'a Package,
    settings: &'a Settings,
    of_mutants: &'a Settings,
    rigour: Rigour,
    /// The unchanged validators, by name; the error says why the validator's mutants cannot be measured.
    originals: BTreeMap<String, Result<Original<'a>, String>>,
    /// The questions that were found for earlier survivors: the validator's name, the survivor's number and the
    /// question.
    finds: Mutex<Vec<(String, usize, Question)>>,
}

/// The number of judge errors after which a mutant is not run on more tests, because each failing run may take the full
/// time limit.
const MOST_FAILURES: usize = 2;

/// The hunt prefers a question that the mutant accepts and the unchanged validator rejects. If the first question that
/// it finds is of another kind, it tries up to this many further questions.
const SECOND_SEARCH: u64 = 600;

impl<'a> Validators<'a> {
    pub(crate) fn open(package: &'a Package, settings: &'a Settings, of_mutants: &'a Settings, rigour: Rigour) -> Self {
        let (originals, finds) = (BTreeMap::new(), Mutex::new(Vec::new()));
        Validators { package, settings, of_mutants, rigour, originals, finds }
    }

    /// Runs an unchanged validator on its tests and stores its rulings.
    pub(crate) fn run_original(&mut self, sole: &'a SoleValidator<'a>) -> Result<(), JudgeError> {
        let original = Original::run(sole.subject, &sole.package, self.of_mutants)?;
        self.originals.insert(sole.subject.name.clone(), original);
        Ok(())
    }

    /// Returns a remark for each input validator that aborted on an input. The remark tells the user that each abort
    /// counts as a rejection.
    pub(crate) fn abort_remarks(&self) -> Vec<String> {
        self.originals.values().flatten().flat_map(Original::abort_remarks).collect()
    }

    fn original(&self, subject: &Subject) -> Option<&Original<'a>> {
        self.originals.get(&subject.name)?.as_ref().ok()
    }

    /// Compiles a mutant alone and runs it on the tests.
    fn run_alone(
        &self,
        original: &Original<'_>,
        subject: &Subject,
        path: &Path,
        calls: &Calls<'_>,
    ) -> Result<Outcome, JudgeError> {
        let changed = subject.package_with(self.package, path.to_path_buf());
        let Ok(runner) = ValidatorRunner::open(subject, &changed, &original.settings)? else {
            return Ok(Outcome::without_a_run(Compiled::Failed));
        };
        self.run_if_new(original, &runner, runner.product(path)?, calls)
    }

    /// Runs a mutant on the tests, unless its code is that of the validator or of an earlier mutant. `product` is the
    /// digest of its code.
    fn run_if_new(
        &self,
        original: &Original<'_>,
        mutant: &ValidatorRunner<'_>,
        product: Digest,
        calls: &Calls<'_>,
    ) -> Result<Outcome, JudgeError> {
        if product == original.product {
            return Ok(Outcome::without_a_run(Compiled::Same));
        }
        if let Some(earlier) = (calls.earlier)(product) {
            return Ok(Outcome::repeated(product, earlier));
        }
        self.run_tests(original, mutant, Outcome::without_a_run(Compiled::Different(product)))
    }

    /// Runs a mutant on the tests, and adds the results to `outcome`.
    fn run_tests(
        &self,
        original: &Original<'_>,
        mutant: &ValidatorRunner<'_>,
        mut outcome: Outcome,
    ) -> Result<Outcome, JudgeError> {
        outcome.cells = vec![Cell::Unknown; original.tests.len()];
        let (mut kills, mut failures) = (0, 0);
        for (index, (test, truth)) in original.tests.iter().zip(&original.truth).enumerate() {
            let ruling = mutant.run(&test.case, test.output().as_deref())?;
            let is_failure = ruling.verdict == Verdict::JudgeError;
            // At the first failure of the mutant, runs the unchanged validator again. If it no longer gives its earlier
            // verdict, the cause is outside the mutant, and the result is unknown.
            if is_failure
                && failures == 0
                && original.run_on_test(&test.case, test.output().as_deref())?.verdict != *truth
            {
                outcome.unjudged = ruling.message;
                break;
            }
            if ruling.verdict == *truth {
                outcome.cells[index] = Cell::Spares;
                continue;
            }
            outcome.cells[index] = Cell::Kills;
            kills += 1;
            failures += usize::from(is_failure);
            let kill = Kill { case: test.case.name.to_string(), verdict: ruling.verdict, message: ruling.message };
            outcome.first.get_or_insert(kill);
            if kills >= self.rigour.most_kills() || failures == MOST_FAILURES {
                break;
            }
        }
        Ok(outcome)
    }

    /// Calls `work` with a [`QuestionSource`] that compares the mutant with the unchanged validator. The inner error
    /// says why they cannot be compared.
    fn with_questions<T>(
        &self,
        (subject, mutant): (&Subject, &Mutant),
        path: &Path,
        quest: &Quest<'_>,
        work: impl FnOnce(&mut QuestionSource<'_, '_>) -> Result<T, JudgeError>,
    ) -> Result<Result<T, String>, JudgeError> {
        let Some(original) = self.original(subject) else {
            return Ok(Err("the unchanged validator cannot be run".to_owned()));
        };
        let changed = subject.package_with(self.package, path.to_path_buf());
        let runner = match ValidatorRunner::open(subject, &changed, &original.settings)? {
            Ok(runner) => runner,
            Err(reason) => return Ok(Err(reason)),
        };
        let seeds = original.seeds(subject, self.package, self.settings)?;
        if seeds.texts.is_empty() {
            return Ok(Err(format!(
                "not hunted: this validator has no test case, or all its test cases have files larger than {} KiB",
                seeds::LONGEST >> 10
            )));
        }
        let change = Change::of(&mutant.mutation, &subject.sources[mutant.file].text);
        let near = near::near_numbers(&change.was, &change.is);
        work(&mut QuestionSource { original, mutant: &runner, seeds, seed: quest.seed, near, end: None }).map(Ok)
    }

    /// Runs this mutant on the questions that were found for earlier survivors of the same validator. Returns the
    /// mutant's report, or `None` if no question kills it.
    fn earlier_find(
        &self,
        questions: &QuestionSource<'_, '_>,
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
                && let Some(failure) = questions.disagreement(question)?
            {
                let find = Find { candidate: question.clone(), failure };
                let hunted = report(questions, &find, subject, no_find(mutant, subject));
                return Ok(Some(SurvivorHunted { by_find_of: Some(*number), tried: 1, ..hunted }));
            }
        }
        Ok(None)
    }

    /// Searches for a new question on which the mutant and the unchanged validator disagree, and writes it into the
    /// package if `quest.add` is set.
    fn hunt_new(
        &self,
        questions: &mut QuestionSource<'_, '_>,
        subject: &Subject,
        mutant: &Mutant,
        quest: &Quest<'_>,
    ) -> Result<SurvivorHunted, JudgeError> {
        let started = Instant::now();
        let (searched, shrunk) = search_and_shrink(questions, quest)?;
        let no_find = no_find(mutant, subject);
        let mut hunted = match &shrunk {
            Some(shrunk) => report(questions, &shrunk.find, subject, no_find),
            None => no_find,
        };
        (hunted.tried, hunted.unjudged) = (searched.tried, searched.unjudged);
        hunted.interrupted = searched.interrupted || shrunk.as_ref().is_some_and(|shrunk| shrunk.interrupted);
        hunted.seconds = started.elapsed().as_secs_f64();
        hunted.minimal = shrunk.as_ref().map(|shrunk| shrunk.minimal);
        hunted.remarks.extend(searched.first_unjudged.map(|reason| {
            format!("number of tries without a result: {}; reason for the first: {reason}", searched.unjudged)
        }));
        let Some(Shrunk { find, .. }) = shrunk else { return Ok(hunted) };
        if quest.add.is_some() {
            let added = add::add(self.package, subject, mutant, questions, &find.candidate)?;
            hunted.written = added.written;
            hunted.remarks.extend(added.remark);
        }
        let mut finds = self.finds.lock().unwrap_or_else(PoisonError::into_inner);
        finds.push((subject.name.clone(), mutant.number, find.candidate));
        Ok(hunted)
    }
}

impl MutantTests for Validators<'_> {
    fn why_not_mutated(&self, subject: &Subject) -> Option<String> {
        let reason = self.originals.get(&subject.name)?.as_ref().err()?;
        Some(format!("{} is not mutated: {reason}", subject.name))
    }

    // Almost all validators are in C++, whose compiler compiles one program at a time.
    fn compile_together(&self, _: &Subject, _: &[(&Path, PathBuf)]) -> Result<(), JudgeError> {
        Ok(())
    }

    fn compile_metamutant(
        &self,
        subject: &Subject,
        draft: &Draft<'_>,
        folder: &Path,
    ) -> Result<Option<Metamutant>, JudgeError> {
        self.original(subject).map_or(Ok(None), |original| draft.compile(&ValidatorBuilder { original, folder }))
    }

    fn run(&self, subject: &Subject, mutant: &Mutant, path: &Path, calls: &Calls<'_>) -> Result<Outcome, JudgeError> {
        let Some(original) = self.original(subject) else { return Ok(Outcome::without_a_run(Compiled::Unknown)) };
        let metamutant = (calls.before_compiling)()?;
        let contained = metamutant.and_then(|metamutant| metamutant.contained(mutant.number, original.product));
        let Some(Contained { metamutant, number, product, .. }) = contained else {
            return self.run_alone(original, subject, path, calls);
        };
        let outcome = self.run_if_new(original, &original.copy(&metamutant, number), product, calls)?;
        let was_run = !outcome.cells.is_empty();
        if !was_run || outcome.first.is_some() || calls.is_declared {
            return Ok(outcome);
        }
        // A survivor is compiled alone: it may be the same code as the validator, although its code in the metamutant
        // differs.
        let changed = subject.package_with(self.package, path.to_path_buf());
        let Ok(alone) = ValidatorRunner::open(subject, &changed, &original.settings)? else {
            return Ok(Outcome::without_a_run(Compiled::Failed));
        };
        let own = alone.product(path)?;
        let in_metamutant = Some(product);
        Ok(if own == original.product {
            Outcome { in_metamutant, ..Outcome::without_a_run(Compiled::Same) }
        } else {
            Outcome { compiled: Compiled::Different(own), in_metamutant, ..outcome }
        })
    }

    fn run_on_finds(
        &self,
        subject: &Subject,
        mutant: &Mutant,
        path: &Path,
        quest: &Quest<'_>,
    ) -> Result<Option<SurvivorHunted>, JudgeError> {
        let killed = self.with_questions((subject, mutant), path, quest, |questions| {
            self.earlier_find(questions, subject, mutant, quest)
        })?;
        Ok(killed.unwrap_or_default())
    }

    fn hunt(
        &self,
        subject: &Subject,
        mutant: &Mutant,
        path: &Path,
        quest: &Quest<'_>,
    ) -> Result<SurvivorHunted, JudgeError> {
        let hunted = self.with_questions((subject, mutant), path, quest, |questions| {
            match self.earlier_find(questions, subject, mutant, quest)? {
                Some(killed) => Ok(killed),
                None => self.hunt_new(questions, subject, mutant, quest),
            }
        })?;
        Ok(hunted.unwrap_or_else(|reason| SurvivorHunted { remarks: vec![reason], ..no_find(mutant, subject) }))
    }
}

/// Searches for a question on which the mutant and the unchanged validator disagree, and shrinks it. Prefers a question
/// that the mutant accepts and the unchanged validator rejects.
fn search_and_shrink(
    questions: &mut QuestionSource<'_, '_>,
    quest: &Quest<'_>,
) -> Result<(Searched<Question>, Option<Shrunk<Question>>), JudgeError> {
    let (jobs, watch, deadline) = (quest.jobs, quest.watch, Instant::now() + quest.time);
    let search = Search { jobs, wanted: None, past_disputes: false, from: 0, deadline, watch };
    let mut searched = search.run(questions)?;
    let mut find = searched.find.take();
    if find.as_ref().is_some_and(|find| find.failure.kind != WRONGLY_ACCEPTED) {
        let from = searched.number.map_or(0, |number| number + 1);
        questions.end = Some(from + SECOND_SEARCH);
        let second = Search { wanted: Some(Verdict::Accepted), from, ..search }.run(questions)?;
        searched.tried += second.tried;
        searched.interrupted |= second.interrupted;
        find = second.find.or(find);
    }
    let shrink = Shrink { jobs, deadline, watch };
    let shrunk = find.map(|find| shrink.run(questions, find)).transpose()?;
    Ok((searched, shrunk))
}

/// The mutant accepts an output or input that the validator rejects.
const WRONGLY_ACCEPTED: Kind = Kind::Program(Verdict::Accepted);

/// Returns the report of a survivor for which a question was found. `no_find` is the survivor's report without the
/// question.
fn report(
    questions: &QuestionSource<'_, '_>,
    find: &Find<Question>,
    subject: &Subject,
    no_find: SurvivorHunted,
) -> SurvivorHunted {
    let Failure { kind, message, .. } = &find.failure;
    let word = match kind {
        Kind::Program(Verdict::Accepted) => "accepts",
        Kind::Program(Verdict::WrongAnswer) => "rejects",
        _ => "fails",
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (bytes, case) = (find.candidate.bytes(), &questions.seeds.cases[find.candidate.case]);
    let mut hunted = SurvivorHunted { killed: true, kind: Some(word.to_owned()), message: message.clone(), ..no_find };
    if subject.role == Role::InputValidator {
        hunted.input = Some(text(&bytes));
    } else {
        hunted.input = Some(text(&seeds::read(&case.input()).unwrap_or_default()));
        hunted.expected = Some(text(&seeds::read(&case.answer()).unwrap_or_default()));
        hunted.got = Some(text(&bytes));
        hunted.remarks.push(format!("the text under `got` is an output for {}", case.name));
    }
    hunted
}
