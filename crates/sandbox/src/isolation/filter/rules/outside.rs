//! Rules for programs without a namespace of processes and without a private root.

use super::Refusal::{Ignored, Missing, NotPermitted, NotSupported};
use super::When::{Always, Is, IsNeither, MaskedIs};
use super::{Rule, When, changes_of_files};

/// Returns the rules for programs without a namespace of processes. Such a program could use `kill` with -1 to reach
/// every process of the user. With the zygote's number, the program could signal the zygote as a process, as a process
/// group or as a thread. Without a private root the program sees other files of its user. Landlock protects only
/// their contents, so the rules also refuse calls that change modes, owners and extended attributes.
pub(super) fn outside(zygote: u32, may_write: bool) -> Vec<Rule> {
    let group = zygote.wrapping_neg();
    let mut rules: Vec<Rule> =
        [u32::MAX, zygote, group].map(|value| (libc::SYS_kill, Is { argument: 0, value }, NotPermitted)).into();
    let by_number =
        [(libc::SYS_tkill, 0), (libc::SYS_tgkill, 1), (libc::SYS_rt_sigqueueinfo, 0), (libc::SYS_rt_tgsigqueueinfo, 1)];
    rules.extend(by_number.map(|(call, argument)| (call, Is { argument, value: zygote }, NotPermitted)));
    // These calls change the limits or the priority of a process. A program may name only itself (process number 0).
    // Otherwise it could name the judge or the zygote of another run.
    rules.push((libc::SYS_prlimit64, IsNeither { argument: 0, values: [0; 2] }, NotPermitted));
    rules.push((libc::SYS_setpriority, IsNeither { argument: 1, values: [0; 2] }, NotPermitted));
    rules.push((libc::SYS_ioprio_set, IsNeither { argument: 1, values: [0; 2] }, NotPermitted));
    let of_scheduler =
        [libc::SYS_sched_setaffinity, libc::SYS_sched_setattr, libc::SYS_sched_setparam, libc::SYS_sched_setscheduler];
    rules.extend(of_scheduler.map(|call| (call, IsNeither { argument: 0, values: [0; 2] }, NotPermitted)));
    // Before version 3, Landlock does not prevent a program from emptying a file that it may only read.
    rules.push((libc::SYS_truncate, Always, NotPermitted));
    rules.extend(OPENINGS.map(|(call, argument)| (call, empties_what_it_reads(argument), NotPermitted)));
    // A file can also be opened for neither reading nor writing. Landlock then checks neither right, but the call may
    // still empty the file, or make a file without a name.
    rules.extend(OPENINGS.map(|(call, argument)| (call, opens_for_neither(argument), NotPermitted)));
    // The flags of openat2 are in memory, which a filter cannot read. Libraries fall back to openat.
    rules.push((libc::SYS_openat2, Always, Missing));
    // Without a private root, the writable folder has no capacity of its own, and the judge measures it only from time
    // to time. With `fallocate`, a program could take gigabytes of space within milliseconds.
    rules.push((libc::SYS_fallocate, Always, NotSupported));
    // If a program cleared its dumpable attribute, the judge could not see which removed files the program holds open.
    rules.push((libc::SYS_prctl, Is { argument: 0, value: libc::PR_SET_DUMPABLE as u32 }, NotPermitted));
    // Files outside the writable folder may belong to the judge's user, and Landlock does not protect their modes. So a
    // program may not change modes, owners, times and attributes. This includes those of open files, because a program
    // can open files that it may only read. But compilers make their output executable, and stop if that fails. So for
    // a program that may write, the filter reports success without making the call, and the judge sets the modes.
    let refusal = if may_write { Ignored } else { NotPermitted };
    rules.extend(changes_of_files().map(|call| (call, Always, refusal)));
    rules.extend(FILE_FLAGS.map(|value| (libc::SYS_ioctl, Is { argument: 1, value }, NotPermitted)));
    // Landlock does not protect extended attributes, which are readable even if the file is not.
    rules.extend(ATTRIBUTES.map(|call| (call, Always, NotSupported)));
    rules
}

/// Calls that open files, and the argument that contains the flags.
#[cfg(target_arch = "x86_64")]
const OPENINGS: [(libc::c_long, u32); 2] = [(libc::SYS_open, 1), (libc::SYS_openat, 2)];
#[cfg(not(target_arch = "x86_64"))]
const OPENINGS: [(libc::c_long, u32); 1] = [(libc::SYS_openat, 2)];

/// The condition that the argument `argument` contains flags that open a file for reading only but also empty it.
const fn empties_what_it_reads(argument: u32) -> When {
    MaskedIs {
        argument,
        mask: (libc::O_ACCMODE | libc::O_TRUNC) as u32,
        value: (libc::O_RDONLY | libc::O_TRUNC) as u32,
    }
}

/// The condition that the argument `argument` contains the access mode 3, which serves only calls of `ioctl`.
const fn opens_for_neither(argument: u32) -> When {
    MaskedIs { argument, mask: libc::O_ACCMODE as u32, value: libc::O_ACCMODE as u32 }
}

/// Commands of `ioctl` that set the attributes of a file.
const FILE_FLAGS: [u32; 4] = [0x4008_6602, 0x4008_7602, 0x401c_5820, 0x4008_6604];

/// Calls that read extended attributes. Programs expect that some file systems have none.
const ATTRIBUTES: [libc::c_long; 6] = [
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
];
