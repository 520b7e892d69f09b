//! Runs mutants of accepted submissions on the test cases, and hunts the survivors.

mod effort;
mod hunted;
mod metamutants;
mod original;
mod policy;

use std::cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::{Calls, Cell, Compiled, Kill, MutantTests, Outcome, Quest, find_name, no_find};
use crate::Rigour;
use crate::metamutant::{Draft, Metamutant};
use crate::mutants::Mutant;
use crate::subject::Subject;
use hunted::{dispute, killed_by, report};
use metamutants::SubmissionBuilder;
use original::{Original, original};
use policy::{MutantPolicy, RunAll};
use referee_event::SurvivorHunted;
use referee_grading::verdict::Verdict;
use referee_hunt::retry::judge_with_retry;
use referee_hunt::{self as hunt, CaseName, FoundCase, Hunt, HuntError, WriteError};
use referee_judge::{CaseResult, JudgeError, MutantRunner, Product, Session, Settings, Submission, Trials, in_order};
use referee_package::{Package, TestCase};

/// The test cases of a package, and the results of its programs on them.
pub(crate) struct Cases<'a> {
    package: &'a Package,
    /// The settings for building and running mutants, also during hunts.
    settings: &'a Settings,
    runner: MutantRunner<'a>,
    /// The results of the unchanged programs, by program name; the error says why the program's mutants cannot be
    /// measured.
    originals: BTreeMap<String, Result<Original, String>>,
    rigour: Rigour,
    /// Whether every run has a process of its own.
    is_one_by_one: bool,
    /// The new test cases that were found for earlier survivors, each with the number of its survivor.
    finds: Mutex<Vec<(usize, FoundCase)>>,
}

impl<'a> Cases<'a> {
    /// Prepares the test cases. `of_mutants` are the settings for running mutants.
    pub(crate) fn open(
        package: &'a Package,
        settings: &'a Settings,
        of_mutants: &'a Settings,
        (rigour, is_one_by_one): (Rigour, bool),
    ) -> Result<Self, JudgeError> {
        let runner = Session::open(package, settings)?.mutant_runner(of_mutants)?;
        let (originals, finds) = (BTreeMap::new(), Mutex::new(Vec::new()));
        Ok(Cases { package, settings: of_mutants, runner, originals, rigour, is_one_by_one, finds })
    }

    /// Runs the unchanged programs on all test cases and stores their results. Fails if the judge fails, or with
    /// [`JudgeError::Interrupted`] if `stops` returns true.
    pub(crate) fn run_originals(
        &mut self,
        subjects: &[&Subject],
        stops: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), JudgeError> {
        let run = |subject: &&Subject| self.runner.run(&self.submission(subject, &subject.path), &RunAll);
        let mut originals = BTreeMap::new();
        let (cases, limit) = (&self.package.cases, self.settings.time());
        let store = |index: usize, run: Result<_, JudgeError>| {
            originals.insert(subjects[index].name.clone(), original(run?, cases, limit));
            Ok(())
        };
        let is_complete = in_order(self.settings.jobs, subjects.len(), stops, |index| run(&subjects[index]), store)?;
        self.originals = originals;
        if is_complete { Ok(()) } else { Err(JudgeError::Interrupted) }
    }

    fn original(&self, subject: &Subject) -> Option<&Original> {
        self.originals.get(&subject.name)?.as_ref().ok()
    }

    /// Returns the program or its mutant as a submission whose sources are at `path`.
    fn submission(&self, subject: &Subject, path: &Path) -> Submission {
        subject.submission_at(self.package, path.to_path_buf(), subject.name.clone())
    }

