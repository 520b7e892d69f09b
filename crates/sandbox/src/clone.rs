//! Starts a child by `clone` in the way of vfork. The child borrows its parent's memory until it executes its program,
//! so that the cost does not grow with the parent. Between the two it does what `posix_spawn` cannot do: it sets its
//! limits and, where it does not inherit isolation, isolates itself. So not one instruction of the program runs without
//! them.
//!
//! Between clone and exec the child only makes system calls on values that were prepared before. It shares memory with
//! a parent that may have many threads, any of which may hold a lock, so no allocation is safe.

use std::ffi::{CString, c_char, c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use rustix::process::Pid;
use serde::{Deserialize, Serialize};

use super::isolation::Lockdown;

/// What a child is to become.
pub(super) struct ChildSpec<'a> {
    /// The executable and its arguments.
    pub(super) command: Vec<CString>,
    /// Environment variables, as `NAME=value`.
    pub(super) environment: Vec<CString>,
    /// The directory it runs in.
    pub(super) directory: CString,
    /// Standard input, output and error.
    pub(super) standard: [BorrowedFd<'a>; 3],
    /// Resources and their limits, soft and hard alike.
    pub(super) limits: Vec<(u32, u64)>,
    /// The isolation that the child does not inherit.
    pub(super) lockdown: Option<&'a Lockdown>,
    /// Whether signals may be ignored or blocked in the caller, which they must not be in the child.
    pub(super) resets_signals: bool,
    /// Whether it is killed when the thread that starts it ends.
    pub(super) dies_with_its_parent: bool,
}

/// A running child.
pub(super) struct Child {
    pub(super) pid: Pid,
    /// Readable once it has ended; cannot be confused by a recycled process number.
    pub(super) watch: OwnedFd,
    /// When it went to execute its program, on the monotonic clock. What came before is not the program's time.
    pub(super) started: Duration,
}

/// What a child did last before it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub(super) enum Step {
    /// The child could not be made.
    Clone,
    /// It could not take its standard streams.
    Streams,
    /// It could not take its limits.
    Limits,
    /// It could not isolate itself.
    Isolation,
    /// It could not go to its directory.
    Directory,
    /// It could not execute its program.
    Execute,
}

impl Step {
    const ALL: [Step; 6] = [Step::Clone, Step::Streams, Step::Limits, Step::Isolation, Step::Directory, Step::Execute];
}

/// A program that was not started.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) step: Step,
    pub(super) error: io::Error,
}

/// 64 KiB for the child until it executes; it needs a fraction.
const STACK_WORDS: usize = 4096;

/// Everything the child reads, as plain pointers and numbers, and the three cells it writes.
struct ExecArgs<'a> {
    arguments: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    directory: *const c_char,
    standard: [RawFd; 3],
    limits: Vec<(u32, libc::rlimit)>,
    lockdown: Option<&'a Lockdown>,
    resets_signals: bool,
    dies_with_its_parent: bool,
    failed_step: AtomicU8,
    errno: AtomicI32,
    /// On the monotonic clock, in nanoseconds.
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
            directory: spec.directory.as_ptr(),
            standard: spec.standard.map(|stream| stream.as_raw_fd()),
            limits: spec.limits.iter().map(limit).collect(),
            lockdown: spec.lockdown,
            resets_signals: spec.resets_signals,
            dies_with_its_parent: spec.dies_with_its_parent,
            failed_step: AtomicU8::new(Step::Clone as u8),
            errno: AtomicI32::new(0),
            executed_at: AtomicU64::new(0),
        }
    }

    fn failure(&self) -> Option<Failed> {
        let errno = self.errno.load(Ordering::Relaxed);
        let step = Step::ALL.get(usize::from(self.failed_step.load(Ordering::Relaxed))).copied();
        (errno != 0).then(|| Failed { step: step.unwrap_or(Step::Clone), error: io::Error::from_raw_os_error(errno) })
    }
}

/// Starts the child and returns once it executes its program, or has failed to.
pub(super) fn start(spec: &ChildSpec<'_>) -> Result<Child, Failed> {
    let mut args = ExecArgs::new(spec);
    let mut stack = vec![MaybeUninit::<u128>::uninit(); STACK_WORDS];
    let mut watch: c_int = -1;
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    // A handler of the judge must not run in the child.
    let blocked = spec.resets_signals.then(BlockedSignals::all);
    // SAFETY: the stack is live, its end is aligned to 16 bytes (u128) and it is used by nobody else; CLONE_VFORK
    // suspends this thread until the child has executed or exited, so `args`, `stack` and `spec`, to which it
    // points, outlive the child's use of them; `watch` is where CLONE_PIDFD asks for a c_int. A caller with signal
    // handlers has all signals blocked, so that none runs in the child.
    let (pid, error) = unsafe {
        let top = stack.as_mut_ptr().add(STACK_WORDS).cast::<c_void>();
        let pid = libc::clone(become_the_program, top, flags, (&raw mut args).cast(), &raw mut watch);
        (pid, io::Error::last_os_error())
    };
    drop(blocked);
    let Some(pid) = (pid > 0).then(|| Pid::from_raw(pid)).flatten() else {
        return Err(Failed { step: Step::Clone, error });
    };
    // SAFETY: clone has succeeded, so `watch` is a new descriptor that nobody else owns.
    let watch = unsafe { OwnedFd::from_raw_fd(watch) };
    match args.failure() {
        None => {
            // One that was killed before it executed its program has not told when it did.
            let executed_at = Some(args.executed_at.load(Ordering::Relaxed)).filter(|&time| time > 0);
            let started = Duration::from_nanos(executed_at.unwrap_or_else(monotonic_nanoseconds));
            Ok(Child { pid, watch, started })
        }
        Some(failed) => {
            // It has exited; its number must not stay taken.
            let _ = super::syscall::reap(pid.as_raw_nonzero().get());
            Err(failed)
        }
    }
}

