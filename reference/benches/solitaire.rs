//! Measures each solver and a textbook search on random pairs of three kinds: uniform, exactly eight moves apart, and
//! exactly nine moves apart.
//!
//! The solvers alternate in several rounds, and the ratios at the end take the fastest round of each solver. So the
//! load of the machine affects all solvers alike.
#![allow(clippy::trivially_copy_pass_by_ref, reason = "the solvers take references to boards")]

use std::collections::{HashSet, VecDeque};
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use referee_random::Random;
use reference::solitaire::{Pair, bfs, bidirectional, bounded, generate};

const KINDS: [&str; 3] = ["uniform", "exactly-8", "exactly-9"];

type Decide = fn(&Pair) -> bool;

const SOLVERS: [(&str, Decide); 4] = [
    ("textbook", textbook),
    ("bounded", |pair| bounded::solve(pair).is_some()),
    ("bidirectional", |pair| bidirectional::solve(pair).is_some()),
    ("bfs", |pair| bfs::solve(pair).is_some()),
];

/// Searches breadth first, with a queue of positions and their distances, and a set of the positions seen. Returns
/// whether at most eight moves lead to the goal.
fn textbook(pair: &Pair) -> bool {
    let goal = pair.goal.sorted();
    let mut seen = HashSet::from([pair.start.sorted()]);
    let mut queue = VecDeque::from([(pair.start.sorted(), 0)]);
    while let Some((pieces, moves)) = queue.pop_front() {
        if pieces == goal {
            return true;
        }
        if moves == 8 {
            continue;
        }
        for piece in 0..4 {
            for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                if let Some(next) = textbook_move(pieces, piece, down, right)
                    && seen.insert(next)
                {
                    queue.push_back((next, moves + 1));
                }
            }
        }
    }
    false
}

fn textbook_move(mut pieces: [u8; 4], piece: usize, down: i8, right: i8) -> Option<[u8; 4]> {
    let (row, column) = ((pieces[piece] / 8) as i8, (pieces[piece] % 8) as i8);
    for by in 1..=2 {
        let (row, column) = (row + by * down, column + by * right);
        if !(0..8).contains(&row) || !(0..8).contains(&column) {
            return None;
        }
        let field = (row * 8 + column) as u8;
        if !pieces.contains(&field) {
            pieces[piece] = field;
            pieces.sort_unstable();
            return Some(pieces);
        }
    }
    None
}

fn pairs(kind: &str, count: u64) -> Vec<Pair> {
    (0..count).filter_map(|index| generate::pair(kind, &mut Random::new(5, index)).ok()).collect()
}

fn time_per_pair(decide: Decide, pairs: &[Pair]) -> f64 {
    let began = Instant::now();
    for pair in pairs {
        black_box(decide(black_box(pair)));
    }
    began.elapsed().as_nanos() as f64 / pairs.len() as f64
}

/// Prints, for each solver, the time per pair in its fastest of five rounds, and how much faster it is than the
/// textbook search. The slow solvers are measured only on the first 60 pairs.
fn print_ratios(kind: &str) {
    let pairs = pairs(kind, 600);
    let few = &pairs[..60];
    let mut fastest = [f64::INFINITY; SOLVERS.len()];
    for _ in 0..5 {
        for (time, (name, decide)) in fastest.iter_mut().zip(SOLVERS) {
            let asked = if matches!(name, "bounded" | "bidirectional") { &pairs[..] } else { few };
            *time = time.min(time_per_pair(decide, asked));
        }
    }
    for ((name, _), time) in SOLVERS.iter().zip(fastest) {
        println!("solitaire/{kind}/{name}: {time:.0} ns per pair, {:.1} x textbook", fastest[0] / time);
    }
}

fn main() {
    let quick = Duration::from_millis(500);
    let mut criterion =
        Criterion::default().sample_size(10).warm_up_time(quick).measurement_time(4 * quick).configure_from_args();
    for kind in KINDS {
        let pairs = pairs(kind, 64);
        for (name, decide) in SOLVERS {
            let mut next = pairs.iter().cycle();
            criterion.bench_function(&format!("solitaire/{kind}/{name}"), |bencher| {
                bencher.iter(|| next.next().map(decide));
            });
        }
    }
    criterion.final_summary();
    for kind in KINDS {
        print_ratios(kind);
    }
}
