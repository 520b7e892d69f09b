//! Which boards a number stands for: all of a small space, the package's own and drawn ones take turns.

/// Where the boards of a number come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// This one of all there are.
    Space(u64),
    /// This one of the package's own inputs.
    Own(u64),
    /// As many boards, drawn by their numbers, each by the next kind.
    Drawn { first: u64, count: u64 },
    /// Nowhere: this lane is at its end.
    Over,
    /// Nowhere, and so it is for all that follow.
    End,
}

/// The lanes of a puzzle.
pub(super) struct Lanes {
    space: u64,
    own: u64,
    most: u64,
}

/// How many turns it takes until inputs are twice as long.
const DOUBLING: u64 = 4;

/// For how many turns a small space shares them with boards that are drawn. Drawn ones find most faults early; after so
/// many it is quicker to go on to the end.
const SHARED: u64 = 1000;

impl Lanes {
    /// For a puzzle with `space` boards in all if they can all be tried (else 0), `own` inputs in its package, and
    /// `most` boards in an input.
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

    /// Short inputs first.
    fn drawn(&self, turn: u64) -> Lane {
        let count = |turn: u64| (1_u64 << (turn / DOUBLING).min(40)).min(self.most);
        // The lengths before: they grow for a few turns, and then stay.
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
