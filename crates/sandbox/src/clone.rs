//! Starts a child process by `clone` with `CLONE_VM`. The child borrows its parent's memory until it executes its
//! program, so that the cost of a start does not grow with the memory of the parent. Before the exec the child sets its
//! limits and, if it does not inherit isolation, isolates itself. So every instruction of the program runs under the
//! limits and the isolation. `posix_spawn` could set up neither.
//!
//! Between clone and exec the child only makes system calls on values that the parent prepared. The parent may have
//! many threads, and any of them may hold the allocator's lock, so the child must not allocate.

use std::ffi::{CString, c_char, c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_setaffinity};
use serde::{Deserialize, Serialize};

use super::isolation::Lockdown;

/// The child to start.
pub(super) struct ChildSpec<'a> {
    /// The executable and its arguments.
    pub(super) command: Vec<CString>,
    /// Environment variables, as `NAME=value`.
    pub(super) environment: Vec<CString>,
    /// The working directory; `None` if the child keeps that of its parent.
    pub(super) directory: Option<CString>,
    /// Standard input, output and error. They must be open when the child is made; it gets copies.
    pub(super) standard: [RawFd; 3],
    /// Resources and their limits. Each value is both the soft and the hard limit.
    pub(super) limits: Vec<(u32, u64)>,
    /// The isolation that the child applies to itself before the exec; `None` if it inherits its isolation or needs
    /// none.
    pub(super) lockdown: Option<&'a Lockdown>,
    /// The arguments of `setsid`. The kernel ignores them, but the filter of the zygote refuses the call without them.
    pub(super) session_key: [u32; 2],
    /// The cores that the child may use; `None` if it inherits those of its parent.
    pub(super) cores: Option<CpuSet>,
    pub(super) signals: Signals,
    /// Whether the kernel kills the child when the thread that starts it ends.
    pub(super) dies_with_its_parent: bool,
    /// `None` unless the child becomes the warm process of its parent.
    pub(super) warm: Option<WarmSpec<'a>>,
}

/// What a child does with signals before its exec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signals {
    /// Gives all signals their default action and unblocks them. The caller may ignore, handle or block any signal.
    Reset,
    /// Nothing. The caller ignores and blocks no signal, and its handlers may run in the child.
    Keep,
}

/// How a child becomes the warm process of its parent. The parent traces it, and it keeps one more descriptor.
pub(super) struct WarmSpec<'a> {
    /// The socket from which its forks receive their streams.
    pub(super) socket: BorrowedFd<'a>,
}

/// The number of the descriptor of [`WarmSpec::socket`] in the warm process. It is far from the lowest free number, so
/// that the program finds the same free numbers as without it.
pub(super) const WARM_SOCKET: RawFd = 255;

/// A running child.
pub(super) struct Child {
    pub(super) pid: Pid,
    /// The time of the child's exec on the monotonic clock. Time before it does not count for the program.
    pub(super) started: Duration,
}

/// The step at which the start of a child failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub(super) enum Step {
    /// clone failed.
    Clone,
    /// The child's standard streams could not be set.
    Streams,
    /// The child's resource limits could not be set.
    Limits,
    /// The child's isolation could not be applied.
    Isolation,
    /// The child's working directory could not be entered.
    Directory,
    /// exec failed.
    Execute,
}

impl Step {
    const ALL: [Step; 6] = [Step::Clone, Step::Streams, Step::Limits, Step::Isolation, Step::Directory, Step::Execute];
}

/// A failed start.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) step: Step,
    pub(super) error: io::Error,
}

/// Maximum number of retries if the file to execute is "busy", and the pause before each retry. A file that the judge
/// has just written can still be open for writing in another child of the judge that has not executed its program yet.
const BUSY_TRIES: u32 = 100;
const BUSY_PAUSE: libc::timespec = libc::timespec { tv_sec: 0, tv_nsec: 2_000_000 };

/// The size of the child's stack until the exec, in words of 16 bytes: 64 KiB. The child needs only a fraction of it.
const STACK_WORDS: usize = 4096;

