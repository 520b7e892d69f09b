//! The settings of the scheduler that programs would inherit from the user's shell: the nice value, the policy, and the
//! cores. The spawner resets the nice value and the policy as far as the user's rights allow. The judge reports the
//! settings that remain.

use std::mem::MaybeUninit;
use std::thread;

use rustix::process::Resource;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::cores::cores_online;

/// The bit of the right to lower nice values, `CAP_SYS_NICE` of include/uapi/linux/capability.h.
const MAY_LOWER: u64 = 1 << 23;

/// The value that `RLIMIT_NICE` has if a process may lower its nice value to 0. The limit is 20 minus the nice value.
const NICE_OF_ZERO: u64 = 20;

/// Gives this process, and thereby all programs, the usual policy and priority.
pub(super) fn reset() {
    // The kernel reads only the first field, the priority. The type has more fields in some C libraries.
    let usual = MaybeUninit::<libc::sched_param>::zeroed();
    // SAFETY: the calls change only this process. The pointer is to a live value of the type that the call reads, and
    // all-zero is a valid value of it.
    unsafe {
        libc::syscall(libc::SYS_sched_setscheduler, 0, libc::SCHED_OTHER, usual.as_ptr());
        // From include/uapi/linux/ioprio.h: process 0 is the caller, and priority 0 stands for the default.
        libc::syscall(libc::SYS_ioprio_set, 1, 0, 0);
    }
    let _ = rustix::process::setpriority_process(None, 0);
}

/// Returns the settings of the scheduler that programs inherit from the judge and that may slow them down, in words.
pub fn inherited_scheduling() -> Vec<String> {
    [lasting_nice_value(), lasting_policy(), cores()].into_iter().flatten().collect()
}

/// Describes the judge's nice value if it slows programs down and the judge may not reset it.
fn lasting_nice_value() -> Option<String> {
    let nice = rustix::process::getpriority_process(None).ok().filter(|&nice| nice > 0)?;
    (!may_lower()).then(|| format!("nice value of {nice} (nice)"))
}

/// Describes the judge's policy if it lets programs run only on idle cores, and the judge may not reset it.
fn lasting_policy() -> Option<String> {
    // SAFETY: the call takes a number; 0 stands for the caller.
    let is_idle = unsafe { libc::syscall(libc::SYS_sched_getscheduler, 0) } == libc::c_long::from(libc::SCHED_IDLE);
    (is_idle && !may_lower()).then(|| "idle policy (chrt)".to_owned())
}

/// Whether the judge may lower nice values to 0.
fn may_lower() -> bool {
    if rustix::process::getrlimit(Resource::Nice).current.is_none_or(|most| most >= NICE_OF_ZERO) {
        return true;
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let rights = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let rights = rights.and_then(|rights| u64::from_str_radix(rights.trim(), 16).ok());
    rights.is_some_and(|rights| rights & MAY_LOWER != 0)
}

/// Describes the judge's cores if they are fewer than the user's rights allow. `None` otherwise. A limit of the machine
/// or of a container does not count, because no user can change it.
fn cores() -> Option<String> {
    let own = sched_getaffinity(None).ok()?.count();
    if cores_online().is_some_and(|online| own >= online) {
        return None;
    }
    // A new thread tries to get all cores and counts those that it gets. The cores of other threads do not change.
    let all = thread::Builder::new().spawn(|| {
        let mut all = CpuSet::new();
        (0..CpuSet::MAX_CPU).for_each(|core| all.set(core));
        sched_setaffinity(None, &all).and_then(|()| sched_getaffinity(None)).map(|cores| cores.count())
    });
    let all = all.ok()?.join().ok()?.ok()?;
    (own < all).then(|| format!("{own} of {all} cores (taskset)"))
}
