//! Keeps programs from writing core dumps.

use rustix::process::Resource;

/// Disables core dumps. A limit of 1 byte, unlike 0, also prevents the kernel from starting a core dump handler.
pub(super) fn no_core_dumps() -> (u32, u64) {
    (Resource::Core as u32, rustix::process::getrlimit(Resource::Core).maximum.map_or(1, |hard| hard.min(1)))
}
