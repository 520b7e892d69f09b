//! Turns an [`Outcome`] of the sandbox into a verdict if a limit, a signal or an exit code decides.
//!
//! Precedence: failure of the judge (JE, which other modules handle) > output limit (OLE) > memory limit (MLE) > time
//! limit, CPU or wall (TLE) > signal or non-zero exit code (RTE) > the output validator's verdict (WA, AC).
//!
//! On Kattis and DOMjudge, a program that prints too much continues, so the output limit comes after RTE. Only standard
//! output counts there. Sources: `judge/testcase_run.sh` of DOMjudge, `judge/execute.py` of problemtools.

use std::time::Duration;

use crate::Settings;
use referee_compare::Dialect;
use referee_grading::verdict::Verdict;
use referee_sandbox::{Crossed, Ended, Enforcement, Limits, Outcome, State, Usage};
use referee_text::size;

/// Returns the verdict and its reason; `None` if the output decides. Kattis and DOMjudge have no verdict for exceeded
/// memory: there, the verdict is a run-time error.
pub(crate) fn classify(outcome: &Outcome, settings: &Settings) -> Option<(Verdict, String)> {
    let crossed = crossed(outcome, settings);
    let limits = limits(outcome, settings);
    let limit = by_limit(crossed, &limits, &outcome.usage);
    let limit = limit.map(|(verdict, reason)| (verdict, reason + doubt(crossed, &Enforcement::of(settings.sandbox))));
    let ended = limit
        .or_else(|| by_end(outcome.ended))
        .or_else(|| by_limit(outcome.stdout.overflowed.then_some(Crossed::Output), &limits, &outcome.usage));
    ended.map(|(verdict, reason)| match (verdict, settings.dialect) {
        (Verdict::MemoryLimitExceeded, Dialect::Kattis | Dialect::Domjudge) if !settings.has_memory_verdict => {
            (Verdict::RunTimeError, reason)
        }
        _ => (verdict, reason),
    })
}

/// Returns the limit that a run exceeded; `None` if it exceeded none. On a busy machine, a run can reach the wall limit
/// before the judge notices that its CPU time exceeds the time limit. This function then still returns the CPU time
/// limit. On DOMjudge, the time limit applies to the wall time, too, but without the time in which the program waited
/// for a core.
pub(crate) fn crossed(outcome: &Outcome, settings: &Settings) -> Option<Crossed> {
    let (time, Usage { cpu, wall, waited, .. }) = (settings.time(), outcome.usage);
    match outcome.crossed {
        Some(Crossed::Wall) if cpu > time => Some(Crossed::Cpu),
        None if settings.wall_counts_as_time() && wall.saturating_sub(waited.unwrap_or_default()) > time => {
            Some(Crossed::Wall)
        }
        crossed => crossed,
    }
}

/// Returns an addition to the reason for a verdict if the machine cannot enforce the limit that was `crossed`;
/// otherwise an empty text.
fn doubt(crossed: Option<Crossed>, enforcement: &Enforcement) -> &'static str {
    let is_partial = |part: &str| enforcement.parts.get(part).is_some_and(|part| part.state != State::Enforced);
    match crossed {
        Some(Crossed::Memory) if is_partial("memory") => " (the memory limit is not fully enforced here)",
        Some(Crossed::Cpu) if is_partial("cpu_time") => " (the CPU time limit is not fully enforced here)",
        _ => "",
    }
}

/// Returns the limits that applied to the run.
fn limits(outcome: &Outcome, settings: &Settings) -> Limits {
    let limits = settings.submission_limits(1.0);
    // If the sandbox stopped the run at the wall limit, that limit was exceeded. Otherwise `crossed` has compared the
    // wall time only with the time limit.
    let wall = if outcome.crossed == Some(Crossed::Wall) { limits.wall } else { settings.time() };
    Limits { wall, ..limits }
}

fn by_limit(crossed: Option<Crossed>, limits: &Limits, usage: &Usage) -> Option<(Verdict, String)> {
    let crossed = crossed?;
    let verdict = match crossed {
        Crossed::Output | Crossed::Files => Verdict::OutputLimitExceeded,
        Crossed::Memory => Verdict::MemoryLimitExceeded,
        Crossed::Cpu | Crossed::Wall | Crossed::Deadlock => Verdict::TimeLimitExceeded,
        Crossed::Stack => Verdict::RunTimeError,
    };
    Some((verdict, limit_words(crossed, limits, usage)))
}

