//! Making a failing input smaller as long as it fails in the same way.
//!
//! The steps of an input are tried in their order, several at a time; the first of them that fails is taken, whichever
//! was seen first. When no step fails, the input is minimal: nothing one legal step smaller shows the failure.

use std::time::Instant;

use rayon::prelude::*;

use super::Watch;
use super::ground::{Ground, Word};
use super::search::Find;
use crate::judge::JudgeError;

/// What may be spent.
#[derive(Clone, Copy)]
pub(super) struct Shrink<'a> {
    pub(super) jobs: usize,
    pub(super) deadline: Instant,
    pub(super) watch: &'a dyn Watch,
}

/// What is left.
pub(super) struct Shrunk<P> {
    pub(super) find: Find<P>,
    /// How many smaller inputs were tried.
    pub(super) tried: u64,
    /// Whether no step keeps it failing; else there was no time to find out.
    pub(super) minimal: bool,
    pub(super) interrupted: bool,
}

/// What came of going through the steps.
enum Pass<P> {
    /// The step of this number fails.
    Smaller(usize, Find<P>),
    /// None does.
    Minimal,
    OutOfTime,
    Interrupted,
}

impl Shrink<'_> {
    pub(super) fn run<G: Ground>(&self, ground: &G, find: Find<G::Prey>) -> Result<Shrunk<G::Prey>, JudgeError> {
        let mut shrunk = Shrunk { find, tried: 0, minimal: false, interrupted: false };
        // Where the next pass begins. Passes that begin behind the first step end before it.
        let mut start = 0;
        loop {
            match self.pass(ground, &shrunk.find, start, &mut shrunk.tried)? {
                Pass::Smaller(step, find) => {
                    shrunk.find = find;
                    start = if ground.goes_on_behind() { step } else { 0 };
                }
                Pass::Minimal => {
                    shrunk.minimal = true;
                    return Ok(shrunk);
                }
                Pass::OutOfTime => return Ok(shrunk),
                Pass::Interrupted => {
                    shrunk.interrupted = true;
                    return Ok(shrunk);
                }
            }
        }
    }

    fn pass<G: Ground>(
        &self,
        ground: &G,
        find: &Find<G::Prey>,
        start: usize,
        tried: &mut u64,
    ) -> Result<Pass<G::Prey>, JudgeError> {
        let steps = || ground.smaller(&find.prey, &find.failure).enumerate();
        let mut steps = steps().skip(start).chain(steps().take(start));
        loop {
            let few: Vec<_> = steps.by_ref().take(self.jobs).collect();
            if few.is_empty() {
                return Ok(Pass::Minimal);
            }
            if self.watch.stop() {
                return Ok(Pass::Interrupted);
            }
            if Instant::now() >= self.deadline {
                return Ok(Pass::OutOfTime);
            }
            let words: Vec<_> = few.par_iter().map(|(_, prey)| ground.examine(prey)).collect();
            for ((step, prey), word) in few.into_iter().zip(words) {
                // What comes behind the step that is taken was looked at in vain, and by more jobs more of it.
                *tried += 1;
                match word {
                    Err(JudgeError::Interrupted) => return Ok(Pass::Interrupted),
                    Err(error) => return Err(error),
                    Ok(Word::Fails(failure)) if failure.kind == find.failure.kind => {
                        self.watch.shrunk(ground.bytes(&prey).len());
                        return Ok(Pass::Smaller(step, Find { prey, failure: *failure }));
                    }
                    Ok(_) => {}
                }
            }
        }
    }
}
