//! Computes the score of a test case from its verdict, and from `score.txt` and `score_multiplier.txt`, which its
//! validator may write.

use super::Score;
use crate::verdict::Verdict;

/// The content of a score file: a number, nothing, or the reason why no number could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// The number in the file.
    Number(Score),
    /// The file is empty, or contains only whitespace.
    Empty,
    /// The content is not a number, or the file cannot be read. Contains the reason.
    Unreadable(String),
}

impl Written {
    /// Parses the text of a score file: one number, with or without whitespace around it.
    pub fn read(text: &str) -> Written {
        let text = text.trim();
        if text.is_empty() {
            return Written::Empty;
        }
        Score::parse(text).map_or_else(
            || {
                let shown: String = text.chars().take(40).collect();
                Written::Unreadable(format!("contains {shown:?}, allowed: one decimal number"))
            },
            Written::Number,
        )
    }

    /// Returns the number as an exact fraction; `None` if the file gives no number.
    pub fn exact(&self) -> Option<String> {
        match self {
            Written::Number(score) => Some(score.exact()),
            Written::Empty | Written::Unreadable(_) => None,
        }
    }
}

/// The score files that a validator wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// The content of `score.txt`; `None` if it was not written.
    pub score: Option<Written>,
    /// The content of `score_multiplier.txt`; `None` if it was not written.
    pub multiplier: Option<Written>,
}

impl Given {
    /// Returns whether the validator wrote neither file.
    pub fn is_empty(&self) -> bool {
        self.score.is_none() && self.multiplier.is_none()
    }

    /// Returns whether every file that was written contains a number.
    pub fn is_readable(&self) -> bool {
        let is_number = |written: &Option<Written>| matches!(written, None | Some(Written::Number(_)));
        is_number(&self.score) && is_number(&self.multiplier)
    }
}

/// How a test case gets its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseRule {
    /// The test case has no score. The validator may write any score, which is ignored.
    Unscored,
    /// The test case has no score, and its validator must not write one. Its group is either passed or failed.
    PassFail,
    /// An accepted test case gets this score. Its validator may lower the score with either score file. Every other
    /// test case gets 0.
    Bounded(Score),
    /// An accepted test case gets the score that the validator writes; the validator must write one. Every other test
    /// case gets 0.
    Unbounded,
    /// In the legacy format, accepted test cases get one score, and all other test cases get another score. The
    /// validator may replace either score if `custom` is true.
    Legacy {
        /// The score of accepted test cases.
        accept: Score,
        /// The score of all other test cases.
        reject: Score,
        /// Whether the validator may write a score.
        custom: bool,
    },
    /// On DOMjudge, a test case that is accepted or has a wrong answer gets the score that the validator writes; it has
    /// no score if the validator writes none. Every other test case has no score.
    Domjudge,
}

impl CaseRule {
    /// Returns whether the format defines both `score.txt` and `score_multiplier.txt` for the test case. The legacy
    /// format and DOMjudge know only `score.txt`, and unscored test cases have neither.
    pub fn has_both_score_files(&self) -> bool {
        !matches!(self, CaseRule::Unscored | CaseRule::Legacy { .. } | CaseRule::Domjudge)
    }

    /// Returns the score of a test case; `None` if it has none, or if its verdict is a judge error. Fails if the
    /// validator wrote a score that the rule forbids, or did not write a score that the rule requires.
    ///
    /// See the section "Scoring test cases" of format 2025-09, and the section "Graders" of the legacy format.
    pub fn score(&self, verdict: Verdict, given: &Given) -> Result<Option<Score>, String> {
        if verdict == Verdict::JudgeError {
            return Ok(None);
        }
        match self {
            CaseRule::Unscored => Ok(None),
            CaseRule::Domjudge => match (verdict, &given.score) {
                (Verdict::Accepted | Verdict::WrongAnswer, Some(Written::Empty)) => Ok(Some(Score::zero())),
                (Verdict::Accepted | Verdict::WrongAnswer, Some(written)) => {
                    not_negative("score.txt", written).cloned().map(Some)
                }
                _ => Ok(None),
            },
            CaseRule::Legacy { accept, reject, custom } => {
                legacy(given, *custom, if verdict == Verdict::Accepted { accept } else { reject }).map(Some)
            }
            _ if verdict != Verdict::Accepted => match given.is_empty() {
                true if *self == CaseRule::PassFail => Ok(None),
                true => Ok(Some(Score::zero())),
                false => Err(format!(
                    "{0} was written for a test case that is not accepted; write {0} only for accepted test cases",
                    file_name(given)
                )),
            },
            CaseRule::PassFail if given.is_empty() => Ok(None),
            CaseRule::PassFail => Err(format!(
                "{} was written for a test case of a group with pass-fail aggregation, whose test cases have no scores",
                file_name(given)
            )),
            CaseRule::Bounded(most) => bounded(most, given).map(Some),
            CaseRule::Unbounded => unbounded(given).map(Some),
        }
    }
}