/// The monotonic clock, which is the same for every process of the machine. Safe between clone and exec: it is read
/// without a lock.
pub(super) fn monotonic_nanoseconds() -> u64 {
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: the pointer is to a live local of the type asked for, and all-zero is a valid value of it.
    let time = unsafe {
        libc::clock_gettime(libc::CLOCK_MONOTONIC, time.as_mut_ptr());
        time.assume_init()
    };
    (time.tv_sec as u64) * 1_000_000_000 + time.tv_nsec as u64
}

/// All signals, blocked in this thread as long as the value lives.
struct BlockedSignals(libc::sigset_t);

impl BlockedSignals {
    fn all() -> BlockedSignals {
        let mut all = MaybeUninit::<libc::sigset_t>::uninit();
        let mut before = MaybeUninit::<libc::sigset_t>::zeroed();
        // SAFETY: both are live locals of the type asked for; sigfillset fills the first, and pthread_sigmask, which
        // cannot fail with SIG_SETMASK, the second; all-zero is a valid set in any case.
        unsafe {
            libc::sigfillset(all.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
            BlockedSignals(before.assume_init())
        }
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        // SAFETY: the set was filled in by pthread_sigmask.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, std::ptr::null_mut()) };
    }
}

/// What the child does. It returns only by `execve`.
extern "C" fn become_the_program(args: *mut c_void) -> c_int {
    // SAFETY: `start` passes its own live ExecArgs and is suspended while the child uses it.
    let args = unsafe { &*args.cast::<ExecArgs<'_>>() };
    // SAFETY: this is the child of `start`, before its exec.
    let step = unsafe { prepare_and_execute(args) };
    args.failed_step.store(step as u8, Ordering::Relaxed);
    // SAFETY: the place of errno is that of the suspended thread, whose memory the child shares.
    args.errno.store(unsafe { *libc::__errno_location() }.max(1), Ordering::Relaxed);
    // SAFETY: ends the child at once, without the judge's exit handlers.
    unsafe { libc::_exit(127) }
}

/// Returns the step that failed.
///
/// # Safety
/// To be called in a child that shares the judge's memory, before its exec, with all signals blocked.
unsafe fn prepare_and_execute(args: &ExecArgs<'_>) -> Step {
    // SAFETY: system calls only, on descriptors and pointers that the suspended parent keeps alive; `[RawFd]` and
    // `[*const c_char]` are read in place, and both lists of pointers end with a null pointer.
    unsafe {
        // A session of its own: no terminal, and a process group that the judge is not in.
        libc::setsid();
        for (target, &stream) in args.standard.iter().enumerate() {
            if libc::dup2(stream, target as c_int) < 0 {
                return Step::Streams;
            }
        }
        for (resource, limit) in &args.limits {
            // By number: C libraries do not agree on the type of a resource.
            let (own, old): (libc::c_long, *mut libc::rlimit) = (0, ptr::null_mut());
            if libc::syscall(libc::SYS_prlimit64, own, libc::c_long::from(*resource), ptr::from_ref(limit), old) != 0 {
                return Step::Limits;
            }
        }
        if args.lockdown.is_some_and(|lockdown| lockdown.apply().is_err()) {
            return Step::Isolation;
        }
        // After that the kernel would forget it.
        if args.dies_with_its_parent {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
        }
        if libc::chdir(args.directory) != 0 {
            return Step::Directory;
        }
        if args.resets_signals {
            reset_signals();
        }
        // All are close-on-exec anyway; where the kernel does not know the call, that has to do.
        libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0);
        args.executed_at.store(monotonic_nanoseconds(), Ordering::Relaxed);
        libc::execve(args.arguments[0], args.arguments.as_ptr(), args.environment.as_ptr());
    }
    Step::Execute
}

/// Gives every signal of this process its default action, and blocks none.
pub(super) fn reset_own_signals() {
    // SAFETY: the call replaces handlers by the default action, and handlers of this process are nowhere relied on: it
    // has just begun, and Rust's own handlers only make a stack overflow easier to recognise.
    unsafe { reset_signals() }
}

/// No signal is ignored, handled or blocked in the program.
///
/// # Safety
/// As [`prepare_and_execute`].
unsafe fn reset_signals() {
    // SAFETY: all-zero is a valid sigaction (the default disposition, no flags) and a valid, empty set; signals that
    // cannot be changed are refused, which is fine.
    unsafe {
        let default = MaybeUninit::<libc::sigaction>::zeroed();
        for signal in 1..=64 {
            libc::sigaction(signal, default.as_ptr(), std::ptr::null_mut());
        }
        let none = MaybeUninit::<libc::sigset_t>::zeroed();
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut());
    }
}
