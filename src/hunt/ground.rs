//! What a search and a shrinker have to know of inputs, and nothing else.

use crate::judge::JudgeError;
use crate::verdict::Verdict;

/// Where inputs come from, and what is known of them.
pub(crate) trait Ground: Sync {
    /// An input, with what is needed to make a smaller one of it.
    type Prey: Clone + Send + Sync;

    /// Input number `number`, counted from 0. The same number gives the same input, whenever and by whomever it is
    /// asked for.
    fn draw(&self, number: u64) -> Result<Draw<Self::Prey>, JudgeError>;

    /// What comes of running the program on it.
    fn examine(&self, prey: &Self::Prey) -> Result<Word, JudgeError>;

    /// Inputs one step smaller than `prey`, on which the program fails by `failure`; the most promising first. Every
    /// chain of steps has an end.
    fn smaller<'a>(
        &'a self,
        prey: &'a Self::Prey,
        failure: &'a Failure,
    ) -> Box<dyn Iterator<Item = Self::Prey> + Send + 'a>;

    /// The input's bytes.
    fn bytes(&self, prey: &Self::Prey) -> Vec<u8>;

    /// What else somebody has to know who makes a test case of it.
    fn remark(&self, _prey: &Self::Prey) -> Option<String> {
        None
    }

    /// Whether, after a step that helped, the next one of its list is tried, else the first of the new list.
    fn goes_on_behind(&self) -> bool;
}

/// What a number stands for.
pub(crate) enum Draw<P> {
    /// An input.
    Prey(P),
    /// None, but others may.
    Nothing,
    /// None, and no higher number stands for any.
    End,
}

/// What came of running the program.
pub(crate) enum Word {
    /// It does what it should.
    Passes,
    /// The input is not legal.
    Illegal,
    /// Nobody can tell: the package's own programs, or the judge, failed on it.
    Unjudged(String),
    /// It fails.
    Fails(Box<Failure>),
}

/// How a program, or the package itself, fails on an input.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    /// Why that is so.
    pub(crate) message: Option<String>,
    /// The right answer, where there is one.
    pub(crate) expected: Option<Vec<u8>>,
    /// What the program wrote, cut.
    pub(crate) got: Vec<u8>,
    /// Which instance of several it fails on first, where that is known.
    pub(crate) focus: Option<usize>,
}

/// What kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The program gets this verdict.
    Program(Verdict),
    /// The package's accepted submissions do not agree, or fail.
    Jury,
}

impl Kind {
    /// Its name in reports.
    pub(crate) fn word(self) -> String {
        match self {
            Kind::Program(verdict) => verdict.to_string(),
            Kind::Jury => "jury".to_owned(),
        }
    }
}

/// What is kept of an output, in bytes.
pub(crate) const GOT_BYTES: usize = 64 << 10;
