//! Measures the swap game's solvers on random pairs of boards with eight ones and eight zeros, and their speed relative
//! to the textbook `bfs`.
//!
//! Every solver sees the same pairs, in the same process. The table at the end takes the fastest of several rounds,
//! because other work on the machine only ever adds time.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use referee_random::Random;
use reference::swapgame::{Pair, bfs, bidirectional, generate, matching, subsets};

/// The name of a method, the number of pairs on which it is measured, and the method's function.
type Method = (&'static str, usize, fn(Pair) -> usize);

const METHODS: [Method; 6] = [
    ("bfs (textbook)", 256, |pair| bfs::solve(pair).map_or(0, |moves| moves.len())),
    ("bidirectional, moves", 1024, |pair| bidirectional::solve(pair).map_or(0, |moves| moves.len())),
    ("subsets, distance", 4096, |pair| subsets::distance(pair) as usize),
    ("subsets, moves", 4096, |pair| subsets::solve(pair).map_or(0, |moves| moves.len())),
    ("matching, distance", 4096, |pair| matching::distance(pair) as usize),
    ("matching, moves and proof", 4096, |pair| matching::solve(pair).moves.len()),
];

const ROUNDS: usize = 5;

fn main() {
    let pairs: Vec<Pair> = (0..4096).filter_map(balanced).collect();
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3))
        .sample_size(20)
        .configure_from_args();
    for (name, _, method) in METHODS {
        let mut next = pairs.iter().cycle();
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| next.next().map(|&pair| method(black_box(pair))));
        });
    }
    criterion.final_summary();
    ratios(&pairs);
}

fn balanced(index: u64) -> Option<Pair> {
    generate::generate("balanced", None, &mut Random::new(1753, index)).ok().map(|input| input.pair)
}

/// Prints one line per method: nanoseconds per pair, and the speed relative to the textbook `bfs`.
fn ratios(pairs: &[Pair]) {
    let times = METHODS.map(|(_, count, method)| fastest(&pairs[..count.min(pairs.len())], method));
    println!("{:<28}{:>14}{:>12}", "method", "ns per pair", "ratio");
    for ((name, ..), nanoseconds) in METHODS.iter().zip(times) {
        println!("{name:<28}{nanoseconds:>14.1}{:>12.1}", times[0] / nanoseconds);
    }
}

/// Returns the nanoseconds per pair in the fastest round.
fn fastest(pairs: &[Pair], method: fn(Pair) -> usize) -> f64 {
    let round = |_| {
        let began = Instant::now();
        for &pair in pairs {
            black_box(method(black_box(pair)));
        }
        began.elapsed().as_nanos() as f64 / pairs.len() as f64
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}