/// Describes the parts of a run's wall time: CPU time, sleep, and waiting for a core. The time asleep is the wall time
/// minus the two other parts. It is 0 if several threads make these parts longer than the wall time.
fn describe_wall_time(usage: &Usage) -> String {
    let waited = usage.waited.unwrap_or_default();
    let asleep = usage.wall.saturating_sub(usage.cpu + waited);
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    let waiting = usage.waited.map(|waited| format!(", {} waiting for a core", seconds(waited))).unwrap_or_default();
    format!("{} of CPU time, {} asleep{waiting}", seconds(usage.cpu), seconds(asleep))
}

fn by_end(ended: Ended) -> Option<(Verdict, String)> {
    (ended != Ended::Exited(0)).then(|| (Verdict::RunTimeError, ending_words(ended)))
}

/// A message contains the CPU time only if the time is more than the limit times this factor. With a smaller time, the
/// judge has usually stopped the program at the limit, so the time says nothing more than the limit does.
const NOTABLY_MORE: f64 = 1.1;

/// Returns a text that names the limit that a program exceeded, with its value. The text also says how much the program
/// used, if that is known and more than the limit. The text continues a sentence such as "the program used".
pub fn limit_words(crossed: Crossed, limits: &Limits, usage: &Usage) -> String {
    match crossed {
        // The judge stops the program at the limit, so it is unknown how much the program would have printed.
        Crossed::Output => format!("more output than the limit of {} allows", size::bytes(limits.output_bytes)),
        Crossed::Files => "more files, or more space for files, than it may write".to_owned(),
        Crossed::Memory => {
            let peak = usage.memory_bytes.filter(|peak| *peak > limits.memory_bytes);
            let peak = peak.map(|peak| format!(": {:.1} MiB", peak as f64 / f64::from(1 << 20))).unwrap_or_default();
            format!("more memory than the limit of {} allows{peak}", size::bytes(limits.memory_bytes))
        }
        Crossed::Cpu if usage.cpu > limits.cpu.mul_f64(NOTABLY_MORE) => cpu_time_words(limits.cpu, usage.cpu),
        Crossed::Cpu => format!("more CPU time than the limit of {} s allows", limits.cpu.as_secs_f64()),
        Crossed::Wall => {
            let (limit, parts) = (limits.wall.as_secs_f64(), describe_wall_time(usage));
            format!("more wall time than the limit of {limit} s allows: {parts}")
        }
        Crossed::Deadlock => "endless time: it waits for the output validator, which waits for it".to_owned(),
        Crossed::Stack => format!(
            "too much stack (stack overflow: recursion that is endless, or too deep for the memory limit of {})",
            size::bytes(limits.memory_bytes)
        ),
    }
}

/// Returns a text that says that a program exceeded its CPU time limit `limit`. It continues a sentence as the text of
/// [`limit_words`] does.
pub(crate) fn cpu_time_words(limit: Duration, used: Duration) -> String {
    let (limit, used) = (limit.as_secs_f64(), used.as_secs_f64());
    format!("more CPU time than the limit of {limit} s allows: {used:.3} s")
}

/// Returns a text that says how a program ended. It continues a sentence such as "the program ended with".
pub fn ending_words(ended: Ended) -> String {
    match ended {
        Ended::Exited(code) => match code - SHELL_SIGNAL {
            signal @ 1..=31 => format!("exit code {code}, with which a shell reports {}", signal_name(signal)),
            _ => format!("exit code {code}"),
        },
        Ended::Signaled(signal) => signal_name(signal),
    }
}

/// A shell exits with this number plus the number of the signal that ended its last command.
const SHELL_SIGNAL: i32 = 128;

