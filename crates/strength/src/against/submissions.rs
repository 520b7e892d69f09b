//! Runs mutants of accepted submissions on the test cases, and hunts the survivors.

use std::cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Calls, Cell, Compiled, Kill, MutantTests, Outcome, Quest, find_name, no_find, telling_line};
use crate::Rigour;
use crate::mutants::Mutant;
use crate::subject::Subject;
use referee_event::{HuntFinished, SurvivorHunted};
use referee_grading::score::Given;
use referee_grading::verdict::Verdict;
use referee_hunt::retry::judge_with_retry;
use referee_hunt::{self as hunt, CaseName, FoundCase, Hunt, HuntError, WriteError};
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

/// The results of the unchanged program.
struct Original {
    product: Digest,
    /// The scores that the output validator wrote for the program, by test case.
    given: Vec<Given>,
    /// Whether the program needs nearly all of the time limit, by test case. A mutant may then exceed the limit by
    /// chance.
    is_near_the_limit: Vec<bool>,
}

/// After this many kills by an exceeded limit, a mutant is not run on further test cases. A run that exceeds a limit
/// can take as long as hundreds of other runs.
const MOST_SLOW_KILLS: usize = 2;

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

/// Returns the results of the unchanged program. `cases` are all test cases of the package; the program was run on
/// each. Fails with the reason if the program cannot be built or is not accepted.
fn original(run: MutantRun, cases: &[TestCase], limit: Duration) -> Result<Original, String> {
    let product = match run.product {
        Product::Made(product) => product,
        Product::Failed(reason) => {
            return Err(format!("the unchanged program does not compile: {}", telling_line(&reason)));
        }
        Product::Unavailable(reason) => return Err(reason),
    };
    let results: Vec<_> = run.results.into_iter().flatten().collect();
    if let Some((failed, case)) = results.iter().zip(cases).find(|(result, _)| result.verdict != Verdict::Accepted) {
        return Err(format!("the unchanged program gets {} on {}", failed.verdict, case.name));
    }
    let is_near = |one: &CaseResult| one.cpu_seconds.is_some_and(|seconds| RETRY_POLICY.is_near_time(seconds, limit));
    let is_near_the_limit = results.iter().map(is_near).collect();
    Ok(Original { product, given: results.into_iter().map(|result| result.given).collect(), is_near_the_limit })
}

fn kill(result: CaseResult, case: &TestCase) -> Kill {
    let is_right = result.verdict == Verdict::Accepted;
    let message =
        if is_right { Some("the score differs from that of the unchanged program".to_owned()) } else { result.message };
    Kill { case: case.name.clone(), verdict: result.verdict, message }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Runs a program on every test case.
struct RunAll;

impl StopPolicy for RunAll {
    fn begins(&self, _: &Digest) -> bool {
        true
    }

    fn next(&self, results: &[Option<CaseResult>]) -> Option<usize> {
        results.iter().position(Option::is_none)
    }

    // The unchanged program is run alone on every test case.
    fn spares(&self, _: usize, _: &CaseResult) -> bool {
        false
    }

    // The unchanged program should be accepted. So a run that exceeds the time limit is repeated: the machine may have
    // been busy.
    fn one_timeout_suffices(&self) -> bool {
        false
    }
}

/// Runs a mutant on test cases until enough of them have killed it.
struct MutantPolicy<'a> {
    original: &'a Original,
    rigour: Rigour,
    is_one_by_one: bool,
    number: usize,
    calls: &'a Calls<'a>,
    /// The number of an earlier mutant with the same code; `None` if there is none, or if the mutant was not compiled
    /// yet.
    earlier: cell::Cell<Option<usize>>,
}

impl MutantPolicy<'_> {
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

