//! Makes smaller pairs for debugging. The first aim is fewer steps between the boards, the second is fewer `1`s, and
//! the last is no blank line.

use super::{Board, CELLS, Input, Pair, SIDE, matching};

/// Returns the weight: 64 per step of the distance, 2 per `1`, 1 for the blank line. So fewer steps outweigh everything
/// else.
pub fn weight(input: &Input) -> u64 {
    let steps = u64::from(matching::distance(input.pair));
    64 * steps + 2 * u64::from(input.pair.start().ones()) + u64::from(input.blank_line)
}

/// Returns all lighter pairs that are one change away, the lightest first. A change moves one board one step nearer to
/// the other, removes a `1` from both boards, swaps the colours, or drops the blank line.
pub fn steps(input: &Input) -> Vec<Input> {
    let (start, goal) = (input.pair.start(), input.pair.goal());
    let mut pairs: Vec<(u16, u16)> = Vec::new();
    pairs.extend(neighbours(start).map(|nearer| (nearer, goal.0)));
    pairs.extend(neighbours(goal).map(|nearer| (start.0, nearer)));
    pairs.extend(removals(start).flat_map(|fewer| removals(goal).map(move |other| (fewer, other))));
    pairs.push((!start.0, !goal.0));
    let with = |(start, goal)| Pair::new(Board(start), Board(goal)).map(|pair| Input { pair, ..*input });
    let mut inputs: Vec<Input> = pairs.into_iter().filter_map(with).collect();
    inputs.push(Input { blank_line: false, ..*input });
    let heavy = weight(input);
    let mut lighter: Vec<(u64, Input)> = inputs.into_iter().map(|input| (weight(&input), input)).collect();
    lighter.retain(|(weight, _)| *weight < heavy);
    lighter.sort_by_key(|(weight, input)| (*weight, input.pair.start(), input.pair.goal()));
    lighter.into_iter().map(|(_, input)| input).collect()
}

/// Iterates over copies of the board, each without one of its `1`s.
fn removals(board: Board) -> impl Iterator<Item = u16> {
    (0..CELLS).map(|cell| 1 << cell).filter(move |bit| board.0 & bit != 0).map(move |bit| board.0 ^ bit)
}

/// Iterates over the boards one exchange away.
fn neighbours(board: Board) -> impl Iterator<Item = u16> {
    let cells = (0..CELLS).flat_map(|cell| {
        let right = (cell % SIDE + 1 < SIDE).then(|| 0b11_u16 << cell);
        let below = (cell + SIDE < CELLS).then(|| 0b1_0001_u16 << cell);
        right.into_iter().chain(below)
    });
    // Exactly one of the two cells holds a `1`.
    cells.filter(move |both| (board.0 & both).is_power_of_two()).map(move |both| board.0 ^ both)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(start: u16, goal: u16) -> Input {
        Input { pair: Pair::new(Board(start), Board(goal)).unwrap(), blank_line: true }
    }

    /// Repeatedly takes the lightest step for which `fails` returns true, until there is none, as `referee hunt` does.
    fn smallest(mut input: Input, fails: impl Fn(&Input) -> bool) -> Input {
        while let Some(lighter) = steps(&input).into_iter().find(|step| fails(step)) {
            input = lighter;
        }
        input
    }

    #[test]
    fn empty_boards_without_a_blank_line_have_no_smaller_pair() {
        let empty = Input { blank_line: false, ..input(0, 0) };
        assert_eq!((weight(&empty), steps(&empty)), (0, vec![]));
    }

    #[test]
    fn a_fault_that_needs_three_steps_is_found_with_a_single_one() {
        let found = smallest(input(0x8ff0, 0x0ff1), |input| matching::distance(input.pair) >= 3);
        assert_eq!((matching::distance(found.pair), found.pair.start().ones(), found.blank_line), (3, 1, false));
    }

    #[test]
    fn a_fault_on_the_blank_line_keeps_it() {
        let found = smallest(input(0x00ff, 0xff00), |input| input.blank_line);
        assert_eq!(found, input(0, 0));
    }

    #[test]
    fn a_fault_that_needs_many_ones_keeps_them() {
        let found = smallest(input(0x7fff, 0xfffe), |input| input.pair.start().ones() > 10);
        assert_eq!((matching::distance(found.pair), found.pair.start().ones()), (0, 11));
    }
}
