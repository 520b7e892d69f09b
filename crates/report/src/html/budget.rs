//! Bounds the size of a page.

/// The largest number of pieces among which a budget is divided. A share is at least 1/300 of the remaining budget,
/// because most results of a large run are accepted and need no space.
const MOST_SHARES: usize = 300;

/// The smallest share, in bytes. It suffices for a few lines of output with their diff.
const LEAST_SHARE_BYTES: usize = 1 << 10;

/// The remaining space for one kind of data, in bytes.
pub(super) struct SizeBudget {
    left: usize,
    /// The part of `left` that earlier pieces could have used, and did not. Zero while more than [`MOST_SHARES`] pieces
    /// are expected.
    spare: usize,
    /// The number of pieces that may still follow, at most [`MOST_SHARES`] of which count.
    expected: usize,
    /// The number of pieces that did not fit.
    refused: usize,
}

impl SizeBudget {
    pub(super) fn of(bytes: usize) -> SizeBudget {
        SizeBudget { left: bytes, spare: 0, expected: 1, refused: 0 }
    }

    /// Divides the remaining space among this number of pieces. Pieces that need no space count, too. If the pieces are
    /// few, the first ones can also use a quarter of the space before the rest is divided.
    pub(super) fn share_among(&mut self, pieces: usize) {
        self.expected = pieces;
        self.spare = if pieces <= MOST_SHARES { self.left / 4 } else { 0 };
    }

    /// Returns the size to which the next piece should be cut, in bytes, so that all expected pieces fit. If more than
    /// [`MOST_SHARES`] pieces are expected, every piece makes the later shares smaller, but none is smaller than
    /// [`LEAST_SHARE_BYTES`].
    pub(super) fn next_share(&mut self) -> usize {
        let even = (self.left - self.spare) / self.expected.clamp(1, MOST_SHARES);
        let share = self.spare + even;
        if self.expected <= MOST_SHARES {
            self.spare = share;
        }
        self.expected = self.expected.saturating_sub(1);
        share.max(LEAST_SHARE_BYTES)
    }

    /// Returns whether any space is left. If not, counts the caller's next piece as refused, so the caller need not
    /// create that piece.
    pub(super) fn has_space(&mut self) -> bool {
        self.refused += usize::from(self.left == 0);
        self.left > 0
    }

    /// Returns whether this many bytes fit. After the first pieces that do not fit, all pieces are refused, so that only
    /// the end of the data is missing. `pieces` is the number of pieces that have these bytes.
    pub(super) fn take(&mut self, bytes: usize, pieces: usize) -> bool {
        let fits = bytes <= self.left;
        self.left = if fits { self.left - bytes } else { 0 };
        self.spare = if fits { self.spare.saturating_sub(bytes) } else { 0 };
        self.refused += if fits { 0 } else { pieces };
        fits
    }

    /// Returns the number of refused pieces, and resets it.
    pub(super) fn take_refused(&mut self) -> usize {
        std::mem::take(&mut self.refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_budget_stays_full() {
        let mut budget = SizeBudget::of(10);
        assert!(budget.take(5, 1) && !budget.take(6, 1) && !budget.take(1, 2));
        assert_eq!((budget.take_refused(), budget.has_space(), budget.take_refused()), (3, false, 1));
    }

    #[test]
    fn few_pieces_share_the_whole_budget() {
        let mut budget = SizeBudget::of(1 << 20);
        budget.share_among(2);
        assert_eq!(budget.next_share(), (1 << 18) + (3 << 17), "a quarter, and half of the rest");
        assert!(budget.take(100, 1));
        assert_eq!(budget.next_share(), (1 << 20) - 100, "a short piece leaves its space to the next");
    }

    #[test]
    fn the_space_of_short_pieces_is_for_the_next_long_piece() {
        let mut budget = SizeBudget::of(100_000);
        budget.share_among(100);
        for _ in 0..50 {
            budget.next_share();
            assert!(budget.take(10, 1));
        }
        let share = budget.next_share();
        assert!(share > 60_000, "{share}");
        assert!(budget.take(share, 1));
        assert!(budget.next_share() < 1100, "the later pieces keep their shares");
    }

    #[test]
    fn a_thousand_pieces_of_any_size_fit_into_four_mebibytes() {
        let mut budget = SizeBudget::of(4 << 20);
        budget.share_among(100_000);
        let shares: Vec<_> = (0..1000)
            .map(|_| {
                let share = budget.next_share();
                assert!(budget.take(share, 1));
                share
            })
            .collect();
        assert!(shares[0] > 13 << 10, "the first failures are the most useful: {}", shares[0]);
        assert!(shares.is_sorted_by(|one, other| one >= other) && shares[999] >= LEAST_SHARE_BYTES);
    }
}
