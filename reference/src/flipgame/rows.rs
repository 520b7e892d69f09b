//! Tries every set of presses in the first row. Each set determines the presses of all other rows: after row r has been
//! pressed, only row r + 1 can still turn the pieces of row r. So the presses of row r + 1 are exactly the pieces of
//! row r that have the wrong colour. The pieces of the last row that are wrong at the end are called the residue; a
//! solution has none. Known as "light chasing"; POJ 1753 and 3279.
//!
//! All 2^n choices for a first row of n cells are walked in Gray code order. The residue is linear in the first row, so
//! a step is one exclusive or, and one walk serves both goals. A first row fits if it leaves no residue. Only then are
//! the presses of all m rows computed. With h fitting first rows, the time is O(2^n + m h) for m rows of n <= m cells.
//! [`LONGEST_FIRST_ROW`] limits n, because one more column doubles the time. A board that is wider than high is chased
//! column by column.

mod lanes;

use super::board::{Board, Presses, Solution};
use crate::puzzle::Declined;

/// The maximum length of the first row, which is the shorter side of the board.
pub const LONGEST_FIRST_ROW: usize = 24;

/// Returns the fewest presses that make the board one colour. Fails if the shorter side is longer than
/// [`LONGEST_FIRST_ROW`].
pub fn solve(board: &Board) -> Result<Solution, Declined> {
    if let Some(packed) = board.as_packed() {
        return Ok(lanes::solve(packed));
    }
    let field = Field::new(board)?;
    let best = field.fewest().map(|presses| field.turned_back(presses));
    Ok(best.map_or(Solution::Impossible, Solution::Fewest))
}

/// Returns a quiet pattern that contains an odd number of black pieces. (A pattern is quiet if pressing all of its
/// cells changes nothing.) This pattern proves that the board is Impossible (see the documentation of the parent
/// module). Returns `None` if there is no such pattern, or if this solver declines the board.
pub fn quiet_pattern(board: &Board) -> Option<Presses> {
    let field = Field::new(board).ok()?;
    field.quiet().map(|presses| field.turned_back(presses))
}

/// The board with its shorter side as the first row.
struct Field {
    rows: Vec<u64>,
    columns: usize,
    full: u64,
    turned: bool,
}

impl Field {
    fn new(board: &Board) -> Result<Field, Declined> {
        let size = board.size();
        let columns = size.columns.min(size.rows);
        if columns > LONGEST_FIRST_ROW {
            return Err(Declined(format!(
                "the solver rows tries all first rows, so it supports boards whose shorter side is at most \
                 {LONGEST_FIRST_ROW}; this board is {size}; use the solver gf2"
            )));
        }
        let turned = size.columns > size.rows;
        let rows = if turned { transposed(board.rows(), size.columns) } else { board.rows().to_vec() };
        Ok(Field { rows, columns, full: (1 << columns) - 1, turned })
    }

    /// Converts presses of this field into presses of the original board.
    fn turned_back(&self, presses: Presses) -> Presses {
        if self.turned { transposed(&presses, self.columns) } else { presses }
    }

    /// Presses row after row, beginning with `first`, so that each row corrects the row above it. `rows` has the pieces
    /// to turn. Stores the presses in `presses` and returns the residue.
    fn chase(&self, rows: impl Iterator<Item = u64>, first: u64, presses: &mut Presses) -> u64 {
        presses.clear();
        let (mut above, mut here) = (0, first);
        for row in rows {
            presses.push(here);
            let wrong = (row ^ above ^ here ^ here << 1 ^ here >> 1) & self.full;
            (above, here) = (here, wrong);
        }
        here
    }

    fn blank(&self) -> impl Iterator<Item = u64> {
        self.rows.iter().map(|_| 0)
    }

    /// Returns how each single press of the first row changes the residue.
    fn responses(&self, presses: &mut Presses) -> Vec<u64> {
        (0..self.columns).map(|column| self.chase(self.blank(), 1 << column, presses)).collect()
    }

