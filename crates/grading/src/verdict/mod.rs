//! Verdicts, and the algebra of expected verdicts. Pure.
//!
//! A [`Verdict`] is what the judge says. The package format knows fewer words ([`Word`]: AC, WA, TLE, RTE) and says
//! with them what a submission may get ([`Expectation::permitted`]) and what it must get somewhere
//! ([`Expectation::required`]); [`Verdict::word`] is the one place where the two vocabularies meet.

mod expectation;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use expectation::{Breach, CaseFilter, Expectation, Got, TimeBound};

/// The judge's word on one submission and one test case, or on a whole submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Verdict {
    /// Accepted: the output is right and every limit was kept.
    #[serde(rename = "AC")]
    Accepted,
    /// The output is wrong.
    #[serde(rename = "WA")]
    WrongAnswer,
    /// More CPU or wall time than allowed.
    #[serde(rename = "TLE")]
    TimeLimitExceeded,
    /// More memory than allowed.
    #[serde(rename = "MLE")]
    MemoryLimitExceeded,
    /// More output than allowed.
    #[serde(rename = "OLE")]
    OutputLimitExceeded,
    /// Ended by a signal or with an exit code other than 0.
    #[serde(rename = "RTE")]
    RunTimeError,
    /// Did not compile.
    #[serde(rename = "CE")]
    CompileError,
    /// The judge or the package failed. Never the submission's fault.
    #[serde(rename = "JE")]
    JudgeError,
}

impl Verdict {
    /// The two or three letters by which people know it.
    pub fn code(self) -> &'static str {
        match self {
            Verdict::Accepted => "AC",
            Verdict::WrongAnswer => "WA",
            Verdict::TimeLimitExceeded => "TLE",
            Verdict::MemoryLimitExceeded => "MLE",
            Verdict::OutputLimitExceeded => "OLE",
            Verdict::RunTimeError => "RTE",
            Verdict::CompileError => "CE",
            Verdict::JudgeError => "JE",
        }
    }

    /// The verdict in the package format's vocabulary, which has no words for memory and output: running out of
    /// either counts as a run-time error there. Compile and judge errors cannot be expected of a submission.
    pub fn word(self) -> Option<Word> {
        match self {
            Verdict::Accepted => Some(Word::AC),
            Verdict::WrongAnswer => Some(Word::WA),
            Verdict::TimeLimitExceeded => Some(Word::TLE),
            Verdict::MemoryLimitExceeded | Verdict::OutputLimitExceeded | Verdict::RunTimeError => Some(Word::RTE),
            Verdict::CompileError | Verdict::JudgeError => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// A verdict as packages declare it (format 2025-09, "submissions.yaml").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Word {
    /// Accepted.
    AC,
    /// Wrong answer.
    WA,
    /// Time limit exceeded.
    TLE,
    /// Run-time error, memory and output limits included.
    RTE,
}

impl Word {
    /// All of them: what a rule that does not say otherwise permits.
    pub const ALL: [Word; 4] = [Word::AC, Word::WA, Word::TLE, Word::RTE];
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The verdict on a submission: that of its first case that was not accepted. A judge error anywhere comes first,
/// because then nothing else can be trusted.
pub fn of_submission(cases: impl IntoIterator<Item = Verdict>) -> Verdict {
    let mut first = Verdict::Accepted;
    for verdict in cases {
        match verdict {
            Verdict::JudgeError => return Verdict::JudgeError,
            other if first == Verdict::Accepted => first = other,
            _ => {}
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_is_the_submissions_verdict_but_a_judge_error_comes_before_all() {
        use Verdict::{Accepted, JudgeError, RunTimeError, WrongAnswer};
        assert_eq!(of_submission([Accepted, Accepted]), Accepted);
        assert_eq!(of_submission([Accepted, WrongAnswer, RunTimeError]), WrongAnswer);
        assert_eq!(of_submission([Accepted, WrongAnswer, JudgeError]), JudgeError);
    }
}