/// The values that the child reads, as plain pointers and numbers, and the three that it writes: `failed_step`, `errno`
/// and `executed_at`.
struct ExecArgs<'a> {
    arguments: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    /// Null if the child keeps the working directory of its parent.
    directory: *const c_char,
    standard: [RawFd; 3],
    limits: Vec<(u32, libc::rlimit)>,
    lockdown: Option<&'a Lockdown>,
    session_key: [u32; 2],
    cores: Option<CpuSet>,
    signals: Signals,
    dies_with_its_parent: bool,
    /// The descriptor that becomes [`WARM_SOCKET`]; `None` if the child is not traced.
    warm_socket: Option<RawFd>,
    failed_step: AtomicU8,
    errno: AtomicI32,
    /// The time of the exec on the monotonic clock, in nanoseconds; 0 if the child has not called exec.
    executed_at: AtomicU64,
}

impl<'a> ExecArgs<'a> {
    fn new(spec: &ChildSpec<'a>) -> ExecArgs<'a> {
        let pointers = |texts: &[CString]| {
            texts.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect::<Vec<*const c_char>>()
        };
        let limit = |&(resource, value): &(u32, u64)| (resource, libc::rlimit { rlim_cur: value, rlim_max: value });
        ExecArgs {
            arguments: pointers(&spec.command),
            environment: pointers(&spec.environment),
            directory: spec.directory.as_ref().map_or(ptr::null(), |directory| directory.as_ptr()),
            standard: spec.standard,
            limits: spec.limits.iter().map(limit).collect(),
            lockdown: spec.lockdown,
            session_key: spec.session_key,
            cores: spec.cores,
            signals: spec.signals,
            dies_with_its_parent: spec.dies_with_its_parent,
            warm_socket: spec.warm.as_ref().map(|warm| warm.socket.as_raw_fd()),
            failed_step: AtomicU8::new(Step::Clone as u8),
            errno: AtomicI32::new(0),
            executed_at: AtomicU64::new(0),
        }
    }

    /// Returns the failure that the child has recorded; `None` if the child has executed its program, or was killed
    /// before it could record a failure.
    fn failure(&self) -> Option<Failed> {
        let errno = self.errno.load(Ordering::Relaxed);
        let step = Step::ALL.get(usize::from(self.failed_step.load(Ordering::Relaxed))).copied();
        (errno != 0).then(|| Failed { step: step.unwrap_or(Step::Clone), error: io::Error::from_raw_os_error(errno) })
    }

    /// Returns the time of the child's exec. A child that was killed before its exec has stored no time. In that case
    /// this returns the current time.
    fn started(&self) -> Duration {
        let executed_at = Some(self.executed_at.load(Ordering::Relaxed)).filter(|&time| time > 0);
        Duration::from_nanos(executed_at.unwrap_or_else(monotonic_nanoseconds))
    }
}

/// Starts the child, and returns once it has executed its program. Fails with the step that failed.
pub(super) fn start(spec: &ChildSpec<'_>) -> Result<Child, Failed> {
    let (args, mut stack) = (ExecArgs::new(spec), new_stack());
    // SAFETY: CLONE_VFORK suspends this thread until the child has executed its program or exited. So the stack, `args`
    // and the values in `spec` outlive the child's use of them.
    let pid = unsafe { clone_child(&args, &mut stack, libc::CLONE_VFORK) }?;
    match args.failure() {
        None => Ok(Child { pid, started: args.started() }),
        Some(failed) => {
            // The child has exited. Reap it, so that it does not remain as a zombie.
            let _ = super::syscall::reap(pid.as_raw_nonzero().get());
            Err(failed)
        }
    }
}

/// Starts the child, and returns the time of its start ([`Child::started`]) and the result of `wait`, which gets the
/// process number of the child. Fails with the step that failed.
///
/// In contrast to [`start`], this thread does not wake up when the child executes its program. That saves two switches
/// between the processes.
///
/// # Safety
/// `wait` returns only after the child has ended. Meanwhile, it changes nothing in `spec`.
pub(super) unsafe fn start_and_wait<T>(
    spec: &ChildSpec<'_>,
    wait: impl FnOnce(Pid) -> T,
) -> Result<(Duration, T), Failed> {
    let (args, mut stack) = (ExecArgs::new(spec), new_stack());
    // SAFETY: the stack, `args` and the values in `spec` live until this function returns, and by then the child has
    // ended.
    let pid = unsafe { clone_child(&args, &mut stack, 0) }?;
    let waited = wait(pid);
    args.failure().map_or_else(|| Ok((args.started(), waited)), Err)
}

fn new_stack() -> Vec<MaybeUninit<u128>> {
    vec![MaybeUninit::uninit(); STACK_WORDS]
}

/// Makes the child.
///
/// # Safety
/// The child uses `args`, the values to which it points, and the stack until it has executed its program or ended. They
/// must live until then.
unsafe fn clone_child(
    args: &ExecArgs<'_>,
    stack: &mut Vec<MaybeUninit<u128>>,
    further_flags: c_int,
) -> Result<Pid, Failed> {
    let flags = libc::CLONE_VM | libc::SIGCHLD | further_flags;
    // The child shares the judge's memory, so no signal handler of the judge may run in the child.
    let blocked = (args.signals == Signals::Reset).then(BlockedSignals::all);
    // SAFETY: no other code uses the stack, and its end is aligned to 16 bytes, as u128 is. The child only reads `args`,
    // except for its atomic variables. If this process has signal handlers that do anything, all signals are blocked, so
    // that no handler runs in the child. The caller guarantees the rest.
    let (pid, error) = unsafe {
        let top = stack.as_mut_ptr().add(STACK_WORDS).cast::<c_void>();
        let pid = libc::clone(become_the_program, top, flags, ptr::from_ref(args).cast_mut().cast());
        (pid, io::Error::last_os_error())
    };
    drop(blocked);
    (pid > 0).then(|| Pid::from_raw(pid)).flatten().ok_or(Failed { step: Step::Clone, error })
}

/// Turns this process into the child that `spec` describes. Returns only if a step fails. The process is a fork of its
/// own, with one thread and its own memory.
#[cfg(target_arch = "x86_64")]
pub(super) fn execute(spec: &ChildSpec<'_>) -> Failed {
    let args = ExecArgs::new(spec);
    // SAFETY: this process shares its memory with no other, and `args` and `spec` are live.
    let step = unsafe { prepare_and_execute(&args) };
    Failed { step, error: io::Error::last_os_error() }
}

/// Reads the monotonic clock, which is the same for all processes. It takes no lock, so it is safe between clone and
/// exec.
pub(super) fn monotonic_nanoseconds() -> u64 {
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: the pointer is to a live local variable of the right type, and all-zero is a valid value of that type.
    let time = unsafe {
        libc::clock_gettime(libc::CLOCK_MONOTONIC, time.as_mut_ptr());
        time.assume_init()
    };
    (time.tv_sec as u64) * 1_000_000_000 + time.tv_nsec as u64
}

/// Blocks all signals in this thread while the value lives.
struct BlockedSignals(libc::sigset_t);

impl BlockedSignals {
    fn all() -> BlockedSignals {
        let mut all = MaybeUninit::<libc::sigset_t>::uninit();
        let mut before = MaybeUninit::<libc::sigset_t>::zeroed();
        // SAFETY: both pointers are to live local variables of the right type. sigfillset fills `all`. pthread_sigmask
        // cannot fail with SIG_SETMASK, so it fills `before`. Even without that call, `before` is all-zero, which is a
        // valid value.
        unsafe {
            libc::sigfillset(all.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
            BlockedSignals(before.assume_init())
        }
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        // SAFETY: pthread_sigmask filled this set in.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, std::ptr::null_mut()) };
    }
}

/// The child's code. It ends with exec or exit.
extern "C" fn become_the_program(args: *mut c_void) -> c_int {
    // SAFETY: `clone_child` passes a pointer to a value that lives while the child uses it.
    let args = unsafe { &*args.cast::<ExecArgs<'_>>() };
    // SAFETY: this is the child of `clone_child`, before its exec.
    let step = unsafe { prepare_and_execute(args) };
    args.failed_step.store(step as u8, Ordering::Relaxed);
    // SAFETY: the pointer to errno is that of the thread that made this child, whose memory the child shares. That
    // thread waits meanwhile.
    args.errno.store(unsafe { *libc::__errno_location() }.max(1), Ordering::Relaxed);
    // SAFETY: the call ends the child at once, without the judge's exit handlers.
    unsafe { libc::_exit(127) }
}

/// Prepares the child and executes its program. It returns only if a step fails, and returns that step.
///
/// # Safety
/// The caller is a child that shares its parent's memory, before its exec. If the parent handles signals, all signals
/// are blocked.
unsafe fn prepare_and_execute(args: &ExecArgs<'_>) -> Step {
    // SAFETY: only system calls, on descriptors and pointers that the parent keeps alive. Both lists of pointers end
    // with a null pointer.
    unsafe {
        // A new session: no terminal, and a process group of its own.
        let [first, second] = args.session_key;
        libc::syscall(libc::SYS_setsid, first, second);
        // This fails only if the machine no longer has these cores. The kernel has then chosen others.
        if let Some(cores) = &args.cores {
            let _ = sched_setaffinity(None, cores);
        }
        for (target, &stream) in args.standard.iter().enumerate() {
            if libc::dup2(stream, target as c_int) < 0 {
                return Step::Streams;
            }
        }
        if let Some(socket) = args.warm_socket
            && (libc::dup2(socket, WARM_SOCKET) < 0 || libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) != 0)
        {
            return Step::Streams;
        }
        for (resource, limit) in &args.limits {
            // This is a raw call, because the type of a resource differs between C libraries.
            let (own, old): (libc::c_long, *mut libc::rlimit) = (0, ptr::null_mut());
            if libc::syscall(libc::SYS_prlimit64, own, libc::c_long::from(*resource), ptr::from_ref(limit), old) != 0 {
                return Step::Limits;
            }
        }
        if args.lockdown.is_some_and(|lockdown| lockdown.apply().is_err()) {
            return Step::Isolation;
        }
        // This comes after the change of the user, which would clear the setting.
        if args.dies_with_its_parent {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
        }
        if !args.directory.is_null() && libc::chdir(args.directory) != 0 {
            return Step::Directory;
        }
        if args.signals == Signals::Reset {
            reset_signals();
        }
        // Before Linux 5.9 this call does not exist. Its failure does no harm: the descriptors are close-on-exec in any
        // case.
        if args.warm_socket.is_some() {
            libc::syscall(libc::SYS_close_range, 3, WARM_SOCKET - 1, 0);
            libc::syscall(libc::SYS_close_range, WARM_SOCKET + 1, u32::MAX, 0);
        } else {
            libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0);
        }
        for _ in 0..=BUSY_TRIES {
            args.executed_at.store(monotonic_nanoseconds(), Ordering::Relaxed);
            libc::execve(args.arguments[0], args.arguments.as_ptr(), args.environment.as_ptr());
            if *libc::__errno_location() != libc::ETXTBSY {
                break;
            }
            libc::nanosleep(&BUSY_PAUSE, ptr::null_mut());
        }
    }
    Step::Execute
}

/// Gives every signal of this process its default action, and blocks none.
pub(super) fn reset_own_signals() {
    // SAFETY: the call replaces handlers with the default action, and this process relies on no handler: it has just
    // begun, and Rust's own handlers only make a stack overflow easier to recognise.
    unsafe { reset_signals() }
}

/// Gives every signal its default action, and blocks none.
///
/// # Safety
/// The caller relies on no signal handler. It may be a child that shares the judge's memory and has not called exec
/// yet.
unsafe fn reset_signals() {
    // SAFETY: an all-zero sigaction is valid and means the default action without flags. An all-zero set of signals is
    // valid and empty. The kernel refuses to change SIGKILL and SIGSTOP, which is fine.
    unsafe {
        let default = MaybeUninit::<libc::sigaction>::zeroed();
        for signal in 1..=64 {
            libc::sigaction(signal, default.as_ptr(), std::ptr::null_mut());
        }
    }
    unblock_signals();
}

/// Blocks no signal. It only makes a system call, so it is safe between clone and exec.
fn unblock_signals() {
    let none = MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: the pointer is to a live local variable. An all-zero set of signals is valid and empty.
    unsafe { libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut()) };
}