fn file_name(given: &Given) -> &'static str {
    if given.score.is_some() { "score.txt" } else { "score_multiplier.txt" }
}

fn legacy(given: &Given, custom: bool, default: &Score) -> Result<Score, String> {
    match &given.score {
        None => Ok(default.clone()),
        Some(_) if !custom => {
            Err("score.txt was written, but problem.yaml lacks 'validation: custom score', which allows the file"
                .to_owned())
        }
        Some(written) => number("score.txt", written).cloned(),
    }
}

fn bounded(most: &Score, given: &Given) -> Result<Score, String> {
    match (&given.score, &given.multiplier) {
        (None, None) => Ok(most.clone()),
        (Some(_), Some(_)) => {
            Err("both score.txt and score_multiplier.txt were written; write only one of them".to_owned())
        }
        (Some(written), None) => {
            let score = not_negative("score.txt", written)?;
            if score > most {
                return Err(format!("score.txt contains {score}, more than the maximum score {most} of the test case"));
            }
            Ok(score.clone())
        }
        (None, Some(written)) => {
            let part = not_negative("score_multiplier.txt", written)?;
            if *part > Score::whole(1) {
                return Err(format!("score_multiplier.txt contains {part}, allowed: 0 to 1"));
            }
            Ok(most * part)
        }
    }
}

fn unbounded(given: &Given) -> Result<Score, String> {
    match (&given.score, &given.multiplier) {
        (Some(_), Some(_)) => {
            Err("both score.txt and score_multiplier.txt were written; write only one of them".to_owned())
        }
        (None, Some(_)) => {
            Err("score_multiplier.txt was written in a group with unbounded score; write score.txt instead".to_owned())
        }
        (None, None) => {
            Err("no score.txt was written in a group with unbounded score; write score.txt for each accepted test case"
                .to_owned())
        }
        (Some(written), None) => not_negative("score.txt", written).cloned(),
    }
}

fn number<'a>(file_name: &str, written: &'a Written) -> Result<&'a Score, String> {
    match written {
        Written::Number(score) => Ok(score),
        Written::Empty => Err(format!("{file_name} is empty, allowed: one decimal number")),
        Written::Unreadable(why) => Err(format!("{file_name} {why}")),
    }
}

fn not_negative<'a>(file_name: &str, written: &'a Written) -> Result<&'a Score, String> {
    let score = number(file_name, written)?;
    if score.is_negative() { Err(format!("{file_name} contains {score}, allowed: 0 or more")) } else { Ok(score) }
}

/// Which score files a validator has written so far. Over all its runs, a validator may write either `score.txt` or
/// `score_multiplier.txt`, but not both.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScoreFileKinds {
    score: bool,
    multiplier: bool,
}

