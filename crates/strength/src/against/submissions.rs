//! Runs mutants of accepted submissions on the test cases, and hunts the survivors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Against, Cell, Kill, Made, Outcome, Quest, name, nothing, telling_line};
use crate::Rigour;
use crate::mutants::Mutant;
use crate::subject::Subject;
use referee_event::{HuntFinished, SurvivorHunted};
use referee_grading::score::Given;
use referee_grading::verdict::Verdict;
use referee_hunt::asked::judged;
use referee_hunt::{self as hunt, FoundCase, Hunt, HuntError, Keep, KeepError};
use referee_judge::{
    CaseResult, Digest, JudgeError, MutantRun, MutantRunner, Product, RETRY_POLICY, Session, Settings, StopPolicy,
    Submission, Trials, in_order,
};
use referee_package::{Package, TestCase};

/// The test cases of a package, and the results of its programs on them.
pub(crate) struct Cases<'a> {
    package: &'a Package,
    /// The settings for building and running mutants, also during hunts.
    settings: &'a Settings,
    rows: MutantRunner<'a>,
    /// The unchanged programs by name; the error says why a program cannot be mutated.
    originals: BTreeMap<String, Result<Original, String>>,
    rigour: Rigour,
    /// The finds for earlier survivors, each with the number of its survivor.
    finds: Mutex<Vec<(usize, FoundCase)>>,
}

/// The results of the unchanged program.
struct Original {
    product: Digest,
    /// The score that validators gave the program, by test case.
    given: Vec<Given>,
    /// Whether the program needs nearly all of the time limit, by test case. A mutant may then exceed the limit by
    /// chance.
    is_near_the_limit: Vec<bool>,
}

/// The maximum number of slow failures of a mutant. After that, the mutant is not run on more test cases: a slow run
/// takes as long as hundreds of others.
const MOST_SLOW_KILLS: usize = 2;

impl<'a> Cases<'a> {
    /// Prepares the test cases. `of_mutants` are the settings for running mutants.
    pub(crate) fn open(
        package: &'a Package,
        settings: &'a Settings,
        of_mutants: &'a Settings,
        rigour: Rigour,
    ) -> Result<Self, JudgeError> {
        let rows = Session::open(package, settings)?.mutant_runner(of_mutants)?;
        let (originals, finds) = (BTreeMap::new(), Mutex::new(Vec::new()));
        Ok(Cases { package, settings: of_mutants, rows, originals, rigour, finds })
    }

    /// Runs the unchanged programs on all test cases and stores their results. Fails if `stops` returns true.
    pub(crate) fn look_at(
        &mut self,
        subjects: &[&Subject],
        stops: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), JudgeError> {
        let run = |subject: &&Subject| self.rows.run(&self.mutant(subject, &subject.path), &Whole);
        let mut originals = BTreeMap::new();
        let (cases, limit) = (&self.package.cases, self.settings.time());
        let tell = |index: usize, row: Result<_, JudgeError>| {
            originals.insert(subjects[index].name.clone(), original(row?, cases, limit));
            Ok(())
        };
        let is_whole = in_order(self.settings.jobs, subjects.len(), stops, |index| run(&subjects[index]), tell)?;
        self.originals = originals;
        if is_whole { Ok(()) } else { Err(JudgeError::Interrupted) }
    }

    fn original(&self, subject: &Subject) -> Option<&Original> {
        self.originals.get(&subject.name)?.as_ref().ok()
    }

    /// Returns the mutant as a submission whose sources are at `path`.
    fn mutant(&self, subject: &Subject, path: &Path) -> Submission {
        subject.submission_at(self.package, path.to_path_buf(), subject.name.clone())
    }

    /// Runs a mutant on the finds for earlier survivors. Returns the number of the survivor whose find kills the
    /// mutant, and the result; `None` if no find kills it.
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
            let Some(finished) = self.tried(&trials, submission, find)? else { return Ok(None) };
            let fails = !matches!(finished.verdict, Verdict::Accepted | Verdict::JudgeError);
            if fails && self.failure_of_the_program(&trials, subject, find)?.is_none() {
                return Ok(Some((*number, finished)));
            }
        }
        Ok(None)
    }

    /// Runs a program on a find. Returns `None` if the program cannot be built, or if the package has no test case.
    fn tried(
        &self,
        trials: &Trials<'_>,
        submission: &Submission,
        find: &FoundCase,
    ) -> Result<Option<CaseResult>, JudgeError> {
        let Ok(contender) = trials.build(submission)?.1 else { return Ok(None) };
        if self.package.cases.is_empty() {
            return Ok(None);
        }
        let case =
            trials.case(hunt::usual(&self.package.cases), &find.input, find.answer.as_deref().unwrap_or_default())?;
        judged(trials, &contender, &case).map(Some)
    }

    /// Runs the unchanged program on a find. Returns its failure, or `None` if it is accepted or cannot be run. If the
    /// program itself fails, the find says nothing about its mutants.
    fn failure_of_the_program(
        &self,
        trials: &Trials<'_>,
        subject: &Subject,
        find: &FoundCase,
    ) -> Result<Option<CaseResult>, JudgeError> {
        let finished = self.tried(trials, &self.mutant(subject, &subject.path), find)?;
        Ok(finished.filter(|finished| finished.verdict != Verdict::Accepted))
    }

    /// Writes a find into the package. Returns the written files, and a remark if the package's validators refuse the
    /// find.
    fn add(
        &self,
        found: &FoundCase,
        folder: &Path,
        name: String,
    ) -> Result<(Vec<PathBuf>, Option<String>), JudgeError> {
        let kept =
            hunt::check(found, self.package, self.settings).and_then(|()| hunt::keep(found, &Keep { folder, name }));
        match kept {
            Ok(written) => Ok((written, None)),
            Err(KeepError::Judge(error)) => Err(error),
            Err(error) => Ok((Vec::new(), Some(format!("not added: {error}")))),
        }
    }
}