    fn fewest(&self) -> Option<Presses> {
        let mut presses = Vec::new();
        let white = self.chase(self.rows.iter().copied(), 0, &mut presses);
        let black = self.chase(self.rows.iter().map(|row| row ^ self.full), 0, &mut presses);
        let mut best: Option<Presses> = None;
        gray_walk(&self.responses(&mut presses), |first, residue| {
            // `white` and `black` are the residues for the two goals if no cell of the first row is pressed. Pressing
            // the cells in `first` flips the bits in `residue`. So nothing remains wrong for a goal if `residue` equals
            // the residue of this goal.
            for (goal, wrong) in [(0, white), (self.full, black)] {
                if residue == wrong {
                    self.chase(self.rows.iter().map(|row| row ^ goal), first, &mut presses);
                    if best.as_ref().is_none_or(|best| weight(&presses) < weight(best)) {
                        best = Some(presses.clone());
                    }
                }
            }
            false
        });
        best
    }

    fn quiet(&self) -> Option<Presses> {
        let (mut presses, mut found) = (Vec::new(), None);
        gray_walk(&self.responses(&mut Vec::new()), |first, residue| {
            if residue == 0 {
                self.chase(self.blank(), first, &mut presses);
                let overlap: u32 = presses.iter().zip(&self.rows).map(|(a, b)| (a & b).count_ones()).sum();
                if overlap % 2 == 1 {
                    found = Some(presses.clone());
                }
            }
            found.is_some()
        });
        found
    }
}

/// Calls `visit` with every first row and its effect on the residue, until `visit` returns true.
fn gray_walk(responses: &[u64], mut visit: impl FnMut(u64, u64) -> bool) {
    let (mut first, mut residue) = (0, 0);
    for step in 1_u64..=1 << responses.len() {
        if visit(first, residue) {
            return;
        }
        // In the last step, `column` is the number of columns, so no response exists. The changed `first` is not
        // visited.
        let column = step.trailing_zeros() as usize;
        residue ^= responses.get(column).unwrap_or(&0);
        first ^= 1 << column;
    }
}

fn weight(presses: &[u64]) -> u32 {
    presses.iter().map(|row| row.count_ones()).sum()
}

/// Exchanges rows and columns. `columns` is the number of columns before the exchange.
fn transposed(rows: &[u64], columns: usize) -> Vec<u64> {
    let column = |c: usize| rows.iter().enumerate().fold(0, |bits, (r, row)| bits | (row >> c & 1) << r);
    (0..columns).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Size;
    use referee_random::Random;

    #[test]
    fn the_sixteen_lanes_and_the_walk_say_the_same_of_every_board() {
        for packed in 0..=u16::MAX {
            let walked = Field::new(&Board::packed(packed)).unwrap().fewest();
            let walked = walked.map_or(Solution::Impossible, Solution::Fewest);
            assert_eq!(lanes::solve(packed).rounds(), walked.rounds(), "{packed:#06x}");
        }
    }

    #[test]
    fn a_board_and_its_transpose_need_equally_many_rounds() {
        let mut random = Random::new(1, 0);
        for _ in 0..50 {
            let mut wide = Board::white(Size { rows: 3, columns: 9 }).unwrap();
            (0..3).for_each(|row| wide.set_row(row, random.bits()));
            let mut high = Board::white(Size { rows: 9, columns: 3 }).unwrap();
            transposed(wide.rows(), 9).into_iter().enumerate().for_each(|(row, bits)| high.set_row(row, bits));
            assert_eq!(solve(&wide).unwrap().rounds(), solve(&high).unwrap().rounds());
        }
    }

    #[test]
    fn a_board_too_wide_is_declined_with_the_solver_to_use_instead() {
        let board = Board::white(Size { rows: 25, columns: 25 }).unwrap();
        let message = solve(&board).unwrap_err().to_string();
        assert!(message.contains("at most 24") && message.contains("25x25") && message.contains("gf2"), "{message}");
        assert!(quiet_pattern(&board).is_none());
        assert!(solve(&Board::white(Size { rows: 2, columns: 64 }).unwrap()).is_ok());
    }
}
