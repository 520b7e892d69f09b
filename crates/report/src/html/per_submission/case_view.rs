//! Decides what a student may see of a test case.

use super::crash::Crash;
use crate::diff::{Row, rows};
use crate::failure::SIGABRT;
use crate::last_words::last_words;
use referee_event::{CaseFinished, Excerpt, Exchange, Exhibit};
use referee_grading::verdict::Verdict;

/// The maximum number of rows of a difference between the answer and the output.
const MOST_ROWS: usize = 200;

/// The beginning of the names of the test cases that students know.
const SAMPLE: &str = "sample/";

/// What a page shows of a result.
pub(super) struct CaseView {
    /// The number of the test case, counted from 1.
    pub(super) number: usize,
    /// The name of the test case; `None` if it is secret.
    pub(super) name: Option<String>,
    pub(super) verdict: Verdict,
    /// CPU time in seconds; `None` if it is unknown.
    pub(super) cpu_seconds: Option<f64>,
    /// Why the submission failed, in the judge's words; `None` if it did not, or if these words could quote a secret.
    pub(super) reason: Option<String>,
    /// Where and how the program crashed; `None` if it did not, or if that is unknown.
    pub(super) crash: Option<Crash>,
    /// The texts; `None` if the submission was accepted, if the case is secret, or if too many cases have texts already.
    pub(super) details: Option<Details>,
}

/// The texts of a result that was not accepted.
pub(super) struct Details {
    /// The package's description of the case; `None` if it has none.
    pub(super) description: Option<String>,
    /// The message of the validator to the team; `None` if there is none.
    pub(super) team_message: Option<String>,
    /// The line of the standard error that says why the program crashed; `None` if no line does.
    pub(super) why: Option<String>,
    pub(super) input: Excerpt,
    /// The standard output.
    pub(super) output: Excerpt,
    /// The differences between the answer and the output; `None` unless the output is wrong.
    pub(super) rows: Option<Vec<Row>>,
    pub(super) stderr: Excerpt,
    /// The last messages; `None` if the problem is not interactive.
    pub(super) exchanges: Option<Vec<Exchange>>,
}

impl CaseView {
    /// Returns what a page shows of this result. The texts are left out unless `has_room`.
    pub(super) fn of(case: &CaseFinished, number: usize, shows_secret: bool, has_room: bool) -> CaseView {
        let is_known = shows_secret || case.case.starts_with(SAMPLE);
        let exhibit = case.exhibit.as_deref();
        let is_crash = case.verdict == Verdict::RunTimeError;
        let mut reason = case.message.clone().filter(|_| is_known || is_of_judge(case.verdict));
        if case.verdict == Verdict::JudgeError && !shows_secret {
            // Its message is for the teacher, and can quote anything.
            reason = None;
        }
        if case.verdict == Verdict::WrongAnswer && case.team_message.is_some() && !shows_secret {
            // The validator has a message for the student, so the other one is for the teacher.
            reason = None;
        }
        CaseView {
            number,
            name: is_known.then(|| case.case.clone()),
            verdict: case.verdict,
            cpu_seconds: case.cpu_seconds,
            reason: reason.filter(|_| case.verdict != Verdict::Accepted),
            crash: exhibit.filter(|_| is_crash).and_then(|exhibit| Crash::of(&exhibit.stderr)),
            details: exhibit.filter(|_| is_known && has_room).map(|exhibit| Details::of(case, exhibit)),
        }
    }
}

/// Returns whether the judge itself writes the message of a result with this verdict, about a limit or about the end of
/// the program. The messages of all other verdicts can come from a validator.
fn is_of_judge(verdict: Verdict) -> bool {
    use Verdict::{MemoryLimitExceeded, OutputLimitExceeded, RunTimeError, TimeLimitExceeded};
    matches!(verdict, RunTimeError | TimeLimitExceeded | MemoryLimitExceeded | OutputLimitExceeded)
}

impl Details {
    fn of(case: &CaseFinished, exhibit: &Exhibit) -> Details {
        let is_wrong = case.verdict == Verdict::WrongAnswer && exhibit.exchanges.is_none();
        let by_signal = case.signal.is_some_and(|signal| signal != SIGABRT);
        let why = last_words(&exhibit.stderr, by_signal).filter(|_| case.verdict == Verdict::RunTimeError);
        Details {
            description: exhibit.description.clone(),
            team_message: case.team_message.clone(),
            why,
            input: exhibit.input.clone(),
            output: exhibit.output.clone(),
            rows: is_wrong.then(|| rows(&exhibit.expected, &exhibit.output, MOST_ROWS)),
            stderr: exhibit.stderr.clone(),
            exchanges: exhibit.exchanges.clone(),
        }
    }
}
