//! The black-and-white swap game: two 4 x 4 boards of `0` (white) and `1` (black). One step exchanges two orthogonal
//! neighbours of different colours. What is the smallest number of steps from the first board to the second?
//!
//! Every pair of boards with the same number of `1`s is solvable; every other pair is not a legal input. A step changes
//! the sum of the rows and columns of all `1`s by exactly one. So all sequences of steps between the same two boards
//! have lengths of the same parity.
//!
//! This module contains the board, its text and the implementations of the traits. It contains no rules of the game,
//! because every solver and the checker have rule code of their own.

pub mod bfs;
pub mod bidirectional;
pub mod check;
pub mod exhaust;
pub mod generate;
pub mod matching;
mod parse;
mod picture;
pub mod shrink;
pub mod subsets;

use std::fmt;

use crate::disagreement::Tally;
use crate::puzzle::{
    Answer, CheckError, Declined, Evidence, GenerateError, Instance, Kind, Puzzle, Repetition, Size, Solver, Value,
};
use crate::text::{Lines, ReadError, Tokens};
use referee_picture::Film;
use referee_random::Random;

/// The height and the width of the board.
pub const SIDE: usize = 4;
/// The number of cells of the board.
pub const CELLS: usize = SIDE * SIDE;
/// The largest number of steps that any pair of boards needs.
pub const FARTHEST: u32 = 20;

/// A 4 x 4 board: bit 4 * row + column (both from 0) is set if the cell holds a `1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board(pub u16);

impl Board {
    /// Returns the number of `1`s.
    pub fn ones(self) -> u32 {
        self.0.count_ones()
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..SIDE {
            for column in 0..SIDE {
                write!(f, "{}", self.0 >> (SIDE * row + column) & 1)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// A start and a goal with the same number of `1`s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    start: Board,
    goal: Board,
}

impl Pair {
    /// Creates a pair. Returns `None` if the numbers of `1`s differ.
    pub fn new(start: Board, goal: Board) -> Option<Pair> {
        (start.ones() == goal.ones()).then_some(Pair { start, goal })
    }

    /// Returns the first board.
    pub fn start(&self) -> Board {
        self.start
    }

    /// Returns the second board.
    pub fn goal(&self) -> Board {
        self.goal
    }
}

/// One step: the `1` on cell `from` and the `0` on cell `to` change places. Cells are numbered like the board's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exchange {
    /// The cell that the `1` leaves.
    pub from: u8,
    /// The cell that the `1` enters.
    pub to: u8,
}

impl fmt::Display for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |cell| cell / SIDE as u8 + 1;
        let column = |cell| cell % SIDE as u8 + 1;
        write!(f, "{}{}{}{}", row(self.from), column(self.from), row(self.to), column(self.to))
    }
}

/// A pair as written in a file, with or without a blank line between the boards. Programs that read a fixed number of
/// characters fail on that line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Input {
    /// The two boards.
    pub pair: Pair,
    /// Whether there is a blank line between them.
    pub blank_line: bool,
}

/// The puzzle's entry in the registry.
#[derive(Clone, Copy, Debug)]
pub struct SwapGame;

const SOLVERS: &[Solver] = &[
    Solver { name: "matching", method: "cheapest assignment of ones to goals, with dual potentials" },
    Solver { name: "subsets", method: "assignment by dynamic programming over subsets, descent" },
    Solver { name: "bidirectional", method: "breadth-first from both ends, bitsets" },
    Solver { name: "bfs", method: "textbook breadth-first search, a queue and a map" },
];

impl Puzzle for SwapGame {
    fn name(&self) -> &'static str {
        "swapgame"
    }

    fn question(&self) -> &'static str {
        "How few swaps of unlike neighbours turn one board into the other?"
    }

    fn solvers(&self) -> &'static [Solver] {
        SOLVERS
    }

    fn kinds(&self) -> &'static [Kind] {
        generate::KINDS
    }

    fn generator_version(&self) -> u32 {
        1
    }

    fn repetition(&self) -> Repetition {
        Repetition::One
    }

    fn read(&self, lines: &mut Lines<'_>, size: Option<Size>) -> Result<Option<Box<dyn Instance>>, ReadError> {
        Ok(parse::read(lines, size)?.map(|input| Box::new(input) as Box<dyn Instance>))
    }

    fn generate(
        &self,
        kind: &str,
        size: Option<Size>,
        random: &mut Random,
    ) -> Result<Box<dyn Instance>, GenerateError> {
        generate::generate(kind, size, random).map(|input| Box::new(input) as Box<dyn Instance>)
    }

    fn exhaustive_argument(&self) -> &'static str {
        exhaust::ARGUMENT
    }

    fn exhaustive_parts(&self) -> u32 {
        exhaust::PARTS
    }

    fn exhaustive_part(&self, part: u32, tally: &mut Tally) {
        exhaust::run(part, tally);
    }
}

impl Instance for Input {
    fn print(&self) -> String {
        let between = if self.blank_line { "\n" } else { "" };
        format!("{}{between}{}", self.pair.start, self.pair.goal)
    }

    /// The certificate of `matching` is a height for each of the 16 cells, row by row; see [`check::verify`].
    fn solve(&self, solver: &str) -> Result<Answer, Declined> {
        match solver {
            "matching" => {
                let solution = matching::solve(self.pair);
                let heights = solution.heights.iter().map(|&height| i64::from(height)).collect();
                Ok(answer(Some(&solution.moves), Some(heights)))
            }
            "subsets" => Ok(answer(subsets::solve(self.pair).as_deref(), None)),
            "bidirectional" => Ok(answer(bidirectional::solve(self.pair).as_deref(), None)),
            "bfs" => Ok(answer(bfs::solve(self.pair).as_deref(), None)),
            _ => Err(Declined(format!("swapgame has no solver '{solver}', allowed: {}", names(SOLVERS)))),
        }
    }

    fn check(&self, output: &mut Tokens<'_>, right: &Value) -> Result<(), CheckError> {
        check::check(self.pair, output, right)
    }

    fn verify(&self, answer: &Answer) -> Result<Evidence, String> {
        check::verify(self.pair, answer)
    }

    fn film(&self, answer: &Answer) -> Film {
        picture::film(self.pair, &mut Tokens::new(answer.text.as_bytes()))
    }

    fn film_of_output(&self, output: &mut Tokens<'_>) -> Option<Film> {
        Some(picture::film(self.pair, output))
    }

    fn shrink(&self) -> Vec<Box<dyn Instance>> {
        shrink::steps(self).into_iter().map(|input| Box::new(input) as Box<dyn Instance>).collect()
    }

    fn weight(&self) -> u64 {
        shrink::weight(self)
    }

    fn effort(&self) -> u64 {
        generate::effort(self.pair)
    }
}

fn names(solvers: &[Solver]) -> String {
    solvers.iter().map(|solver| solver.name).collect::<Vec<_>>().join(", ")
}

/// Returns the answer in the package's format. If `moves` is `None`, because a search did not reach the goal, the
/// answer is `Impossible`. No legal pair is impossible, so a broken search shows up as a disagreement.
fn answer(moves: Option<&[Exchange]>, certificate: Option<Vec<i64>>) -> Answer {
    let Some(moves) = moves else {
        return Answer { value: Value::Impossible, text: "Impossible\n".to_owned(), certificate };
    };
    let lines: Vec<String> =
        std::iter::once(moves.len().to_string()).chain(moves.iter().map(ToString::to_string)).collect();
    let text = lines.join("\n") + "\n";
    Answer { value: Value::Minimum(moves.len() as u32), text, certificate }
}

#[cfg(test)]
mod agreement_tests;
