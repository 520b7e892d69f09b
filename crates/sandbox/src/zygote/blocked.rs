//! Decides whether a program waits for good: whether only the other side of an interactive run can wake it up.
//!
//! A thread waits for good in a read or write on a pipe, and in a futex without a time limit. The process must have no
//! POSIX timer, and must handle no signal of a timer. Everything else counts as a wait that may end by itself: sleeps,
//! `poll` and its relatives, sockets, timers, and whatever `/proc` does not show. So the answer errs on the side of
//! waiting longer.
//!
//! `/proc` does not show a timer of `alarm`. If the process does not handle SIGALRM, this timer ends the process. So a
//! program of several processes never counts as waiting for good: the timer may end one process, and then its parent
//! may continue. In a program of one process, the timer can only end the program.

use std::fs;
use std::os::unix::fs::FileTypeExt;

/// The system call in which a thread is blocked: its number and its first four arguments.
#[derive(Debug, PartialEq, Eq)]
struct Call {
    number: i64,
    arguments: [u64; 4],
}

/// Signals of timers and of asynchronous input. A program that handles one of them may continue without any input.
const TIMER_SIGNALS: [i32; 4] = [libc::SIGALRM, libc::SIGVTALRM, libc::SIGPROF, libc::SIGIO];

/// The bits of a futex operation that contain the command. The other bits are flags.
const FUTEX_COMMAND: u64 = 0x7f;

/// Operations of a futex that wait: `FUTEX_WAIT`, `FUTEX_LOCK_PI` and `FUTEX_WAIT_BITSET`.
const FUTEX_WAITS: [u64; 3] = [0, 6, 9];

/// Returns whether the program consists of one process, every thread of which waits for good. `processes` are the
/// program's processes.
pub(in super::super) fn waits_for_good(processes: &[i32]) -> bool {
    if let [process] = processes { is_blocked_for_good(*process) } else { false }
}

fn is_blocked_for_good(process: i32) -> bool {
    let Some(blocked) = calls(process) else { return false };
    blocked.iter().all(|call| call.lasts(process)) && has_no_timer(process)
}

/// Returns the system call of each thread of a process. `None` if a thread is not blocked, if the process has ended, or
/// if the kernel does not show it.
fn calls(process: i32) -> Option<Vec<Call>> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    threads.map(|thread| parse(&fs::read_to_string(thread.ok()?.path().join("syscall")).ok()?)).collect()
}

/// Parses `/proc/PID/syscall`: the number and the arguments. `None` if the thread is in no system call.
fn parse(line: &str) -> Option<Call> {
    let mut words = line.split_whitespace();
    let number = words.next()?.parse().ok().filter(|&number| number >= 0)?;
    let mut argument = || u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok();
    Some(Call { number, arguments: [argument()?, argument()?, argument()?, argument()?] })
}

impl Call {
    /// Whether only another process or thread can end the call.
    fn lasts(&self, process: i32) -> bool {
        let [first, second, _, fourth] = self.arguments;
        match self.number {
            libc::SYS_read | libc::SYS_readv | libc::SYS_write | libc::SYS_writev => is_pipe(process, first),
            libc::SYS_futex => FUTEX_WAITS.contains(&(second & FUTEX_COMMAND)) && fourth == 0,
            _ => false,
        }
    }
}

/// Whether the descriptor of the process is a pipe. A read from anything else, such as a timer, may end by itself.
fn is_pipe(process: i32, descriptor: u64) -> bool {
    let path = format!("/proc/{process}/fd/{descriptor}");
    fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
}

/// Whether the process has no POSIX timer and handles no signal of a timer. False if `/proc` does not show that.
fn has_no_timer(process: i32) -> bool {
    let read = |file: &str| fs::read_to_string(format!("/proc/{process}/{file}")).ok();
    let handled = read("status").and_then(|status| handled_signals(&status));
    let handles_none = handled.is_some_and(|mask| TIMER_SIGNALS.iter().all(|signal| mask >> (signal - 1) & 1 == 0));
    handles_none && read("timers").is_some_and(|timers| timers.is_empty())
}

/// Returns the mask of the signals that a process handles; bit 0 is signal 1.
fn handled_signals(status: &str) -> Option<u64> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::*;

    /// Starts a shell command whose standard input is an open pipe. Returns whether it waits for good within 700 ms.
    fn comes_to_wait(command: &str) -> bool {
        let mut child = Command::new("sh").args(["-c", command]).stdin(Stdio::piped()).spawn().unwrap();
        let (deadline, mut waits) = (Instant::now() + Duration::from_millis(700), false);
        while !waits && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
            waits = waits_for_good(&[child.id() as i32]);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        waits
    }

    #[test]
    fn a_program_that_reads_a_pipe_waits_for_good_and_one_with_a_timer_does_not() {
        // `python3` may be the script of a version manager, which reads pipes itself before it starts Python.
        let found = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
        let interpreter = String::from_utf8(found.stdout).unwrap();
        let python = |code: &str| format!("exec {} -c '{code}'", interpreter.trim());
        assert!(comes_to_wait("read line"));
        assert!(comes_to_wait("exec cat"));
        assert!(comes_to_wait(&python("import sys; sys.stdin.read()")));
        assert!(!comes_to_wait("exec sleep 60"));
        // A timer that `/proc` does not show may end the child, and then the shell continues.
        assert!(!comes_to_wait("cat; echo end"));
        let handled = "import signal, sys; signal.signal(14, lambda *_: sys.exit(1)); signal.alarm(60)";
        assert!(!comes_to_wait(&python(&format!("{handled}; sys.stdin.read()"))));
        assert!(!comes_to_wait(&python("import select; select.select([0], [], [], 60)")));
        let threads = "import sys, threading, time; threading.Thread(target=time.sleep, args=(60,)).start()";
        assert!(!comes_to_wait(&python(&format!("{threads}; sys.stdin.read()"))));
    }

    #[test]
    fn no_process_and_one_that_has_ended_do_not_wait() {
        assert!(!waits_for_good(&[]));
        let mut child = Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        assert!(!waits_for_good(&[child.id() as i32]));
    }

    #[test]
    fn a_line_of_the_kernel_names_the_call() {
        let call = parse("0 0x3 0x7ffd 0x400 0x0 0x0 0x0 0x7ffe 0x7f00\n").unwrap();
        assert_eq!(call, Call { number: 0, arguments: [3, 0x7ffd, 0x400, 0] });
        for line in ["running\n", "-1 0x7ffe 0x7f00\n", "", "0 0x3\n"] {
            assert_eq!(parse(line), None, "{line}");
        }
        assert_eq!(handled_signals("Name:\tx\nSigCgt:\t0000000000002000\n"), Some(1 << 13));
    }
}
