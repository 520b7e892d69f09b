//! Measures checks of a small input, which `hunt` runs for every input that it tries.

use std::hint::black_box;

use referee_checktestdata::{Limits, Program};

use crate::{cpu_time, median};

const PROGRAM: &str = "INT(1, 10, n) NEWLINE REPI(i, n, SPACE) INT(1, 100, a[i]) END NEWLINE ASSERT(UNIQUE(a))";
const INPUT: &[u8] = b"6\n1 20 3 44 5 100\n";

/// The number of repetitions in a round.
const TIMES: u32 = 300_000;

/// The number of rounds.
const ROUNDS: usize = 5;

/// Prints how many times per second one core can check a small input, and how many times it can parse the program.
pub(crate) fn measure() {
    let program = Program::parse(PROGRAM.as_bytes()).expect("a program");
    let checks = per_second(|| {
        let checked =
            program.check(black_box(INPUT), Limits { until: None, is_interrupted: || false, memory_bytes: 1 << 30 });
        checked.expect("the input is valid");
    });
    let parses = per_second(|| drop(black_box(Program::parse(black_box(PROGRAM.as_bytes())))));
    println!("{checks:.0} checks of {} bytes per second, and {parses:.0} parses of their program", INPUT.len());
}

fn per_second(work: impl Fn()) -> f64 {
    let round = || cpu_time::of_this_process(|| (0..TIMES).for_each(|_| work())).user;
    median((0..ROUNDS).map(|_| f64::from(TIMES) / round()).collect())
}