/// Returns a signal's name, with its usual cause in a submission.
fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGSEGV => "SIGSEGV (a bad address, or a stack overflow)",
        libc::SIGABRT => "SIGABRT (abort: an assertion or an uncaught exception)",
        libc::SIGFPE => "SIGFPE (usually a division by zero)",
        libc::SIGILL => "SIGILL (an illegal instruction: often a missing return, or a division by a constant zero)",
        libc::SIGBUS => "SIGBUS (a bad address)",
        libc::SIGKILL => "SIGKILL",
        libc::SIGTERM => "SIGTERM",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ (a file larger than the sandbox allows)",
        libc::SIGSYS => "SIGSYS (a system call of another architecture, or a signal of the program itself)",
        other => return format!("signal {other}"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use referee_sandbox::{Overall, Protection};

    use super::*;

    fn verdict(crossed: Option<Crossed>, ended: Ended) -> Option<Verdict> {
        by_limit(crossed, &LIMITS, &USAGE).or_else(|| by_end(ended)).map(|(verdict, _)| verdict)
    }

    #[test]
    fn a_verdict_by_a_limit_that_is_not_enforced_says_so() {
        let part = |state| Protection { state, why: "why".to_owned(), remedy: None };
        for (state, in_doubt) in [(State::Enforced, false), (State::Partial, true), (State::Not, true)] {
            let parts = ["memory", "cpu_time"].map(|name| (name.to_owned(), part(state)));
            let enforcement = Enforcement { overall: Overall::Partial, parts: parts.into() };
            for crossed in [Crossed::Memory, Crossed::Cpu] {
                assert_eq!(doubt(Some(crossed), &enforcement).contains("not fully enforced"), in_doubt);
            }
            for crossed in [None, Some(Crossed::Output), Some(Crossed::Wall)] {
                assert_eq!(doubt(crossed, &enforcement), "");
            }
        }
    }

    const USAGE: Usage = Usage {
        cpu: Duration::from_millis(250),
        wall: Duration::from_secs(8),
        waited: Some(Duration::from_millis(1750)),
        memory_bytes: None,
    };

    const LIMITS: Limits = Limits {
        cpu: Duration::from_millis(200),
        wall: Duration::from_secs(5),
        memory_bytes: 64 << 20,
        output_bytes: 1000,
        until: None,
    };

    #[test]
    fn a_crossed_limit_is_told_with_its_value_and_with_the_figure_of_the_program() {
        let words = |crossed| limit_words(crossed, &LIMITS, &USAGE);
        let stopped = Usage { cpu: Duration::from_millis(205), ..USAGE };
        assert_eq!(limit_words(Crossed::Cpu, &LIMITS, &stopped), "more CPU time than the limit of 0.2 s allows");
        assert_eq!(words(Crossed::Cpu), "more CPU time than the limit of 0.2 s allows: 0.250 s");
        assert_eq!(words(Crossed::Output), "more output than the limit of 1000 bytes allows");
        assert_eq!(words(Crossed::Memory), "more memory than the limit of 64 MiB allows");
        assert!(words(Crossed::Stack).ends_with("too deep for the memory limit of 64 MiB)"));
        // A peak above the limit can be measured only if no control group enforces the limit.
        let usage = Usage { memory_bytes: Some(96 << 20), ..USAGE };
        let message = limit_words(Crossed::Memory, &LIMITS, &usage);
        assert_eq!(message, "more memory than the limit of 64 MiB allows: 96.0 MiB");
    }

    #[test]
    fn a_wall_limit_that_was_crossed_comes_with_what_the_time_was_used_for() {
        let message = |usage| by_limit(Some(Crossed::Wall), &LIMITS, usage).unwrap().1;
        assert_eq!(
            message(&USAGE),
            "more wall time than the limit of 5 s allows: 0.25 s of CPU time, 6.00 s asleep, 1.75 s waiting for a core"
        );
        let unknown = message(&Usage { waited: None, ..USAGE });
        assert!(unknown.ends_with("0.25 s of CPU time, 7.75 s asleep"), "{unknown}");
    }

    #[test]
    fn a_crossed_limit_comes_before_the_exit_code() {
        let bad_ends = [Ended::Exited(0), Ended::Exited(1), Ended::Signaled(libc::SIGKILL)];
        for ended in bad_ends {
            assert_eq!(verdict(Some(Crossed::Output), ended), Some(Verdict::OutputLimitExceeded));
            assert_eq!(verdict(Some(Crossed::Memory), ended), Some(Verdict::MemoryLimitExceeded));
            assert_eq!(verdict(Some(Crossed::Cpu), ended), Some(Verdict::TimeLimitExceeded));
            assert_eq!(verdict(Some(Crossed::Wall), ended), Some(Verdict::TimeLimitExceeded));
            assert_eq!(verdict(Some(Crossed::Deadlock), ended), Some(Verdict::TimeLimitExceeded));
        }
    }

    #[test]
    fn an_exit_code_of_a_shell_names_the_signal() {
        let words = [1, 127, 128, 139, 160, 255].map(|code| ending_words(Ended::Exited(code)));
        let segmentation_fault =
            "exit code 139, with which a shell reports SIGSEGV (a bad address, or a stack overflow)";
        assert_eq!(
            words,
            ["exit code 1", "exit code 127", "exit code 128", segmentation_fault, "exit code 160", "exit code 255"]
        );
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
