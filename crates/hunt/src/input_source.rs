//! The interface between inputs and the search and the shrinker, which know nothing else about inputs.

use referee_grading::verdict::Verdict;
use referee_judge::JudgeError;

/// A source of inputs that can also judge and shrink them.
pub trait InputSource: Sync {
    /// An input, with everything that is needed to make smaller ones from it.
    type Candidate: Clone + Send + Sync;

    /// Returns input number `number`, counted from 0. The same number always gives the same input, on any thread.
    fn draw(&self, number: u64) -> Result<Draw<Self::Candidate>, JudgeError>;

    /// Runs the program on an input and returns the result.
    fn examine(&self, candidate: &Self::Candidate) -> Result<CandidateResult, JudgeError>;

    /// Returns inputs that are one step smaller than `candidate`, the most promising first. `failure` is the failure on
    /// `candidate`. Every chain of steps ends.
    fn smaller<'a>(
        &'a self,
        candidate: &'a Self::Candidate,
        failure: &'a Failure,
    ) -> Box<dyn Iterator<Item = Self::Candidate> + Send + 'a>;

    /// Returns the input's bytes.
    fn bytes(&self, candidate: &Self::Candidate) -> Vec<u8>;

    /// Returns what a setter has to know to make a test case from the input; `None` if there is nothing.
    fn remark(&self, _prey: &Self::Candidate) -> Option<String> {
        None
    }

    /// Returns where shrinking continues after a successful step: with the next step of the new list if true, with its
    /// first step if false.
    fn goes_on_behind(&self) -> bool;
}

/// The result of drawing an input by its number.
pub enum Draw<P> {
    /// An input.
    Candidate(P),
    /// This number gives no input, but others may.
    Nothing,
    /// Neither this number nor any higher one gives an input.
    End,
}

/// The result of running the program on an input.
pub enum CandidateResult {
    /// The program passes.
    Passes,
    /// The input is not legal.
    Illegal,
    /// The result is unknown: the package's own programs, or the judge, failed on the input.
    Unjudged(String),
    /// The program fails, or the package itself does.
    Fails(Box<Failure>),
}

/// A failure of the program, or of the package itself, on an input.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What fails, and how.
    pub kind: Kind,
    /// The explanation, if there is one.
    pub message: Option<String>,
    /// The correct answer; `None` if there is none.
    pub expected: Option<Vec<u8>>,
    /// The beginning of the program's output.
    pub got: Vec<u8>,
    /// The index of the first instance in the input on which the program fails; `None` if it is unknown.
    pub focus: Option<usize>,
}

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The program gets this verdict.
    Program(Verdict),
    /// The package's accepted submissions disagree, or fail.
    Jury,
}

impl Kind {
    /// Returns the kind's name in reports.
    pub(crate) fn word(self) -> String {
        match self {
            Kind::Program(verdict) => verdict.to_string(),
            Kind::Jury => "jury".to_owned(),
        }
    }
}

/// How much of an output is kept, in bytes.
pub const GOT_BYTES: usize = 64 << 10;
