//! Which calls are refused, and when.

/// What a refused call returns.
#[derive(Clone, Copy)]
pub(super) enum Refusal {
    /// "Not permitted".
    NotPermitted,
    /// "Permission denied", as of a socket.
    Denied,
    /// "No such call": callers that know an older one fall back to it.
    Missing,
    /// Nothing: the call is not made, and the caller goes on as if it were.
    Ignored,
}

/// When a call is refused.
#[derive(Clone, Copy)]
pub(super) enum When {
    Always,
    /// If the argument has one of these bits.
    AnyBit {
        argument: u32,
        bits: u32,
    },
    /// If the argument is this.
    Is {
        argument: u32,
        value: u32,
    },
    /// If the argument is none of these two.
    IsNeither {
        argument: u32,
        values: [u32; 2],
    },
}

use Refusal::{Denied, Ignored, Missing, NotPermitted};
use When::{Always, AnyBit, Is, IsNeither};

/// All flags of `clone` that make namespaces.
const NEW_NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

/// A number that the C library does not name everywhere; the same on all architectures.
const CACHESTAT: libc::c_long = 451;

/// Calls that are refused whatever their arguments.
pub(super) const REFUSED: &[libc::c_long] = &[
    // File systems and roots.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    // A program that is notified of opened system files could notice another run.
    libc::SYS_inotify_init1,
    // Namespaces.
    libc::SYS_unshare,
    libc::SYS_setns,
    // Other processes' insides.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // The kernel itself.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_memfd_secret,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_vhangup,
    libc::SYS_lookup_dcookie,
    libc::SYS_nfsservctl,
    // The machine's clock and names.
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    // The kernel's key rings.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Descriptors that are in transit through a socket belong to no process. They outlive the run, are charged to no
    // process, and count against the judge's user.
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    // Which parts of a file are in memory tells of earlier runs.
    CACHESTAT,
    // What outlives a process and is no file: System V memory, semaphores and queues, POSIX queues.
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
];

#[cfg(target_arch = "x86_64")]
pub(super) const REFUSED_HERE: &[libc::c_long] = &[
    libc::SYS_kexec_file_load,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_inotify_init,
    libc::SYS_uselib,
    libc::SYS_ustat,
    libc::SYS_sysfs,
    libc::SYS__sysctl,
];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const REFUSED_HERE: &[libc::c_long] = &[];

/// Commands that put text into a terminal as if it had been typed.
const TYPE_TEXT: [u32; 2] = [0x5412, 0x541c];

/// The commands of `fcntl` by which a program delays others that open the same file: leases and notifications.
const LEASES: [u32; 2] = [1024, 1026];

/// Commands of `fcntl` that lock parts of a file.
const LOCKS: [u32; 4] = [6, 7, 37, 38];

/// `setpriority` for a process. The type of the C library's constant depends on the library.
const PRIO_PROCESS: u32 = 0;

/// Commands that set flags of a file, and its extended ones.
const FILE_FLAGS: [u32; 3] = [0x4008_6602, 0x4008_7602, 0x401c_5820];

/// What a filter has to know of its program.
#[derive(Clone, Copy)]
pub(in super::super) struct About {
    /// The number by which the program could name the process that keeps it.
    pub(in super::super) zygote: u32,
    /// Whether it has a namespace of processes, and a root of its own.
    pub(in super::super) in_namespace: bool,
    /// Whether there is a folder that it may write.
    pub(in super::super) may_write: bool,
    /// Whether a control group charges the contents of files in memory.
    pub(in super::super) is_counted: bool,
}

pub(super) type Rule = (libc::c_long, When, Refusal);