/// Returns the results of the unchanged program. `cases` are all test cases of the package; the program was run on
/// each.
fn original(row: MutantRun, cases: &[TestCase], limit: Duration) -> Result<Original, String> {
    let product = match row.product {
        Product::Made(product) => product,
        Product::Failed(reason) => return Err(format!("it does not compile: {}", telling_line(&reason))),
        Product::Unavailable(reason) => return Err(reason),
    };
    let results: Vec<_> = row.results.into_iter().flatten().collect();
    if let Some((failed, case)) = results.iter().zip(cases).find(|(result, _)| result.verdict != Verdict::Accepted) {
        return Err(format!("it gets {} on {} without changes", failed.verdict, case.name));
    }
    let is_near = |one: &CaseResult| one.cpu_seconds.is_some_and(|seconds| RETRY_POLICY.is_near_time(seconds, limit));
    let is_near_the_limit = results.iter().map(is_near).collect();
    Ok(Original { product, given: results.into_iter().map(|result| result.given).collect(), is_near_the_limit })
}

fn kill(result: CaseResult, case: &TestCase) -> Kill {
    let is_right = result.verdict == Verdict::Accepted;
    let message = if is_right { Some("it gets another score".to_owned()) } else { result.message };
    Kill { case: case.name.clone(), verdict: result.verdict, message }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Runs a program on every test case.
struct Whole;

impl StopPolicy for Whole {
    fn begins(&self, _: &Digest) -> bool {
        true
    }

    fn next(&self, results: &[Option<CaseResult>]) -> Option<usize> {
        results.iter().position(Option::is_none)
    }

    // The program is known to be correct: if a run is slow, the machine was busy.
    fn takes_slow_as_slow(&self) -> bool {
        false
    }
}

/// Runs a mutant on test cases until a further test case is not worth its time.
struct OfMutant<'a> {
    original: &'a Original,
    rigour: Rigour,
    number: usize,
}

impl OfMutant<'_> {
    fn cell(&self, index: usize, result: Option<&CaseResult>) -> Cell {
        match result {
            None => Cell::Unknown,
            Some(result) => match result.verdict {
                Verdict::JudgeError => Cell::Unknown,
                Verdict::TimeLimitExceeded if self.original.is_near_the_limit.get(index) == Some(&true) => {
                    Cell::Unknown
                }
                Verdict::Accepted if self.original.given.get(index) == Some(&result.given) => Cell::Spares,
                _ => Cell::Kills,
            },
        }
    }
}

impl StopPolicy for OfMutant<'_> {
    fn begins(&self, product: &Digest) -> bool {
        *product != self.original.product
    }

    /// Returns the test cases in order until one of them kills the mutant. After that, it continues from a pseudorandom
    /// test case that depends on the mutant's number. In this way, each test case is run on some mutants.
    fn next(&self, results: &[Option<CaseResult>]) -> Option<usize> {
        let kills = results.iter().enumerate().filter(|(index, one)| self.cell(*index, one.as_ref()) == Cell::Kills);
        let kills: Vec<_> = kills.filter_map(|(_, one)| one.as_ref()).collect();
        let slow = kills.iter().filter(|one| is_slow(one.verdict)).count();
        if kills.len() >= self.rigour.most_kills() || slow >= MOST_SLOW_KILLS {
            return None;
        }
        let from = if kills.is_empty() { 0 } else { scattered(self.number) % results.len() };
        (from..results.len()).chain(0..from).find(|index| results[*index].is_none())
    }

    fn takes_slow_as_slow(&self) -> bool {
        true
    }
}

