//! A source whose inputs are numbers, for tests of the search and the shrinker. It runs no program.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::Watch;
use super::input_source::{CandidateResult, Draw, Failure, InputSource, Kind};
use referee_grading::verdict::Verdict;
use referee_judge::JudgeError;

/// Inputs are numbers; `result` gives the program's result on each.
pub(super) struct NumberSource<F> {
    pub(super) result: F,
    /// `draw` returns `Draw::End` for this number and for all higher ones.
    pub(super) end: u64,
    pub(super) resumes_at_same_step: bool,
    pub(super) effort: fn(u64) -> Option<u64>,
}

impl<F> NumberSource<F> {
    /// Returns the numbers below `end`, with unknown effort.
    pub(super) fn new(end: u64, result: F) -> Self {
        NumberSource { result, end, resumes_at_same_step: false, effort: |_| None }
    }
}

/// Returns a failure of this kind.
pub(super) fn fails(kind: Kind) -> CandidateResult {
    CandidateResult::Fails(Box::new(Failure {
        kind,
        message: None,
        expected: None,
        got: Vec::new(),
        exchanges: None,
        focus: None,
    }))
}

pub(super) const WRONG: Kind = Kind::Program(Verdict::WrongAnswer);

impl<F: Fn(u64) -> CandidateResult + Sync> InputSource for NumberSource<F> {
    type Candidate = u64;

    fn draw(&self, number: u64) -> Result<Draw<u64>, JudgeError> {
        Ok(match number {
            _ if number >= self.end => Draw::End,
            _ if number % 10 == 7 => Draw::Nothing,
            _ => Draw::Candidate(number),
        })
    }

    fn examine(&self, candidate: &u64) -> Result<CandidateResult, JudgeError> {
        // The pause makes inputs finish in a different order from that of their numbers.
        std::thread::sleep(Duration::from_micros(candidate % 5 * 100));
        Ok((self.result)(*candidate))
    }

    fn effort(&self, candidate: &u64) -> Option<u64> {
        (self.effort)(*candidate)
    }

    /// Returns the half first, then all smaller numbers in decreasing order.
    fn smaller<'a>(&'a self, candidate: &'a u64, _: &'a Failure) -> Box<dyn Iterator<Item = u64> + Send + 'a> {
        Box::new(Some(candidate / 2).filter(|half| half < candidate).into_iter().chain((0..*candidate).rev()))
    }

    fn bytes(&self, candidate: &u64) -> Vec<u8> {
        candidate.to_string().into_bytes()
    }

    fn resumes_at_same_step(&self) -> bool {
        self.resumes_at_same_step
    }
}

/// Ignores progress; stops when its flag is set.
#[derive(Default)]
pub(super) struct SilentWatch(pub(super) AtomicBool);

impl Watch for SilentWatch {
    fn tried(&self, _: u64, _: Option<f64>) {}

    fn shrunk(&self, _: usize) {}

    fn stop(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Relaxed)
    }
}

/// Returns a time that is later than the end of every test.
pub(super) fn far_deadline() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}

/// A source of numbers. Every run of the program lasts until the deadline and is then stopped.
pub(super) struct Stopped {
    deadline: Instant,
    /// The number of runs that have begun.
    pub(super) begun: AtomicU64,
}

impl Stopped {
    pub(super) fn at(deadline: Instant) -> Stopped {
        Stopped { deadline, begun: AtomicU64::new(0) }
    }
}

impl InputSource for Stopped {
    type Candidate = u64;

    fn draw(&self, number: u64) -> Result<Draw<u64>, JudgeError> {
        Ok(Draw::Candidate(number))
    }

    fn examine(&self, _: &u64) -> Result<CandidateResult, JudgeError> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(self.deadline.saturating_duration_since(Instant::now()));
        Err(JudgeError::Interrupted)
    }

    fn smaller<'a>(&'a self, candidate: &'a u64, _: &'a Failure) -> Box<dyn Iterator<Item = u64> + Send + 'a> {
        Box::new((0..*candidate).rev())
    }

    fn bytes(&self, candidate: &u64) -> Vec<u8> {
        candidate.to_string().into_bytes()
    }

    fn resumes_at_same_step(&self) -> bool {
        false
    }
}
