//! Compares the reference solvers with each other: either on fixed inputs and random boards of every kind, or on all
//! boards.
//!
//! [`reference::disagreement`] defines when answers agree. This module chooses the boards, distributes them to the
//! cores, shrinks boards on which solvers disagree, and returns the smallest. Partial results are combined in a fixed
//! order, so that the result does not depend on the number of cores.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use referee_random::Random;
use reference::disagreement::{Disagreement, Tally};
use reference::puzzle::{Instance, Puzzle};
use reference::text::{Lines, ReadError};

use referee_event::{Counterexample, CrosscheckFinished, Scope};

/// The boards to compare.
#[derive(Clone, Debug)]
pub enum BoardSelection<'a> {
    /// All boards, or a smaller set of boards that represents all boards. [`Puzzle::exhaustive_argument`] says why this
    /// set suffices.
    Exhaustive,
    /// Fixed inputs and random boards.
    Sampled(Sample<'a>),
}

/// Fixed inputs and random boards.
#[derive(Clone, Debug)]
pub struct Sample<'a> {
    /// The number of random boards. The kinds of boards take turns.
    pub boards: u64,
    /// The seed of the random boards.
    pub seed: u64,
    /// The fixed inputs, each with its name for messages.
    pub fixtures: Vec<(String, &'a [u8])>,
}

impl BoardSelection<'_> {
    fn scope(&self) -> Scope {
        match self {
            BoardSelection::Exhaustive => Scope::Exhaustive,
            BoardSelection::Sampled(_) => Scope::Sampled,
        }
    }
}

/// Observes the progress of a comparison, and can stop it.
pub trait Watch: Sync {
    /// Reports that `done` of `total` pieces of work are finished.
    fn progress(&self, done: u64, total: u64);
    /// Returns whether the user wants to stop.
    fn stop(&self) -> bool;
}

/// The reason why a comparison failed.
#[derive(Debug, thiserror::Error)]
pub enum CrosscheckError {
    /// A fixed input is not legal.
    #[error("{name}: {source}")]
    Fixture {
        /// The name of the input.
        name: String,
        /// The error.
        source: ReadError,
    },
    /// A generator failed.
    #[error("the generator of {puzzle} failed: {reason}")]
    Generator {
        /// The puzzle.
        puzzle: &'static str,
        /// The generator's message.
        reason: String,
    },
    /// The user interrupted the comparison.
    #[error("interrupted")]
    Interrupted,
}

/// The number of random boards in a piece of work.
const BOARDS_PER_PIECE: u64 = 16;

/// The largest number of steps allowed for shrinking a board.
const SHRINK_STEPS: usize = 10_000;

/// A piece of work for one core.
enum Piece<'a> {
    Fixture(&'a str, &'a [u8]),
    Random { seed: u64, start: u64, end: u64 },
    Exhaustive(u32),
}

/// Compares all solvers of `puzzle` on the boards of `plan`. Fails if a fixed input is not legal, a generator fails, or
/// the user interrupts the comparison.
pub fn crosscheck(
    puzzle: &dyn Puzzle,
    plan: &BoardSelection<'_>,
    watch: &dyn Watch,
) -> Result<CrosscheckFinished, CrosscheckError> {
    let started = Instant::now();
    let total = pieces(puzzle, plan);
    let done = AtomicU64::new(0);
    let sum = (0..total)
        .into_par_iter()
        .map(|number| {
            if watch.stop() {
                return Err(CrosscheckError::Interrupted);
            }
            let tally = compare(puzzle, &piece(plan, number));
            watch.progress(done.fetch_add(1, Ordering::Relaxed) + 1, total);
            tally
        })
        // Rayon merges neighbouring partial results in their order. So the sum does not depend on how Rayon splits the
        // work.
        .try_reduce(Tally::default, |mut sum, tally| {
            sum.merge(tally);
            Ok(sum)
        })?;
    let smallest = sum.examples.iter().map(|example| shrink(puzzle, example)).min_by_key(|example| example.input.len());
    Ok(finished(puzzle, plan.scope(), sum, smallest, started.elapsed().as_secs_f64()))
}

/// Returns the number of pieces of work.
fn pieces(puzzle: &dyn Puzzle, plan: &BoardSelection<'_>) -> u64 {
    match plan {
        BoardSelection::Exhaustive => u64::from(puzzle.exhaustive_parts()),
        BoardSelection::Sampled(sample) => sample.fixtures.len() as u64 + sample.boards.div_ceil(BOARDS_PER_PIECE),
    }
}

