//! Traces a process of one thread with `ptrace` (x86-64): stops it at its system calls, makes system calls in its
//! place, and reads and changes its registers and memory.

use std::io;

/// The registers of a stopped process.
pub(super) type Registers = libc::user_regs_struct;

/// A traced child. Dropping this value neither ends nor releases it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tracee {
    pid: i32,
}

/// Why a traced process has stopped.
#[derive(Debug, PartialEq, Eq)]
enum Stop {
    /// It begins or ends a system call.
    Call,
    /// It has forked. The fork is traced, too.
    Fork,
    /// It is about to receive this signal.
    Signal(i32),
}

/// The length of the instruction that makes a system call, in bytes.
const CALL_LENGTH: u64 = 2;

/// Maximum number of signals that are suppressed before a system call begins or ends. No process has more waiting.
const MOST_SIGNALS: u32 = 1 << 12;

impl Tracee {
    /// Begins to trace a child that has asked for it and has executed its program since. Returns once the child stops
    /// before the first instruction of that program.
    pub(super) fn attach(pid: i32) -> io::Result<Tracee> {
        let tracee = Tracee { pid };
        if tracee.wait()? != Stop::Signal(libc::SIGTRAP) {
            return Err(unexpected("another stop than that of the exec"));
        }
        let options = libc::PTRACE_O_TRACESYSGOOD
            | libc::PTRACE_O_EXITKILL
            | libc::PTRACE_O_TRACEFORK
            | libc::PTRACE_O_TRACEVFORK
            | libc::PTRACE_O_TRACECLONE;
        // SAFETY: this request takes numbers.
        check(unsafe { libc::ptrace(libc::PTRACE_SETOPTIONS, pid, 0, options) })?;
        Ok(tracee)
    }

    pub(super) fn pid(self) -> i32 {
        self.pid
    }

    /// Continues until the process begins or ends its next system call. Fails if it gets a signal or forks.
    pub(super) fn step(self) -> io::Result<()> {
        self.resume()?;
        if self.wait()? == Stop::Call { Ok(()) } else { Err(unexpected("a signal or a fork")) }
    }

    /// Continues until the process begins or ends its next system call, and suppresses all signals. Returns the first
    /// fork before that, if `may_fork` is true.
    fn step_without_signals(self, may_fork: bool) -> io::Result<Option<Tracee>> {
        let mut fork = None;
        for _ in 0..MOST_SIGNALS {
            self.resume()?;
            match self.wait()? {
                Stop::Call => return Ok(fork),
                Stop::Fork if may_fork && fork.is_none() => fork = Some(Tracee { pid: self.forked()? }),
                Stop::Fork => return Err(unexpected("a fork")),
                Stop::Signal(_) => {}
            }
        }
        Err(unexpected("signals without end"))
    }

    /// Makes a system call in place of a process that has just been forked, or has just ended a call of this function.
    /// `parked` contains the registers of its parent, which is about to begin a system call.
    pub(super) fn call_of_fork(self, parked: &Registers, number: libc::c_long, arguments: [u64; 5]) -> io::Result<i64> {
        self.set_registers(&with_call(before(parked), number, arguments))?;
        self.step_without_signals(false)?;
        self.step_without_signals(false)?;
        Ok(self.registers()?.rax.cast_signed())
    }

    /// Waits for the first stop of a process that has just been forked.
    pub(super) fn wait_for_first_stop(self) -> io::Result<()> {
        match self.wait()? {
            Stop::Signal(libc::SIGSTOP) => Ok(()),
            _ => Err(unexpected("another first stop of a fork")),
        }
    }

    /// Makes a system call in place of a process that is about to begin the system call of the registers `parked`.
    /// Returns the result, and the process that the call has forked. Afterwards the process is again about to begin its
    /// own system call.
    pub(super) fn call(
        self,
        parked: &Registers,
        number: libc::c_long,
        arguments: [u64; 5],
    ) -> io::Result<(i64, Option<Tracee>)> {
        let mut registers = with_call(*parked, number, arguments);
        registers.orig_rax = number.cast_unsigned();
        self.set_registers(&registers)?;
        let fork = self.step_without_signals(true)?;
        let result = self.registers()?.rax.cast_signed();
        self.set_registers(&before(parked))?;
        self.step_without_signals(false)?;
        if self.registers()?.orig_rax != parked.orig_rax {
            return Err(unexpected("another system call than the one that it had begun"));
        }
        Ok((result, fork))
    }

