//! Lists system calls that the filter refuses with a certain error, and allowed calls that it refuses for some
//! arguments or programs. For all other calls, the lists of [`super::allowed`] decide.

mod file_changes;
mod outside;

pub(super) use file_changes::FCHMODAT2;
use file_changes::changes_of_files;
use outside::outside;

/// The result of a refused call.
#[derive(Clone, Copy)]
pub(super) enum Refusal {
    /// EPERM, "not permitted".
    NotPermitted,
    /// EACCES, "permission denied". The kernel returns it if a process may not make a socket.
    Denied,
    /// EROFS, "read-only file system". The kernel returns it for changes of files in a private root.
    ReadOnly,
    /// ENOMEM, "no memory". The kernel returns it for a huge page if none are reserved.
    NoMemory,
    /// EOPNOTSUPP, "not supported". Some file systems return it for `fallocate`. Libraries then write zeros.
    NotSupported,
    /// ENOSYS, "not implemented". Libraries then use an older call.
    Missing,
    /// Success, although the call is not made.
    Ignored,
}

/// The condition under which a call is refused.
#[derive(Clone, Copy)]
pub(super) enum When {
    Always,
    /// The argument has one of these bits.
    AnyBit {
        argument: u32,
        bits: u32,
    },
    /// The argument has this value.
    Is {
        argument: u32,
        value: u32,
    },
    /// The argument's bits that are set in `mask` have this value.
    MaskedIs {
        argument: u32,
        mask: u32,
        value: u32,
    },
    /// The argument has neither of these values.
    IsNeither {
        argument: u32,
        values: [u32; 2],
    },
    /// The first two arguments are not these values.
    IsWithout {
        key: [u32; 2],
    },
}

use Refusal::{Denied, Ignored, Missing, NoMemory, NotPermitted, ReadOnly};
use When::{Always, AnyBit, Is, IsNeither, IsWithout, MaskedIs};

/// All flags of `clone` that make namespaces.
const NEW_NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

/// The number of this call on all supported architectures. Not every C library has a name for it.
const CACHESTAT: libc::c_long = 451;

/// Calls that are refused for all arguments.
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
    // A program that is notified when a system file is opened could notice another run.
    libc::SYS_inotify_init1,
    // Namespaces.
    libc::SYS_unshare,
    libc::SYS_setns,
    // The memory and descriptors of other processes.
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
    // These calls can send descriptors through a socket. A descriptor in transit belongs to no process, so it counts
    // against no process and can outlive the run. It counts against the judge's user.
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    // This call reports which parts of a file are cached, and thereby which files earlier runs read.
    CACHESTAT,
    // Objects that outlive a process and are not files: System V memory, semaphores and queues, POSIX queues.
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
];

