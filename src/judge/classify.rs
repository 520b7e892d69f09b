//! From an [`Outcome`] to a verdict, where the outcome decides alone.
//!
//! Precedence: the judge's own failure (JE, which never gets here) > output limit (OLE) > memory limit (MLE) > time
//! limit, CPU or wall (TLE) > signal or non-zero exit (RTE) > the output validator's word (WA, AC).

use std::time::Duration;

use crate::sandbox::{Crossed, Ended, Outcome};
use crate::verdict::Verdict;

/// The verdict and its reason; `None` if the output decides. `time` is the limit of CPU time.
pub(super) fn classify(outcome: &Outcome, time: Duration) -> Option<(Verdict, String)> {
    by_limit(crossed(outcome, time)).or_else(|| by_end(outcome.ended))
}

/// What a run crossed that may use `time` of CPU time. On a busy machine the time on the wall can be over first, before
/// a program is ended for its CPU time: that is not why it is too slow.
pub(super) fn crossed(outcome: &Outcome, time: Duration) -> Option<Crossed> {
    match outcome.crossed {
        Some(Crossed::Wall) if outcome.usage.cpu > time => Some(Crossed::Cpu),
        crossed => crossed,
    }
}

fn by_limit(crossed: Option<Crossed>) -> Option<(Verdict, String)> {
    let crossed = crossed?;
    let verdict = match crossed {
        Crossed::Output => Verdict::OutputLimitExceeded,
        Crossed::Memory => Verdict::MemoryLimitExceeded,
        Crossed::Cpu | Crossed::Wall => Verdict::TimeLimitExceeded,
        Crossed::Stack => Verdict::RunTimeError,
    };
    Some((verdict, limit_words(crossed).to_owned()))
}

fn by_end(ended: Ended) -> Option<(Verdict, String)> {
    (ended != Ended::Exited(0)).then(|| (Verdict::RunTimeError, ending_words(ended)))
}

/// What a program used too much of.
pub fn limit_words(crossed: Crossed) -> &'static str {
    match crossed {
        Crossed::Output => "more output than the limit allows",
        Crossed::Memory => "more memory than the limit allows",
        Crossed::Cpu => "more CPU time than the limit allows",
        Crossed::Wall => "more time on the clock than the limit allows; it waited more than it computed",
        Crossed::Stack => "too much stack (stack overflow: endless recursion, or deeper than the memory limit allows)",
    }
}

/// How a program ended.
pub fn ending_words(ended: Ended) -> String {
    match ended {
        Ended::Exited(code) => format!("exit code {code}"),
        Ended::Signaled(signal) => signal_name(signal),
    }
}

/// A signal's name, with what it usually means in a submission.
fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGSEGV => "SIGSEGV (a bad address, or a stack overflow)",
        libc::SIGABRT => "SIGABRT (abort: an assertion or an uncaught exception)",
        libc::SIGFPE => "SIGFPE (division by zero, most often)",
        libc::SIGILL => "SIGILL (an illegal instruction)",
        libc::SIGBUS => "SIGBUS (a bad address)",
        libc::SIGKILL => "SIGKILL",
        libc::SIGTERM => "SIGTERM",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ (a file larger than allowed)",
        libc::SIGSYS => "SIGSYS (a system call that the sandbox does not know)",
        other => return format!("signal {other}"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(crossed: Option<Crossed>, ended: Ended) -> Option<Verdict> {
        by_limit(crossed).or_else(|| by_end(ended)).map(|(verdict, _)| verdict)
    }

    #[test]
    fn a_crossed_limit_comes_before_the_exit_code() {
        let bad_ends = [Ended::Exited(0), Ended::Exited(1), Ended::Signaled(libc::SIGKILL)];
        for ended in bad_ends {
            assert_eq!(verdict(Some(Crossed::Output), ended), Some(Verdict::OutputLimitExceeded));
            assert_eq!(verdict(Some(Crossed::Memory), ended), Some(Verdict::MemoryLimitExceeded));
            assert_eq!(verdict(Some(Crossed::Cpu), ended), Some(Verdict::TimeLimitExceeded));
            assert_eq!(verdict(Some(Crossed::Wall), ended), Some(Verdict::TimeLimitExceeded));
        }
    }

    #[test]
    fn only_exit_code_zero_lets_the_output_decide() {
        assert_eq!(verdict(None, Ended::Exited(0)), None);
        for code in 1..=255 {
            assert_eq!(verdict(None, Ended::Exited(code)), Some(Verdict::RunTimeError));
        }
        for signal in 1..=31 {
            assert_eq!(verdict(None, Ended::Signaled(signal)), Some(Verdict::RunTimeError));
        }
    }
}