impl ScoreFileKinds {
    /// Records which score files a validator wrote for a test case. Fails if it wrote one of the two files for this
    /// test case, and the other file for an earlier test case.
    ///
    /// See the section "Reporting additional feedback" of format 2025-09.
    pub fn add(&mut self, given: &Given) -> Result<(), String> {
        let (other_way, now, before) = if given.score.is_some() {
            (self.multiplier, "score.txt", "score_multiplier.txt")
        } else {
            (self.score && given.multiplier.is_some(), "score_multiplier.txt", "score.txt")
        };
        self.score |= given.score.is_some();
        self.multiplier |= given.multiplier.is_some();
        if other_way {
            Err(format!(
                "{now} was written for this test case, but {before} for an earlier test case; write only one of the \
                 two files"
            ))
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(score: Option<&str>, multiplier: Option<&str>) -> Given {
        Given { score: score.map(Written::read), multiplier: multiplier.map(Written::read) }
    }

    fn of(
        rule: &CaseRule,
        verdict: Verdict,
        score: Option<&str>,
        multiplier: Option<&str>,
    ) -> Result<Option<String>, String> {
        rule.score(verdict, &given(score, multiplier)).map(|score| score.map(|score| score.to_string()))
    }

    const AC: Verdict = Verdict::Accepted;
    const WA: Verdict = Verdict::WrongAnswer;

    #[test]
    fn an_accepted_case_of_a_bounded_group_gets_what_its_validator_says_or_all() {
        let rule = CaseRule::Bounded(Score::whole(40));
        let score = |score, multiplier| of(&rule, AC, score, multiplier).map(Option::unwrap_or_default);
        assert_eq!(score(None, None), Ok("40".to_owned()));
        assert_eq!(score(Some("12.5\n"), None), Ok("12.5".to_owned()));
        assert_eq!(score(Some("40"), None), Ok("40".to_owned()));
        assert_eq!(score(None, Some("0.75")), Ok("30".to_owned()));
        assert_eq!(score(None, Some("1")), Ok("40".to_owned()));
        assert_eq!(score(None, Some("0")), Ok("0".to_owned()));
    }

    #[test]
    fn what_no_validator_may_write_is_told() {
        let bounded = CaseRule::Bounded(Score::whole(40));
        let why = |rule: &CaseRule, verdict, score, multiplier| of(rule, verdict, score, multiplier).unwrap_err();
        assert!(why(&bounded, AC, Some("40.001"), None).contains("more than the maximum score 40"));
        assert!(why(&bounded, AC, None, Some("1.001")).contains("0 to 1"));
        assert!(why(&bounded, AC, None, Some("-0.1")).contains("0 or more"));
        assert!(why(&bounded, AC, Some("1"), Some("1")).contains("both"));
        assert!(why(&bounded, AC, Some("many"), None).contains("one decimal number"));
        assert!(why(&bounded, AC, Some(""), None).contains("one decimal number"));
        assert!(why(&bounded, WA, Some("1"), None).contains("not accepted"));
        assert!(why(&bounded, WA, None, Some("0")).contains("not accepted"));
        assert!(why(&CaseRule::Unbounded, AC, None, None).contains("no score.txt"));
        assert!(why(&CaseRule::Unbounded, AC, None, Some("1")).contains("unbounded"));
        assert!(why(&CaseRule::Unbounded, AC, Some("1"), Some("1")).contains("both"));
        assert!(why(&CaseRule::Unbounded, AC, Some("-1"), None).contains("0 or more"));
        assert!(why(&CaseRule::PassFail, AC, Some("1"), None).contains("pass-fail"));
        assert!(why(&CaseRule::PassFail, AC, None, Some("1")).contains("pass-fail"));
        assert!(why(&CaseRule::PassFail, WA, Some("0"), None).contains("not accepted"));
    }

    #[test]
    fn a_failed_case_has_nothing_and_a_sample_no_score_at_all() {
        assert_eq!(of(&CaseRule::Bounded(Score::whole(40)), WA, None, None), Ok(Some("0".to_owned())));
        assert_eq!(of(&CaseRule::Unbounded, Verdict::RunTimeError, None, None), Ok(Some("0".to_owned())));
        assert_eq!(of(&CaseRule::Unscored, AC, Some("nonsense"), Some("1")), Ok(None));
        assert_eq!(of(&CaseRule::PassFail, AC, None, None), Ok(None));
        assert_eq!(of(&CaseRule::Unbounded, Verdict::JudgeError, Some("x"), None), Ok(None), "one failure is enough");
    }

    #[test]
    fn a_case_of_legacy_has_one_of_two_scores_or_what_its_validator_says() {
        let rule = |custom| CaseRule::Legacy { accept: Score::whole(5), reject: Score::whole(1), custom };
        assert_eq!(of(&rule(false), AC, None, None), Ok(Some("5".to_owned())));
        assert_eq!(of(&rule(true), WA, None, None), Ok(Some("1".to_owned())));
        assert_eq!(of(&rule(true), AC, Some("-7.25"), None), Ok(Some("-7.25".to_owned())));
        assert_eq!(of(&rule(true), WA, Some("2"), None), Ok(Some("2".to_owned())));
        assert!(of(&rule(true), AC, Some("inf"), None).is_err());
        assert!(of(&rule(false), AC, Some("3"), None).unwrap_err().contains("custom score"));
    }

    #[test]
    fn on_domjudge_a_case_has_the_score_that_its_validator_writes_or_none() {
        let score = |verdict, text| of(&CaseRule::Domjudge, verdict, text, None);
        assert_eq!(score(AC, None), Ok(None));
        assert_eq!(score(AC, Some("7.5")), Ok(Some("7.5".to_owned())));
        assert_eq!(score(WA, Some("7.5")), Ok(Some("7.5".to_owned())));
        assert_eq!(score(Verdict::RunTimeError, Some("7.5")), Ok(None));
        assert_eq!(score(AC, Some(" \n")), Ok(Some("0".to_owned())));
        assert!(score(AC, Some("-1")).unwrap_err().contains("0 or more"));
        assert!(score(WA, Some("many")).unwrap_err().contains("one decimal number"));
    }

    #[test]
    fn a_validator_writes_one_kind_of_file_over_all_its_runs() {
        let (score, multiplier, nothing) = (given(Some("1"), None), given(None, Some("1")), Given::default());
        let all = |files: &[&Given]| {
            let mut kinds = ScoreFileKinds::default();
            files.iter().map(|given| kinds.add(given).is_ok()).collect::<Vec<_>>()
        };
        assert_eq!(all(&[&score, &nothing, &score]), [true, true, true]);
        assert_eq!(all(&[&multiplier, &nothing, &multiplier]), [true, true, true]);
        assert_eq!(all(&[&score, &nothing, &multiplier]), [true, true, false]);
        assert_eq!(all(&[&multiplier, &score]), [true, false]);
    }
}
