//! The flip game: a field of pieces, white on one side and black on the other. A round turns one piece and its
//! neighbours above, below, left and right; the goal is a field of one colour. What is the smallest number of rounds?
//! (POJ 1753; with other sizes, the game is known as Lights Out.)
//!
//! The problem package has 4 x 4 boards; the reader and the generator accept up to 64 x 64. The default solver `rows`
//! accepts all boards whose shorter side is at most [`rows::LONGEST_FIRST_ROW`]; its error for a larger board names
//! `gf2`.
//!
//! **Certificates.** Cells are numbered row by row from 0. The certificate of a solved board lists the rounds to play.
//! For an Impossible board, only `rows` and `gf2` give a certificate. It lists a quiet pattern: a set of pieces such
//! that every round turns an even number of them. So the parity of the number of black pieces in the pattern never
//! changes. This parity is odd on the board, and even on both goals. (A quiet pattern is also a set of rounds that
//! changes nothing, because "round x turns piece y" is symmetric. By Sutner's theorem its size is always even.)
//!
//! This module deliberately has no moves and no search, because each solver and the checker has rule code of its own.

pub mod bfs;
mod board;
mod check;
mod exhaust;
mod generate;
pub mod gf2;
mod parse;
mod picture;
pub mod rows;
mod shrink;
pub mod table;
#[cfg(test)]
mod tests;

pub use board::{Board, LONGEST_SIDE, PACKAGE_SIZE, Presses, Solution};

use crate::disagreement::Tally;
use crate::puzzle::{
    Answer, CheckError, Declined, Evidence, GenerateError, Instance, Kind, Puzzle, Repetition, Size, Solver, Value,
};
use crate::text::{Lines, ReadError, Tokens};
use referee_picture::Film;
use referee_random::Random;

/// The flip game.
#[derive(Clone, Copy, Debug)]
pub struct Flipgame;

static SOLVERS: [Solver; 4] = [
    Solver { name: "rows", method: "try every first row, the rest is forced (shorter side <= 24)" },
    Solver { name: "table", method: "distances of all boards in one sweep (<= 20 pieces)" },
    Solver { name: "gf2", method: "solve A x = b over GF(2), walk the kernel (any size)" },
    Solver { name: "bfs", method: "textbook breadth-first search (<= 20 pieces)" },
];

/// Sizes with and without quiet patterns. All solvers accept the sizes of up to 20 pieces; only `rows` and `gf2` accept
/// the larger ones.
const SIZES: [Size; 9] = {
    const fn size(rows: usize, columns: usize) -> Size {
        Size { rows, columns }
    }
    [size(1, 5), size(2, 3), size(3, 6), size(5, 4), size(5, 5), size(9, 9), size(6, 17), size(11, 10), size(10, 64)]
};

impl Puzzle for Flipgame {
    fn name(&self) -> &'static str {
        "flipgame"
    }

    fn question(&self) -> &'static str {
        "How few rounds of turning a piece and its neighbours leave one colour?"
    }

    fn solvers(&self) -> &'static [Solver] {
        &SOLVERS
    }

    fn kinds(&self) -> &'static [Kind] {
        generate::KINDS
    }

    fn generator_version(&self) -> u32 {
        1
    }

    fn sizes(&self) -> &'static [Size] {
        &SIZES
    }

    fn repetition(&self) -> Repetition {
        Repetition::One
    }

    fn read(&self, lines: &mut Lines<'_>, size: Option<Size>) -> Result<Option<Box<dyn Instance>>, ReadError> {
        Ok(parse::read(lines, size)?.map(|board| Box::new(board) as Box<dyn Instance>))
    }

    fn generate(
        &self,
        kind: &str,
        size: Option<Size>,
        random: &mut Random,
    ) -> Result<Box<dyn Instance>, GenerateError> {
        Ok(Box::new(generate::draw(kind, size.unwrap_or(PACKAGE_SIZE), random)?))
    }

    fn instance_count(&self) -> u64 {
        u64::from(exhaust::BOARDS)
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
        exhaust::run(part, tally);
    }
}

impl Instance for Board {
    fn print(&self) -> String {
        self.to_string()
    }

    fn solve(&self, solver: &str) -> Result<Answer, Declined> {
        let (solution, quiet): (_, fn(&Board) -> Option<Presses>) = match solver {
            "rows" => (rows::solve(self)?, rows::quiet_pattern),
            "table" => (table::solve(self)?, |_| None),
            "gf2" => (gf2::solve(self)?, gf2::quiet_pattern),
            "bfs" => (bfs::solve(self)?, |_| None),
            _ => {
                let names = SOLVERS.map(|solver| solver.name).join(", ");
                return Err(Declined(format!("flipgame has no solver '{solver}', allowed: {names}")));
            }
        };
        Ok(answer(self, &solution, quiet))
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
        // The answer is a single number or word, so there are no moves to show.
        let _ = output.next_token();
        None
    }

    fn shrink(&self) -> Vec<Box<dyn Instance>> {
        shrink::steps(self).into_iter().map(|board| Box::new(board) as Box<dyn Instance>).collect()
    }

    fn weight(&self) -> u64 {
        shrink::weight(self)
    }
}

fn answer(board: &Board, solution: &Solution, quiet: fn(&Board) -> Option<Presses>) -> Answer {
    let rounds = solution.rounds().unwrap_or(0);
    let (value, cells) = match solution {
        Solution::Impossible => (Value::Impossible, quiet(board)),
        Solution::Fewest(presses) => (Value::Minimum(rounds), Some(presses.clone())),
        Solution::Found(presses) => (Value::AtMost(rounds), Some(presses.clone())),
    };
    let certificate = cells.map(|cells| numbers(&cells, board.size().columns));
    Answer { text: check::text_of(&value), value, certificate }
}

/// Returns the cells of a set, numbered row by row from 0.
fn numbers(cells: &[u64], columns: usize) -> Vec<i64> {
    let row = |(row, bits): (usize, &u64)| {
        let bits = *bits;
        (0..columns).filter(move |column| bits >> column & 1 == 1).map(move |column| (row * columns + column) as i64)
    };
    cells.iter().enumerate().flat_map(row).collect()
}