    /// Runs a mutant on the test cases that were found for earlier survivors. Returns the number of the survivor whose
    /// test case kills the mutant, and the result; `None` if no test case kills it. Test cases on which the unchanged
    /// program fails do not count.
    fn earlier_find(
        &self,
        subject: &Subject,
        submission: &Submission,
    ) -> Result<Option<(usize, CaseResult)>, JudgeError> {
        let finds = self.finds.lock().unwrap_or_else(PoisonError::into_inner);
        if finds.is_empty() {
            return Ok(None);
        }
        let trials = Session::open(self.package, self.settings)?.trials()?;
        for (number, find) in finds.iter() {
            let Some(finished) = self.run_on_find(&trials, submission, find)? else { return Ok(None) };
            let fails = !matches!(finished.verdict, Verdict::Accepted | Verdict::JudgeError);
            if fails && self.failure_of_the_program(&trials, subject, find)?.is_none() {
                return Ok(Some((*number, finished)));
            }
        }
        Ok(None)
    }

    /// Runs a program on a test case that a hunt found. The run uses the arguments and files of one of the package's
    /// test cases. Returns `None` if the package has no test case, or if the program cannot be built.
    fn run_on_find(
        &self,
        trials: &Trials<'_>,
        submission: &Submission,
        find: &FoundCase,
    ) -> Result<Option<CaseResult>, JudgeError> {
        let Ok(contender) = trials.build(submission)?.1 else { return Ok(None) };
        if self.package.cases.is_empty() {
            return Ok(None);
        }
        let case = trials.case(
            hunt::default_case(&self.package.cases),
            &find.input,
            find.answer.as_deref().unwrap_or_default(),
        )?;
        judge_with_retry(trials, &contender, &case).map(Some)
    }

    /// Runs the unchanged program on a test case that a hunt found. Returns the program's failure; `None` if the
    /// program is accepted or cannot be run. If the program fails, the test case says nothing about its mutants.
    fn failure_of_the_program(
        &self,
        trials: &Trials<'_>,
        subject: &Subject,
        find: &FoundCase,
    ) -> Result<Option<CaseResult>, JudgeError> {
        let finished = self.run_on_find(trials, &self.submission(subject, &subject.path), find)?;
        Ok(finished.filter(|finished| finished.verdict != Verdict::Accepted))
    }

    /// Writes a test case that a hunt found into `folder`. Returns the written files, and a remark if the test case
    /// could not be added, for example because the package's validators refuse it.
    fn add(
        &self,
        found: &FoundCase,
        folder: &Path,
        name: String,
    ) -> Result<(Vec<PathBuf>, Option<String>), JudgeError> {
        let written = hunt::validate_find(found, self.package, self.settings)
            .and_then(|()| hunt::write_find(found, self.package, &CaseName { folder, name }));
        match written {
            Ok(written) => Ok((written, None)),
            Err(WriteError::Judge(error)) => Err(error),
            Err(error) => Ok((Vec::new(), Some(format!("the input was not added to the package: {error}")))),
        }
    }
}

fn kill(result: CaseResult, case: &TestCase) -> Kill {
    let is_right = result.verdict == Verdict::Accepted;
    let message =
        if is_right { Some("the score differs from that of the unchanged program".to_owned()) } else { result.message };
    Kill { case: case.name.to_string(), verdict: result.verdict, message }
}

