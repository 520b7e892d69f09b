//! Sliding coins: sort a row of coins by moving touching pairs of different coins.
//!
//! A row of touching coins `A` and `B` lies on an endless line of cells. One move takes two touching, different coins
//! and moves them to the left or to the right, without changing their order. On the side to which the pair moves, a
//! coin must touch it. The pair passes over the whole run of touching coins on this side and lands on the two cells
//! next to the run. The goal is a row without gaps in which all `A` lie on one side and all `B` on the other. The
//! puzzle is known from the game Uncharted Waters IV and belongs to the family of Tait's counters.
//!
//! Every gap is even at all times: the start has none, and a pair leaves and takes two cells. So the two cells next to
//! a run of coins are always free.
//!
//! This module holds the board and no code that moves a coin. `bidirectional`, `dfs` and `bfs` store rows in three
//! different forms and have three different move generators, and the checker replays moves with a fourth.
//!
//! The certificate of an `Impossible` consists of the four numbers of [`check::ImpossibilityProof`]. For an
//! `Impossible` without a certificate, the solver tried all moves within the limit.

pub mod bfs;
pub mod bidirectional;
pub mod check;
pub mod dfs;
mod exhaust;
#[cfg(test)]
mod facts;
mod fewest;
mod generate;
mod instance;
mod packed;
mod parse;
mod picture;
mod rows;
mod shrink;
pub mod sweep;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::disagreement::Tally;
use crate::puzzle::{GenerateError, Instance, Kind, Puzzle, Repetition, Size, Solver};
use crate::text::{Lines, ReadError};
use referee_random::Random;

/// The length of the longest row that a problem input may hold.
pub const MOST_COINS_READ: usize = 9;

/// The largest limit that a problem input may hold.
pub const LARGEST_LIMIT_READ: u32 = 40;

/// The length of the longest row that the library accepts; only `bidirectional` and `sweep` accept more than ten coins.
pub const MOST_COINS: usize = 11;

/// The largest limit that the library accepts: eleven alternating coins need 53 moves.
pub const LARGEST_LIMIT: u32 = 53;

/// One coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Coin {
    /// Printed as `A`.
    A,
    /// Printed as `B`.
    B,
}

impl Coin {
    /// Returns the letter on the coin.
    pub fn letter(self) -> char {
        match self {
            Coin::A => 'A',
            Coin::B => 'B',
        }
    }

    /// Returns the other kind of coin.
    #[must_use]
    pub fn other(self) -> Coin {
        match self {
            Coin::A => Coin::B,
            Coin::B => Coin::A,
        }
    }
}

/// A start row and the number of moves allowed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    coins: Vec<Coin>,
    limit: u32,
}

impl Board {
    /// Creates a board of 2 to [`MOST_COINS`] touching coins with both letters present and a limit of at most
    /// [`LARGEST_LIMIT`]. Returns `None` for anything else.
    pub fn new(coins: Vec<Coin>, limit: u32) -> Option<Board> {
        let both = coins.contains(&Coin::A) && coins.contains(&Coin::B);
        (both && coins.len() <= MOST_COINS && limit <= LARGEST_LIMIT).then_some(Board { coins, limit })
    }

    /// Returns the coins from left to right.
    pub fn coins(&self) -> &[Coin] {
        &self.coins
    }

    /// Returns the largest number of moves allowed.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Returns the row as letters.
    pub fn row(&self) -> String {
        self.coins.iter().map(|coin| coin.letter()).collect()
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.row(), self.limit)
    }
}

/// The result of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The printed rows of a shortest sequence of moves, from the start to the goal.
    Reached(Vec<String>),
    /// There is no sequence within the limit. Contains a proof if the sums of positions give one.
    Impossible(Option<check::ImpossibilityProof>),
}

/// The puzzle's entry in the registry.
pub struct Coins;

impl Puzzle for Coins {
    fn name(&self) -> &'static str {
        "coins"
    }

    fn question(&self) -> &'static str {
        "Fewest moves of touching pairs that sort a row of coins"
    }

    fn solvers(&self) -> &'static [Solver] {
        instance::SOLVERS
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

    /// Returns a smaller number than other puzzles do, because `bfs` visits three million rows to find that nine coins
    /// cannot be sorted with 40 moves.
    fn usual_boards(&self) -> u64 {
        400
    }

    fn read(&self, lines: &mut Lines<'_>, size: Option<Size>) -> Result<Option<Box<dyn Instance>>, ReadError> {
        let board = parse::board(lines, size)?;
        Ok(board.map(|board| Box::new(board) as Box<dyn Instance>))
    }

    fn generate(
        &self,
        kind: &str,
        size: Option<Size>,
        random: &mut Random,
    ) -> Result<Box<dyn Instance>, GenerateError> {
        Ok(Box::new(generate::board(kind, size, random)?))
    }

    fn instance_count(&self) -> u64 {
        exhaust::instance_count()
    }

    fn nth(&self, index: u64) -> Option<Box<dyn Instance>> {
        exhaust::nth(index).map(|board| Box::new(board) as Box<dyn Instance>)
    }

    fn exhaustive_argument(&self) -> &'static str {
        exhaust::ARGUMENT
    }

    fn exhaustive_parts(&self) -> u32 {
        exhaust::PARTS
    }

    fn exhaustive_part(&self, part: u32, tally: &mut Tally) {
        exhaust::part(self, part, tally);
    }
}
