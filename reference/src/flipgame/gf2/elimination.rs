//! Gaussian elimination on a band matrix: the equation of a cell contains only cells at most one row away.
//!
//! The equations are added in the order of their cells. Each new equation is reduced by the equations stored so far,
//! whose first unknowns are all different. If unknowns remain, the reduced equation is stored under its first unknown.
//! The reduced equation of cell e has only unknowns from e - width to e + width. It has none before e - width, because
//! a reduction removes the first unknown and adds only later ones. It has none after e + width, because the stored
//! equations belong to earlier cells and therefore end earlier. So a reduction touches at most three words, whatever
//! the size of the board: 64 x 64 has 4,096 unknowns in 64 words.

use super::super::board::Board;

/// One bit for every cell, row after row.
pub(super) type Vector = Vec<u64>;

/// The equations of a board, with right sides for both goals. They are reduced, so that no two equations have the same
/// first unknown.
pub(super) struct Eliminated {
    cells: usize,
    columns: usize,
    words: usize,
    /// The equation whose first unknown is cell c is in words `c * words ..`.
    equations: Vec<u64>,
    /// The right sides of the stored equations, indexed by first unknown. Bit 0 is the right side for white, and bit 1
    /// for black. `None` if no equation has this first unknown.
    sides: Vec<Option<u8>>,
    /// The goals for which an equation became 0 = 1: bit 0 for white and bit 1 for black.
    contradicted: u8,
}

impl Eliminated {
    pub(super) fn new(board: &Board) -> Eliminated {
        let (cells, columns) = (board.cells(), board.size().columns);
        let words = cells.div_ceil(64);
        let mut system = Eliminated {
            cells,
            columns,
            words,
            equations: vec![0; cells * words],
            sides: vec![None; cells],
            contradicted: 0,
        };
        let mut equation = vec![0; words];
        for cell in 0..cells {
            system.write_equation(cell, &mut equation);
            let wrong_for_white = u8::from(board.is_black(cell / columns, cell % columns));
            system.add_equation(cell, &mut equation, wrong_for_white | (1 - wrong_for_white) << 1);
        }
        system
    }

    /// Writes the equation of `cell`. Its unknowns are the rounds that turn the cell: those on the cell itself and on
    /// its neighbours.
    fn write_equation(&self, cell: usize, equation: &mut [u64]) {
        equation.fill(0);
        let column = cell % self.columns;
        let mut set = |unknown: usize| equation[unknown / 64] |= 1 << (unknown % 64);
        set(cell);
        if column > 0 {
            set(cell - 1);
        }
        if column + 1 < self.columns {
            set(cell + 1);
        }
        if cell >= self.columns {
            set(cell - self.columns);
        }
        if cell + self.columns < self.cells {
            set(cell + self.columns);
        }
    }

    /// Reduces the equation of `cell` by the stored equations, and stores the result unless it is empty. Records the
    /// goals for which the equation is reduced to 0 = 1.
    fn add_equation(&mut self, cell: usize, equation: &mut [u64], mut side: u8) {
        let mut word = cell.saturating_sub(self.columns) / 64;
        let last = ((cell + self.columns) / 64).min(self.words - 1);
        while word <= last {
            if equation[word] == 0 {
                word += 1;
                continue;
            }
            let first = word * 64 + equation[word].trailing_zeros() as usize;
            let stored = &mut self.equations[first * self.words..][..self.words];
            let Some(stored_side) = self.sides[first] else {
                stored.copy_from_slice(equation);
                self.sides[first] = Some(side);
                return;
            };
            for index in word..=last {
                equation[index] ^= stored[index];
            }
            side ^= stored_side;
        }
        self.contradicted |= side;
    }

    /// Returns one solution for white and one for black, each `None` if there is none.
    pub(super) fn solutions(&self) -> [Option<Vector>; 2] {
        [0, 1].map(|goal| {
            (self.contradicted >> goal & 1 == 0).then(|| self.complete(vec![0; self.words], |side| side >> goal & 1))
        })
    }

    /// Returns a basis of the presses that change nothing. It has one vector for each unknown that is first in no
    /// equation. This unknown is set in its own vector and in no other vector of the basis.
    pub(super) fn kernel(&self) -> Vec<Vector> {
        let free = (0..self.cells).filter(|&cell| self.sides[cell].is_none());
        let alone = |cell: usize| {
            let mut vector = vec![0; self.words];
            vector[cell / 64] |= 1 << (cell % 64);
            vector
        };
        free.map(|cell| self.complete(alone(cell), |_| 0)).collect()
    }

    /// Sets the unknowns that are first in an equation, in descending order, so that every equation holds. `right`
    /// extracts the right side for the goal.
    fn complete(&self, mut vector: Vector, right: impl Fn(u8) -> u8) -> Vector {
        for first in (0..self.cells).rev() {
            let Some(side) = self.sides[first] else { continue };
            let equation = &self.equations[first * self.words..][..self.words];
            // The equation comes from a cell at most one row after `first`, and ends at most one row after that cell.
            let last = ((first + 2 * self.columns) / 64).min(self.words - 1);
            let odd = (first / 64..=last).fold(0, |sum, word| sum ^ equation[word] & vector[word]).count_ones() & 1;
            if odd as u8 != right(side) {
                vector[first / 64] |= 1 << (first % 64);
            }
        }
        vector
    }
}