impl StopPolicy for MutantPolicy<'_> {
    fn begins(&self, product: &Digest) -> bool {
        if *product == self.original.product {
            return false;
        }
        self.earlier.set((self.calls.earlier)(*product));
        self.earlier.get().is_none()
    }

    /// Returns the index of the next test case; `None` after enough kills, or if no test case is left. Before the first
    /// kill, the test cases are taken in order. After the first kill, the order begins at a pseudorandom test case that
    /// depends on the mutant's number. So every test case gets its share of mutants.
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

    fn spares(&self, index: usize, result: &CaseResult) -> bool {
        !self.is_one_by_one
            && self.original.is_near_the_limit.get(index) == Some(&false)
            && self.cell(index, Some(result)) == Cell::Spares
    }

    fn one_timeout_suffices(&self) -> bool {
        true
    }

    fn before_compiling(&self) -> Result<(), JudgeError> {
        (self.calls.before_compiling)()
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

    fn run(&self, subject: &Subject, mutant: &Mutant, path: &Path, calls: &Calls<'_>) -> Result<Outcome, JudgeError> {
        let Some(original) = self.original(subject) else { return Ok(Outcome::without_a_run(Compiled::Unknown)) };
        let (number, earlier) = (mutant.number, cell::Cell::new(None));
        let (rigour, is_one_by_one) = (self.rigour, self.is_one_by_one);
        let policy = MutantPolicy { original, rigour, is_one_by_one, number, calls, earlier };
        let run = self.runner.run(&self.submission(subject, path), &policy)?;
        let cached = run.cached;
        let without_a_run = |compiled| Ok(Outcome { cached, ..Outcome::without_a_run(compiled) });
        let compiled = match run.product {
            Product::Made(product) if product == original.product => return without_a_run(Compiled::Same),
            Product::Made(product) => match policy.earlier.get() {
                Some(earlier) => return Ok(Outcome { cached, ..Outcome::repeated(product, earlier) }),
                None => Compiled::Different(product),
            },
            Product::Failed(_) => return without_a_run(Compiled::Failed),
            Product::Unavailable(reason) => {
                let unjudged = Some(reason);
                return Ok(Outcome { unjudged, ..Outcome::without_a_run(Compiled::Unknown) });
            }
        };
        let cell = |(index, one): (usize, &Option<CaseResult>)| policy.cell(index, one.as_ref());
        let cells: Vec<_> = run.results.iter().enumerate().map(cell).collect();
        let first = cells.iter().position(|cell| *cell == Cell::Kills);
        let first = first.and_then(|index| Some(kill(run.results[index].clone()?, &self.package.cases[index])));
        let failed = run.results.iter().flatten().find(|result| result.verdict == Verdict::JudgeError);
        Ok(Outcome {
            compiled,
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

/// The value of `kind` in the report of an input on which the package's accepted submissions fail or disagree.
const DISPUTED: &str = "jury";

/// Returns the report of an input on which the unchanged program fails.
fn dispute(hunted: SurvivorHunted, finished: &CaseResult) -> SurvivorHunted {
    let words = finished.message.as_deref().map(first_line).unwrap_or_default();
    let message = format!("the unchanged program {} gets {} on this input: {words}", hunted.program, finished.verdict);
    let message = Some(message.trim_end_matches(": ").to_owned());
    SurvivorHunted { killed: false, kind: Some(DISPUTED.to_owned()), got: None, message, ..hunted }
}

fn killed_by(number: usize, finished: &CaseResult, mutant: &Mutant, subject: &Subject) -> SurvivorHunted {
    SurvivorHunted {
        killed: true,
        by_find_of: Some(number),
        kind: Some(finished.verdict.to_string()),
        message: finished.message.clone(),
        tried: 1,
        ..no_find(mutant, subject)
    }
}

/// Returns the report of a survivor that was hunted.
fn report(finished: HuntFinished, mutant: &Mutant, subject: &Subject) -> SurvivorHunted {
    let is_jury = finished.kind.as_deref() == Some(DISPUTED);
    SurvivorHunted {
        killed: finished.found && !is_jury,
        kind: finished.kind,
        input: finished.input,
        input_legal: finished.input_legal,
        input_unchecked: finished.input_unchecked,
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
        ..no_find(mutant, subject)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_grading::score::Written;

    fn original() -> Original {
        let given = vec![Given::default(); 2];
        Original { product: [1; 32], given, is_near_the_limit: vec![false, true] }
    }

    fn policy<'a>(original: &'a Original, calls: &'a Calls<'a>, is_one_by_one: bool) -> MutantPolicy<'a> {
        let (rigour, number, earlier) = (Rigour::Some, 7, cell::Cell::new(None));
        MutantPolicy { original, rigour, is_one_by_one, number, calls, earlier }
    }

    #[test]
    fn a_mutant_with_the_code_of_the_program_or_of_an_earlier_mutant_is_not_run() {
        let original = original();
        let earlier = |product: Digest| (product == [2; 32]).then_some(3);
        let calls = Calls { before_compiling: &|| Ok(()), earlier: &earlier };
        let begins = |product: u8| {
            let policy = policy(&original, &calls, false);
            (policy.begins(&[product; 32]), policy.earlier.get())
        };
        assert_eq!([1, 2, 3].map(begins), [(false, None), (false, Some(3)), (true, None)]);
    }

    #[test]
    fn a_shared_process_only_spares_and_only_far_from_the_limit() {
        let (original, calls) = (original(), Calls { before_compiling: &|| Ok(()), earlier: &|_| None });
        let shared = policy(&original, &calls, false);
        let (right, wrong) = (CaseResult::of(Verdict::Accepted), CaseResult::of(Verdict::WrongAnswer));
        let score = Given { score: Some(Written::read("1")), ..Given::default() };
        let other_score = CaseResult { given: score, ..right.clone() };
        assert!(shared.spares(0, &right));
        assert!(!shared.spares(0, &wrong) && !shared.spares(0, &other_score));
        assert!(!shared.spares(1, &right), "the unchanged program is near the limit on this test case");
        assert!(!policy(&original, &calls, true).spares(0, &right));
    }
}
