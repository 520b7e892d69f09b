//! The resource limit that prevents core dumps.

use rustix::process::Resource;

/// Returns the resource and the limit that disable core dumps. The limit is 1 byte, or 0 if the hard limit is 0. Unlike
/// 0, a limit of 1 byte also prevents the kernel from starting a core dump handler.
pub(super) fn core_dump_limit() -> (u32, u64) {
    (Resource::Core as u32, rustix::process::getrlimit(Resource::Core).maximum.map_or(1, |hard| hard.min(1)))
}
