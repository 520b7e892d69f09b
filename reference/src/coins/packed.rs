//! Rows in one machine word, and their moves, for [`super::bidirectional`] and [`super::sweep`].
//!
//! Every gap is even, so two free cells count as one *hole*, and a row is a string of coins and holes. A move to the
//! right is then `X Y W .` -> `. W X Y`, where `W` is a run of coins: the string keeps its length, one hole changes its
//! place, and the coins rotate by two. A word has this layout:
//!
//! ```text
//! bit 0..11   colours: bit r is set if the coin of rank r (from the left) is a B
//! bit 11..48  places: bit p is set if place p of the string holds a coin; the leftmost coin is always at place 0
//! bit 48..64  zero; the hash table in `rows` stores a tag there
//! ```

use super::{Board, Coin};

const COLOURS: u32 = 11;
const COLOUR_MASK: u64 = (1 << COLOURS) - 1;

/// The number of bits that a row may use.
pub(super) const ROW_BITS: u32 = 48;

/// The width of the widest row, in places.
const WIDEST: u32 = ROW_BITS - COLOURS;

/// A row, which may have gaps. Rows that differ only by a shift are the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed(pub(super) u64);

impl Packed {
    /// Returns the start row of a board.
    pub(super) fn start(board: &Board) -> Packed {
        let bits = board.coins().iter().enumerate().map(|(rank, &coin)| u64::from(coin == Coin::B) << rank);
        Packed::touching(bits.sum(), board.coins().len() as u32)
    }

    /// Returns a row of `length` touching coins; bit r of `colours` says whether coin r is a B.
    pub(super) fn touching(colours: u64, length: u32) -> Packed {
        Packed(((1 << length) - 1) << COLOURS | colours)
    }

    /// Returns the row in which `a` coins A are followed by `b` coins B.
    pub(super) fn goal(a: u32, b: u32) -> Packed {
        Packed::touching(((1 << b) - 1) << a, a + b)
    }

    /// Returns which coins are B, by rank.
    pub(super) fn colours(self) -> u64 {
        self.0 & COLOUR_MASK
    }

    fn places(self) -> u64 {
        self.0 >> COLOURS
    }

    /// Returns the number of coins.
    fn coins(self) -> u32 {
        self.places().count_ones()
    }

    fn width(self) -> u32 {
        u64::BITS - self.places().leading_zeros()
    }

    /// Returns the number of holes between the outermost coins. One move lowers this number by at most one: only a pair
    /// that leaves an end of the row removes a hole, and it removes only one.
    pub(super) fn holes(self) -> u32 {
        self.width() - self.coins()
    }

    /// Returns the row or its mirror image, whichever is the smaller number. The mirror image of a move is a move, and
    /// mirroring exchanges the two goals. So a search may treat a row and its mirror image as the same row.
    pub(super) fn folded(self) -> Packed {
        let places = self.places().reverse_bits() >> (u64::BITS - self.width());
        let colours = self.colours().reverse_bits() >> (u64::BITS - self.coins());
        Packed(self.0.min(places << COLOURS | colours))
    }

    /// Calls `visit` with every row one move away. These rows must fit into a word; see [`fits`].
    pub(super) fn each_move(self, mut visit: impl FnMut(Packed)) {
        // One empty place on the left, where a pair can land.
        let places = self.places() << 1;
        let colours = self.colours();
        let differs = colours ^ colours >> 1;
        let (mut rank, mut from) = (0, 1);
        while places >> from != 0 {
            let run = (places >> from).trailing_ones();
            // Bit t: the coins t and t + 1 of this run differ.
            let mut pairs = differs >> rank & ((1 << (run - 1)) - 1);
            while pairs != 0 {
                let pair = pairs.trailing_zeros();
                pairs &= pairs - 1;
                if pair + 2 < run {
                    let turned = turn_to_the_end(colours, rank + pair, run - pair);
                    visit(trimmed(places & !(1 << (from + pair)) | 1 << (from + run), turned));
                }
                if pair > 0 {
                    let turned = turn_to_the_front(colours, rank, pair + 2);
                    visit(trimmed(places & !(1 << (from + pair + 1)) | 1 << (from - 1), turned));
                }
            }
            rank += run;
            from += run;
            from += (places >> from).trailing_zeros() % u64::BITS;
        }
    }

    /// Returns the row in its printed form: two free cells for every hole.
    pub(super) fn print(self) -> String {
        let mut rank = 0;
        let mut text = String::new();
        for place in 0..self.width() {
            if self.places() >> place & 1 == 0 {
                text.push_str("..");
            } else {
                text.push(if self.colours() >> rank & 1 == 1 { 'B' } else { 'A' });
                rank += 1;
            }
        }
        text
    }
}

/// Returns whether every row on the way fits into a word if at most `limit` moves lead from one row without gaps to
/// another. If not, the solver declines the board.
pub(super) fn fits(coins: usize, limit: u32) -> bool {
    // Such a row has at most `limit / 2` holes: each move adds or removes at most one hole, and all holes must be
    // removed again. Making a move needs one more place, which takes a free bit above the row.
    coins as u32 + limit / 2 <= WIDEST
}

fn trimmed(places: u64, colours: u64) -> Packed {
    Packed(places >> places.trailing_zeros() << COLOURS | colours)
}

/// Takes the `length` coins from rank `from` on, and moves the first two of them behind the others.
fn turn_to_the_end(colours: u64, from: u32, length: u32) -> u64 {
    let mask = ((1 << length) - 1) << from;
    let segment = (colours & mask) >> from;
    let turned = segment >> 2 | (segment & 3) << (length - 2);
    colours & !mask | turned << from
}

/// Takes the `length` coins from rank `from` on, and moves the last two of them before the others.
fn turn_to_the_front(colours: u64, from: u32, length: u32) -> u64 {
    let mask = ((1 << length) - 1) << from;
    let segment = (colours & mask) >> from;
    let turned = (segment << 2) & ((1 << length) - 1) | segment >> (length - 2);
    colours & !mask | turned << from
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Reads a printed row.
    pub(in super::super) fn parse(text: &str) -> Packed {
        let text = text.replace("..", ".");
        let (mut places, mut colours, mut rank) = (0, 0, 0);
        for (place, letter) in text.chars().enumerate().filter(|&(_, letter)| letter != '.') {
            places |= 1 << place;
            colours |= u64::from(letter == 'B') << rank;
            rank += 1;
        }
        Packed(places << COLOURS | colours)
    }

    #[test]
    fn a_row_is_printed_as_it_was_parsed_and_folding_is_blind_to_mirroring() {
        for (row, mirrored) in [("AB..BA", "AB..BA"), ("AAB....AB..B", "B..BA....BAA")] {
            assert_eq!(parse(row).print(), row);
            assert_eq!(parse(row).folded(), parse(mirrored).folded());
        }
    }

    #[test]
    fn the_largest_board_fits_into_a_word_and_what_could_outgrow_it_does_not() {
        assert!(fits(11, 53));
        assert!(!fits(11, 200));
    }
}
