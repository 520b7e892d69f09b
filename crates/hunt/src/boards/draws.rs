//! The boards that belong to each input number. Drawing boards runs no program.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use referee_random::Random;
use reference::puzzle::{Instance, Puzzle, Repetition, effort_level};

use super::enumeration::{Choice, Schedule};
use super::{Boards, board_error};
use crate::AnswerKey;
use crate::input_source::Draw;
use referee_grading::verdict::Verdict;
use referee_judge::JudgeError;
use referee_package::Package;

/// Where the search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Own inputs with little effort come first. The effort of generated inputs is limited, and the limit grows with
    /// the number of the input.
    QuickFirst,
    /// Own inputs with much effort come first. The effort of generated inputs is not limited.
    SlowFirst,
}

impl Order {
    /// Returns the order in which a hunt for this verdict finds a failing input soonest; `None` stands for every
    /// failure.
    pub(crate) fn of(wanted: Option<Verdict>) -> Order {
        match wanted {
            Some(Verdict::TimeLimitExceeded | Verdict::MemoryLimitExceeded) => Order::SlowFirst,
            _ => Order::QuickFirst,
        }
    }
}

/// If an input has at least this number of boards, one in this number of boards is generated. The others are variations
/// of the board before. For some kinds, generating a board takes longer than a program needs to solve it.
const VARIED: u64 = 8;

/// Draws the boards of each input.
pub(crate) struct BoardDraws {
    puzzle: &'static dyn Puzzle,
    /// The package's own inputs, each as a list of boards.
    own: Vec<Boards>,
    schedule: Schedule,
    order: Order,
    seed: u64,
    /// The time at which the hunt ends; `None` if it has no time limit.
    until: Option<Instant>,
}

impl BoardDraws {
    /// Reads the package's own inputs. Inputs that do not consist of boards of the puzzle are left out.
    pub(crate) fn new(
        (puzzle, answer_key): (&'static dyn Puzzle, &'static dyn AnswerKey),
        package: &Package,
        (seed, order): (u64, Order),
        until: Option<Instant>,
    ) -> Self {
        let read = |path: &Path| {
            let boards = answer_key.boards(puzzle, path).ok()?;
            Some(boards.into_iter().map(Arc::from).collect::<Boards>())
        };
        let mut own: Vec<_> = package.cases.iter().filter_map(|case| read(&case.input())).collect();
        own.sort_by_cached_key(|boards| match order {
            Order::QuickFirst => effort(boards),
            Order::SlowFirst => u64::MAX - effort(boards),
        });
        // No input gets more boards than the longest of the package's own inputs, because the problem may not allow
        // more boards in an input.
        let most = match puzzle.repetition() {
            Repetition::One => 1,
            Repetition::UntilEnd => own.iter().map(Vec::len).max().unwrap_or(1),
        };
        let schedule = Schedule::new(puzzle.instance_count(), own.len() as u64, most as u64);
        BoardDraws { puzzle, own, schedule, order, seed, until }
    }

    /// Returns the boards of input number `number`. Fails if the time of the hunt is over.
    pub(crate) fn draw(&self, number: u64) -> Result<Draw<Boards>, JudgeError> {
        Ok(match self.schedule.choice(number) {
            Choice::Enumerated(index) => match self.puzzle.nth(index) {
                Some(board) => Draw::Candidate(vec![Arc::from(board)]),
                None => Draw::Nothing,
            },
            Choice::Own(index) => {
                self.own.get(index as usize).map_or(Draw::Nothing, |boards| Draw::Candidate(boards.clone()))
            }
            Choice::Generated { turn, first, count, level } => {
                let boards = self.generated(turn, (first, count), level)?;
                if boards.is_empty() { Draw::Nothing } else { Draw::Candidate(boards) }
            }
            Choice::UsedUp => Draw::Nothing,
            Choice::End => Draw::End,
        })
    }

    /// Returns the part of all boards that is searched once the inputs up to `number` are drawn; `None` if the boards are
    /// too many to try.
    pub(super) fn share(&self, number: u64) -> Option<f64> {
        self.schedule.share(number)
    }

