//! Tries all sixteen first rows of a 4 x 4 board at once. Each first row has a lane of its own, four bits of a 64-bit
//! word. So the presses of all four rows are computed once for all sixteen, with plain integer instructions.

use super::super::board::Solution;

/// Lane number i holds the value i, so the lanes hold all sixteen choices of presses for the first row.
const FIRST_ROWS: u64 = 0xFEDC_BA98_7654_3210;
/// The number 1 in every lane.
const ONES: u64 = 0x1111_1111_1111_1111;

/// Returns the fewest presses that make the board one colour.
pub(super) fn solve(board: u16) -> Solution {
    let best = [lightest(board), lightest(!board)].into_iter().flatten().min_by_key(|presses| presses.count_ones());
    best.map_or(Solution::Impossible, |presses| {
        Solution::Fewest((0..4).map(|row| u64::from(presses >> (4 * row) & 15)).collect())
    })
}

/// Returns the fewest presses that turn exactly the pieces in `wrong`; `None` if no presses do.
fn lightest(wrong: u16) -> Option<u16> {
    let mut presses = [FIRST_ROWS; 4];
    let (mut above, mut here) = (0, FIRST_ROWS);
    for (row, kept) in presses.iter_mut().enumerate() {
        *kept = here;
        let pieces = u64::from(wrong >> (4 * row) & 15) * ONES;
        let next = pieces ^ above ^ here ^ ((here << 1) & (0xE * ONES)) ^ ((here >> 1) & (0x7 * ONES));
        (above, here) = (here, next);
    }
    // Keeps the lowest bit of each lane that fits; a lane fits if nothing is wrong in its last row.
    let mut fitting = !(here | here >> 1 | here >> 2 | here >> 3) & ONES;
    let mut best: Option<u16> = None;
    while fitting != 0 {
        let lane = fitting.trailing_zeros();
        let [a, b, c, d] = presses.map(|row| (row >> lane & 15) as u16);
        let found = a | b << 4 | c << 8 | d << 12;
        if best.is_none_or(|best| found.count_ones() < best.count_ones()) {
            best = Some(found);
        }
        fitting &= fitting - 1;
    }
    best
}
