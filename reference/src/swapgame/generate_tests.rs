//! Tests that every pair has the property of its kind, by plain arithmetic or by `bfs`.

use super::*;
use crate::swapgame::bfs;

fn draw(kind: &str, index: u64) -> Input {
    generate(kind, None, &mut Random::new(11, index)).unwrap()
}

#[test]
fn exact_kinds_are_exactly_so_far_apart_by_breadth_first_search() {
    for (steps, kind) in EXACT.iter().enumerate() {
        assert_eq!(*kind, format!("exact-{steps}"));
        for index in 0..6 {
            assert_eq!(bfs::solve(draw(kind, index).pair).unwrap().len(), steps);
        }
    }
}

#[test]
fn farthest_pairs_are_as_far_as_their_number_of_ones_allows() {
    for index in 0..20 {
        let pair = draw("farthest", index).pair;
        let eccentricity = bfs::solve(pair).unwrap().len() as u32;
        assert_eq!(eccentricity, FARTHEST_BY_ONES[pair.start().ones() as usize]);
    }
}

#[test]
fn counts_of_ones_are_what_the_kinds_say() {
    for index in 0..50 {
        assert_eq!(draw("balanced", index).pair.start().ones(), 8);
        assert!([1, 15].contains(&draw("single", index).pair.start().ones()));
        assert!([0, 16].contains(&draw("one-colour", index).pair.start().ones()));
        assert!(draw("blank-line", index).blank_line && !draw("no-blank-line", index).blank_line);
    }
}

#[test]
fn blocked_ones_have_only_ones_on_the_straight_way() {
    for index in 0..200 {
        let pair = draw("blocked", index).pair;
        let (start, goal) = (pair.start().0, pair.goal().0);
        let (from, to) = (start & !goal, goal & !start);
        assert_eq!((from.count_ones(), to.count_ones()), (1, 1));
        let (low, high) = (from.min(to).trailing_zeros(), from.max(to).trailing_zeros());
        let step = if low / 4 == high / 4 { 1 } else { 4 };
        assert!(step == 1 || low % 4 == high % 4, "{pair:?} is not one line");
        let way: Vec<u32> = (low..high).step_by(step).skip(1).collect();
        assert!(!way.is_empty() && way.iter().all(|cell| start >> cell & 1 == 1), "{pair:?} is not blocked");
    }
}

#[test]
fn costly_kinds_cost_more_than_breadth_first_search() {
    for index in 0..20 {
        for (kind, cost) in [("greedy", greedy_cost as fn(Pair) -> u32), ("in-order", in_order_cost)] {
            let pair = draw(kind, index).pair;
            assert!(cost(pair) > bfs::solve(pair).unwrap().len() as u32);
        }
    }
}

#[test]
fn simple_minded_costs_are_added_up_right() {
    // The `1`s are on cells 1 and 2, the places are 0 and 5. The greedy assignment is 1 -> 0 and 2 -> 5.
    let pair = Pair::new(Board(0b0110), Board(0b10_0001)).unwrap();
    assert_eq!((greedy_cost(pair), in_order_cost(pair)), (3, 3));
    // The `1`s are on cells 1 and 3, the places are 2 and 4. Both methods choose 1 -> 2 and 3 -> 4, which costs 1 + 4.
    // The minimum is 1 -> 4 and 3 -> 2, which costs 2 + 1, because cell 4 is at the start of the second row.
    let crossing = Pair::new(Board(0b1010), Board(0b1_0100)).unwrap();
    assert_eq!((greedy_cost(crossing), in_order_cost(crossing)), (5, 5));
}

#[test]
fn uniform_pairs_have_eight_ones_as_often_as_they_should() {
    // The expected share is 12870^2 of 601,080,390 pairs: 27.6 %. Ten standard deviations of 4,000 draws are 283.
    let balanced = (0..4_000).filter(|&index| draw("uniform", index).pair.start().ones() == 8).count();
    assert!((820..=1_386).contains(&balanced), "{balanced}");
}

#[test]
fn the_same_seed_draws_the_same_pair() {
    for kind in KINDS {
        assert_eq!(draw(kind.name, 3), draw(kind.name, 3), "{}", kind.name);
    }
}

#[test]
fn unknown_kinds_and_other_sizes_are_refused_with_what_is_allowed() {
    let unknown = generate("hard", None, &mut Random::new(0, 0)).unwrap_err().to_string();
    assert!(unknown.starts_with("swapgame has no kind 'hard', allowed: uniform, balanced"), "{unknown}");
    assert!(unknown.ends_with("exact-19, exact-20"), "{unknown}");
    let size = Some(Size { rows: 5, columns: 4 });
    let refused = generate("uniform", size, &mut Random::new(0, 0)).unwrap_err().to_string();
    assert_eq!(refused, "swapgame has no board of 5x4; its only size is 4x4");
}
