//! The programs and inputs that the benchmark measures.

use std::fmt::Write as _;

use referee_random::Random;

/// The approximate size of an input, in bytes.
const BYTES: usize = 100_000_000;

/// A program, and an input that it accepts.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) program: &'static str,
    pub(crate) input: fn() -> String,
    /// The smallest integer that the C++ program allows.
    pub(crate) low: i64,
    /// The largest integer that the C++ program allows.
    pub(crate) high: i64,
    /// The task for which the C++ program does the same work as the validator; `None` if that is the task `bounds`,
    /// which is measured for every case.
    pub(crate) task: Option<&'static str>,
}

const LIMIT: u64 = 1_000_000_000;

/// The number of integers of a row in [`rows`].
const COLUMNS: usize = 10;

pub(crate) const CASES: [Case; 5] = [
    Case {
        name: "one integer in each line",
        program: "INT(1, 10^8, n) NEWLINE REP(n) INT(-1000000000, 1000000000) NEWLINE END",
        input: || integers(|random| format!("{}\n", between_limits(random))),
        low: -(LIMIT as i64),
        high: LIMIT as i64,
        task: None,
    },
    Case {
        name: "ten integers in each line",
        program: "INT(1, 10^8, n) SPACE INT(1, 10^8, m) NEWLINE \
                  REP(n) REP(m, SPACE) INT(-1000000000, 1000000000) END NEWLINE END",
        input: rows,
        low: -(LIMIT as i64),
        high: LIMIT as i64,
        task: None,
    },
    Case {
        name: "an array",
        program: "INT(1, 10^8, n) NEWLINE REPI(i, n) INT(1, 1000000000, a[i]) NEWLINE END",
        input: || integers(|random| format!("{}\n", random.between(1, LIMIT))),
        low: 1,
        high: LIMIT as i64,
        task: Some("array"),
    },
    Case {
        name: "a permutation, `UNIQUE`",
        program: "INT(1, 10^8, n) NEWLINE REPI(i, n, SPACE) INT(1, n, a[i]) END NEWLINE ASSERT(UNIQUE(a))",
        input: permutation,
        low: 1,
        high: LIMIT as i64,
        task: Some("unique"),
    },
    Case {
        name: "different integers up to 10^9, `UNIQUE`",
        program: "INT(1, 10^8, n) NEWLINE REPI(i, n) INT(0, 2^30, a[i]) NEWLINE END ASSERT(UNIQUE(a))",
        input: || {
            let mut index = 0;
            // The factor is odd, so different indices give different products modulo 2^30.
            integers(|_| {
                index += 1;
                format!("{}\n", index * 0x9e37_79b9_u64 % (1 << 30))
            })
        },
        low: 0,
        high: 1 << 30,
        task: Some("unique"),
    },
];

fn between_limits(random: &mut Random) -> i64 {
    random.between(0, 2 * LIMIT) as i64 - LIMIT as i64
}

/// Writes the number of items, and then the items.
fn integers(mut item: impl FnMut(&mut Random) -> String) -> String {
    let mut random = Random::new(1, 0);
    let (mut items, mut count) = (String::with_capacity(BYTES + 100), 0);
    while items.len() < BYTES {
        items += &item(&mut random);
        count += 1;
    }
    format!("{count}\n{items}")
}

fn rows() -> String {
    let rows = integers(|random| {
        let row: Vec<_> = (0..COLUMNS).map(|_| between_limits(random).to_string()).collect();
        row.join(" ") + "\n"
    });
    rows.replacen('\n', &format!(" {COLUMNS}\n"), 1)
}

/// Writes the numbers from 1 to 12,600,000 in a random order, which takes about [`BYTES`].
fn permutation() -> String {
    let mut numbers: Vec<u32> = (1..=12_600_000).collect();
    Random::new(1, 0).shuffle(&mut numbers);
    let mut text = format!("{}\n", numbers.len());
    for number in numbers {
        let _ = write!(text, "{number} ");
    }
    text.pop();
    text + "\n"
}