/// Returns a pseudorandom number that depends only on its argument: Fibonacci hashing (Knuth, The Art of Computer
/// Programming, volume 3, section 6.4).
fn scattered(number: usize) -> usize {
    ((number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
}

fn is_slow(verdict: Verdict) -> bool {
    use Verdict::{MemoryLimitExceeded, OutputLimitExceeded, TimeLimitExceeded};
    matches!(verdict, TimeLimitExceeded | MemoryLimitExceeded | OutputLimitExceeded)
}

impl Against for Cases<'_> {
    fn trouble(&self, subject: &Subject) -> Option<String> {
        let reason = self.originals.get(&subject.name)?.as_ref().err()?;
        Some(format!("{} is not changed: {reason}", subject.name))
    }

    fn run(&self, subject: &Subject, mutant: &Mutant, path: &Path) -> Result<Outcome, JudgeError> {
        let Some(original) = self.original(subject) else { return Ok(Outcome::without_a_run(Made::Unknown)) };
        let patience = OfMutant { original, rigour: self.rigour, number: mutant.number };
        let row = self.rows.run(&self.mutant(subject, path), &patience)?;
        let cached = row.cached;
        let without_a_run = |product| Ok(Outcome { cached, ..Outcome::without_a_run(product) });
        let product = match row.product {
            Product::Made(product) if product == original.product => return without_a_run(Made::Same),
            Product::Made(product) => Made::Other(product),
            Product::Failed(_) => return without_a_run(Made::Nothing),
            Product::Unavailable(reason) => {
                let unjudged = Some(reason);
                return Ok(Outcome { unjudged, ..Outcome::without_a_run(Made::Unknown) });
            }
        };
        let cell = |(index, one): (usize, &Option<CaseResult>)| patience.cell(index, one.as_ref());
        let cells: Vec<_> = row.results.iter().enumerate().map(cell).collect();
        let first = cells.iter().position(|cell| *cell == Cell::Kills);
        let first = first.and_then(|index| Some(kill(row.results[index].clone()?, &self.package.cases[index])));
        let failed = row.results.iter().flatten().find(|result| result.verdict == Verdict::JudgeError);
        Ok(Outcome {
            product,
            cells,
            first,
            unjudged: failed.map(|one| one.message.clone().unwrap_or_default()),
            cached,
        })
    }

    fn by_find(
        &self,
        subject: &Subject,
        mutant: &Mutant,
        path: &Path,
        _: &Quest<'_>,
    ) -> Result<Option<SurvivorHunted>, JudgeError> {
        let killer = self.earlier_find(subject, &self.mutant(subject, path))?;
        Ok(killer.map(|(number, finished)| killed_by(number, &finished, mutant, subject)))
    }

    fn hunt(
        &self,
        subject: &Subject,
        mutant: &Mutant,
        path: &Path,
        quest: &Quest<'_>,
    ) -> Result<SurvivorHunted, JudgeError> {
        if let Some(killed) = self.by_find(subject, mutant, path, quest)? {
            return Ok(killed);
        }
        let submission = self.mutant(subject, path);
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
        let hunted = match hunt::hunt(&one, watch, &mut |_| {}) {
            Ok(hunted) => hunted,
            Err(HuntError::Judge(error)) => return Err(error),
            Err(error) => return Ok(SurvivorHunted { remarks: vec![error.to_string()], ..nothing(mutant, subject) }),
        };
        let mut told = told(hunted.finished, mutant, subject);
        // Only a failure of the mutant counts. If the unchanged program fails on the find, too, the mutant is not
        // killed.
        if let Some(found) = hunted.find.filter(|_| told.killed) {
            let trials = Session::open(package, settings)?.trials()?;
            if let Some(finished) = self.failure_of_the_program(&trials, subject, &found)? {
                return Ok(against_the_program(told, &finished));
            }
            if let Some(folder) = quest.add {
                let (written, remark) = self.add(&found, folder, name(subject, mutant))?;
                told.written = written;
                told.remarks.extend(remark);
            }
            self.finds.lock().unwrap_or_else(PoisonError::into_inner).push((mutant.number, found));
        }
        Ok(told)
    }
}

/// The `kind` in reports of a find on which the package's accepted submissions fail or disagree.
const DISPUTED: &str = "jury";

/// Returns the report of a find on which the unchanged program fails.
fn against_the_program(told: SurvivorHunted, finished: &CaseResult) -> SurvivorHunted {
    let words = finished.message.as_deref().map(first_line).unwrap_or_default();
    let message = format!("{} gets {} on it without changes: {words}", told.program, finished.verdict);
    let message = Some(message.trim_end_matches(": ").to_owned());
    SurvivorHunted { killed: false, kind: Some(DISPUTED.to_owned()), got: None, message, ..told }
}

fn killed_by(number: usize, finished: &CaseResult, mutant: &Mutant, subject: &Subject) -> SurvivorHunted {
    SurvivorHunted {
        killed: true,
        by_find_of: Some(number),
        kind: Some(finished.verdict.to_string()),
        message: finished.message.clone(),
        tried: 1,
        ..nothing(mutant, subject)
    }
}

fn told(finished: HuntFinished, mutant: &Mutant, subject: &Subject) -> SurvivorHunted {
    let is_jury = finished.kind.as_deref() == Some(DISPUTED);
    SurvivorHunted {
        killed: finished.found && !is_jury,
        kind: finished.kind,
        input: finished.input,
        expected: finished.expected,
        got: finished.got,
        message: finished.message,
        tried: finished.tried,
        unjudged: finished.unjudged,
        // If some inputs could not be judged, an exhausted search does not prove that the mutant is equivalent.
        exhausted: finished.exhausted && finished.unjudged == 0,
        interrupted: finished.interrupted,
        seconds: finished.seconds,
        minimal: finished.minimal,
        remarks: finished.remarks,
        ..nothing(mutant, subject)
    }
}
