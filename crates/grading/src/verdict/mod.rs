//! Verdicts and expected verdicts.
//!
//! A [`Verdict`] is the judge's decision. The package format knows only the four verdicts of [`DeclaredVerdict`]: AC,
//! WA, TLE and RTE. A package can declare two sets of these. On every test case, the submission may get only verdicts
//! of the first set ([`Expectation::permitted`]). On at least one test case, it must get a verdict of the second set
//! ([`Expectation::required`]). Only [`Verdict::word`] converts a [`Verdict`] into a [`DeclaredVerdict`].

mod expectation;
mod progress;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use expectation::{Breach, CaseFilter, CaseVerdict, Expectation, TimeBound};
pub use progress::{RuleProgress, RuleState};

/// The judge's verdict on a submission, or on a submission and one test case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Verdict {
    /// Accepted: the output is correct and no limit was exceeded.
    #[serde(rename = "AC")]
    Accepted,
    /// The output is wrong.
    #[serde(rename = "WA")]
    WrongAnswer,
    /// The submission exceeded the limit of CPU time or of wall time.
    #[serde(rename = "TLE")]
    TimeLimitExceeded,
    /// The submission exceeded the memory limit.
    #[serde(rename = "MLE")]
    MemoryLimitExceeded,
    /// The submission exceeded the output limit.
    #[serde(rename = "OLE")]
    OutputLimitExceeded,
    /// A signal ended the submission, or the submission exited with a code other than 0.
    #[serde(rename = "RTE")]
    RunTimeError,
    /// The submission does not compile.
    #[serde(rename = "CE")]
    CompileError,
    /// The judge or the package failed. This is never the submission's fault.
    #[serde(rename = "JE")]
    JudgeError,
}

impl Verdict {
    /// Returns the verdict's code of two or three letters, such as `AC`.
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

    /// Whether the submission exceeded its limit on time, memory or output.
    pub fn is_exceeded_limit(self) -> bool {
        matches!(self, Verdict::TimeLimitExceeded | Verdict::MemoryLimitExceeded | Verdict::OutputLimitExceeded)
    }

    /// Returns the verdict in the package format's terms. The format has no verdicts for memory and output, so
    /// exceeding either limit is a run-time error. Returns `None` for compile errors and judge errors, which a package
    /// cannot expect.
    pub fn word(self) -> Option<DeclaredVerdict> {
        match self {
            Verdict::Accepted => Some(DeclaredVerdict::AC),
            Verdict::WrongAnswer => Some(DeclaredVerdict::WA),
            Verdict::TimeLimitExceeded => Some(DeclaredVerdict::TLE),
            Verdict::MemoryLimitExceeded | Verdict::OutputLimitExceeded | Verdict::RunTimeError => {
                Some(DeclaredVerdict::RTE)
            }
            Verdict::CompileError | Verdict::JudgeError => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// A verdict as packages declare it. See the section "submissions.yaml" of package format 2025-09.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum DeclaredVerdict {
    /// Accepted.
    AC,
    /// Wrong answer.
    WA,
    /// Time limit exceeded.
    TLE,
    /// Run-time error, including exceeded memory and output limits.
    RTE,
}

impl DeclaredVerdict {
    /// All four verdicts. A rule permits all of them by default.
    pub const ALL: [DeclaredVerdict; 4] =
        [DeclaredVerdict::AC, DeclaredVerdict::WA, DeclaredVerdict::TLE, DeclaredVerdict::RTE];
}

impl fmt::Display for DeclaredVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Returns the verdict on a submission. If all test cases are accepted, the submission is accepted; otherwise it gets
/// the verdict of the first test case that is not accepted. A judge error on any test case takes precedence, because
/// the other verdicts may then be wrong.
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