impl MutantTests for Cases<'_> {
    fn why_not_mutated(&self, subject: &Subject) -> Option<String> {
        let reason = self.originals.get(&subject.name)?.as_ref().err()?;
        Some(format!("{} is not mutated: {reason}", subject.name))
    }

    fn compile_together(&self, subject: &Subject, paths: &[(&Path, PathBuf)]) -> Result<(), JudgeError> {
        let mutants: Vec<_> =
            paths.iter().map(|(path, later)| (self.submission(subject, path), later.clone())).collect();
        self.runner.compile_together(&mutants)
    }

    fn compile_metamutant(
        &self,
        subject: &Subject,
        draft: &Draft<'_>,
        folder: &Path,
    ) -> Result<Option<Metamutant>, JudgeError> {
        let Some(original) = self.original(subject) else { return Ok(None) };
        let submission = self.submission(subject, folder);
        draft.compile(&SubmissionBuilder { runner: &self.runner, submission, folder, original })
    }

    fn run(&self, subject: &Subject, mutant: &Mutant, path: &Path, calls: &Calls<'_>) -> Result<Outcome, JudgeError> {
        let Some(original) = self.original(subject) else { return Ok(Outcome::without_a_run(Compiled::Unknown)) };
        let (rigour, is_one_by_one, earlier) = (self.rigour, self.is_one_by_one, cell::Cell::new(None));
        let policy = MutantPolicy { original, rigour, is_one_by_one, number: mutant.number, calls, earlier };
        let run = self.runner.run(&self.submission(subject, path), &policy)?;
        let cached = run.cached;
        // The mutant's own code says more than its code in a metamutant.
        let in_metamutant = run.own_product.is_some().then_some(&run.product).and_then(Product::digest);
        let compiled = match run.own_product.unwrap_or(run.product) {
            Product::Made(product) if product == original.product => Compiled::Same,
            Product::Made(product) => match policy.earlier.get() {
                Some(earlier) => return Ok(Outcome { cached, ..Outcome::repeated(product, earlier) }),
                None => Compiled::Different(product),
            },
            Product::Failed(_) => Compiled::Failed,
            Product::Unavailable(reason) => {
                let unjudged = Some(reason);
                return Ok(Outcome { unjudged, ..Outcome::without_a_run(Compiled::Unknown) });
            }
        };
        if !matches!(compiled, Compiled::Different(_)) {
            return Ok(Outcome { in_metamutant, cached, ..Outcome::without_a_run(compiled) });
        }
        let cell = |(index, one): (usize, &Option<CaseResult>)| original.cell(index, one.as_ref());
        let cells: Vec<_> = run.results.iter().enumerate().map(cell).collect();
        let first = cells.iter().position(|cell| *cell == Cell::Kills);
        let first = first.and_then(|index| Some(kill(run.results[index].clone()?, &self.package.cases[index])));
        let failed = run.results.iter().flatten().find(|result| result.verdict == Verdict::JudgeError);
        Ok(Outcome {
            compiled,
            in_metamutant,
            cells,
            first,
            unjudged: failed.map(|one| one.message.clone().unwrap_or_default()),
            cached,
            counts: run.counts,
        })
    }

    fn run_on_finds(
        &self,
        subject: &Subject,
        mutant: &Mutant,
        path: &Path,
        _: &Quest<'_>,
    ) -> Result<Option<SurvivorHunted>, JudgeError> {
        let killer = self.earlier_find(subject, &self.submission(subject, path))?;
        Ok(killer.map(|(number, finished)| killed_by(number, &finished, mutant, subject)))
    }

    fn hunt(
        &self,
        subject: &Subject,
        mutant: &Mutant,
        path: &Path,
        quest: &Quest<'_>,
    ) -> Result<SurvivorHunted, JudgeError> {
        if let Some(killed) = self.run_on_finds(subject, mutant, path, quest)? {
            return Ok(killed);
        }
        let submission = self.submission(subject, path);
        let (seed, watch) = (quest.seed, quest.watch);
        let (package, settings) = (self.package, self.settings);
        let one = Hunt {
            package,
            submission: &submission,
            settings,
            answer_key: quest.answer_key,
            seed,
            wanted: None,
            past_disputes: true,
            started: Instant::now(),
            time: quest.time,
        };
        let result = match hunt::hunt(&one, watch, &mut |_| {}) {
            Ok(result) => result,
            Err(HuntError::Judge(error)) => return Err(error),
            Err(error) => return Ok(SurvivorHunted { remarks: vec![error.to_string()], ..no_find(mutant, subject) }),
        };
        let mut hunted = report(result.finished, mutant, subject);
        // If the unchanged program also fails on the input that was found, the mutant does not count as killed.
        if let Some(found) = result.find.filter(|_| hunted.killed) {
            let trials = Session::open(package, settings)?.trials()?;
            if let Some(finished) = self.failure_of_the_program(&trials, subject, &found)? {
                return Ok(dispute(hunted, &finished));
            }
            if let Some(folder) = quest.add {
                let (written, remark) = self.add(&found, folder, find_name(subject, mutant))?;
                hunted.written = written;
                hunted.remarks.extend(remark);
            }
            self.finds.lock().unwrap_or_else(PoisonError::into_inner).push((mutant.number, found));
        }
        Ok(hunted)
    }
}
