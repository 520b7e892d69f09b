//! The default grader of the legacy format, and the protocol of graders in packages.
//!
//! See the section "Graders" of the legacy format. The default grader runs in the judge, without a process of its own.

use super::{Score, SubResult};
use crate::verdict::Verdict;

/// How the verdicts of a group are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VerdictMode {
    /// The worst verdict of all results.
    #[default]
    WorstError,
    /// The first verdict other than accepted; accepted if there is none.
    FirstError,
    /// Accepted, for any results.
    AlwaysAccept,
}

/// How the scores of a group are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScoreMode {
    /// The sum of the scores.
    #[default]
    Sum,
    /// The mean of the scores.
    Avg,
    /// The smallest score.
    Min,
    /// The largest score.
    Max,
}

/// The `grader_flags` of the default grader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// How verdicts are combined.
    pub verdicts: VerdictMode,
    /// How scores are combined.
    pub scores: ScoreMode,
    /// Whether the results of `sample` are ignored. Only the root group may have this flag.
    pub ignore_sample: bool,
    /// Whether one accepted result makes the group accepted.
    pub accept_if_any_accepted: bool,
}

/// A word in the flags that is not a flag of the default grader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a flag of the default grader, so it is ignored; allowed, separated by blanks: worst_error, \
         first_error, always_accept, sum, avg, min, max, ignore_sample, accept_if_any_accepted"
)]
pub struct UnknownFlag(pub String);

impl Flags {
    /// Parses flags separated by whitespace. If flags exclude each other, the last one counts. Unknown flags have no
    /// effect, as in problemtools and on DOMjudge. Also returns the first unknown flag; `None` if all flags are known.
    pub fn read(text: &str) -> (Flags, Option<UnknownFlag>) {
        let (mut flags, mut first_unknown) = (Flags::default(), None);
        for word in text.split_whitespace() {
            match word {
                // `no_errors` is the name of `worst_error` in older versions of problemtools.
                "worst_error" | "no_errors" => flags.verdicts = VerdictMode::WorstError,
                "first_error" => flags.verdicts = VerdictMode::FirstError,
                "always_accept" => flags.verdicts = VerdictMode::AlwaysAccept,
                "sum" => flags.scores = ScoreMode::Sum,
                "avg" => flags.scores = ScoreMode::Avg,
                "min" => flags.scores = ScoreMode::Min,
                "max" => flags.scores = ScoreMode::Max,
                "ignore_sample" => flags.ignore_sample = true,
                "accept_if_any_accepted" => flags.accept_if_any_accepted = true,
                unknown => {
                    first_unknown.get_or_insert_with(|| UnknownFlag(unknown.chars().take(40).collect()));
                }
            }
        }
        (flags, first_unknown)
    }

    /// Returns whether a single result that is not accepted always makes the group not accepted.
    pub fn are_strict(self) -> bool {
        self.verdicts != VerdictMode::AlwaysAccept && !self.accept_if_any_accepted && !self.ignore_sample
    }

    /// Combines the results of a group, which are in the order of judging. A group without results is accepted with
    /// score 0.
    pub fn grade(self, results: &[SubResult]) -> SubResult {
        // With `ignore_sample`, only the last result counts: the result of `secret`, or of `sample` if judging stopped
        // there.
        let results = if self.ignore_sample { &results[results.len().saturating_sub(1)..] } else { results };
        let mut verdicts = results.iter().map(|result| result.verdict);
        let verdict = if self.accept_if_any_accepted && verdicts.clone().any(|verdict| verdict == Verdict::Accepted) {
            Verdict::Accepted
        } else {
            match self.verdicts {
                VerdictMode::AlwaysAccept => Verdict::Accepted,
                VerdictMode::FirstError => verdicts.find(|&one| one != Verdict::Accepted).unwrap_or(Verdict::Accepted),
                VerdictMode::WorstError => verdicts.min_by_key(|&one| badness(one)).unwrap_or(Verdict::Accepted),
            }
        };
        let scores: Vec<_> = results.iter().map(|result| result.score.clone()).collect();
        SubResult { verdict, score: self.scores.combine(&scores) }
    }
}

impl ScoreMode {
    /// Combines scores; returns 0 if there are none.
    pub fn combine(self, scores: &[Score]) -> Score {
        match self {
            ScoreMode::Sum => scores.iter().sum(),
            ScoreMode::Avg => scores.iter().sum::<Score>() / scores.len(),
            ScoreMode::Min => scores.iter().min().cloned().unwrap_or_default(),
            ScoreMode::Max => scores.iter().max().cloned().unwrap_or_default(),
        }
    }
}

/// Returns the rank of the verdict; the worst verdict has rank 0.
fn badness(verdict: Verdict) -> usize {
    use Verdict::{
        Accepted, CompileError, JudgeError, MemoryLimitExceeded, OutputLimitExceeded, RunTimeError, TimeLimitExceeded,
        WrongAnswer,
    };
    let order = [
        JudgeError,
        CompileError,
        RunTimeError,
        MemoryLimitExceeded,
        TimeLimitExceeded,
        OutputLimitExceeded,
        WrongAnswer,
        Accepted,
    ];
    order.iter().position(|&one| one == verdict).unwrap_or(order.len())
}

