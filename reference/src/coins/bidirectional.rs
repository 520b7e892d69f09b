//! Breadth-first search from both ends, level by level, always on the side with the smaller frontier, until the two
//! sides meet (Pohl, *Bi-directional search*, 1971). Moves are reversible, so one move generator serves both.
//!
//! Time and memory are proportional to the number of rows whose distance from the start or the goal is at most about
//! half the number of moves of the answer. For nine coins, these are some 10^5 rows.
//!
//! Besides the moves, the search uses four facts. Rows that differ only by a shift or by mirroring count as one. The
//! two goals are mirror images of each other, so there is one goal. A row with more holes (pairs of free cells) than
//! moves left is dropped. A start whose D (see [`ImpossibilityProof`]) rules out both goals is reported as impossible
//! without a search.
//!
//! The first meeting is optimal. Suppose that one side has finished f levels and the other g levels, and that they have
//! no row in common. Then the answer is longer than f + g. A meeting in the next level gives an answer of f + g + 1
//! moves, so there is no shorter one.

use super::check::ImpossibilityProof;
use super::packed::{self, Packed};
use super::rows::Rows;
use super::{Board, Coin, Outcome};
use crate::puzzle::Declined;

/// Returns a shortest sequence of moves within the limit, or `Impossible` if there is none. Fails if a row may not fit
/// into 64 bits.
pub fn solve(board: &Board) -> Result<Outcome, Declined> {
    if !packed::fits(board.coins().len(), board.limit()) {
        return Err(Declined(format!(
            "bidirectional stores a row in 64 bits, which is too few for {} coins with limit {}",
            board.coins().len(),
            board.limit()
        )));
    }
    if let Some(proof) = prove_impossible(board.coins()) {
        return Ok(Outcome::Impossible(Some(proof)));
    }
    let start = Packed::start(board);
    let b = start.colours().count_ones();
    let goal = Packed::goal(board.coins().len() as u32 - b, b);
    if start.folded() == goal.folded() {
        return Ok(Outcome::Reached(vec![start.print()]));
    }
    let mut search = Search::new(start.folded(), goal.folded(), board.limit());
    Ok(match search.meet() {
        Some((ahead, behind)) => Outcome::Reached(unfold(start, &search.path(ahead, behind))),
        None => Outcome::Impossible(None),
    })
}

/// Returns the proof that neither goal can be reached. Returns `None` if the sums of positions prove nothing.
pub(super) fn prove_impossible(coins: &[Coin]) -> Option<ImpossibilityProof> {
    let signed = |coin| if coin == Coin::A { 1 } else { -1 };
    let start = coins.iter().zip(0_i64..).map(|(&coin, position)| signed(coin) * position).sum();
    let b = coins.iter().filter(|&&coin| coin == Coin::B).count() as i64;
    let a = coins.len() as i64 - b;
    let a_first = a * (a - 1) / 2 - a * b - b * (b - 1) / 2;
    let proof = ImpossibilityProof { start, a_first, b_first: a_first + 2 * a * b, modulus: 2 * (a - b).abs() };
    let apart = |goal: i64| if proof.modulus == 0 { start != goal } else { (start - goal) % proof.modulus != 0 };
    (apart(proof.a_first) && apart(proof.b_first)).then_some(proof)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Start,
    Goal,
}

struct Search {
    seen: Rows,
    frontiers: [Vec<Packed>; 2],
    levels: [u32; 2],
    limit: u32,
}

impl Search {
    fn new(start: Packed, goal: Packed, limit: u32) -> Search {
        let mut seen = Rows::new();
        seen.enter(start, tag(Side::Start, 0));
        seen.enter(goal, tag(Side::Goal, 0));
        Search { seen, frontiers: [vec![start], vec![goal]], levels: [0, 0], limit }
    }

    /// Returns two neighbouring rows on a shortest sequence, one seen from the start and one from the goal; `None` if
    /// the sides do not meet within the limit.
    fn meet(&mut self) -> Option<(Packed, Packed)> {
        while self.levels[0] + self.levels[1] < self.limit {
            let side = if self.frontiers[0].len() <= self.frontiers[1].len() { Side::Start } else { Side::Goal };
            if let Some((near, far)) = self.advance(side) {
                return Some(if side == Side::Start { (near, far) } else { (far, near) });
            }
            if self.frontiers[side as usize].is_empty() {
                return None;
            }
        }
        None
    }

    /// Searches one more level of `side`. If a move leads to a row of the other side, stops and returns the rows before
    /// and after this move. Returns `None` if no move does.
    fn advance(&mut self, side: Side) -> Option<(Packed, Packed)> {
        let level = self.levels[side as usize] + 1;
        // The search must still reach a row without holes, and a move fills at most one hole.
        let most_holes = self.limit - level;
        let mut next = Vec::new();
        let mut met = None;
        for &row in &self.frontiers[side as usize] {
            row.each_move(|moved| {
                if moved.holes() > most_holes {
                    return;
                }
                let moved = moved.folded();
                match self.seen.enter(moved, tag(side, level)).map(side_of) {
                    None => next.push(moved),
                    Some(other) if other != side => met = Some((row, moved)),
                    Some(_) => {}
                }
            });
            if met.is_some() {
                return met;
            }
        }
        self.frontiers[side as usize] = next;
        self.levels[side as usize] = level;
        None
    }

    /// Returns the rows from the start to the goal, folded ([`Packed::folded`]), on a path that contains `ahead` and
    /// then `behind`.
    fn path(&self, ahead: Packed, behind: Packed) -> Vec<Packed> {
        let mut path = self.descend(ahead, Side::Start);
        path.reverse();
        path.extend(self.descend(behind, Side::Goal));
        path
    }

    /// Returns the level of `side` at which the row was entered; `None` if it was not seen from that side.
    fn level(&self, row: Packed, side: Side) -> Option<u32> {
        let tag = self.seen.tag(row).filter(|&tag| side_of(tag) == side)?;
        Some(u32::from(tag >> 1))
    }

    /// Returns the rows on a path from `row` back to the start or the goal, where `side` began. The path has one row
    /// for each level.
    fn descend(&self, row: Packed, side: Side) -> Vec<Packed> {
        let mut path = vec![row];
        let mut row = row;
        let mut level = self.level(row, side).unwrap_or(0);
        while level > 0 {
            level -= 1;
            let mut below = None;
            row.each_move(|moved| {
                if self.level(moved.folded(), side) == Some(level) {
                    below = Some(moved.folded());
                }
            });
            let Some(next) = below else { break };
            row = next;
            path.push(row);
        }
        path
    }
}

/// Returns the printed rows of `path`, which holds folded rows. Each row is unfolded in such a way that one move leads
/// to it from the row before.
fn unfold(start: Packed, path: &[Packed]) -> Vec<String> {
    let mut row = start;
    let mut rows = vec![row.print()];
    for &folded in &path[1..] {
        let mut next = None;
        row.each_move(|moved| {
            if moved.folded() == folded {
                next = Some(moved);
            }
        });
        let Some(next) = next else { break };
        row = next;
        rows.push(row.print());
    }
    rows
}

/// Returns a tag for the hash table: the side (bit 0) and the level.
fn tag(side: Side, level: u32) -> u16 {
    (level << 1) as u16 | side as u16
}

fn side_of(tag: u16) -> Side {
    if tag & 1 == 0 { Side::Start } else { Side::Goal }
}
