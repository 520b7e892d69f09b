//! Solitaire: can four identical pieces on an 8 x 8 board reach a second configuration in at most eight moves?
//!
//! A move takes one piece to an empty orthogonal neighbour, or over exactly one neighbouring piece to the empty field
//! behind it. Every move can be undone by one move, so a search may start from either end. Sources: POJ 1198 = HDU 1401
//! "Solitaire" (Southwestern European Regional Contest 2002).
//!
//! This module contains the board, its printing and the puzzle's entry in the registry. It deliberately has no move
//! generator: every solver, the checker and the generator have rule code of their own.
//!
//! **Certificate.** The certificate of a YES has one number for each configuration on the path, start and goal
//! included. The eight digits `rcrcrcrc` of this number are the rows and columns of the four pieces. A NO has no
//! certificate; [`check`] proves it if a lower bound is enough.
#![allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "a pair of boards happens to be small; the solvers of all puzzles take references to boards"
)]

use std::fmt;
use std::io;

use crate::disagreement::Tally;
use crate::puzzle::{
    Answer, CheckError, Declined, Evidence, GenerateError, Instance, Kind, Puzzle, Repetition, Size, Solver, Value,
};
use crate::text::{Lines, ReadError, Tokens};
use referee_picture::Film;
use referee_random::Random;

pub mod bfs;
pub mod bidirectional;
pub mod bounded;
pub mod check;
pub mod exhaust;
#[cfg(test)]
mod facts;
pub mod generate;
mod parse;
mod picture;
pub mod shrink;
mod traps;

/// The number of rows, and of columns, of the board.
pub const SIDE: u8 = 8;
/// The number of pieces on the board.
pub const PIECES: usize = 4;
/// The number of moves that the question allows.
pub const MOVES: u32 = 8;

/// The configurations on a path from start to goal, both included. Each lists its field numbers in any order.
pub type Path = Vec<[u8; PIECES]>;

/// A field of the board, numbered row by row from 0 to 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(u8);

impl Field {
    /// Returns the field in `row` and `column` (from 0); `None` outside the board.
    pub fn at(row: i8, column: i8) -> Option<Field> {
        let inside = |coordinate| (0..SIDE as i8).contains(&coordinate);
        (inside(row) && inside(column)).then_some(Field((row * SIDE as i8 + column) as u8))
    }

    /// Returns the field's number, from 0 to 63.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns the field's row, from 0 to 7.
    pub fn row(self) -> i8 {
        (self.0 / SIDE) as i8
    }

    /// Returns the field's column, from 0 to 7.
    pub fn column(self) -> i8 {
        (self.0 % SIDE) as i8
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.row() + 1, self.column() + 1)
    }
}

/// Four different fields, in the order in which they are written. The order has no meaning in the puzzle. It is
/// preserved because some programs wrongly depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration([Field; PIECES]);

impl Configuration {
    /// Creates the configuration with pieces on `fields`. Returns `None` if two of them are the same.
    pub fn new(fields: [Field; PIECES]) -> Option<Configuration> {
        let repeated = (1..PIECES).any(|later| fields[..later].contains(&fields[later]));
        (!repeated).then_some(Configuration(fields))
    }

    /// Returns the fields in written order.
    pub fn fields(&self) -> [Field; PIECES] {
        self.0
    }

    /// Returns the field numbers in ascending order, which are the same for every written order.
    pub fn sorted(&self) -> [u8; PIECES] {
        let mut numbers = self.0.map(Field::number);
        numbers.sort_unstable();
        numbers
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third, fourth] = self.0;
        write!(f, "{first} {second} {third} {fourth}")
    }
}

/// One test case: is `goal` reachable from `start` in at most [`MOVES`] moves?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The pieces at the start.
    pub start: Configuration,
    /// The pieces to reach.
    pub goal: Configuration,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.start, self.goal)
    }
}

