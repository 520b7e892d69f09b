//! Makes smaller boards: removes a coin, exchanges two neighbours so that the row is closer to sorted, or lowers the
//! limit.

use super::{Board, Coin};

/// Returns smaller boards, the largest steps first.
pub(super) fn steps(board: &Board) -> Vec<Board> {
    let mut steps: Vec<Board> = Vec::new();
    for at in 0..board.coins().len() {
        let mut coins = board.coins().to_vec();
        coins.remove(at);
        steps.extend(Board::new(coins, board.limit()));
    }
    for at in 1..board.coins().len() {
        let mut coins = board.coins().to_vec();
        coins.swap(at - 1, at);
        steps.extend(Board::new(coins, board.limit()));
    }
    for limit in [0, board.limit() / 2, board.limit().saturating_sub(1)] {
        steps.extend(Board::new(board.coins().to_vec(), limit));
    }
    steps.retain(|step| weight(step) < weight(board));
    // Removing either of two equal neighbours gives the same row.
    steps.dedup();
    steps
}

/// Returns the board's weight: the number of coins counts most, then how far the row is from being sorted, then the
/// limit.
pub(super) fn weight(board: &Board) -> u64 {
    (board.coins().len() as u64 * 1000 + disorder(board.coins())) * 1000 + u64::from(board.limit())
}

/// Returns the fewest exchanges of neighbours that sort the row in either direction.
fn disorder(coins: &[Coin]) -> u64 {
    let (mut b_seen, mut inversions) = (0, 0);
    for coin in coins {
        match coin {
            Coin::A => inversions += b_seen,
            Coin::B => b_seen += 1,
        }
    }
    let all = b_seen * (coins.len() as u64 - b_seen);
    inversions.min(all - inversions)
}
