use super::*;

const KEY: [u32; 2] = [41, 42];
const STRONG: ProgramFacts = ProgramFacts {
    zygote: 1,
    in_namespace: true,
    may_write: false,
    is_counted: true,
    keeps_cores: false,
    session_key: KEY,
    keeps_warm: false,
};
const WEAK: ProgramFacts = ProgramFacts { zygote: 77, in_namespace: false, is_counted: false, ..STRONG };

fn action(architecture: u32, number: libc::c_long, arguments: [u32; 2]) -> u32 {
    action_about(STRONG, architecture, number, arguments)
}

/// Interprets the filter's program on a call. Supports only the instructions that the filter uses.
fn action_about(facts: ProgramFacts, architecture: u32, number: libc::c_long, arguments: [u32; 2]) -> u32 {
    run(&program(facts), architecture, number, arguments)
}

fn run(code: &[sock_filter], architecture: u32, number: libc::c_long, arguments: [u32; 2]) -> u32 {
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
                    // The second argument is at 24. The rules for some calls read a later argument instead.
                    24 | 32 | 40 | 56 => arguments[1],
                    other => panic!("nothing is at {other}"),
                }
            }
            code if code == BPF_ALU | BPF_AND | BPF_K => loaded &= step.k,
            code if code == BPF_JMP | BPF_JEQ | BPF_K => at += jump(loaded == step.k),
            code if code == BPF_JMP | BPF_JGE | BPF_K => at += jump(loaded >= step.k),
            code if code == BPF_RET | BPF_K => return step.k,
            other => panic!("an instruction that the filter does not use: {other:#x}"),
        }
    }
}

fn errno(number: libc::c_long, arguments: [u32; 2]) -> i32 {
    errno_about(STRONG, number, arguments)
}

fn errno_about(facts: ProgramFacts, number: libc::c_long, arguments: [u32; 2]) -> i32 {
    match action_about(facts, ARCHITECTURE, number, arguments) {
        libc::SECCOMP_RET_ALLOW => 0,
        other => (other & 0xffff) as i32,
    }
}

#[test]
fn calls_that_every_program_needs_are_allowed() {
    for number in [libc::SYS_read, libc::SYS_write, libc::SYS_mmap, libc::SYS_futex, libc::SYS_execve] {
        assert_eq!(errno(number, [0, 0]), 0);
    }
}

