//! A ground of numbers for tests of the search and the shrinker: no program runs.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::Watch;
use super::ground::{Draw, Failure, Ground, Kind, Word};
use crate::judge::JudgeError;
use crate::verdict::Verdict;

/// Inputs are numbers; what the program does on them, `word` says.
pub(super) struct Toy<F> {
    pub(super) word: F,
    /// From here on there is nothing.
    pub(super) end: u64,
    pub(super) goes_on_behind: bool,
}

/// Fails with a wrong answer, or as `kind` says.
pub(super) fn fails(kind: Kind) -> Word {
    Word::Fails(Box::new(Failure { kind, message: None, expected: None, got: Vec::new(), focus: None }))
}

pub(super) const WRONG: Kind = Kind::Program(Verdict::WrongAnswer);

impl<F: Fn(u64) -> Word + Sync> Ground for Toy<F> {
    type Prey = u64;

    fn draw(&self, number: u64) -> Result<Draw<u64>, JudgeError> {
        Ok(match number {
            _ if number >= self.end => Draw::End,
            _ if number % 10 == 7 => Draw::Nothing,
            _ => Draw::Prey(number),
        })
    }

    fn examine(&self, prey: &u64) -> Result<Word, JudgeError> {
        // What comes first by its number is not what is ready first.
        std::thread::sleep(Duration::from_micros(prey % 5 * 100));
        Ok((self.word)(*prey))
    }

    /// Halves first, then all lesser ones down from it.
    fn smaller<'a>(&'a self, prey: &'a u64, _: &'a Failure) -> Box<dyn Iterator<Item = u64> + Send + 'a> {
        Box::new(Some(prey / 2).filter(|half| half < prey).into_iter().chain((0..*prey).rev()))
    }

    fn bytes(&self, prey: &u64) -> Vec<u8> {
        prey.to_string().into_bytes()
    }

    fn goes_on_behind(&self) -> bool {
        self.goes_on_behind
    }
}

/// Sees nothing, and stops when it is told to.
#[derive(Default)]
pub(super) struct Blind(pub(super) AtomicBool);

impl Watch for Blind {
    fn tried(&self, _: u64) {}

    fn shrunk(&self, _: usize) {}

    fn stop(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Relaxed)
    }
}

/// Long after every test.
pub(super) fn late() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}

/// Numbers on which every try goes on until the time is over, and is then stopped.
pub(super) struct Stopped {
    deadline: Instant,
    /// How many tries have begun.
    pub(super) begun: AtomicU64,
}

impl Stopped {
    pub(super) fn at(deadline: Instant) -> Stopped {
        Stopped { deadline, begun: AtomicU64::new(0) }
    }
}

impl Ground for Stopped {
    type Prey = u64;

    fn draw(&self, number: u64) -> Result<Draw<u64>, JudgeError> {
        Ok(Draw::Prey(number))
    }

    fn examine(&self, _: &u64) -> Result<Word, JudgeError> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(self.deadline.saturating_duration_since(Instant::now()));
        Err(JudgeError::Interrupted)
    }

    fn smaller<'a>(&'a self, prey: &'a u64, _: &'a Failure) -> Box<dyn Iterator<Item = u64> + Send + 'a> {
        Box::new((0..*prey).rev())
    }

    fn bytes(&self, prey: &u64) -> Vec<u8> {
        prey.to_string().into_bytes()
    }

    fn goes_on_behind(&self) -> bool {
        false
    }
}
