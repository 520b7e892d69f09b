//! Passes the ratios of a benchmark to `benches/guard`, which compares them with those of an earlier version.

use std::fs::OpenOptions;
use std::io::Write;

/// The environment variable that names the file to which benchmarks append their ratios.
const FILE: &str = "REFEREE_BENCH_RATIOS";

/// Appends a line with the name and the value of a ratio to the file that `benches/guard` has named, if it runs the
/// benchmark. A smaller ratio is better.
pub(crate) fn record(name: &str, ratio: f64) {
    let Some(path) = std::env::var_os(FILE) else { return };
    let mut file = OpenOptions::new().append(true).create(true).open(path).expect("the file of ratios can be opened");
    writeln!(file, "{name}\t{ratio}").expect("the file of ratios can be written");
}