#[test]
fn each_refused_call_is_refused() {
    for &number in REFUSED.iter().chain(REFUSED_ON_THIS_ARCHITECTURE) {
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
fn a_program_may_change_itself_and_not_its_zygote() {
    for number in [libc::SYS_prlimit64, libc::SYS_sched_setaffinity, libc::SYS_sched_setscheduler] {
        assert_eq!((errno(number, [0, 0]), errno(number, [1, 0])), (0, libc::EPERM));
    }
    assert_eq!(errno(libc::SYS_setpriority, [0, 0]), 0);
    assert_eq!(errno(libc::SYS_setpriority, [0, 1]), libc::EPERM);
    // A call for a whole process group or user is forbidden, because it could include the zygote.
    assert_eq!((errno(libc::SYS_setpriority, [1, 0]), errno(libc::SYS_setpriority, [2, 0])), (1, 1));
}

#[test]
fn a_program_that_keeps_its_cores_chooses_none_and_sees_no_error() {
    let keeps = ProgramFacts { keeps_cores: true, ..STRONG };
    let choose = |facts| action_about(facts, ARCHITECTURE, libc::SYS_sched_setaffinity, [0, 8]);
    assert_eq!((choose(keeps), choose(STRONG)), (libc::SECCOMP_RET_ERRNO, libc::SECCOMP_RET_ALLOW));
    let others = action_about(keeps, ARCHITECTURE, libc::SYS_sched_setaffinity, [1, 8]);
    assert_ne!(others, libc::SECCOMP_RET_ALLOW, "the zygote");
}

#[test]
fn only_the_usual_personality_may_be_taken() {
    assert_eq!((errno(libc::SYS_personality, [0, 0]), errno(libc::SYS_personality, [u32::MAX, 0])), (0, 0));
    assert_eq!(errno(libc::SYS_personality, [0x0004_0000, 0]), libc::EPERM);
}

#[test]
fn unknown_calls_do_not_exist_and_other_architectures_kill_the_program() {
    // The first is setxattrat, which changes extended attributes. The last is a number that no kernel uses.
    for number in [463, 467, 1000] {
        assert_eq!(errno(number, [0, 0]), libc::ENOSYS, "{number}");
    }
    assert_eq!(errno(0x4000_0001, [0, 0]), libc::ENOSYS);
    assert_eq!(action(0x4000_0003, libc::SYS_read, [0, 0]), libc::SECCOMP_RET_KILL_PROCESS);
}

#[test]
fn a_program_that_writes_nothing_cannot_lock_files_that_others_read() {
    for (call, arguments) in [(libc::SYS_flock, [3, 2]), (libc::SYS_fcntl, [3, 6]), (libc::SYS_fcntl, [3, 38])] {
        assert_eq!(errno(call, arguments), libc::EPERM);
        assert_eq!(errno_about(ProgramFacts { may_write: true, ..STRONG }, call, arguments), 0);
    }
    assert_eq!((errno(libc::SYS_fcntl, [3, 1]), errno(libc::SYS_fcntl, [3, 1024])), (0, libc::EPERM));
    assert_eq!((errno(libc::SYS_preadv2, [3, 0]), errno(libc::SYS_preadv2, [3, 8])), (0, libc::EPERM));
}

#[test]
fn a_program_that_writes_nothing_cannot_change_the_streams_that_its_next_run_gets() {
    let writes = ProgramFacts { may_write: true, ..STRONG };
    let commands = [
        ("F_SETOWN", libc::F_SETOWN as u32),
        ("F_SETOWN_EX", 15),
        ("F_SETSIG", 10),
        ("F_SET_RW_HINT", 1036),
        ("F_SET_FILE_RW_HINT", 1038),
    ];
    let commands = commands.map(|(what, command)| (what, libc::SYS_fcntl, command, libc::EPERM));
    // A path such as /proc/self/fd/1 leads to a stream, too.
    let calls = [
        ("fchmod", libc::SYS_fchmod),
        ("fchmodat", libc::SYS_fchmodat),
        ("fchmodat2", rules::FCHMODAT2),
        ("fchown", libc::SYS_fchown),
        ("fchownat", libc::SYS_fchownat),
        ("utimensat", libc::SYS_utimensat),
        ("fsetxattr", libc::SYS_fsetxattr),
    ];
    let calls = calls.map(|(what, call)| (what, call, 0, libc::EROFS));
    for (what, call, argument, error) in commands.into_iter().chain(calls) {
        assert_eq!((errno(call, [1, argument]), errno_about(writes, call, [1, argument])), (error, 0), "{what}");
    }
    for allowed in [libc::F_SETFL, libc::F_SETFD, libc::F_SETPIPE_SZ, libc::F_DUPFD] {
        assert_eq!(errno(libc::SYS_fcntl, [1, allowed as u32]), 0, "{allowed}");
    }
}

#[test]
fn without_a_namespace_the_zygote_cannot_be_signalled_and_files_cannot_be_changed() {
    let refused = |call, arguments| errno_about(WEAK, call, arguments) == libc::EPERM;
    assert!(refused(libc::SYS_kill, [u32::MAX, 9]) && refused(libc::SYS_kill, [77, 9]));
    assert!(refused(libc::SYS_kill, [77u32.wrapping_neg(), 9]) && refused(libc::SYS_tgkill, [77, 77]));
    assert!(refused(libc::SYS_prlimit64, [78, 0]));
    assert!(!refused(libc::SYS_kill, [0, 9]) && !refused(libc::SYS_prlimit64, [0, 0]));
    assert!(refused(libc::SYS_fchmod, [3, 0]) && refused(libc::SYS_memfd_create, [0, 0]));
    let ignored = libc::SECCOMP_RET_ERRNO;
    for call in [libc::SYS_fchmodat, libc::SYS_fchownat, libc::SYS_lsetxattr, libc::SYS_fchmod, libc::SYS_utimensat] {
        assert_eq!(action_about(ProgramFacts { may_write: true, ..WEAK }, ARCHITECTURE, call, [3, 0]), ignored);
    }
    assert_eq!(errno(libc::SYS_memfd_create, [0, 0]), 0);
}

#[test]
fn without_a_namespace_no_file_can_be_emptied_that_may_only_be_read() {
    let reads_and_empties = (libc::O_RDONLY | libc::O_TRUNC) as u32;
    let writes_and_empties = (libc::O_WRONLY | libc::O_TRUNC) as u32;
    for facts in [WEAK, ProgramFacts { may_write: true, ..WEAK }] {
        assert_eq!(errno_about(facts, libc::SYS_truncate, [0, 0]), libc::EPERM);
        assert_eq!(errno_about(facts, libc::SYS_openat, [0, reads_and_empties]), libc::EPERM);
        assert_eq!(errno_about(facts, libc::SYS_openat, [0, writes_and_empties]), 0);
        assert_eq!(errno_about(facts, libc::SYS_openat, [0, libc::O_ACCMODE as u32]), libc::EPERM);
        assert_eq!(errno_about(facts, libc::SYS_openat2, [0, 0]), libc::ENOSYS);
        assert_eq!(errno_about(facts, libc::SYS_fallocate, [3, 0]), libc::EOPNOTSUPP);
        assert_eq!(errno_about(facts, libc::SYS_prctl, [libc::PR_SET_DUMPABLE as u32, 0]), libc::EPERM);
        assert_eq!(errno_about(facts, libc::SYS_sched_setaffinity, [1, 0]), libc::EPERM);
        assert_eq!(errno_about(facts, libc::SYS_sched_setaffinity, [0, 0]), 0);
    }
    assert_eq!(errno(libc::SYS_openat, [0, reads_and_empties]), 0);
}

#[test]
fn huge_pages_and_the_cache_of_files_and_sockets_of_others_are_out_of_reach() {
    let ignored = libc::SECCOMP_RET_ERRNO;
    assert_eq!(errno(libc::SYS_mmap, [0, libc::MAP_HUGETLB as u32]), libc::ENOMEM);
    assert_eq!(errno(libc::SYS_mmap, [0, (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as u32]), 0);
    assert_eq!(errno(libc::SYS_memfd_create, [0, libc::MFD_HUGETLB]), libc::ENOMEM);
    assert_eq!(action(ARCHITECTURE, libc::SYS_fadvise64, [3, libc::POSIX_FADV_DONTNEED as u32]), ignored);
    assert_eq!(action(ARCHITECTURE, libc::SYS_madvise, [0, libc::MADV_PAGEOUT as u32]), ignored);
    assert_eq!(errno(libc::SYS_madvise, [0, libc::MADV_DONTNEED as u32]), 0);
    assert_eq!(errno(libc::SYS_madvise, [0, 25]), libc::EPERM, "MADV_COLLAPSE");
    assert_eq!(action(ARCHITECTURE, libc::SYS_mbind, [0, 4096]), ignored);
    assert_eq!(errno(libc::SYS_set_mempolicy, [0, 0]), 0, "it concerns the caller only");
    assert_eq!((errno(libc::SYS_sendto, [3, 0]), errno(libc::SYS_sendto, [3, 110])), (0, libc::EACCES));
    for call in [libc::SYS_shmat, libc::SYS_shmctl, libc::SYS_semop, libc::SYS_msgrcv, libc::SYS_bind, libc::SYS_sync] {
        assert_eq!(errno(call, [0, 0]), libc::ENOSYS, "{call}");
    }
}

#[test]
fn networks_and_extended_attributes_cannot_be_read() {
    for command in [0x8901, 0x8912, 0x8927] {
        assert_eq!(errno(libc::SYS_ioctl, [3, command]), libc::EPERM, "{command:#x}");
    }
    assert_eq!(errno(libc::SYS_ioctl, [3, libc::FIONREAD as u32]), 0);
    for call in [libc::SYS_getxattr, libc::SYS_lgetxattr, libc::SYS_flistxattr] {
        assert_eq!((errno_about(WEAK, call, [0, 0]), errno(call, [0, 0])), (libc::EOPNOTSUPP, 0));
    }
}

#[test]
fn no_socket_gets_a_filter_that_takes_memory_of_the_machine() {
    let filters =
        [libc::SO_ATTACH_FILTER, libc::SO_ATTACH_BPF, libc::SO_ATTACH_REUSEPORT_CBPF, libc::SO_ATTACH_REUSEPORT_EBPF];
    for option in filters {
        assert_eq!(errno(libc::SYS_setsockopt, [3, option as u32]), libc::EPERM);
    }
}

#[test]
fn numbers_that_the_kernel_counts_for_the_whole_machine_are_not_given_out() {
    for call in [libc::SYS_pidfd_open, libc::SYS_pidfd_send_signal] {
        assert_eq!(errno(call, [1, 0]), libc::ENOSYS);
    }
    for option in [57, 71, 77] {
        assert_eq!(errno(libc::SYS_getsockopt, [3, option]), libc::EPERM, "{option}");
    }
    assert_eq!(errno(libc::SYS_setsockopt, [3, 76]), libc::EPERM);
    assert_eq!(errno(libc::SYS_getsockopt, [3, libc::SO_TYPE as u32]), 0);
    let flags = libc::SIGCHLD as u32;
    assert_eq!(errno(libc::SYS_clone, [flags | libc::CLONE_PIDFD as u32, 0]), libc::ENOSYS);
    assert_eq!(errno(libc::SYS_clone, [flags, 0]), 0);
    for guess in [[0, 0], [41, 0], [0, 42], [42, 41]] {
        assert_eq!(action(ARCHITECTURE, libc::SYS_setsid, guess), libc::SECCOMP_RET_ERRNO);
    }
    assert_eq!(action(ARCHITECTURE, libc::SYS_setsid, KEY), libc::SECCOMP_RET_ALLOW);
}

/// A zygote that keeps its program warm.
const WARM: ProgramFacts = ProgramFacts { keeps_warm: true, ..STRONG };

/// Returns what the kernel does with a call of a program that has two filters: what the stricter one says, and if both
/// say the same, what the second one says.
fn with_two_filters(call: libc::c_long, arguments: [u32; 2], warm: Option<u32>) -> u32 {
    let first = action_about(WARM, ARCHITECTURE, call, arguments);
    stricter(first, run(&of_warm_programs(warm), ARCHITECTURE, call, arguments))
}

fn stricter(first: u32, second: u32) -> u32 {
    let rank = |action: u32| (action & libc::SECCOMP_RET_ACTION_FULL).cast_signed();
    if rank(first) < rank(second) { first } else { second }
}

const REFUSED_TO_ALL_PROGRAMS: [(libc::c_long, u32, i32); 5] = [
    (libc::SYS_ptrace, 0, libc::EPERM),
    (libc::SYS_sendmsg, 0, libc::EPERM),
    (libc::SYS_pidfd_open, 0, libc::ENOSYS),
    (libc::SYS_clone, (libc::CLONE_PIDFD | libc::SIGCHLD) as u32, libc::ENOSYS),
    (libc::SYS_setsid, 0, 0),
];

#[test]
fn without_a_warm_process_the_filter_of_the_zygote_refuses_what_no_program_may_do() {
    for (call, flags, error) in REFUSED_TO_ALL_PROGRAMS {
        let refused = libc::SECCOMP_RET_ERRNO | error as u32;
        assert_eq!(action(ARCHITECTURE, call, [flags, 0]), refused, "{call}");
    }
}

#[test]
fn with_a_warm_process_two_filters_refuse_what_no_program_may_do() {
    for (call, flags, error) in REFUSED_TO_ALL_PROGRAMS {
        let refused = libc::SECCOMP_RET_ERRNO | error as u32;
        assert_eq!(with_two_filters(call, [flags, 0], None), refused, "{call}");
        assert_eq!(with_two_filters(call, [flags, 0], Some(2)), refused, "{call}");
    }
}

#[test]
fn a_zygote_that_keeps_a_program_warm_may_also_trace_and_send_and_its_programs_may_do_what_others_may() {
    let flags = [libc::CLONE_PIDFD, libc::CLONE_NEWUSER, libc::SIGCHLD, -2].map(|flags| flags as u32);
    let arguments: Vec<u32> = (0..80).chain(flags).collect();
    let [others, zygote, second] = [program(STRONG), program(WARM), of_warm_programs(None)];
    for call in 0..500 {
        for arguments in arguments.iter().flat_map(|&argument| [[argument, 0], [0, argument]]) {
            let [others, zygote, second] =
                [&others, &zygote, &second].map(|filter| run(filter, ARCHITECTURE, call, arguments));
            let is_weaker = [libc::SYS_ptrace, libc::SYS_sendmsg].contains(&call);
            assert_eq!(zygote != others, is_weaker, "{call} {arguments:?}");
            assert_eq!(stricter(zygote, second), others, "{call} {arguments:?}");
        }
    }
}

#[test]
fn a_fork_reaches_itself_and_not_the_warm_process() {
    let second = |call, arguments| run(&of_warm_programs(Some(2)), ARCHITECTURE, call, arguments);
    let refused = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
    let by_first = [libc::SYS_kill, libc::SYS_tkill, libc::SYS_rt_sigqueueinfo, libc::SYS_prlimit64];
    let by_second = [libc::SYS_tgkill, libc::SYS_setpriority, libc::SYS_ioprio_set];
    for (call, [warm, other]) in by_first.map(|call| (call, [[2, 0], [3, 0]])) {
        assert_eq!((second(call, warm), second(call, other)), (refused, libc::SECCOMP_RET_ALLOW), "{call}");
    }
    for (call, [warm, other]) in by_second.map(|call| (call, [[0, 2], [0, 3]])) {
        assert_eq!((second(call, warm), second(call, other)), (refused, libc::SECCOMP_RET_ALLOW), "{call}");
    }
    assert_eq!(second(libc::SYS_kill, [2u32.wrapping_neg(), 0]), refused, "its process group");
    let stack_of_itself = (libc::SYS_prlimit64, [0, u64::from(libc::RLIMIT_STACK)]);
    for ((call, arguments), is_protected) in
        [(stack_of_itself, false), ((libc::SYS_prlimit64, [3, 0]), true), ((libc::SYS_setpriority, [0, 3]), true)]
    {
        assert_eq!(protects(3, call, arguments), is_protected, "{call}");
    }
}

#[test]
fn what_no_control_group_counts_keeps_its_size() {
    let ignored = libc::SECCOMP_RET_ERRNO;
    for option in [libc::SO_SNDBUF as u32, 32] {
        assert_eq!(action_about(WEAK, ARCHITECTURE, libc::SYS_setsockopt, [3, option]), ignored);
    }
    assert_eq!(errno_about(WEAK, libc::SYS_setsockopt, [3, libc::SO_RCVTIMEO as u32]), 0);
    assert_eq!(errno_about(WEAK, libc::SYS_fcntl, [3, libc::F_SETPIPE_SZ as u32]), libc::EPERM);
    assert_eq!(errno_about(WEAK, libc::SYS_madvise, [0, 25]), libc::EPERM);
    assert_eq!(errno_about(WEAK, libc::SYS_madvise, [0, libc::MADV_DONTNEED as u32]), 0);
    assert_eq!((errno_about(WEAK, libc::SYS_vmsplice, [1, 0]), errno(libc::SYS_vmsplice, [1, 0])), (libc::ENOSYS, 0));
    for (call, argument) in [(libc::SYS_setsockopt, 7), (libc::SYS_fcntl, 1031)] {
        assert_eq!(action(ARCHITECTURE, call, [3, argument]), libc::SECCOMP_RET_ALLOW);
    }
    assert_eq!((errno(libc::SYS_socketpair, [1, 1]), errno(libc::SYS_socketpair, [30, 1])), (0, libc::EACCES));
}

#[test]
fn allowed_calls_are_ranges_in_order() {
    let ranges = allowed::ranges();
    assert!(ranges.iter().all(|(start, end)| start < end));
    assert!(ranges.is_sorted_by(|(_, end), (next, _)| end < next), "{ranges:?}");
    for (start, end) in ranges {
        for number in [start, end - 1] {
            let is_ruled = refused_for_some(STRONG).iter().any(|(call, ..)| *call == libc::c_long::from(number));
            assert!(is_ruled || errno(libc::c_long::from(number), [0, 0]) == 0, "{number}");
        }
        assert_ne!(errno(libc::c_long::from(end), [0, 0]), 0, "{end}");
    }
}

#[test]
fn no_jump_leads_out_of_the_program() {
    let code = program(WEAK);
    let jumps: Vec<_> = code.iter().enumerate().filter(|(_, step)| u32::from(step.code) & 7 == BPF_JMP).collect();
    assert!(!jumps.is_empty());
    for (at, step) in jumps {
        assert!(at + 1 + usize::from(step.jt.max(step.jf)) < code.len());
    }
}
