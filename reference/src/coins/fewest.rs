//! The fewest moves of every row that an input may hold, as a table.
//!
//! [`sweep`](super::sweep) needs up to seconds to compute these numbers, so they are stored. A test compares the table
//! with the sweep.

use super::{Board, Coin, LARGEST_LIMIT_READ, MOST_COINS_READ};
use crate::puzzle::Value;

/// For each length from 2 to 9, the fewest moves of all rows of that length. The character with index `bits` belongs to
/// the row in which coin r is a B if bit r of `bits` is set. Moves are in base 36; `-` means that no 40 moves sort the
/// row, or that it has only one letter.
const TABLE: [&str; MOST_COINS_READ - 1] = [
    "-00-",
    "-010010-",
    "-0101--00--1010-",
    "-010-3-01453-4-00-4-35410-3-010-",
    "-010--70-3-----01-4-----7--3--8008--3--7-----4-10-----3-07--010-",
    concat!(
        "-010-6-0--558ad0-348-be58ef8gbd015-b4cfa5debfce6-ffeedg-dfe3d5-0",
        "0-5d3efd-gdeeff-6ecfbed5afc4b-510dbg8fe85eb-843-0da855--0-6-010-",
    ),
    concat!(
        "-010---0---h87e0--45-da--ac-d--0-3-e-8d--bb-c--h8bc-c--5d--e-8e0",
        "1--8-cb-49a-c--7-ba-b--dc--8-ca--bb-d--aa--b-9c-e--b-bc--ba3e--0",
        "0--e3ab--cb-b--e-c9-b--aa--d-bb--ac-8--cd--b-ab-7--c-a94-bc-8--1",
        "0e8-e--d5--c-cb8h--c-bb--d8-e-3-0--d-ca--ad-54--0e78h---0---010-",
    ),
    concat!(
        "-010---0----8-90--4-77-7---ecjo0-555---c--ah-mp7-a-k-pscdsvhwko0",
        "-3----ah-8-k-nse7--nbqth-tukxnp-8-bq-ruk-uvnwos-cvwqxrt5wtv-x-90",
        "1----8-k5--nbqtj4-9o-rum-svnwqs--9-r-stpatuqvrt7-vvrusu-vuv-v8--",
        "---tauvs-vttusu--uuuttu-svu8t---9vtvsvuaput-s-a-ovs-p9-5o--39--0",
        "0--93--o5-9p-svo-a-s-tupauvsvtv9---t8uvs-uttuuu--usuttv-svuat---",
        "--8v-vuv-usurvv-7trvqutapts-r-9--sqwnvs-mur-o9-4jtqbn--5k-8----1",
        "09-x-vtw5trxqwvc-sownvu-kur-qb-8-pnxkut-htqbn--7esn-k-8-ha----3-",
        "0okwhvsdcsp-k-a-7pm-ha--c---555-0ojce---7-77-4--09-8----0---010-",
    ),
];

/// Returns the fewest moves that sort the row. Returns `None` if 40 moves do not sort it, or if the row is longer than
/// 9 coins.
pub(super) fn moves(coins: &[Coin]) -> Option<u32> {
    let bits = (0..).zip(coins).fold(0_usize, |bits, (at, coin)| bits | usize::from(*coin == Coin::B) << at);
    let table = TABLE.get(coins.len().checked_sub(2)?)?;
    char::from(*table.as_bytes().get(bits)?).to_digit(36)
}

/// Returns the value of a board. Returns `None` if the table does not contain the row, or not its moves with this
/// limit.
pub(super) fn value(board: &Board) -> Option<Value> {
    if board.coins().len() > MOST_COINS_READ || board.limit() > LARGEST_LIMIT_READ {
        return None;
    }
    let fewest = moves(board.coins()).filter(|fewest| *fewest <= board.limit());
    Some(fewest.map_or(Value::Impossible, Value::Minimum))
}

/// Returns an estimate of the number of rows that a breadth-first search visits. Without holes between the coins, n
/// coins lie on n/2 pairs of cells; d moves spread them over about (d + 1)^(n/2) rows. A search without invariants
/// reaches the limit if the row cannot be sorted.
pub(super) fn effort(board: &Board) -> u64 {
    let depth = moves(board.coins()).map_or(board.limit(), |fewest| fewest.min(board.limit()));
    u64::from(depth + 1).pow(board.coins().len() as u32 / 2)
}

/// Returns every row of 2 to 9 coins that 40 moves sort, with its fewest moves. Shorter rows come first, and rows of
/// the same length are in the order of their bits.
pub(super) fn solvable() -> impl Iterator<Item = (Vec<Coin>, u32)> {
    super::exhaust::rows().filter_map(|row| moves(&row).map(|moves| (row, moves)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::sweep;

    #[test]
    fn the_table_is_what_the_sweep_computes() {
        for (length, table) in (2..).zip(TABLE) {
            let mut swept = vec!['-'; 1 << length];
            for (bits, moves) in sweep::fewest_moves(length, LARGEST_LIMIT_READ) {
                swept[bits as usize] = char::from_digit(moves, 36).unwrap();
            }
            assert_eq!(table, String::from_iter(&swept), "{length} coins");
        }
    }
}
