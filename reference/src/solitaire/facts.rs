//! Tests the solvers against facts about the puzzle that other programs found, and tests the property of every kind.

use proptest::prelude::*;

use super::*;

fn drawn(kind: &str, index: u64) -> Pair {
    generate::pair(kind, &mut Random::new(2002, index)).unwrap()
}

#[test]
fn there_are_635_376_configurations_in_79_920_classes_and_the_ranks_number_them() {
    let mut seen = vec![false; bfs::CONFIGURATIONS];
    for pieces in exhaust::all() {
        assert!(!std::mem::replace(&mut seen[bfs::rank(pieces)], true));
    }
    assert!(seen.iter().all(|&seen| seen));
    assert_eq!(exhaust::classes().count(), 79_920);
}

#[test]
fn there_are_8_823_040_moves() {
    let mut board = bfs::Mailbox::new();
    let moves: usize = exhaust::all().map(|pieces| board.moves(pieces, &mut [[0; PIECES]; 16])).sum();
    assert_eq!(moves, 8_823_040);
}

#[test]
fn all_generators_agree_on_every_hundredth_configuration() {
    for pieces in exhaust::all().step_by(101) {
        exhaust::compare_moves(pieces).unwrap();
    }
}

#[test]
fn one_uniform_pair_in_nine_is_yes_and_the_limit_is_where_it_should_be() {
    let pairs = 20_000_u64;
    let mut by_distance = [0_u64; 3];
    for index in 0..pairs {
        let pair = drawn("uniform", index);
        let within = [7, 8, 9].map(|limit| bounded::within(&pair, limit).is_some());
        by_distance[0] += u64::from(within[1]);
        by_distance[1] += u64::from(within[1] && !within[0]);
        by_distance[2] += u64::from(within[2] && !within[1]);
    }
    // On average, 71,470 of the 635,376 configurations lie within 8 moves, 34,785 at distance 8 and 53,222 at distance
    // 9. A count may differ by five standard deviations of a binomial distribution.
    for (count, share) in by_distance.into_iter().zip([0.11248, 0.05475, 0.08376]) {
        let (mean, sigma) = (pairs as f64 * share, (pairs as f64 * share * (1.0 - share)).sqrt());
        assert!((count as f64 - mean).abs() < 5.0 * sigma, "{count}, expected {mean} +- {sigma}");
    }
}

#[test]
fn the_mean_sizes_of_the_rings_are_the_known_ones() {
    let known = [1.0, 14.0, 97.0, 453.0, 1574.0, 4369.0, 10111.0, 20066.0, 34785.0, 53222.0];
    let starts = 150;
    let balls: Vec<Vec<f64>> = (0..starts)
        .map(|index| bfs::rings(drawn("uniform", index).start.sorted(), 9).iter().map(|r| r.len() as f64).collect())
        .collect();
    for (distance, known) in known.into_iter().enumerate() {
        let sizes = balls.iter().map(|ball| ball[distance]);
        let mean = sizes.clone().sum::<f64>() / starts as f64;
        let variance = sizes.map(|size| (size - mean).powi(2)).sum::<f64>() / (starts - 1) as f64;
        // Five standard errors, and half a unit because the known means are rounded.
        let room = 5.0 * (variance / starts as f64).sqrt() + 0.5;
        assert!((mean - known).abs() < room, "distance {distance}: {mean}, known {known}, room {room}");
    }
}

#[test]
fn the_sample_of_the_statement_is_a_yes() {
    let mut lines = Lines::new(&b"4 4 4 5 5 4 6 5\n2 4 3 3 3 6 4 6\n"[..]);
    let pair = Solitaire.read(&mut lines, None).unwrap().unwrap();
    for solver in SOLVERS {
        assert_eq!(pair.solve(solver.name).unwrap().text, "YES\n");
    }
    assert!(pair.solve("oracle").unwrap_err().0.contains("bounded, bidirectional, bfs"));
}

#[test]
fn every_kind_is_agreed_on_and_is_what_it_says() {
    for kind in generate::KINDS {
        let mut tally = Tally::default();
        for index in 0..12 {
            let pair = drawn(kind.name, index);
            tally.compare(&Solitaire, &pair);
            let yes = bfs::solve(&pair).map(|way| way.len() - 1);
            assert!(is_of_kind(kind.name, &pair, yes), "{}: {pair}", kind.name);
            let read = parse::pair(&mut Lines::new(pair.print().as_bytes())).unwrap();
            assert_eq!(read, Some(pair));
        }
        assert_eq!((tally.boards, tally.disagreements), (12, 0), "{}: {:?}", kind.name, tally.examples);
    }
}