/// Further calls that are refused for all arguments. They exist only on this architecture.
#[cfg(target_arch = "x86_64")]
pub(super) const REFUSED_ON_THIS_ARCHITECTURE: &[libc::c_long] = &[
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
pub(super) const REFUSED_ON_THIS_ARCHITECTURE: &[libc::c_long] = &[];

/// Commands of `ioctl` that put text into a terminal as if the user had typed it.
const TYPE_TEXT: [u32; 2] = [0x5412, 0x541c];

/// Options of sockets that make or read numbers which the kernel counts for the whole machine: process descriptors
/// (`SO_PASSPIDFD`, `SO_PEERPIDFD`), and the cookies of sockets and of networks (`SO_COOKIE`, `SO_NETNS_COOKIE`).
const NUMBERS_OF_SOCKETS: [(libc::c_long, u32); 4] =
    [(libc::SYS_setsockopt, 76), (libc::SYS_getsockopt, 77), (libc::SYS_getsockopt, 57), (libc::SYS_getsockopt, 71)];

/// Two commands of `fcntl`. The first takes a lease on a file, which delays other processes that open the file. The
/// second requests notifications about changes in a folder.
const LEASES: [u32; 2] = [1024, 1026];

/// Commands of `fcntl` that lock parts of a file.
const LOCKS: [u32; 4] = [6, 7, 37, 38];

/// The first argument of `setpriority` if the second argument is a process number. It is defined here because the
/// constant in `libc` has different types for different C libraries.
const PRIO_PROCESS: u32 = 0;

/// The facts of a program that decide which calls its filter refuses.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "the facts are independent of each other")]
pub(in super::super) struct ProgramFacts {
    /// The process number of the zygote, as the program sees it.
    pub(in super::super) zygote: u32,
    /// Whether the program has a namespace of processes and a private root.
    pub(in super::super) in_namespace: bool,
    /// Whether the program may write to a folder.
    pub(in super::super) may_write: bool,
    /// Whether a control group counts the memory of the program. Only then may the program make files in memory.
    pub(in super::super) is_counted: bool,
    /// Whether the program stays on the cores of the zygote.
    pub(in super::super) keeps_cores: bool,
    /// Random numbers with which the zygote may begin a session. They protect a call that is only a nuisance, so 64
    /// bits are ample.
    pub(in super::super) session_key: [u32; 2],
    /// Whether the zygote may make the calls of [`TO_KEEP_WARM`].
    pub(in super::super) keeps_warm: bool,
}

pub(super) type Rule = (libc::c_long, When, Refusal);

/// Returns the calls that are refused for some arguments or some programs.
pub(super) fn refused_for_some(facts: ProgramFacts) -> Vec<Rule> {
    let zygote = facts.zygote;
    let mut rules = vec![
        // No sockets: even without a network, a socket can reach other processes.
        (libc::SYS_socket, Always, Denied),
        (libc::SYS_connect, Always, Denied),
        // If a call gives an address, one socket of a pair could send to a socket of another process.
        (libc::SYS_sendto, AnyBit { argument: 5, bits: u32::MAX }, Denied),
        // Only Unix sockets: other kinds have pairs, too, but the judge does not know the limits of their buffers.
        (libc::SYS_socketpair, IsNeither { argument: 0, values: [libc::AF_UNIX as u32; 2] }, Denied),
        // Commands of sockets that name the machine's networks, or the process that gets signals.
        (libc::SYS_ioctl, MaskedIs { argument: 1, mask: !0xff, value: 0x8900 }, NotPermitted),
        // These options attach a packet filter to a socket. The kernel keeps the filter's code in memory that all
        // programs of the machine share.
        (libc::SYS_setsockopt, Is { argument: 2, value: libc::SO_ATTACH_FILTER as u32 }, NotPermitted),
        (libc::SYS_setsockopt, Is { argument: 2, value: libc::SO_ATTACH_BPF as u32 }, NotPermitted),
        (libc::SYS_setsockopt, Is { argument: 2, value: libc::SO_ATTACH_REUSEPORT_CBPF as u32 }, NotPermitted),
        (libc::SYS_setsockopt, Is { argument: 2, value: libc::SO_ATTACH_REUSEPORT_EBPF as u32 }, NotPermitted),
        // The judge's control group does not count reserved huge pages as memory.
        (libc::SYS_mmap, AnyBit { argument: 3, bits: libc::MAP_HUGETLB as u32 }, NoMemory),
        (libc::SYS_memfd_create, AnyBit { argument: 1, bits: libc::MFD_HUGETLB }, NoMemory),
        // A program could pass information to the next run by removing files from the machine's cache: reading a file
        // that is not cached takes longer.
        (libc::SYS_fadvise64, Is { argument: 3, value: libc::POSIX_FADV_DONTNEED as u32 }, Ignored),
        (libc::SYS_madvise, Is { argument: 2, value: libc::MADV_PAGEOUT as u32 }, Ignored),
        // These calls change a file in memory, even if the program can only read the file: one sets the memory node of
        // its pages, the other makes huge pages. A later run of the program could read the change. Huge pages also
        // cause fewer page faults, by which the judge estimates memory that no control group counts.
        (libc::SYS_mbind, Always, Ignored),
        (libc::SYS_madvise, Is { argument: 2, value: MADV_COLLAPSE }, NotPermitted),
        (libc::SYS_clone, AnyBit { argument: 0, bits: NEW_NAMESPACES }, NotPermitted),
        // The flags of clone3 are in memory, which a filter cannot read. Libraries fall back to clone.
        (libc::SYS_clone3, Always, Missing),
        (libc::SYS_personality, IsNeither { argument: 0, values: [0, u32::MAX] }, NotPermitted),
        // With the flag RWF_NOWAIT the call reads only cached data, which shows what files earlier runs read.
        (libc::SYS_preadv2, AnyBit { argument: 5, bits: 8 }, NotPermitted),
        // A program may limit and slow down itself, but not the zygote, which starts the next program.
        (libc::SYS_prlimit64, Is { argument: 0, value: zygote }, NotPermitted),
        (libc::SYS_sched_setaffinity, Is { argument: 0, value: zygote }, NotPermitted),
        // Zygotes follow the judge from core to core. No program needs to see where, although it begins on that core.
        (libc::SYS_sched_getaffinity, Is { argument: 0, value: zygote }, NotPermitted),
        (libc::SYS_sched_setattr, Is { argument: 0, value: zygote }, NotPermitted),
        (libc::SYS_sched_setparam, Is { argument: 0, value: zygote }, NotPermitted),
        (libc::SYS_sched_setscheduler, Is { argument: 0, value: zygote }, NotPermitted),
        (libc::SYS_setpriority, IsNeither { argument: 0, values: [PRIO_PROCESS; 2] }, NotPermitted),
        (libc::SYS_setpriority, Is { argument: 1, value: zygote }, NotPermitted),
        (libc::SYS_ioprio_set, IsNeither { argument: 0, values: [1; 2] }, NotPermitted),
        (libc::SYS_ioprio_set, Is { argument: 1, value: zygote }, NotPermitted),
    ];
    rules.extend(TYPE_TEXT.map(|value| (libc::SYS_ioctl, Is { argument: 1, value }, NotPermitted)));
    rules.extend(NUMBERS_OF_SOCKETS.map(|(call, value)| (call, Is { argument: 2, value }, NotPermitted)));
    rules.extend(LEASES.map(|value| (libc::SYS_fcntl, Is { argument: 1, value }, NotPermitted)));
    if !facts.may_write {
        // If a run locked a file that all programs can read, another run could notice the lock.
        rules.push((libc::SYS_flock, Always, NotPermitted));
        rules.extend(LOCKS.map(|value| (libc::SYS_fcntl, Is { argument: 1, value }, NotPermitted)));
    }
    if !facts.is_counted {
        rules.extend(UNCOUNTED);
    }
    if facts.keeps_cores {
        // An error would end some programs that choose cores, such as those of OpenMP. The choice is only a wish.
        rules.push((libc::SYS_sched_setaffinity, Always, Ignored));
    }
    if facts.in_namespace {
        rules.extend(inside(facts.session_key));
        if !facts.may_write {
            rules.extend(of_kept_streams());
        }
    } else {
        rules.extend(outside(zygote, facts.may_write));
    }
    rules
}

/// Further rules for programs in a namespace. The kernel numbers process descriptors and sessions
/// (`/proc/self/autogroup`) for the whole machine, and a run could send such a number to a later run.
fn inside(session_key: [u32; 2]) -> [Rule; 2] {
    [
        // Libraries then use process numbers.
        (libc::SYS_clone, AnyBit { argument: 0, bits: libc::CLONE_PIDFD as u32 }, Missing),
        // Hardly any program checks that this call succeeded. The kernel ignores the arguments. Only the zygote knows
        // the key: it gives each program a session, because the scheduler treats sessions fairly. A program with
        // hundreds of busy processes then leaves the zygote enough of the cores to kill them.
        (libc::SYS_setsid, IsWithout { key: session_key }, Ignored),
    ]
}

/// Rules for programs whose streams the judge keeps for their next run ([`super::super::super::streams`]). They refuse
/// what could change a stream for good. A filter cannot tell streams from other files, so these calls also fail for a
/// program's own pipes and files in memory. All other files that such a program can reach are read-only anyway.
fn of_kept_streams() -> impl Iterator<Item = Rule> {
    let commands = SIGNALS_AND_HINTS.map(|value| (libc::SYS_fcntl, Is { argument: 1, value }, NotPermitted));
    commands.into_iter().chain(changes_of_files().map(|call| (call, Always, ReadOnly)))
}

/// Commands of `fcntl` of include/uapi/linux/fcntl.h: they set the receiver of signals (two variants), the signal, and
/// the expected life time of the data of a file and of a descriptor.
const SIGNALS_AND_HINTS: [u32; 5] = [8, 15, 10, 1036, 1038];

/// Calls that a zygote makes to keep a program warm: it traces the warm process, and sends the streams of a run to it.
/// No program may make these calls.
pub(super) const TO_KEEP_WARM: [libc::c_long; 2] = [libc::SYS_ptrace, libc::SYS_sendmsg];

/// Returns the rules that protect the warm process `warm` from its forks. They may not signal it, and may not change
/// its limits, its priority or its cores, which later forks inherit. A signal to all processes (`kill` with -1) does
/// reach it: the zygote starts another one if it has ended, and no other signal has an effect on a traced process.
pub(super) fn protecting(warm: u32) -> Vec<Rule> {
    let by_number = [
        (libc::SYS_kill, 0),
        (libc::SYS_tkill, 0),
        (libc::SYS_tgkill, 1),
        (libc::SYS_rt_sigqueueinfo, 0),
        (libc::SYS_rt_tgsigqueueinfo, 0),
        (libc::SYS_prlimit64, 0),
        (libc::SYS_sched_setaffinity, 0),
        (libc::SYS_sched_setattr, 0),
        (libc::SYS_sched_setparam, 0),
        (libc::SYS_sched_setscheduler, 0),
        (libc::SYS_setpriority, 1),
        (libc::SYS_ioprio_set, 1),
    ];
    let mut rules: Vec<Rule> =
        by_number.map(|(call, argument)| (call, Is { argument, value: warm }, NotPermitted)).into();
    rules.push((libc::SYS_kill, Is { argument: 0, value: warm.wrapping_neg() }, NotPermitted));
    rules
}

/// Rules for programs whose memory no control group counts. The judge then estimates the memory that belongs to no
/// process, and these calls would make the estimate too small.
const UNCOUNTED: [Rule; 5] = [
    (libc::SYS_memfd_create, Always, NotPermitted),
    // The buffers of sockets and pipes keep their size. For sockets, the call seems to succeed, as it does in the
    // kernel for a size beyond the maximum.
    (libc::SYS_setsockopt, Is { argument: 2, value: libc::SO_SNDBUF as u32 }, Ignored),
    (libc::SYS_setsockopt, Is { argument: 2, value: SO_SNDBUFFORCE }, Ignored),
    (libc::SYS_fcntl, Is { argument: 1, value: libc::F_SETPIPE_SZ as u32 }, NotPermitted),
    // This call puts pages of a program into a pipe. For a page that is part of a huge page, the pipe would keep the
    // whole huge page in memory.
    (libc::SYS_vmsplice, Always, Missing),
];

/// The privileged variant of `SO_SNDBUF`.
const SO_SNDBUFFORCE: u32 = 32;

const MADV_COLLAPSE: u32 = 25;
