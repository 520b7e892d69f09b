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
const UNKNOWN_FROM: u32 = 470;

/// Where the kernel puts what the filter looks at: `struct seccomp_data` of include/uapi/linux/seccomp.h.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;
/// The lower half of an argument; numbers, flags and commands have no other.
const fn argument_at(argument: u32) -> u32 {
    16 + 8 * argument + if cfg!(target_endian = "big") { 4 } else { 0 }
}

/// Commands that put text into a terminal as if it had been typed.
const TYPE_TEXT: [u32; 2] = [0x5412, 0x541c];

/// Calls that are refused for some arguments. `keeper` is the number by which a program could name the process that
/// keeps it.
fn refused_for_some(keeper: u32, in_namespace: bool) -> Vec<(libc::c_long, When, Refusal)> {
    let mut rules = vec![
        // No network, not even one without cables: a socket reaches what is not in any file.
        (libc::SYS_socket, Always, Denied),
        (libc::SYS_clone, AnyBit { argument: 0, bits: NEW_NAMESPACES }, NotPermitted),
        // Its flags lie in memory, where a filter cannot look. Libraries fall back to the call above.
        (libc::SYS_clone3, Always, Missing),
        (libc::SYS_personality, IsNeither { argument: 0, values: [0, u32::MAX] }, NotPermitted),
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
    if !in_namespace {
        // Without a namespace of processes "everybody" is every process of the user, and the keeper can be named in
        // many ways: as a process, as a group, as a thread.
        let group = keeper.wrapping_neg();
        rules.extend([u32::MAX, keeper, group].map(|value| (libc::SYS_kill, Is { argument: 0, value }, NotPermitted)));
        let by_number = [
            (libc::SYS_tkill, 0),
            (libc::SYS_tgkill, 1),
            (libc::SYS_rt_sigqueueinfo, 0),
            (libc::SYS_rt_tgsigqueueinfo, 1),
            (libc::SYS_pidfd_open, 0),
        ];
        rules.extend(by_number.map(|(call, argument)| (call, Is { argument, value: keeper }, NotPermitted)));
    }
    rules
}

/// The filter's program.
pub(super) fn program(keeper: u32, in_namespace: bool) -> Vec<sock_filter> {
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
    for (number, when, refusal) in refused_for_some(keeper, in_namespace) {
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

    /// What the filter says to a call: a simple machine for the few instructions that it is made of.
    fn verdict(architecture: u32, number: libc::c_long, arguments: [u32; 2]) -> u32 {
        let code = program(1, true);
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
                        24 => arguments[1],
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
        match verdict(ARCHITECTURE, number, arguments) {
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
    fn no_jump_leads_out_of_the_program() {
        let code = program(1, false);
        for (at, step) in code.iter().enumerate() {
            if u32::from(step.code) & 7 == BPF_JMP {
                assert!(at + 1 + usize::from(step.jt.max(step.jf)) < code.len());
            }
        }
    }
}