/// Returns whether the pair has the property of its kind. `moves` is the distance by bfs; `None` if it is more than
/// eight.
fn is_of_kind(kind: &str, pair: &Pair, moves: Option<usize>) -> bool {
    let bits = [pair.start, pair.goal].map(|c| c.sorted().iter().fold(0_u64, |bits, field| bits | 1 << field));
    let edge = 0xFF81_8181_8181_81FF_u64;
    match kind {
        "exactly-8" => moves == Some(8),
        "near" => matches!(moves, Some(1..=4)),
        "identical" => moves == Some(0),
        "shuffled" => moves.is_some() && generate::in_written_order(pair) > 8,
        "jumps-needed" => moves.is_some() && shrink::apart(pair) > 8,
        "corners" => bits.iter().all(|bits| bits & 0x8100_0000_0000_0081 != 0) && moves.is_none_or(|moves| moves >= 7),
        "edges" => bits.iter().all(|bits| bits & !edge == 0) && moves.is_none_or(|moves| moves >= 7),
        "exactly-9" => {
            let rings = bfs::rings(pair.start.sorted(), 9);
            rings[9].contains(&pair.goal.sorted())
        }
        "jumps-blocked" | "row-ends" | "far" => moves.is_none(),
        _ => true,
    }
}

#[test]
fn another_size_and_an_unknown_kind_are_refused_by_name() {
    let mut random = Random::new(1, 1);
    let size = Some(Size { rows: 4, columns: 4 });
    let error = Solitaire.generate("uniform", size, &mut random).err().unwrap();
    assert_eq!(error.0, "solitaire has no board of 4x4; its only size is 8x8");
    let error = Solitaire.generate("easy", None, &mut random).err().unwrap();
    assert!(error.0.starts_with("solitaire has no kind 'easy', allowed: uniform, exactly-8, "));
}

#[test]
fn a_certificate_with_any_configuration_left_out_or_replaced_is_refused() {
    for index in 0..20 {
        let pair = drawn("exactly-8", index);
        let good = pair.solve("bounded").unwrap();
        let way = good.certificate.clone().unwrap();
        assert_eq!(pair.verify(&good), Ok(Evidence { moves_replayed: true, bound_proved: false }));
        for at in 0..way.len() {
            let mut damaged = good.clone();
            // The pair is eight moves apart, so seven moves cannot be enough.
            damaged.certificate = Some([&way[..at], &way[at + 1..]].concat());
            assert!(pair.verify(&damaged).is_err());
            let mut damaged = good.clone();
            damaged.certificate.as_mut().unwrap()[at] = 11_111_112;
            assert!(pair.verify(&damaged).is_err());
        }
        let long = Answer { certificate: Some([&way[..1], &way[..]].concat()), ..good };
        assert!(pair.verify(&long).is_err());
    }
}

#[test]
fn wrong_answers_are_refused_where_they_stand() {
    let check = |output: &str, right: Value| {
        check::check(&mut Tokens::new(output.as_bytes()), &right).map_err(|error| error.to_string())
    };
    assert_eq!(check("YES\n", Value::Yes), Ok(()));
    assert_eq!(check(" NO", Value::No), Ok(()));
    assert_eq!(check("NO\n", Value::Yes), Err("line 1, column 1: found 'NO', the right answer is YES".to_owned()));
    let capitals = "line 2, column 1: found 'Yes', expected YES or NO in capital letters";
    assert_eq!(check("\nYes\n", Value::Yes), Err(capitals.to_owned()));
    assert_eq!(check("YESNO", Value::Yes), Err("line 1, column 1: found 'YESNO', expected YES or NO".to_owned()));
    assert!(check("\n", Value::Yes).unwrap_err().starts_with("line 2, column 1: found the end of the output"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn both_searches_from_two_ends_agree_and_symmetric_pairs_have_the_same_answer(index: u64, symmetry in 0_u8..8) {
        let pair = generate::pair("edges", &mut Random::new(3, index)).unwrap();
        let [start, goal] = [pair.goal, pair.start].map(|c| exhaust::written(exhaust::image(c.sorted(), symmetry)));
        let yes = bounded::solve(&pair).is_some();
        prop_assert_eq!(bidirectional::solve(&pair).is_some(), yes);
        prop_assert_eq!(bounded::solve(&Pair { start, goal }).is_some(), yes);
    }
}
