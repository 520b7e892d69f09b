//! The resource limit that prevents core dumps.

use rustix::process::Resource;

/// Returns the resource and the limit that disable core dumps. A limit of 1 byte, unlike 0, also prevents the kernel
/// from starting a core dump handler.
pub(super) fn core_dump_limit() -> (u32, u64) {
    (Resource::Core as u32, rustix::process::getrlimit(Resource::Core).maximum.map_or(1, |hard| hard.min(1)))
}