/// Returns the results of a group in the format that graders in packages read. The format has codes for only four
/// verdicts, so exceeded memory and output limits become run-time errors.
pub fn write_results(results: &[SubResult]) -> String {
    let line = |result: &SubResult| {
        let word = result.verdict.word().map_or_else(|| result.verdict.to_string(), |word| word.to_string());
        format!("{word} {}\n", result.score)
    };
    results.iter().map(line).collect()
}

impl SubResult {
    /// Parses the output of a package's grader: one line with a verdict and a score. Fails with a message if the output
    /// has another format, or if the verdict is `JE`.
    pub fn read(text: &str) -> Result<SubResult, String> {
        let shown = || format!("{:?}", text.chars().take(60).collect::<String>());
        let wrong = || format!("it must write one line such as \"AC 30\"; it wrote {}", shown());
        let mut words = text.split_whitespace();
        let (Some(word), Some(score), None) = (words.next(), words.next(), words.next()) else { return Err(wrong()) };
        if text.trim_end().contains('\n') {
            return Err(wrong());
        }
        let verdict = match word {
            "AC" => Verdict::Accepted,
            "WA" => Verdict::WrongAnswer,
            "TLE" => Verdict::TimeLimitExceeded,
            "RTE" => Verdict::RunTimeError,
            "MLE" => Verdict::MemoryLimitExceeded,
            "OLE" => Verdict::OutputLimitExceeded,
            "JE" => return Err("it reported the verdict JE (judge error)".to_owned()),
            _ => return Err(wrong()),
        };
        let score = Score::parse(score).ok_or_else(wrong)?;
        Ok(SubResult { verdict, score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{
        Accepted as AC, MemoryLimitExceeded as MLE, OutputLimitExceeded as OLE, RunTimeError as RTE,
        TimeLimitExceeded as TLE, WrongAnswer as WA,
    };

    fn graded(flags: &str, results: &[(Verdict, &str)]) -> (Verdict, String) {
        let results: Vec<_> = results
            .iter()
            .map(|&(verdict, score)| SubResult { verdict, score: Score::parse(score).unwrap() })
            .collect();
        let SubResult { verdict, score } = Flags::read(flags).0.grade(&results);
        (verdict, score.to_string())
    }

    fn of(verdict: Verdict, score: &str) -> (Verdict, String) {
        (verdict, score.to_owned())
    }

    #[test]
    fn the_worst_error_is_the_first_in_the_order_of_the_format() {
        let all = [(WA, "0"), (OLE, "0"), (TLE, "0"), (MLE, "0"), (RTE, "0"), (AC, "0")];
        for (index, worst) in [RTE, MLE, TLE, OLE, WA].into_iter().enumerate() {
            assert_eq!(graded("", &all[..5 - index]).0, worst);
        }
        assert_eq!(graded("first_error", &[(AC, "0"), (WA, "0"), (RTE, "0")]).0, WA);
        assert_eq!(graded("always_accept", &all).0, AC);
        assert_eq!(graded("accept_if_any_accepted", &all).0, AC);
        assert_eq!(graded("accept_if_any_accepted first_error", &all[..5]).0, WA);
    }

    #[test]
    fn scores_of_all_results_become_one() {
        let results = [(AC, "3"), (WA, "0.5"), (AC, "-1")];
        let score = |flags| graded(flags, &results).1;
        assert_eq!((score(""), score("min"), score("max")), ("2.5".into(), "-1".into(), "3".into()));
        assert_eq!(graded("avg", &results[..2]).1, "1.75");
    }

    #[test]
    fn of_flags_that_exclude_each_other_the_last_one_holds_and_unknown_ones_are_reported() {
        let (flags, unknown) = Flags::read("min first_error  max always_accept");
        assert_eq!(unknown, None);
        assert_eq!((flags.verdicts, flags.scores), (VerdictMode::AlwaysAccept, ScoreMode::Max));
        let (flags, unknown) = Flags::read("min, mean ignore_sample");
        assert!(flags.ignore_sample);
        assert_eq!(flags.scores, ScoreMode::Sum);
        assert!(unknown.unwrap().to_string().starts_with("\"min,\" is not a flag"));
    }

    #[test]
    fn the_sample_may_not_count() {
        assert_eq!(graded("ignore_sample", &[(WA, "7"), (AC, "40")]), of(AC, "40"));
        assert_eq!(graded("ignore_sample", &[(WA, "7")]), of(WA, "7"), "judging broke off after it");
        assert_eq!(graded("ignore_sample avg", &[]), of(AC, "0"));
    }

    #[test]
    fn a_grader_of_the_package_reads_and_writes_a_verdict_and_a_score_a_line() {
        let result = |verdict, score: &str| SubResult { verdict, score: Score::parse(score).unwrap() };
        let input = [result(AC, "50"), result(MLE, "0"), result(TLE, "-0.5"), result(OLE, "1e3")];
        assert_eq!(write_results(&input), "AC 50\nRTE 0\nTLE -0.5\nRTE 1000\n");
        assert_eq!(SubResult::read("AC  12.5 \n"), Ok(result(AC, "12.5")));
        assert_eq!(SubResult::read("WA 0"), Ok(result(WA, "0")));
        for text in ["", "AC", "AC x", "OK 1", "AC 1 2", "AC 1\nAC 2\n", "AC\n1\n", "ac 1", "AC inf", "AC nan", "JE 0"]
        {
            assert!(SubResult::read(text).is_err(), "{text:?}");
        }
    }
}