/// Returns piece `number`. Pieces are created one by one, so that they are not all in memory.
fn piece<'a>(plan: &'a BoardSelection<'_>, number: u64) -> Piece<'a> {
    let sample = match plan {
        BoardSelection::Exhaustive => return Piece::Exhaustive(number as u32),
        BoardSelection::Sampled(sample) => sample,
    };
    if let Some((name, text)) = sample.fixtures.get(number as usize) {
        return Piece::Fixture(name, text);
    }
    let start = (number - sample.fixtures.len() as u64) * BOARDS_PER_PIECE;
    Piece::Random { seed: sample.seed, start, end: sample.boards.min(start.saturating_add(BOARDS_PER_PIECE)) }
}

fn compare(puzzle: &dyn Puzzle, piece: &Piece<'_>) -> Result<Tally, CrosscheckError> {
    let mut tally = Tally::default();
    match *piece {
        Piece::Exhaustive(part) => puzzle.exhaustive_part(part, &mut tally),
        Piece::Fixture(name, text) => {
            let mut lines = Lines::new(text);
            let failed = |source| CrosscheckError::Fixture { name: name.to_owned(), source };
            while let Some(instance) = puzzle.read(&mut lines, None).map_err(failed)? {
                tally.compare(puzzle, instance.as_ref());
            }
        }
        Piece::Random { seed, start, end } => {
            for index in start..end {
                tally.compare(puzzle, draw(puzzle, seed, index)?.as_ref());
            }
        }
    }
    Ok(tally)
}

/// Draws board number `index`. The puzzle's kinds of boards and its further sizes take turns, so that each gets about
/// the same number of boards.
fn draw(puzzle: &dyn Puzzle, seed: u64, index: u64) -> Result<Box<dyn Instance>, CrosscheckError> {
    let (kinds, sizes) = (puzzle.kinds(), puzzle.sizes());
    let turn = (index % (kinds.len() + sizes.len()) as u64) as usize;
    // Boards of the further sizes have the puzzle's first kind, which is its most general one.
    let kind = kinds.get(turn).unwrap_or(&kinds[0]);
    let size = turn.checked_sub(kinds.len()).map(|other| sizes[other]);
    puzzle
        .generate(kind.name, size, &mut Random::new(seed, index))
        .map_err(|error| CrosscheckError::Generator { puzzle: puzzle.name(), reason: error.to_string() })
}

/// Returns how the solvers disagree on `instance`; `None` if they agree.
fn disagreement(puzzle: &dyn Puzzle, instance: &dyn Instance) -> Option<Disagreement> {
    let mut tally = Tally::default();
    tally.compare(puzzle, instance);
    tally.examples.pop()
}

/// Shrinks the board step by step, as long as the solvers still disagree. Takes at most [`SHRINK_STEPS`] steps.
fn shrink(puzzle: &dyn Puzzle, example: &Disagreement) -> Disagreement {
    let mut smallest = example.clone();
    let Ok(Some(mut instance)) = puzzle.read(&mut Lines::new(example.input.as_bytes()), None) else {
        return smallest; // Boards of other sizes than the package's are not shrunk, because `read` cannot parse them.
    };
    for _ in 0..SHRINK_STEPS {
        let step = instance.shrink().into_iter().find_map(|next| Some((disagreement(puzzle, next.as_ref())?, next)));
        let Some((worse, next)) = step else { break };
        (smallest, instance) = (worse, next);
    }
    smallest
}

fn finished(
    puzzle: &dyn Puzzle,
    scope: Scope,
    sum: Tally,
    smallest: Option<Disagreement>,
    seconds: f64,
) -> CrosscheckFinished {
    let owned =
        |pairs: BTreeMap<&'static str, u64>| pairs.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    CrosscheckFinished {
        puzzle: puzzle.name().to_owned(),
        scope,
        solvers: puzzle.solvers().iter().map(|solver| solver.name.to_owned()).collect(),
        boards: sum.boards,
        disagreements: sum.disagreements,
        histogram: sum.histogram.into_iter().map(|(value, count)| (value.to_string(), count)).collect(),
        moves_replayed: sum.moves_replayed,
        bounds_proved: sum.bounds_proved,
        declined: owned(sum.declined),
        smallest: smallest.map(|example| Counterexample {
            input: example.input,
            reason: example.reason,
            answers: example.answers.into_iter().map(|(solver, answer)| (solver.to_owned(), answer)).collect(),
        }),
        seconds,
    }
}

#[cfg(test)]
mod tests;
