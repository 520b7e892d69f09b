//! Coins on a table, cell by cell, with moves made and undone in place.

use crate::coins::Coin;

const FREE: u8 = b'.';

/// The number of cells of the table. The row starts in the middle, and each of at most 40 moves shifts an end of the
/// row by at most two cells. So the row never reaches an edge.
const CELLS: usize = 256;

#[derive(Clone)]
pub(super) struct Table {
    cells: [u8; CELLS],
    /// The positions of the outermost coins.
    first: usize,
    last: usize,
    coins: usize,
}

impl Table {
    pub(super) fn new(coins: &[Coin]) -> Table {
        let first = (CELLS - coins.len()) / 2;
        let mut cells = [FREE; CELLS];
        for (cell, coin) in cells[first..].iter_mut().zip(coins) {
            *cell = coin.letter() as u8;
        }
        Table { cells, first, last: first + coins.len() - 1, coins: coins.len() }
    }

    /// Returns all moves. Each consists of the position of the pair's left coin before and after the move.
    pub(super) fn moves(&self) -> Vec<(usize, usize)> {
        let mut moves = Vec::new();
        for at in self.first..self.last {
            let (x, y) = (self.cells[at], self.cells[at + 1]);
            if x == FREE || y == FREE || x == y {
                continue;
            }
            if self.cells[at + 2] != FREE {
                let passed = self.cells[at + 2..].iter().position(|&cell| cell == FREE).unwrap_or(0);
                moves.push((at, at + 2 + passed));
            }
            if self.cells[at - 1] != FREE {
                let passed = self.cells[..at].iter().rev().position(|&cell| cell == FREE).unwrap_or(0);
                moves.push((at, at - passed - 2));
            }
        }
        moves
    }

    /// Moves the pair at `from` to `to`. With the arguments exchanged, it undoes the move.
    pub(super) fn carry(&mut self, from: usize, to: usize) {
        let pair = [self.cells[from], self.cells[from + 1]];
        self.cells[from..from + 2].fill(FREE);
        self.cells[to..to + 2].copy_from_slice(&pair);
        self.first = self.first.min(to);
        self.last = self.last.max(to + 1);
        while self.cells[self.first] == FREE {
            self.first += 1;
        }
        while self.cells[self.last] == FREE {
            self.last -= 1;
        }
    }

    /// Returns the number of free cells between the outermost coins.
    pub(super) fn gaps(&self) -> u32 {
        (self.last + 1 - self.first - self.coins) as u32
    }

    /// Returns the number of colour changes from coin to coin, gaps not counted.
    pub(super) fn changes(&self) -> u32 {
        let mut changes = 0;
        let mut before = self.cells[self.first];
        for &cell in &self.cells[self.first..=self.last] {
            if cell != FREE {
                changes += u32::from(cell != before);
                before = cell;
            }
        }
        changes
    }

    /// Returns a number that identifies the row up to shifting. Each coin has six bits: its colour in bit 0, and half
    /// the length of the gap before it in the other bits.
    pub(super) fn key(&self) -> u64 {
        let mut key = 0;
        let mut gap = 0;
        for &cell in &self.cells[self.first..=self.last] {
            if cell == FREE {
                gap += 1;
            } else {
                key = key << 6 | (gap / 2) << 1 | u64::from(cell == b'B');
                gap = 0;
            }
        }
        key
    }

    pub(super) fn print(&self) -> String {
        self.cells[self.first..=self.last].iter().map(|&cell| cell as char).collect()
    }

    /// Replaces the row on the table with the row that has this key.
    pub(super) fn place_row(&mut self, key: u64) {
        self.cells.fill(FREE);
        self.first = CELLS / 2 - 40;
        self.last = self.first;
        for rank in (0..self.coins).rev() {
            let coin = key >> (6 * rank) & 63;
            let touching = usize::from(rank + 1 < self.coins);
            self.last += 2 * (coin >> 1) as usize + touching;
            self.cells[self.last] = if coin & 1 == 1 { b'B' } else { b'A' };
        }
    }
}
