//! Maps numbers to boards. Three sources take turns: all boards of a small space, the package's own inputs, and
//! generated boards.

/// The source of the boards for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// The board with this index among all boards.
    Space(u64),
    /// The input of the package with this index.
    Own(u64),
    /// `count` generated boards, numbered from `first`. Each number gives the board's kind and its random choices.
    Drawn { first: u64, count: u64 },
    /// No board, because this source is used up; another source may still have boards.
    Over,
    /// No board, because all sources are used up.
    End,
}

/// The number of boards of each source of a puzzle.
pub(super) struct Lanes {
    space: u64,
    own: u64,
    most: u64,
}

/// The number of turns after which generated inputs are twice as long.
const DOUBLING: u64 = 4;

/// The number of turns during which a small space alternates with generated boards. Generated boards find most faults
/// early; after that, trying the rest of the space is faster.
const SHARED: u64 = 1000;

impl Lanes {
    /// Creates the sources. `space` is the number of all boards of the puzzle, or 0 if they are too many to try; `own`
    /// is the number of inputs in the package; `most` is the maximum number of boards in an input.
    pub(super) fn new(space: u64, own: u64, most: u64) -> Lanes {
        Lanes { space, own, most: most.max(1) }
    }

    pub(super) fn at(&self, number: u64) -> Lane {
        let shared = if self.space == 0 { u64::MAX / 3 } else { SHARED.max(self.own) };
        if number >= 3 * shared {
            let index = number - 2 * shared;
            return if index < self.space { Lane::Space(index) } else { Lane::End };
        }
        let turn = number / 3;
        match number % 3 {
            0 if turn < self.space => Lane::Space(turn),
            1 if turn < self.own => Lane::Own(turn),
            2 => self.drawn(turn),
            _ => Lane::Over,
        }
    }

    /// Returns generated boards for a turn, short inputs first.
    fn drawn(&self, turn: u64) -> Lane {
        let count = |turn: u64| (1_u64 << (turn / DOUBLING).min(40)).min(self.most);
        // The total length of the inputs before this turn: the length grows for some turns, and then stays the same.
        let grown = DOUBLING * u64::from(self.most.ilog2() + 1);
        let before: u64 = (0..turn.min(grown)).map(count).sum();
        Lane::Drawn { first: before + turn.saturating_sub(grown) * self.most, count: count(turn) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_space_is_tried_to_its_end_and_nothing_of_it_twice() {
        for (space, own) in [(1, 0), (50, 3), (1000, 1000), (65_536, 61), (5000, 2000)] {
            let lanes = Lanes::new(space, own, 1);
            let all: Vec<_> =
                (0..1 << 20).map(|number| lanes.at(number)).take_while(|lane| *lane != Lane::End).collect();
            let spaces: Vec<_> =
                all.iter().filter_map(|lane| if let Lane::Space(at) = lane { Some(*at) } else { None }).collect();
            assert_eq!(spaces, (0..space).collect::<Vec<_>>());
            assert_eq!(all.iter().filter(|lane| matches!(lane, Lane::Own(_))).count() as u64, own);
            assert!((0..10).all(|more| lanes.at(all.len() as u64 + more) == Lane::End));
        }
    }

    #[test]
    fn no_drawn_board_is_drawn_twice_and_inputs_grow_to_the_most_there_may_be() {
        for most in [1, 2, 100] {
            let lanes = Lanes::new(0, 7, most);
            let mut next = 0;
            for number in 0..600 {
                if let Lane::Drawn { first, count } = lanes.at(number) {
                    assert_eq!(first, next, "number {number}");
                    assert!((1..=most).contains(&count));
                    next = first + count;
                }
            }
            assert_eq!(lanes.at(599), Lane::Drawn { first: next - most, count: most });
        }
    }
}
