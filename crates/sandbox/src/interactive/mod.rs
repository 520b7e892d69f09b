//! Runs two programs that exchange messages, each in its own sandbox instance. The judge relays the messages.
//!
//! # Theory of operation
//!
//! The **submission** is the program that is judged; the judge does not trust it. The **interactor** leads the
//! conversation and judges the submission. Both run at the same time, each with its own isolation, and neither has a
//! descriptor of the other. The judge has one end of each program's pipes for standard input, output and error. It
//! carries bytes through two [`channel`]s, one for each direction, and waits for all events with a single `poll`.
//!
//! - **Nothing blocks the judge.** Its ends of the pipes do not block. A channel stores a bounded number of bytes.
//!   While a channel is full, the judge reads nothing more from the sender, which then waits as on any full pipe.
//! - **No program is killed because it writes to a program that has ended.** The judge reads, counts and discards bytes
//!   that it cannot deliver any more.
//! - **Output is counted on its way**, and nothing beyond the limit is delivered. The count of the interactor's output
//!   starts again whenever the submission has sent something. Otherwise a submission that asks questions for ever would
//!   make the interactor exceed its limit, and the interactor would be blamed. The judge stores the interactor's standard error up to the limit and
//!   discards the rest, because an interactor may log everything that it receives.
//! - **The end of a stream is passed on only when it is certain.** When the interactor closes its output, the judge
//!   closes the submission's input at once. When the submission closes its output, the judge closes the interactor's
//!   input only once no process of the submission is left. Before that, the judge cannot know whether the submission
//!   continues with a closed output or is about to end. If the submission has ended badly (a limit, a signal, an exit
//!   code other than 0), the judge also waits until the interactor has read everything and sleeps. An interactor that
//!   sleeps has handled all messages and waits for more.
//!
//! Therefore [`Interaction::interactor_saw_end`] is reliable. It says whether the interactor had seen the end of the
//! submission's output before the interactor itself ended. The judge does not use the order in which the programs end,
//! because that order depends on the machine: on a busy machine, a submission that sends a wrong message and exits may
//! end before the interactor has read the message.
//!
//! - **A run in which both sides wait for each other ends at once**, with [`Crossed::Deadlock`] for the submission. The
//!   judge is certain if each side has a control group and consists of one process, and every thread of this process
//!   waits without a time limit or a timer. This must hold at two checks. Between them, neither side may have sent a
//!   message or used CPU time.
//!
//! # How wall time is attributed
//!
//! Each side has its own clocks, limits and control group.
//!
//! - Wall time counts for the interactor while it works: it has something to read, or one of its threads runs or is
//!   ready to run.
//! - Wall time counts for the submission while the interactor sleeps and has read everything, and while the interactor
//!   is blocked because the submission does not read.
//!
//! So no submission is killed because its interactor is slow, and no interactor because its submission is slow. The
//! judge attributes wall time every 20 ms, which is exact enough for limits of seconds.
//!
//! If the submission sends faster than the interactor reads, the interactor's time may run out although it works. The
//! same happens if the submission asks questions for ever. [`Interaction::overload`] distinguishes such an interactor
//! from one that hangs.

mod channel;
mod endpoint;
mod events;
mod overload;
mod poll;
mod record;
mod relay;
mod silence;
mod start;

use std::ffi::OsString;
use std::time::Duration;

#[cfg(doc)]
use super::Crossed;
use super::{Ended, Instance, Limits, Outcome, SandboxError};

/// A side of an interactive run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The program that is judged. The judge does not trust it.
    Submission,
    /// The program that leads the conversation and judges the submission.
    Interactor,
}

/// A program that takes part in an interactive run.
#[derive(Debug)]
pub struct Participant<'a, 'r> {
    /// The instance that it runs in.
    pub instance: &'a mut Instance<'r>,
    /// Arguments after those of its program.
    pub arguments: Vec<OsString>,
    /// The limits of this side. Time in which this side waits for the other side does not count against the wall limit.
    pub limits: Limits,
}

/// A message: the output of one side until the other side writes something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The side that sent it.
    pub by: Side,
    /// The time of its first byte, since the start of the run.
    pub at: Duration,
    /// Its first bytes, at most 512.
    pub text: Vec<u8>,
    /// Its length in bytes.
    pub whole_bytes: u64,
}

/// The result of an interactive run. The outcomes contain no standard output, because it was delivered to the other
/// side. For the interactor, [`Outcome::printed_bytes`] counts only the bytes of standard output since the submission's
/// last message.
#[derive(Debug)]
pub struct Interaction {
    /// The outcome of the submission.
    pub submission: Outcome,
    /// The outcome of the interactor.
    pub interactor: Outcome,
    /// Whether the interactor had seen the end of the submission's output before the interactor ended.
    pub interactor_saw_end: bool,
    /// Whether the judge killed the submission because the interactor had ended. `false` if the submission ended by
    /// itself or exceeded a limit.
    pub submission_stopped: bool,
    /// Why the submission is to blame if the interactor exceeded a time limit; `None` if the submission is not to
    /// blame, or if the interactor exceeded no time limit.
    pub overload: Option<Overload>,
    /// The last 40 messages, oldest first.
    pub transcript: Vec<Exchange>,
}

/// The behaviour of a submission that makes its interactor exceed a time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overload {
    /// It sends more than the interactor can read.
    Flood,
    /// It keeps the conversation going: when the interactor exceeds its limit, messages still pass in at least one
    /// direction.
    EndlessTalk,
}

/// The side whose program could not be run.
#[derive(Debug)]
pub enum InteractiveError {
    /// The submission, or no specific side.
    Submission(SandboxError),
    /// The interactor.
    Interactor(SandboxError),
}

impl From<SandboxError> for InteractiveError {
    fn from(error: SandboxError) -> Self {
        InteractiveError::Submission(error)
    }
}

/// Connects two programs and runs them until both have ended. When the interactor ends within its limits,
/// `may_continue` decides from its exit code or signal whether the submission may continue. If not, or if the
/// interactor exceeded a limit, the judge kills the submission. Fails if one of the programs could not be run.
pub fn run_interactive(
    submission: Participant<'_, '_>,
    interactor: Participant<'_, '_>,
    may_continue: fn(Ended) -> bool,
) -> Result<Interaction, InteractiveError> {
    let (submission_instance, interactor_instance) = (submission.instance, interactor.instance);
    let invocations = start::Invocations {
        submission: (submission.arguments, submission.limits),
        interactor: (interactor.arguments, interactor.limits),
    };
    let finished = start::start(submission_instance, interactor_instance, &invocations, may_continue);
    if finished.is_err() {
        // One of the programs may still run. Dropping both zygotes kills this program.
        submission_instance.discard_zygote();
        interactor_instance.discard_zygote();
    }
    let relay::Finished { submission, interactor, interactor_saw_end, submission_stopped, overload, transcript } =
        finished?;
    let submission = submission_instance.outcome_of(submission);
    let interactor = interactor_instance.outcome_of(interactor).map_err(InteractiveError::Interactor)?;
    Ok(Interaction {
        submission: submission.map_err(InteractiveError::Submission)?,
        interactor,
        interactor_saw_end,
        submission_stopped,
        overload,
        transcript,
    })
}

#[cfg(test)]
mod tests;