    /// Stops tracing, and lets the process begin the system call of the registers `parked`.
    pub(super) fn release(self, parked: &Registers) -> io::Result<()> {
        self.set_registers(&before(parked))?;
        // SAFETY: this request takes numbers.
        check(unsafe { libc::ptrace(libc::PTRACE_DETACH, self.pid, 0, 0) }).map(drop)
    }

    pub(super) fn registers(self) -> io::Result<Registers> {
        let mut registers = std::mem::MaybeUninit::<Registers>::zeroed();
        // SAFETY: the pointer is to a live local variable of the type that the kernel fills in, for which all-zero is a
        // valid value.
        unsafe {
            check(libc::ptrace(libc::PTRACE_GETREGS, self.pid, 0, registers.as_mut_ptr()))?;
            Ok(registers.assume_init())
        }
    }

    fn set_registers(self, registers: &Registers) -> io::Result<()> {
        // SAFETY: the pointer is to a live value of the type that the kernel reads.
        check(unsafe { libc::ptrace(libc::PTRACE_SETREGS, self.pid, 0, std::ptr::from_ref(registers)) }).map(drop)
    }

    /// Returns whether the process has this text at `address`, followed by a NUL byte. Returns false if it has no
    /// memory there.
    pub(super) fn has_text(self, address: u64, text: &[u8]) -> bool {
        let wanted: Vec<u8> = text.iter().copied().chain([0]).collect();
        wanted
            .chunks(8)
            .zip((address..).step_by(8))
            .all(|(part, at)| self.word(at).is_ok_and(|word| word.to_ne_bytes()[..part.len()] == *part))
    }

    /// Returns the eight bytes of memory at `address`.
    pub(super) fn word(self, address: u64) -> io::Result<u64> {
        let mut word = 0u64;
        // SAFETY: the raw call, unlike the C library's function, writes the word to its last argument, which points to
        // a live local variable of that size.
        check(unsafe { libc::syscall(libc::SYS_ptrace, libc::c_long::from(PEEK), self.pid, address, &raw mut word) })?;
        Ok(word)
    }

    pub(super) fn set_word(self, address: u64, word: u64) -> io::Result<()> {
        // SAFETY: this request takes numbers; the address is one of the traced process.
        check(unsafe { libc::ptrace(libc::PTRACE_POKEDATA, self.pid, address, word) }).map(drop)
    }

    fn resume(self) -> io::Result<()> {
        // SAFETY: this request takes numbers.
        check(unsafe { libc::ptrace(libc::PTRACE_SYSCALL, self.pid, 0, 0) }).map(drop)
    }

    fn forked(self) -> io::Result<i32> {
        let mut pid: libc::c_ulong = 0;
        // SAFETY: the pointer is to a live local variable of the type that the kernel fills in.
        check(unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, self.pid, 0, &raw mut pid) })?;
        i32::try_from(pid).map_err(io::Error::other)
    }

    /// Waits for the next stop. Fails if the process has ended, and if a signal interrupts the wait.
    fn wait(self) -> io::Result<Stop> {
        let mut status = 0;
        // SAFETY: the pointer is to a live local variable of the right type.
        if unsafe { libc::waitpid(self.pid, &raw mut status, libc::__WALL) } < 0 {
            return Err(io::Error::last_os_error());
        }
        if !libc::WIFSTOPPED(status) {
            return Err(unexpected("its end"));
        }
        let (signal, event) = (libc::WSTOPSIG(status), status >> 16);
        Ok(match (signal, event) {
            (_, libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK | libc::PTRACE_EVENT_CLONE) => Stop::Fork,
            (signal, _) if signal == libc::SIGTRAP | 0x80 => Stop::Call,
            (signal, _) => Stop::Signal(signal),
        })
    }
}

/// The request that reads a word. The C library's type of its constant differs between libraries.
const PEEK: i32 = 2;

/// Returns the registers of a process that is about to make the system call of `parked` anew.
fn before(parked: &Registers) -> Registers {
    // The kernel restarts an interrupted call only if `orig_rax` is not negative.
    Registers { rip: parked.rip - CALL_LENGTH, rax: parked.orig_rax, orig_rax: u64::MAX, ..*parked }
}

fn with_call(registers: Registers, number: libc::c_long, [rdi, rsi, rdx, r10, r8]: [u64; 5]) -> Registers {
    Registers { rax: number.cast_unsigned(), rdi, rsi, rdx, r10, r8, ..registers }
}

fn check(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

fn unexpected(what: &str) -> io::Error {
    io::Error::other(format!("a traced process has shown {what}"))
}