    /// Returns generated boards, as many as the level of their effort allows. Few of the kinds fit into an input, so
    /// each turn begins with another kind.
    fn generated(&self, turn: u64, (first, count): (u64, u64), level: u32) -> Result<Boards, JudgeError> {
        let group = if count >= VARIED { VARIED } else { 1 };
        let mut boards = Boards::new();
        let mut total = 0_u64;
        for start in (0..count).step_by(group as usize) {
            let mut random = Random::new(self.seed, first + start);
            let mut board = self.board(turn + start / group, &mut random)?;
            for _ in start..count.min(start + group) {
                total = total.saturating_add(board.effort());
                if self.order == Order::QuickFirst && effort_level(total) > level {
                    return Ok(boards);
                }
                boards.push(Arc::clone(&board));
                board = match board.variation(&mut random) {
                    Some(variation) => Arc::from(variation),
                    None => break,
                };
            }
        }
        Ok(boards)
    }

    /// Generates a board. The kinds take turns with growing `turn`.
    fn board(&self, turn: u64, random: &mut Random) -> Result<Arc<dyn Instance>, JudgeError> {
        let kinds = self.puzzle.kinds();
        let kind = kinds[(turn % kinds.len() as u64) as usize];
        self.check_time()?;
        let drawn = self.puzzle.generate(kind.name, None, random);
        drawn.map(Arc::from).map_err(|error| board_error(&error.to_string()))
    }

    /// Fails if the time of the hunt is over. Solvers and generators of boards cannot be stopped, so this is called
    /// before each of them starts.
    pub(crate) fn check_time(&self) -> Result<(), JudgeError> {
        let is_over = self.until.is_some_and(|until| Instant::now() >= until);
        if is_over { Err(JudgeError::Interrupted) } else { Ok(()) }
    }
}

/// Returns the effort of all boards together.
pub(crate) fn effort(boards: &Boards) -> u64 {
    boards.iter().map(|board| board.effort()).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::super::enumeration::LEVEL_0;
    use super::*;

    const LONGEST: u64 = 100;

    fn draws(puzzle: &'static dyn Puzzle, order: Order) -> BoardDraws {
        let most = if puzzle.repetition() == Repetition::One { 1 } else { LONGEST };
        BoardDraws { puzzle, own: Vec::new(), schedule: Schedule::new(0, 0, most), order, seed: 1, until: None }
    }

    /// Returns the generated boards of each turn.
    fn generated(draws: &BoardDraws, turns: u64) -> Vec<Boards> {
        let one = |turn: u64| match draws.draw(3 * turn + 2).unwrap() {
            Draw::Candidate(boards) => boards,
            _ => Boards::new(),
        };
        (0..turns).map(one).collect()
    }

    #[test]
    fn effort_grows_with_the_turns_and_the_same_number_gives_the_same_boards() {
        for puzzle in reference::registry::ALL.iter().copied() {
            let inputs = generated(&draws(puzzle, Order::QuickFirst), 70);
            let again = generated(&draws(puzzle, Order::QuickFirst), 70);
            for (turn, boards) in inputs.iter().enumerate() {
                assert!(effort_level(effort(boards)) <= (turn as u64 / LEVEL_0 + 1).ilog2(), "{}", puzzle.name());
                assert_eq!(super::super::print(boards), super::super::print(&again[turn]));
            }
            let few = inputs.iter().filter(|boards| boards.is_empty()).count();
            assert!(few < 60, "{}: {few} of 70 turns without a board", puzzle.name());
        }
    }

    #[test]
    fn a_search_for_timeouts_draws_boards_of_any_effort_and_as_many_as_there_may_be() {
        for puzzle in reference::registry::ALL.iter().copied() {
            let inputs = generated(&draws(puzzle, Order::SlowFirst), 30);
            assert!(inputs.iter().all(|boards| !boards.is_empty()), "{}", puzzle.name());
            let longest = inputs.iter().map(Vec::len).max();
            assert_eq!(longest, Some(if puzzle.repetition() == Repetition::One { 1 } else { LONGEST as usize }));
        }
    }
}