/// Returns the answer for a path: YES with its certificate, or NO for `None`.
fn answer(way: Option<Path>) -> Answer {
    let value = if way.is_some() { Value::Yes } else { Value::No };
    let certificate = way.map(|way| way.iter().map(check::digits).collect());
    Answer { text: format!("{value}\n"), value, certificate }
}

impl Instance for Pair {
    fn print(&self) -> String {
        self.to_string()
    }

    fn solve(&self, solver: &str) -> Result<Answer, Declined> {
        match solver {
            "bounded" => Ok(answer(bounded::solve(self))),
            "bidirectional" => Ok(answer(bidirectional::solve(self))),
            "bfs" => Ok(answer(bfs::solve(self))),
            _ => Err(Declined(format!("solitaire has no solver '{solver}', allowed: {}", names(SOLVERS, |s| s.name)))),
        }
    }

    fn check(&self, output: &mut Tokens<'_>, right: &Value) -> Result<(), CheckError> {
        check::check(output, right)
    }

    fn verify(&self, answer: &Answer) -> Result<Evidence, String> {
        check::verify(self, answer)
    }

    fn film(&self, answer: &Answer) -> Film {
        picture::film(self, answer)
    }

    fn film_of_output(&self, output: &mut Tokens<'_>) -> Option<Film> {
        // The answer is a single word, so there are no moves to show.
        let _ = output.next_token();
        None
    }

    fn shrink(&self) -> Vec<Box<dyn Instance>> {
        shrink::steps(self).into_iter().map(|pair| Box::new(pair) as Box<dyn Instance>).collect()
    }

    fn weight(&self) -> u64 {
        shrink::weight(self)
    }

    fn effort(&self) -> u64 {
        generate::effort(self)
    }

    fn variation(&self, random: &mut Random) -> Option<Box<dyn Instance>> {
        Some(Box::new(generate::variation(self, random)))
    }
}

/// The puzzle's entry in the registry.
pub struct Solitaire;

const SOLVERS: &[Solver] = &[
    Solver { name: "bounded", method: "bit boards, 4 + 4 levels, pruned by row and column distance" },
    Solver { name: "bidirectional", method: "4 + 4 levels from both ends, each level a sorted list" },
    Solver { name: "bfs", method: "one-way breadth-first search, 8 levels, ranks in a bit set" },
];

fn names<T>(things: &[T], name: fn(&T) -> &'static str) -> String {
    things.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Fails if a size other than 8 x 8 is requested.
fn refuse_size(size: Option<Size>) -> Result<(), String> {
    match size {
        Some(size) if size != (Size { rows: SIDE as usize, columns: SIDE as usize }) => {
            Err(format!("solitaire has no board of {size}; its only size is {SIDE}x{SIDE}"))
        }
        _ => Ok(()),
    }
}

impl Puzzle for Solitaire {
    fn name(&self) -> &'static str {
        "solitaire"
    }

    fn question(&self) -> &'static str {
        "Can four pieces reach the second configuration in at most 8 moves?"
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
        Repetition::UntilEnd
    }

    fn read(&self, lines: &mut Lines<'_>, size: Option<Size>) -> Result<Option<Box<dyn Instance>>, ReadError> {
        refuse_size(size).map_err(|reason| io::Error::new(io::ErrorKind::InvalidInput, reason))?;
        Ok(parse::pair(lines)?.map(|pair| Box::new(pair) as Box<dyn Instance>))
    }

    fn generate(
        &self,
        kind: &str,
        size: Option<Size>,
        random: &mut Random,
    ) -> Result<Box<dyn Instance>, GenerateError> {
        refuse_size(size).map_err(GenerateError)?;
        Ok(Box::new(generate::pair(kind, random)?))
    }

    fn exhaustive_argument(&self) -> &'static str {
        exhaust::ARGUMENT
    }

    fn exhaustive_parts(&self) -> u32 {
        exhaust::PARTS
    }

    fn exhaustive_part(&self, part: u32, tally: &mut Tally) {
        exhaust::part(part, tally);
    }
}
