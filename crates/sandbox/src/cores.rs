//! The number of cores of the machine.

use std::sync::OnceLock;

/// Returns the number of cores that a program can use at once. The number is cached, because determining it takes
/// longer than running a small program.
pub(super) fn cores() -> u32 {
    static CORES: OnceLock<u32> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, |count| count.get() as u32))
}
