//! The board: which pieces are black.

use std::fmt;

use crate::puzzle::Size;

/// The maximum length of a side of a board: a row is stored as one 64-bit word.
pub const LONGEST_SIDE: usize = 64;

/// The size of the problem package's boards.
pub const PACKAGE_SIZE: Size = Size { rows: 4, columns: 4 };

/// A set of cells to press, one word per row. Bit `c` of word `r` stands for the cell in row `r` and column `c`, both
/// counted from 0.
pub type Presses = Vec<u64>;

/// A board of two-coloured pieces, one word per row. A set bit is a black piece. Every bit beyond the last column is 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    columns: usize,
    rows: Vec<u64>,
}

/// The result of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// No set of presses makes the board one colour.
    Impossible,
    /// The fewest presses that make the board one colour.
    Fewest(Presses),
    /// Presses that make the board one colour; the solver did not check whether fewer do.
    Found(Presses),
}

impl Solution {
    /// Returns the number of presses; `None` if there is no solution.
    pub fn rounds(&self) -> Option<u32> {
        match self {
            Solution::Impossible => None,
            Solution::Fewest(presses) | Solution::Found(presses) => Some(presses.iter().map(|r| r.count_ones()).sum()),
        }
    }
}

impl Board {
    /// Returns the all-white board of a size. Fails if the size is not allowed.
    pub fn white(size: Size) -> Result<Board, String> {
        let allowed = 1..=LONGEST_SIDE;
        if allowed.contains(&size.rows) && allowed.contains(&size.columns) {
            Ok(Board { columns: size.columns, rows: vec![0; size.rows] })
        } else {
            Err(format!("a board has 1 to {LONGEST_SIDE} rows and 1 to {LONGEST_SIDE} columns"))
        }
    }

    /// Returns the 4 x 4 board whose cell in row `r` and column `c` is black if bit `4 r + c` of `blacks` is set.
    pub fn packed(blacks: u16) -> Board {
        Board { columns: 4, rows: (0..4).map(|row| u64::from(blacks >> (4 * row) & 15)).collect() }
    }

    /// Inverts [`Board::packed`]. Returns `None` if the board is not 4 x 4.
    pub fn as_packed(&self) -> Option<u16> {
        match (self.columns, self.rows.as_slice()) {
            (4, &[a, b, c, d]) => Some((a | b << 4 | c << 8 | d << 12) as u16),
            _ => None,
        }
    }

    /// Returns the height and width.
    pub fn size(&self) -> Size {
        Size { rows: self.rows.len(), columns: self.columns }
    }

    /// Returns the number of pieces.
    pub fn cells(&self) -> usize {
        self.rows.len() * self.columns
    }

    /// Returns the black pieces, one word per row, column 0 in bit 0.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// Returns a row of only black pieces.
    pub fn full_row(&self) -> u64 {
        u64::MAX >> (LONGEST_SIDE - self.columns)
    }

    /// Returns whether the piece in `row` and `column` is black; false outside the board.
    pub fn is_black(&self, row: usize, column: usize) -> bool {
        column < self.columns && self.rows.get(row).is_some_and(|bits| bits >> column & 1 == 1)
    }

    /// Makes the pieces of `row` black where `blacks` has a set bit, and white elsewhere. Ignores bits beyond the last
    /// column, and does nothing if the board has no such row.
    pub fn set_row(&mut self, row: usize, blacks: u64) {
        let full = self.full_row();
        if let Some(bits) = self.rows.get_mut(row) {
            *bits = blacks & full;
        }
    }

    /// Turns over a single piece, without its neighbours. This is not a round of the game.
    pub fn turn_piece(&mut self, row: usize, column: usize) {
        self.set_row(row, self.rows.get(row).map_or(0, |bits| bits ^ 1 << column));
    }

    /// Returns the same board with white and black exchanged.
    #[must_use]
    pub fn complement(&self) -> Board {
        let full = self.full_row();
        Board { columns: self.columns, rows: self.rows.iter().map(|row| row ^ full).collect() }
    }

    /// Returns the number of black pieces.
    pub fn blacks(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.rows.len() {
            let pieces = (0..self.columns).map(|column| if self.is_black(row, column) { 'b' } else { 'w' });
            writeln!(f, "{}", pieces.collect::<String>())?;
        }
        Ok(())
    }
}
