//! Runs two programs that talk to each other, each in a sandbox instance of its own. The judge relays their messages.
//!
//! # Theory of operation
//!
//! The **submission** is the program that is judged; nothing about it is trusted. The **interactor** leads the
//! conversation and judges it. Both run at the same time, each with its own isolation. Neither has a descriptor of the
//! other. The judge holds the outer ends of four pipes and carries bytes both ways, through one [`channel`] each way,
//! with one `poll` for everything.
//!
//! - **Nothing blocks the judge.** Its ends of the pipes do not block. A channel holds a bounded number of bytes. While
//!   it is full, the judge reads nothing more from the sender, which then waits as on any full pipe.
//! - **No program is ended because it writes to one that is gone.** The judge reads, counts and discards bytes that
//!   cannot be delivered any more.
//! - **Output is counted on its way**, and nothing beyond the limit is delivered. The count of the interactor's output
//!   starts again whenever the submission has sent something: a submission that asks for ever gets answers for ever,
//!   and has limits of its own. Of the interactor's standard error, nothing beyond the limit is kept. Writing more is
//!   no fault, because an interactor may log all that it receives.
//! - **The end of a stream is passed on only when it is certain.** When the interactor closes its output, the judge
//!   tells the submission at once. When the submission closes its output, the judge tells the interactor only once the
//!   submission has ended and no process of it is left. Before that, the submission may be closing its output or dying,
//!   and the interactor must not judge the one when it is the other. If the submission has ended badly (a limit, a
//!   signal, an exit code other than 0), the judge tells the interactor only after the interactor has read everything
//!   and sleeps: then the interactor has nothing left to say about the submission's messages, and waits for more.
//!
//! So it is certain what the interactor knew when it ended: [`Interaction::interactor_saw_end`]. The order in which the
//! programs end does not matter, because it says more about the machine than about them. On a busy machine, a
//! submission that sends something wrong and exits may well be gone before the interactor has read it.
//!
//! # Whose time it is
//!
//! Each side has its own clocks, limits and control group. Wall time counts for the interactor while it works: it has
//! something to read, or one of its threads runs or is ready to run. Wall time counts for the submission while the
//! interactor sleeps and has read everything, and while the interactor cannot go on because the submission does not
//! read. So no submission is ended because its interactor is slow, and no interactor because its submission is. The
//! judge checks every 20 ms, which is exact enough for limits of seconds.
//!
//! If the submission sends faster than the interactor reads, the interactor's time may run out although it works.
//! [`Interaction::interactor_flooded`] tells such an interactor from one that hangs.

mod channel;
mod record;
mod relay;
mod start;

use std::ffi::OsString;
use std::time::Duration;

use super::{Ended, Instance, Limits, Outcome, SandboxError};

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The program of which nothing is trusted.
    Submission,
    /// The program that leads the talk.
    Interactor,
}

/// What one side brings.
#[derive(Debug)]
pub struct Participant<'a, 'r> {
    /// Where it runs.
    pub instance: &'a mut Instance<'r>,
    /// Arguments after those of its program.
    pub arguments: Vec<OsString>,
    /// Its limits. The wall limit counts only the time that is this side's own.
    pub limits: Limits,
}

/// Something that one side said before the other said anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The side that sent it.
    pub by: Side,
    /// When its first byte came, since the start of the talk.
    pub at: Duration,
    /// Its beginning.
    pub text: Vec<u8>,
    /// How many bytes it has in all.
    pub whole_bytes: u64,
}

/// What came of a talk. The outcomes hold no standard output: it was delivered. The interactor's printed bytes are
/// those since the submission spoke last, without its standard error.
#[derive(Debug)]
pub struct Interaction {
    /// The submission's outcome.
    pub submission: Outcome,
    /// The interactor's.
    pub interactor: Outcome,
    /// Whether the interactor had been told of the submission's end when it ended itself.
    pub interactor_saw_end: bool,
    /// Whether the submission was ended because the talk was over for it, and not by itself or a limit.
    pub submission_stopped: bool,
    /// Whether the interactor exceeded a time limit while the submission sent more than the interactor could read,
    /// although the interactor did read.
    pub interactor_flooded: bool,
    /// The last that was said, in order.
    pub transcript: Vec<Exchange>,
}

/// Whose program could not be run. Only one of them may be the judge's fault.
#[derive(Debug)]
pub enum InteractiveError {
    /// It concerns the submission, or neither side in particular.
    Submission(SandboxError),
    /// The interactor's.
    Interactor(SandboxError),
}

impl From<SandboxError> for InteractiveError {
    fn from(error: SandboxError) -> Self {
        InteractiveError::Submission(error)
    }
}

/// Lets two programs talk to the end of both. After the interactor has ended the submission may go on for as long as
/// its limits allow if `goes_on` says so of the interactor's end; else it is ended.
pub fn run_interactive(
    submission: Participant<'_, '_>,
    interactor: Participant<'_, '_>,
    goes_on: fn(Ended) -> bool,
) -> Result<Interaction, InteractiveError> {
    let (submission_instance, interactor_instance) = (submission.instance, interactor.instance);
    let parts = start::Parts {
        submission: (submission.arguments, submission.limits),
        interactor: (interactor.arguments, interactor.limits),
    };
    let finished = start::start(submission_instance, interactor_instance, &parts, goes_on);
    if finished.is_err() {
        // A program that runs there has no partner.
        submission_instance.give_up();
        interactor_instance.give_up();
    }
    let relay::Finished {
        submission,
        interactor,
        interactor_saw_end,
        submission_stopped,
        interactor_flooded,
        transcript,
    } = finished?;
    let submission = submission_instance.settle(submission);
    let interactor = interactor_instance.settle(interactor).map_err(InteractiveError::Interactor)?;
    Ok(Interaction {
        submission: submission.map_err(InteractiveError::Submission)?,
        interactor,
        interactor_saw_end,
        submission_stopped,
        interactor_flooded,
        transcript,
    })
}

#[cfg(test)]
mod tests;
