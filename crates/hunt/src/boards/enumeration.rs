//! Maps input numbers to boards. Three sources take turns: all boards of a small puzzle, the package's own inputs, and
//! generated boards.

/// The boards that belong to an input number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The board with this index among all boards of the puzzle.
    Enumerated(u64),
    /// The package's own input with this index.
    Own(u64),
    /// At most `count` generated boards, numbered from `first`. The number of a board gives its random choices, and
    /// `turn` gives the kind of the first board. Together, the boards have at most the effort of level `level`.
    Generated { turn: u64, first: u64, count: u64, level: u32 },
    /// No board, because the source whose turn it is has no more; another source may still have boards.
    UsedUp,
    /// No board, because all sources are used up.
    End,
}

/// The numbers that decide which boards an input number gets. [`Schedule::new`] describes them.
pub(super) struct Schedule {
    space: u64,
    own: u64,
    most: u64,
}

/// Generated inputs double in length whenever this number of turns has passed, up to the maximum length.
const DOUBLING: u64 = 4;

/// The number of turns of level 0. Each further level has twice as many turns as the level before.
pub(super) const LEVEL_0: u64 = 40;

/// If all boards of the puzzle can be tried, the three sources alternate for this number of turns, or for as many turns
/// as the package has inputs if that is more. After these turns, no boards are generated: generated boards find most
/// faults early, and without them the remaining boards of the puzzle are tried sooner.
const SHARED: u64 = 1000;

impl Schedule {
    /// Creates the schedule. `space` is the number of all boards of the puzzle, or 0 if they are too many to try; `own`
    /// is the number of inputs in the package; `most` is the maximum number of boards in an input.
    pub(super) fn new(space: u64, own: u64, most: u64) -> Schedule {
        Schedule { space, own, most: most.max(1) }
    }

    /// Returns the boards of input number `number`.
    pub(super) fn choice(&self, number: u64) -> Choice {
        let shared = if self.space == 0 { u64::MAX / 3 } else { SHARED.max(self.own) };
        if number >= 3 * shared {
            let index = number - 2 * shared;
            return if index < self.space { Choice::Enumerated(index) } else { Choice::End };
        }
        let turn = number / 3;
        match number % 3 {
            0 if turn < self.space => Choice::Enumerated(turn),
            1 if turn < self.own => Choice::Own(turn),
            2 => self.generated(turn),
            _ => Choice::UsedUp,
        }
    }

    /// Returns the part of all boards of the puzzle that is searched once the inputs up to `number` are drawn; `None` if
    /// the boards are too many to try.
    pub(super) fn share(&self, number: u64) -> Option<f64> {
        let shared = SHARED.max(self.own);
        let drawn = if number >= 3 * shared { number - 2 * shared } else { number / 3 } + 1;
        (self.space > 0).then(|| drawn.min(self.space) as f64 / self.space as f64)
    }

    /// Returns generated boards for a turn, short inputs first.
    fn generated(&self, turn: u64) -> Choice {
        let count = |turn: u64| (1_u64 << (turn / DOUBLING).min(40)).min(self.most);
        // `before` is the number of boards in all earlier turns. The length of the inputs grows until turn `grown`, and
        // then stays the same.
        let grown = DOUBLING * u64::from(self.most.ilog2() + 1);
        let before: u64 = (0..turn.min(grown)).map(count).sum();
        let level = (turn / LEVEL_0 + 1).ilog2();
        Choice::Generated { turn, first: before + turn.saturating_sub(grown) * self.most, count: count(turn), level }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_space_is_tried_to_its_end_and_nothing_of_it_twice() {
        for (space, own) in [(1, 0), (50, 3), (1000, 1000), (65_536, 61), (5000, 2000)] {
            let schedule = Schedule::new(space, own, 1);
            let all: Vec<_> = (0..1 << 20)
                .map(|number| schedule.choice(number))
                .take_while(|choice| *choice != Choice::End)
                .collect();
            let spaces: Vec<_> = all
                .iter()
                .filter_map(|choice| if let Choice::Enumerated(at) = choice { Some(*at) } else { None })
                .collect();
            assert_eq!(spaces, (0..space).collect::<Vec<_>>());
            assert_eq!(all.iter().filter(|choice| matches!(choice, Choice::Own(_))).count() as u64, own);
            assert!((0..10).all(|more| schedule.choice(all.len() as u64 + more) == Choice::End));
        }
    }

    #[test]
    fn the_searched_share_grows_to_the_whole_space() {
        let schedule = Schedule::new(65_536, 61, 1);
        assert_eq!(schedule.share(3 * 511), Some(512.0 / 65_536.0));
        let end = (0..1 << 20).find(|&number| schedule.choice(number) == Choice::End).unwrap();
        assert_eq!((schedule.share(end - 1), schedule.share(end)), (Some(1.0), Some(1.0)));
        let shares: Vec<_> = (0..end).filter_map(|number| schedule.share(number)).collect();
        assert!(shares.is_sorted());
        assert_eq!(Schedule::new(0, 61, 1).share(5), None);
    }

    #[test]
    fn no_drawn_board_is_drawn_twice_and_inputs_grow_to_the_most_there_may_be() {
        for most in [1, 2, 100] {
            let schedule = Schedule::new(0, 7, most);
            let mut next = 0;
            for number in 0..600 {
                if let Choice::Generated { first, count, .. } = schedule.choice(number) {
                    assert_eq!(first, next, "number {number}");
                    assert!((1..=most).contains(&count));
                    next = first + count;
                }
            }
            assert_eq!(
                schedule.choice(599),
                Choice::Generated { turn: 199, first: next - most, count: most, level: 2 }
            );
        }
    }
}