/// Calls that are refused for some arguments, or some programs.
pub(super) fn refused_for_some(about: About) -> Vec<Rule> {
    let zygote = about.zygote;
    let mut rules = vec![
        // No sockets, not even without a network: a socket reaches things that are in no file.
        (libc::SYS_socket, Always, Denied),
        (libc::SYS_clone, AnyBit { argument: 0, bits: NEW_NAMESPACES }, NotPermitted),
        // Its flags lie in memory, where a filter cannot look. Libraries fall back to the call above.
        (libc::SYS_clone3, Always, Missing),
        (libc::SYS_personality, IsNeither { argument: 0, values: [0, u32::MAX] }, NotPermitted),
        // "Only if it is in memory" tells of earlier runs.
        (libc::SYS_preadv2, AnyBit { argument: 5, bits: 8 }, NotPermitted),
        // A program may limit and slow down itself, but not its zygote, which starts the next program.
        (libc::SYS_prlimit64, Is { argument: 0, value: zygote }, NotPermitted),
        (libc::SYS_sched_setaffinity, Is { argument: 0, value: zygote }, NotPermitted),
        (libc::SYS_sched_setattr, Is { argument: 0, value: zygote }, NotPermitted),
        (libc::SYS_sched_setparam, Is { argument: 0, value: zygote }, NotPermitted),
        (libc::SYS_sched_setscheduler, Is { argument: 0, value: zygote }, NotPermitted),
        (libc::SYS_setpriority, IsNeither { argument: 0, values: [PRIO_PROCESS; 2] }, NotPermitted),
        (libc::SYS_setpriority, Is { argument: 1, value: zygote }, NotPermitted),
        (libc::SYS_ioprio_set, IsNeither { argument: 0, values: [1; 2] }, NotPermitted),
        (libc::SYS_ioprio_set, Is { argument: 1, value: zygote }, NotPermitted),
    ];
    rules.extend(TYPE_TEXT.map(|value| (libc::SYS_ioctl, Is { argument: 1, value }, NotPermitted)));
    rules.extend(LEASES.map(|value| (libc::SYS_fcntl, Is { argument: 1, value }, NotPermitted)));
    if !about.may_write {
        // Files that everybody reads would be a way to speak to another run.
        rules.push((libc::SYS_flock, Always, NotPermitted));
        rules.extend(LOCKS.map(|value| (libc::SYS_fcntl, Is { argument: 1, value }, NotPermitted)));
    }
    if !about.is_counted {
        rules.push((libc::SYS_memfd_create, Always, NotPermitted));
    }
    if !about.in_namespace {
        rules.extend(outside(zygote, about.may_write));
    }
    rules
}

/// Without a namespace of processes "everybody" is every process of the user, and the zygote can be named in many ways:
/// as a process, as a group, as a thread. Without a root of its own there are files of the user, of which Landlock
/// keeps the contents alone.
fn outside(zygote: u32, may_write: bool) -> Vec<Rule> {
    let group = zygote.wrapping_neg();
    let mut rules: Vec<Rule> =
        [u32::MAX, zygote, group].map(|value| (libc::SYS_kill, Is { argument: 0, value }, NotPermitted)).into();
    let by_number = [
        (libc::SYS_tkill, 0),
        (libc::SYS_tgkill, 1),
        (libc::SYS_rt_sigqueueinfo, 0),
        (libc::SYS_rt_tgsigqueueinfo, 1),
        (libc::SYS_pidfd_open, 0),
    ];
    rules.extend(by_number.map(|(call, argument)| (call, Is { argument, value: zygote }, NotPermitted)));
    // Only oneself: the judge and its other helpers have numbers, too.
    rules.push((libc::SYS_prlimit64, IsNeither { argument: 0, values: [0; 2] }, NotPermitted));
    rules.push((libc::SYS_setpriority, IsNeither { argument: 1, values: [0; 2] }, NotPermitted));
    rules.push((libc::SYS_ioprio_set, IsNeither { argument: 1, values: [0; 2] }, NotPermitted));
    if may_write {
        // Landlock does not cover the modes of files elsewhere, which may belong to the judge's own user. Compilers
        // make their programs executable, and stop if they cannot; so the judge does it for them.
        rules.extend(BY_PATH.iter().chain(ABOUT_FILES_HERE).map(|&call| (call, Always, Ignored)));
        // Without a path it is about an open file.
        rules.push((libc::SYS_utimensat, IsNeither { argument: 1, values: [0; 2] }, Ignored));
    } else {
        let all = BY_PATH.iter().chain(OF_OPEN_FILES).chain(ABOUT_FILES_HERE);
        rules.extend(all.map(|&call| (call, Always, NotPermitted)));
        rules.extend(FILE_FLAGS.map(|value| (libc::SYS_ioctl, Is { argument: 1, value }, NotPermitted)));
    }
    rules
}

/// A number that the C library does not name everywhere; the same on all architectures.
const FCHMODAT2: libc::c_long = 452;

/// Calls that change modes, owners and attributes of files by their paths.
const BY_PATH: &[libc::c_long] = &[
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
];

/// The same of files that are open, and times.
const OF_OPEN_FILES: &[libc::c_long] =
    &[libc::SYS_fchmod, libc::SYS_fchown, libc::SYS_utimensat, libc::SYS_fsetxattr, libc::SYS_fremovexattr];

#[cfg(target_arch = "x86_64")]
const ABOUT_FILES_HERE: &[libc::c_long] =
    &[libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
const ABOUT_FILES_HERE: &[libc::c_long] = &[];
