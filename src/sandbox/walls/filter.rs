//! The filter of system calls (seccomp, as a program of classic BPF).
//!
//! What solving a problem can need is allowed: run-times of many languages differ too much in what they call for a list
//! of what they do call. What is refused opens the kernel's most fragile parts (BPF, perf, `io_uring`, user
//! namespaces), reaches out of the walls (sockets, mounts, other processes), or leaves something behind that a sweep of
//! processes and files does not find (System V memory, message queues). System calls newer than this list do not exist
//! for a program, nor do those of other architectures.
//!
//! Calls that are always allowed cost nothing: the kernel (5.11) keeps a bitmap of them.

use libc::{BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

/// What a refused call returns.
#[derive(Clone, Copy)]
enum Refusal {
    /// "Not permitted".
    NotPermitted,
    /// "Permission denied", as of a socket.
    Denied,
    /// "No such call": callers that know an older one fall back to it.
    Missing,
}

/// When a call is refused.
#[derive(Clone, Copy)]
enum When {
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

use Refusal::{Denied, Missing, NotPermitted};
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
const REFUSED: &[libc::c_long] = &[
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
    // Descriptors on their way through a socket belong to no process: they outlive the run, count as nobody's memory,
    // and are counted for the judge's user.
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
const REFUSED_HERE: &[libc::c_long] = &[
    libc::SYS_kexec_file_load,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_uselib,
    libc::SYS_ustat,
    libc::SYS_sysfs,
    libc::SYS__sysctl,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[libc::c_long] = &[];

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

/// Numbers from here on belong to another way of calling the same kernel (x32), or to kernels newer than this list.
const UNKNOWN_FROM: u32 = 467;

/// Where the kernel puts what the filter looks at: `struct seccomp_data` of include/uapi/linux/seccomp.h.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;
/// The lower half of an argument; numbers, flags and commands have no other.
const fn argument_at(argument: u32) -> u32 {
    16 + 8 * argument + if cfg!(target_endian = "big") { 4 } else { 0 }
}

/// Commands that put text into a terminal as if it had been typed.
const TYPE_TEXT: [u32; 2] = [0x5412, 0x541c];

/// Commands of `fcntl` by which a program holds up others that open the same file: leases and notices.
const LEASES: [u32; 2] = [1024, 1026];

/// Commands of `fcntl` that lock parts of a file.
const LOCKS: [u32; 4] = [6, 7, 37, 38];

/// Commands that set flags of a file, and its extended ones.
const FILE_FLAGS: [u32; 3] = [0x4008_6602, 0x4008_7602, 0x401c_5820];

/// What a filter has to know of its program.
#[derive(Clone, Copy)]
pub(super) struct About {
    /// The number by which the program could name the process that keeps it.
    pub(super) keeper: u32,
    /// Whether it has a namespace of processes, and a root of its own.
    pub(super) in_namespace: bool,
    /// Whether there is a folder that it may write.
    pub(super) may_write: bool,
    /// Whether a control group counts what is in files in memory.
    pub(super) is_counted: bool,
}

type Rule = (libc::c_long, When, Refusal);

/// Calls that are refused for some arguments, or some programs.
fn refused_for_some(about: About) -> Vec<Rule> {
    let keeper = about.keeper;
    let mut rules = vec![
        // No network, not even one without cables: a socket reaches what is not in any file.
        (libc::SYS_socket, Always, Denied),
        (libc::SYS_clone, AnyBit { argument: 0, bits: NEW_NAMESPACES }, NotPermitted),
        // Its flags lie in memory, where a filter cannot look. Libraries fall back to the call above.
        (libc::SYS_clone3, Always, Missing),
        (libc::SYS_personality, IsNeither { argument: 0, values: [0, u32::MAX] }, NotPermitted),
        // "Only if it is in memory" tells of earlier runs.
        (libc::SYS_preadv2, AnyBit { argument: 5, bits: 8 }, NotPermitted),
        // A program may limit and slow down itself, not its keeper, who will run the next one.
        (libc::SYS_prlimit64, Is { argument: 0, value: keeper }, NotPermitted),
        (libc::SYS_sched_setaffinity, Is { argument: 0, value: keeper }, NotPermitted),
        (libc::SYS_sched_setattr, Is { argument: 0, value: keeper }, NotPermitted),
        (libc::SYS_sched_setparam, Is { argument: 0, value: keeper }, NotPermitted),
        (libc::SYS_sched_setscheduler, Is { argument: 0, value: keeper }, NotPermitted),
        (libc::SYS_setpriority, IsNeither { argument: 0, values: [libc::PRIO_PROCESS; 2] }, NotPermitted),
        (libc::SYS_setpriority, Is { argument: 1, value: keeper }, NotPermitted),
        (libc::SYS_ioprio_set, IsNeither { argument: 0, values: [1; 2] }, NotPermitted),
        (libc::SYS_ioprio_set, Is { argument: 1, value: keeper }, NotPermitted),
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
        rules.extend(outside(keeper, about.may_write));
    }
    rules
}

/// Without a namespace of processes "everybody" is every process of the user, and the keeper can be named in many ways:
/// as a process, as a group, as a thread. Without a root of its own there are files of the user, of which Landlock keeps
/// the contents alone.
fn outside(keeper: u32, may_write: bool) -> Vec<Rule> {
    let group = keeper.wrapping_neg();
    let mut rules: Vec<Rule> =
        [u32::MAX, keeper, group].map(|value| (libc::SYS_kill, Is { argument: 0, value }, NotPermitted)).into();
    let by_number = [
        (libc::SYS_tkill, 0),
        (libc::SYS_tgkill, 1),
        (libc::SYS_rt_sigqueueinfo, 0),
        (libc::SYS_rt_tgsigqueueinfo, 1),
        (libc::SYS_pidfd_open, 0),
    ];
    rules.extend(by_number.map(|(call, argument)| (call, Is { argument, value: keeper }, NotPermitted)));
    // Only oneself: the judge and its other helpers have numbers, too.
    rules.push((libc::SYS_prlimit64, IsNeither { argument: 0, values: [0; 2] }, NotPermitted));
    rules.push((libc::SYS_setpriority, IsNeither { argument: 1, values: [0; 2] }, NotPermitted));
    rules.push((libc::SYS_ioprio_set, IsNeither { argument: 1, values: [0; 2] }, NotPermitted));
    if !may_write {
        // A compiler makes its program executable.
        rules.extend(ABOUT_FILES.iter().chain(ABOUT_FILES_HERE).map(|&call| (call, Always, NotPermitted)));
        rules.extend(FILE_FLAGS.map(|value| (libc::SYS_ioctl, Is { argument: 1, value }, NotPermitted)));
    }
    rules
}

/// A number that the C library does not name everywhere; the same on all architectures.
const FCHMODAT2: libc::c_long = 452;

/// What is said about files: modes, owners, times, attributes.
const ABOUT_FILES: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
];

#[cfg(target_arch = "x86_64")]
const ABOUT_FILES_HERE: &[libc::c_long] =
    &[libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
const ABOUT_FILES_HERE: &[libc::c_long] = &[];

/// The filter's program.
pub(super) fn program(about: About) -> Vec<sock_filter> {
    let mut code = vec![
        load(ARCHITECTURE_AT),
        jump(BPF_JEQ, ARCHITECTURE, 1, 0),
        ret(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER_AT),
        jump(BPF_JGE, UNKNOWN_FROM, 0, 1),
        refuse(Missing),
    ];
    for &number in REFUSED.iter().chain(REFUSED_HERE) {
        code.extend([jump(BPF_JEQ, number as u32, 0, 1), refuse(NotPermitted)]);
    }
    for (number, when, refusal) in refused_for_some(about) {
        let test = tests(when, refusal);
        code.push(jump(BPF_JEQ, number as u32, 0, test.len() as u8));
        code.extend(test);
    }
    code.push(ret(libc::SECCOMP_RET_ALLOW));
    code
}

/// What is done once the number has matched: refuse, or go on with the number loaded again.
fn tests(when: When, refusal: Refusal) -> Vec<sock_filter> {
    match when {
        Always => vec![refuse(refusal)],
        AnyBit { argument, bits } => vec![
            load(argument_at(argument)),
            step(BPF_ALU | BPF_AND | BPF_K, bits),
            jump(BPF_JEQ, 0, 1, 0),
            refuse(refusal),
            load(NUMBER_AT),
        ],
        Is { argument, value } => {
            vec![load(argument_at(argument)), jump(BPF_JEQ, value, 0, 1), refuse(refusal), load(NUMBER_AT)]
        }
        IsNeither { argument, values: [one, other] } => vec![
            load(argument_at(argument)),
            jump(BPF_JEQ, one, 2, 0),
            jump(BPF_JEQ, other, 1, 0),
            refuse(refusal),
            load(NUMBER_AT),
        ],
    }
}

fn step(code: u32, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

fn load(at: u32) -> sock_filter {
    step(BPF_LD | BPF_W | BPF_ABS, at)
}

fn jump(kind: u32, k: u32, if_true: u8, if_false: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | kind | BPF_K) as u16, jt: if_true, jf: if_false, k }
}

fn ret(action: u32) -> sock_filter {
    step(BPF_RET | BPF_K, action)
}

fn refuse(refusal: Refusal) -> sock_filter {
    let errno = match refusal {
        NotPermitted => libc::EPERM,
        Denied => libc::EACCES,
        Missing => libc::ENOSYS,
    };
    ret(libc::SECCOMP_RET_ERRNO | errno as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRONG: About = About { keeper: 1, in_namespace: true, may_write: false, is_counted: true };
    const WEAK: About = About { keeper: 77, in_namespace: false, may_write: false, is_counted: false };

    fn verdict(architecture: u32, number: libc::c_long, arguments: [u32; 2]) -> u32 {
        verdict_about(STRONG, architecture, number, arguments)
    }

    /// What the filter says to a call: a simple machine for the few instructions that it is made of.
    fn verdict_about(about: About, architecture: u32, number: libc::c_long, arguments: [u32; 2]) -> u32 {
        let code = program(about);
        let (mut at, mut loaded) = (0, 0);
        loop {
            let step = code[at];
            at += 1;
            let jump = |holds: bool| usize::from(if holds { step.jt } else { step.jf });
            match u32::from(step.code) {
                code if code == BPF_LD | BPF_W | BPF_ABS => {
                    loaded = match step.k {
                        NUMBER_AT => number as u32,
                        ARCHITECTURE_AT => architecture,
                        16 => arguments[0],
                        // The second argument, or the sixth, which are the flags of preadv2.
                        24 | 56 => arguments[1],
                        other => panic!("nothing is at {other}"),
                    }
                }
                code if code == BPF_ALU | BPF_AND | BPF_K => loaded &= step.k,
                code if code == BPF_JMP | BPF_JEQ | BPF_K => at += jump(loaded == step.k),
                code if code == BPF_JMP | BPF_JGE | BPF_K => at += jump(loaded >= step.k),
                code if code == BPF_RET | BPF_K => return step.k,
                other => panic!("an instruction that nobody writes: {other:#x}"),
            }
        }
    }

    fn errno(number: libc::c_long, arguments: [u32; 2]) -> i32 {
        errno_about(STRONG, number, arguments)
    }

    fn errno_about(about: About, number: libc::c_long, arguments: [u32; 2]) -> i32 {
        match verdict_about(about, ARCHITECTURE, number, arguments) {
            libc::SECCOMP_RET_ALLOW => 0,
            other => (other & 0xffff) as i32,
        }
    }

    #[test]
    fn what_every_program_needs_is_allowed() {
        for number in [libc::SYS_read, libc::SYS_write, libc::SYS_mmap, libc::SYS_futex, libc::SYS_execve] {
            assert_eq!(errno(number, [0, 0]), 0);
        }
    }

    #[test]
    fn each_refused_call_is_refused() {
        for &number in REFUSED.iter().chain(REFUSED_HERE) {
            assert_eq!(errno(number, [0, 0]), libc::EPERM, "{number}");
        }
        assert_eq!(errno(libc::SYS_socket, [1, 1]), libc::EACCES);
        assert_eq!(errno(libc::SYS_clone3, [0, 0]), libc::ENOSYS);
    }

    #[test]
    fn a_thread_may_be_made_and_a_namespace_may_not() {
        assert_eq!(errno(libc::SYS_clone, [0x003d_0f00, 0]), 0);
        for flag in [libc::CLONE_NEWUSER, libc::CLONE_NEWNET, libc::CLONE_NEWNS] {
            assert_eq!(errno(libc::SYS_clone, [flag as u32 | libc::SIGCHLD as u32, 0]), libc::EPERM);
        }
    }

    #[test]
    fn a_program_may_change_itself_and_not_its_keeper() {
        for number in [libc::SYS_prlimit64, libc::SYS_sched_setaffinity, libc::SYS_sched_setscheduler] {
            assert_eq!((errno(number, [0, 0]), errno(number, [1, 0])), (0, libc::EPERM));
        }
        assert_eq!(errno(libc::SYS_setpriority, [0, 0]), 0);
        assert_eq!(errno(libc::SYS_setpriority, [0, 1]), libc::EPERM);
        // Whole groups and users can include the keeper.
        assert_eq!((errno(libc::SYS_setpriority, [1, 0]), errno(libc::SYS_setpriority, [2, 0])), (1, 1));
    }

    #[test]
    fn only_the_usual_personality_may_be_taken() {
        assert_eq!((errno(libc::SYS_personality, [0, 0]), errno(libc::SYS_personality, [u32::MAX, 0])), (0, 0));
        assert_eq!(errno(libc::SYS_personality, [0x0004_0000, 0]), libc::EPERM);
    }

    #[test]
    fn calls_that_are_not_known_do_not_exist_and_other_architectures_end_the_program() {
        assert_eq!(errno(libc::c_long::from(UNKNOWN_FROM), [0, 0]), libc::ENOSYS);
        assert_eq!(errno(0x4000_0001, [0, 0]), libc::ENOSYS);
        assert_eq!(verdict(0x4000_0003, libc::SYS_read, [0, 0]), libc::SECCOMP_RET_KILL_PROCESS);
    }

    #[test]
    fn a_program_that_writes_nothing_cannot_lock_what_others_read() {
        for (call, arguments) in [(libc::SYS_flock, [3, 2]), (libc::SYS_fcntl, [3, 6]), (libc::SYS_fcntl, [3, 38])] {
            assert_eq!(errno(call, arguments), libc::EPERM);
            assert_eq!(errno_about(About { may_write: true, ..STRONG }, call, arguments), 0);
        }
        assert_eq!((errno(libc::SYS_fcntl, [3, 1]), errno(libc::SYS_fcntl, [3, 1024])), (0, libc::EPERM));
        assert_eq!((errno(libc::SYS_preadv2, [3, 0]), errno(libc::SYS_preadv2, [3, 8])), (0, libc::EPERM));
    }

    #[test]
    fn without_a_namespace_the_keeper_cannot_be_named_nor_a_file_be_changed() {
        let refused = |call, arguments| errno_about(WEAK, call, arguments) == libc::EPERM;
        assert!(refused(libc::SYS_kill, [u32::MAX, 9]) && refused(libc::SYS_kill, [77, 9]));
        assert!(refused(libc::SYS_kill, [77u32.wrapping_neg(), 9]) && refused(libc::SYS_tgkill, [77, 77]));
        assert!(refused(libc::SYS_pidfd_open, [77, 0]) && refused(libc::SYS_prlimit64, [78, 0]));
        assert!(!refused(libc::SYS_kill, [0, 9]) && !refused(libc::SYS_prlimit64, [0, 0]));
        assert!(refused(libc::SYS_fchmod, [3, 0]) && refused(libc::SYS_memfd_create, [0, 0]));
        assert_eq!(errno_about(About { may_write: true, ..WEAK }, libc::SYS_fchmod, [3, 0]), 0);
        assert_eq!((errno(libc::SYS_fchmod, [3, 0]), errno(libc::SYS_memfd_create, [0, 0])), (0, 0));
    }

    #[test]
    fn no_jump_leads_out_of_the_program() {
        let code = program(WEAK);
        for (at, step) in code.iter().enumerate() {
            if u32::from(step.code) & 7 == BPF_JMP {
                assert!(at + 1 + usize::from(step.jt.max(step.jf)) < code.len());
            }
        }
    }
}
