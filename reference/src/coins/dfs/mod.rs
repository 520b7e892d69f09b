//! Depth-first search with a depth limit that grows by one level at a time (Korf, *Depth-first iterative-deepening*,
//! 1985). So the first answer is a shortest one. Moves are made and undone in place.
//!
//! Three rules prune the search:
//!
//! - The sums of positions: if they prove a start impossible, it is not searched.
//! - An admissible bound: the larger of two numbers. The first is half the number of free cells inside the row, because
//!   a move narrows the row by at most two cells. The second is half the number of colour changes that must disappear,
//!   rounded up, because a move removes at most two of them. (A colour change is a pair of neighbouring coins of
//!   different colours, with or without a gap between them. A goal has one, so all others must disappear.)
//! - A table of the rows met. For each row, it has the fewest moves found so far that lead to the row, and the
//!   iteration that last searched below it. The search skips a row if the table lists it with fewer moves, or if this
//!   iteration has searched it with the same number of moves. The shortest path to a row is never cut off, because
//!   every row on it is reached by a shortest path, too.
//!
//! A perimeter (Dillenburg and Nelson, *Perimeter search*, 1994) sharpens the bound: the exact distance of the rows
//! near the goals is known, and any other row is farther away than all of them. The perimeter is widened between
//! iterations while it is smaller than a fixed part of the table.
//!
//! Time: each iteration expands every row within reach about once. Memory: one table entry per row.

mod table;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::check::ImpossibilityProof;
use super::{Board, Coin, Outcome};
use crate::puzzle::Declined;
use table::Table;

/// The perimeter grows while the table has more than this many rows for each row of the perimeter.
const PERIMETER_SHARE: usize = 2;

/// Returns a shortest sequence of moves within the limit, or `Impossible` if there is none. Fails for more than ten
/// coins or a limit above 40.
pub fn solve(board: &Board) -> Result<Outcome, Declined> {
    if board.coins().len() > 10 || board.limit() > 40 {
        return Err(Declined("dfs supports up to ten coins and limits up to 40".to_owned()));
    }
    if let Some(proof) = prove_impossible(board) {
        return Ok(Outcome::Impossible(Some(proof)));
    }
    let mut search = Search::new(board);
    for depth in search.bound()..=board.limit() {
        search.depth = depth;
        while search.perimeter.len() * PERIMETER_SHARE < search.known.len() && !search.rim.is_empty() {
            search.widen();
        }
        search.cut_off = false;
        if search.descend(0) {
            search.rows.push(search.table.print());
            search.rows.reverse();
            return Ok(Outcome::Reached(search.rows));
        }
        if !search.cut_off {
            break;
        }
    }
    Ok(Outcome::Impossible(None))
}

/// Returns D of the start and of both goals if they prove that neither goal can be reached; otherwise `None`.
fn prove_impossible(board: &Board) -> Option<ImpossibilityProof> {
    let difference = |row: &[Coin]| -> i64 {
        let sum = |letter| -> i64 { (0..).zip(row).filter(|&(_, &coin)| coin == letter).map(|(at, _)| at).sum() };
        sum(Coin::A) - sum(Coin::B)
    };
    let mut sorted = board.coins().to_vec();
    sorted.sort_unstable();
    let a_first = difference(&sorted);
    sorted.reverse();
    let b_first = difference(&sorted);
    let a = sorted.iter().filter(|&&coin| coin == Coin::A).count() as i64;
    let modulus = 2 * (2 * a - sorted.len() as i64).abs();
    let start = difference(board.coins());
    let meets = |goal: i64| start == goal || modulus != 0 && (start - goal).rem_euclid(modulus) == 0;
    (!meets(a_first) && !meets(b_first)).then_some(ImpossibilityProof { start, a_first, b_first, modulus })
}

/// The fewest moves that are known to lead to a row, and the depth of the last iteration that searched below it.
#[derive(Clone, Copy)]
struct Known {
    moves: u8,
    searched_at: u8,
}

