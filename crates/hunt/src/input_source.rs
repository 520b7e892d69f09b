//! The interface of a source of inputs. The search and the shrinker know inputs only through it.

use referee_event::Exchange;
use referee_grading::verdict::Verdict;
use referee_judge::JudgeError;

/// A source of inputs that can also judge and shrink them.
pub trait InputSource: Sync {
    /// An input, together with the data that is needed to make smaller inputs from it.
    type Candidate: Clone + Send + Sync;

    /// Returns input number `number`, counted from 0. The same number always gives the same input, on any thread.
    fn draw(&self, number: u64) -> Result<Draw<Self::Candidate>, JudgeError>;

    /// Returns the part of all possible inputs that is searched once the inputs up to `number` are drawn, from 0 to 1.
    /// `None` if the number of all possible inputs is unknown or too large to try.
    fn share(&self, _number: u64) -> Option<f64> {
        None
    }

    /// Runs the program on an input, unless the input is illegal, and returns the result.
    fn examine(&self, candidate: &Self::Candidate) -> Result<CandidateResult, JudgeError>;

    /// Like [`InputSource::examine`], but a timeout does not count as a failure and need not be confirmed. The result
    /// may nevertheless be a timeout.
    fn examine_except_timeouts(&self, candidate: &Self::Candidate) -> Result<CandidateResult, JudgeError> {
        self.examine(candidate)
    }

    /// Returns an estimate of the work of solving the input: the number of positions that a search visits. Returns
    /// `None` if it is unknown.
    fn effort(&self, _candidate: &Self::Candidate) -> Option<u64> {
        None
    }

    /// Returns inputs that are one step smaller than `candidate`, the most promising first. `failure` is the failure on
    /// `candidate`. An input can be made smaller only a finite number of times.
    fn smaller<'a>(
        &'a self,
        candidate: &'a Self::Candidate,
        failure: &'a Failure,
    ) -> Box<dyn Iterator<Item = Self::Candidate> + Send + 'a>;

    /// Returns the input's bytes.
    fn bytes(&self, candidate: &Self::Candidate) -> Vec<u8>;

    /// Returns a remark that a setter needs to make a test case from the input; `None` if there is no remark.
    fn remark(&self, _candidate: &Self::Candidate) -> Option<String> {
        None
    }

    /// Decides where shrinking continues after it has replaced the input with step `i` of [`InputSource::smaller`]. If
    /// true, shrinking tries the steps of the new input from step `i` on, and the earlier steps last. If false, it
    /// begins with the first step.
    fn resumes_at_same_step(&self) -> bool;
}

/// The result of drawing an input by its number.
pub enum Draw<P> {
    /// An input.
    Candidate(P),
    /// This number gives no input, but other numbers may.
    Nothing,
    /// Neither this number nor any higher one gives an input.
    End,
}

/// The result of [`InputSource::examine`].
pub enum CandidateResult {
    /// The program passes.
    Passes,
    /// The input is illegal, or nothing shows that it is legal. The program was not run on it.
    Illegal,
    /// The result is unknown, because the package's own programs or the judge failed on the input. The text is the
    /// reason.
    Unjudged(String),
    /// The program fails on the input, or the package's accepted submissions fail or disagree on it.
    Fails(Box<Failure>),
}

/// A failure of the program, or of the package itself, on an input.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What fails, and how.
    pub kind: Kind,
    /// The explanation of the failure; `None` if there is none.
    pub message: Option<String>,
    /// The correct answer, or the first submission's answer if the accepted submissions disagree; `None` if it is
    /// unknown.
    pub expected: Option<Vec<u8>>,
    /// The beginning of the output of the failing program or submission.
    pub got: Vec<u8>,
    /// The last messages between the failing program and the output validator; `None` if the problem is not interactive
    /// or if the messages are unknown.
    pub exchanges: Option<Vec<Exchange>>,
    /// The index in the input of the first board that the program answers wrongly. It is the number of boards if the
    /// program answers all boards correctly but prints more than the answers. `None` if the index is unknown.
    pub focus: Option<usize>,
}

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The program gets this verdict, which is not accepted.
    Program(Verdict),
    /// The package's accepted submissions disagree, or one of them fails.
    Jury,
}

impl Kind {
    /// Returns the kind's name in reports.
    pub(crate) fn name(self) -> String {
        match self {
            Kind::Program(verdict) => verdict.to_string(),
            Kind::Jury => "jury".to_owned(),
        }
    }
}

/// The maximum size of the part of an output that is stored, in bytes.
pub const GOT_BYTES: usize = 64 << 10;
