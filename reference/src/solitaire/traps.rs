//! Makes random walks, with legal moves only or with one wrong move, for the kinds that catch programs with a wrong
//! rule.
//!
//! A walk of seven legal moves and one wrong move shows that a program with the wrong rule answers YES. The caller must
//! prove that the correct answer is NO.

use referee_random::Random;

use super::generate::{any_field, rewritten};
use super::{Configuration, Field, MOVES, Pair};

const DIRECTIONS: [(i8, i8); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

/// Makes `moves` random legal moves from `from`. No move undoes the move before it.
pub(super) fn walk(from: Configuration, moves: u64, random: &mut Random) -> Configuration {
    let (mut before, mut now) = (from, from);
    for _ in 0..moves {
        let mut next = legal_moves(now);
        next.retain(|configuration| configuration.sorted() != before.sorted());
        if let Some(&chosen) = random.pick(&next) {
            (before, now) = (now, chosen);
        }
    }
    now
}

/// Returns a start and a goal, connected by seven legal moves and one wrong move. The wrong move jumps over two pieces
/// in a row.
pub(super) fn double_jump(random: &mut Random) -> Pair {
    around_a_wrong_move(random, |random| {
        let from = any_field(random);
        let &(down, right) = random.pick(&DIRECTIONS)?;
        let ahead = |by: i8| Field::at(from.row() + by * down, from.column() + by * right);
        let fourth = any_field(random);
        let (second, third) = (ahead(1)?, ahead(2)?);
        let before = Configuration::new([from, second, third, fourth])?;
        Some((before, Configuration::new([ahead(3)?, second, third, fourth])?))
    })
}

/// Returns a start and a goal, connected by seven legal moves and one wrong move. The wrong move goes from the end of a
/// row to the beginning of the next row, or back.
pub(super) fn row_end(random: &mut Random) -> Pair {
    around_a_wrong_move(random, |random| {
        let row = random.below(7) as i8;
        let (end, beginning) = (Field::at(row, 7)?, Field::at(row + 1, 0)?);
        let [second, third, fourth] = [any_field(random), any_field(random), any_field(random)];
        let above = Configuration::new([end, second, third, fourth])?;
        let below = Configuration::new([beginning, second, third, fourth])?;
        Some(if random.chance(1, 2) { (above, below) } else { (below, above) })
    })
}

/// Returns a start and a goal, connected by one wrong move and seven legal moves. A random number of the legal moves
/// come before the wrong move.
fn around_a_wrong_move(
    random: &mut Random,
    wrong_move: fn(&mut Random) -> Option<(Configuration, Configuration)>,
) -> Pair {
    loop {
        let Some((before, after)) = wrong_move(random) else { continue };
        let first = random.below(MOVES as u64);
        // Moves can be undone, so a walk from `before` ends at a start from which the same moves lead back.
        let start = walk(before, first, random);
        let goal = walk(after, MOVES as u64 - 1 - first, random);
        return Pair { start: rewritten(start, random), goal: rewritten(goal, random) };
    }
}

fn legal_moves(from: Configuration) -> Vec<Configuration> {
    let fields = from.fields();
    let mut moves = Vec::new();
    for (piece, field) in fields.iter().enumerate() {
        for (down, right) in DIRECTIONS {
            let ahead = |by: i8| Field::at(field.row() + by * down, field.column() + by * right);
            let Some(next) = ahead(1) else { continue };
            let to = if fields.contains(&next) { ahead(2) } else { Some(next) };
            let mut moved = fields;
            if let Some(to) = to {
                moved[piece] = to;
                // The constructor refuses an occupied landing field.
                moves.extend(Configuration::new(moved));
            }
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solitaire::check;
    use crate::solitaire::generate::configuration;

    #[test]
    fn every_move_of_a_walk_is_one_the_checker_allows_and_none_is_missed() {
        for index in 0..200 {
            let from = configuration(&mut Random::new(21, index), any_field);
            let moves = legal_moves(from);
            assert!(moves.iter().all(|to| check::is_move(from.sorted(), to.sorted())));
            let mut reached: Vec<_> = moves.iter().map(Configuration::sorted).collect();
            reached.sort_unstable();
            reached.dedup();
            assert_eq!(reached.len(), moves.len());
            assert_eq!(reached, allowed(from.sorted()));
        }
    }

    /// Returns all configurations that the checker accepts as one move from `from`.
    fn allowed(from: [u8; 4]) -> Vec<[u8; 4]> {
        let elsewhere = (0..4_usize).flat_map(|piece| (0..64).map(move |field| (piece, field)));
        let mut all: Vec<[u8; 4]> = elsewhere
            .filter(|(_, field)| !from.contains(field))
            .map(|(piece, field)| {
                let mut to = from;
                to[piece] = field;
                to.sort_unstable();
                to
            })
            .filter(|to| check::is_move(from, *to))
            .collect();
        all.sort_unstable();
        all
    }
}