struct Search {
    table: Table,
    known: HashMap<u64, Known, BuildHasherDefault<KeyHasher>>,
    /// The rows near the goals, with their distance from the goals.
    perimeter: HashMap<u64, u8, BuildHasherDefault<KeyHasher>>,
    /// The rows of the perimeter that are farthest from the goals.
    rim: Vec<u64>,
    /// The distance of the rim from the goals, in moves.
    radius: u32,
    /// The depth limit of this iteration.
    depth: u32,
    /// Whether this iteration cut off a row that a deeper iteration would search.
    cut_off: bool,
    /// The printed rows of the answer, from the goal back; the start is added at the end.
    rows: Vec<String>,
}

impl Search {
    fn new(board: &Board) -> Search {
        let mut search = Search {
            table: Table::new(board.coins()),
            known: HashMap::default(),
            perimeter: HashMap::default(),
            rim: Vec::new(),
            radius: 0,
            depth: 0,
            cut_off: false,
            rows: Vec::new(),
        };
        search.start_perimeter(board);
        search
    }

    /// Searches below the row on the table, which is `moves` moves from the start. Returns whether a goal was found.
    fn descend(&mut self, moves: u32) -> bool {
        let bound = self.bound();
        if bound == 0 {
            return true;
        }
        if moves + bound > self.depth {
            self.cut_off = true;
            return false;
        }
        if self.already_searched(moves) {
            return false;
        }
        self.table.moves().into_iter().any(|(from, to)| self.try_move(from, to, moves))
    }

    /// Starts the perimeter with the two goals.
    fn start_perimeter(&mut self, board: &Board) {
        let mut sorted = board.coins().to_vec();
        sorted.sort_unstable();
        for _ in 0..2 {
            let key = sorted.iter().fold(0, |key, &coin| key << 6 | u64::from(coin == Coin::B));
            self.perimeter.insert(key, 0);
            self.rim.push(key);
            sorted.reverse();
        }
    }

    /// Adds to the perimeter the rows that are one move farther from the goals.
    fn widen(&mut self) {
        let table = self.table.clone();
        self.radius += 1;
        for row in std::mem::take(&mut self.rim) {
            self.table.place_row(row);
            for (from, to) in self.table.moves() {
                self.table.carry(from, to);
                let key = self.table.key();
                if !self.perimeter.contains_key(&key) {
                    self.perimeter.insert(key, self.radius as u8);
                    self.rim.push(key);
                }
                self.table.carry(to, from);
            }
        }
        self.table = table;
    }

    fn try_move(&mut self, from: usize, to: usize, moves: u32) -> bool {
        self.table.carry(from, to);
        if self.descend(moves + 1) {
            let reached = self.table.print();
            self.rows.push(reached);
            self.table.carry(to, from);
            return true;
        }
        self.table.carry(to, from);
        false
    }

    /// Returns a lower bound on the number of moves to a goal; it is 0 only for a goal.
    fn bound(&self) -> u32 {
        match self.perimeter.get(&self.table.key()) {
            Some(&distance) => distance.into(),
            None => (self.radius + 1).max(self.table.gaps() / 2).max(self.table.changes() / 2),
        }
    }

    /// Returns whether the search can skip this row, because a search below it would find nothing new. If it cannot,
    /// records that this iteration searches the row.
    fn already_searched(&mut self, moves: u32) -> bool {
        let now = Known { moves: moves as u8, searched_at: self.depth as u8 };
        let known = self.known.entry(self.table.key()).or_insert(Known { moves: u8::MAX, searched_at: 0 });
        if known.moves < now.moves || known.moves == now.moves && known.searched_at == now.searched_at {
            return true;
        }
        *known = now;
        false
    }
}

/// A fast hash: it multiplies and folds. The solver makes the keys itself, so an attacker cannot aim for collisions.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        let product = (self.0 ^ key).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.0 = product ^ product >> 32;
    }
}
