//! Shows results near the time limit. They may differ in another run or on another machine.

use super::table::{counted, one_line};
use referee_event::CaseFinished;
use referee_grading::verdict::Verdict;

/// The maximum number of cases that are named for each submission.
const MAX_NAMED: usize = 3;

/// Collects results near the time limit.
#[derive(Debug, Default)]
pub(super) struct NearLimit {
    /// The lines about the named cases of the current submission.
    named: Vec<String>,
    /// The number of the current submission's results that are near the limit.
    submission_count: usize,
    /// The number of the run's results that are near the limit.
    run_count: usize,
    /// Whether a run within the limit was measured only once, so that measuring it again may help.
    may_be_repeated: bool,
}

impl NearLimit {
    pub(super) fn add(&mut self, case: &CaseFinished) {
        if case.close != Some(true) {
            return;
        }
        self.submission_count += 1;
        self.run_count += 1;
        // The judge has already repeated each run that was beyond the limit.
        self.may_be_repeated |= case.cpu_seconds_all.is_none() && case.verdict == Verdict::Accepted;
        if self.named.len() < MAX_NAMED {
            self.named.push(description(case));
        }
    }

    /// Returns the lines about the current submission, and starts over for the next one.
    pub(super) fn submission_lines(&mut self) -> Vec<String> {
        let more = std::mem::take(&mut self.submission_count).saturating_sub(MAX_NAMED);
        let named = std::mem::take(&mut self.named).into_iter();
        let more = (more > 0).then(|| format!("and {} close to the time limit", counted(more, "more result")));
        named.chain(more).collect()
    }

    /// Returns a line about the whole run; `None` if no result was near the limit.
    pub(super) fn run_line(&self) -> Option<String> {
        let what = match self.run_count {
            0 => return None,
            1 => "1 result is".to_owned(),
            many => format!("{} are", counted(many, "result")),
        };
        let advice = if self.may_be_repeated { "; measure again with `grade --repeat 5`" } else { "" };
        Some(format!("{what} close to the time limit{advice}"))
    }
}

fn description(case: &CaseFinished) -> String {
    let least = case.cpu_seconds.unwrap_or_default();
    let all = case.cpu_seconds_all.as_deref().unwrap_or_default();
    let most = all.iter().copied().fold(least, f64::max);
    let took = match all.len() {
        0 => format!("{least:.3} s"),
        count => format!("{least:.3} to {most:.3} s in {count} runs"),
    };
    // The name is at the end of the line, because the end is cut if the line is too long.
    format!("close to the time limit: {took} on {}", one_line(&case.case))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, close: Option<bool>, all: &[f64]) -> CaseFinished {
        let all = (!all.is_empty()).then(|| all.to_vec());
        CaseFinished {
            case: name.to_owned(),
            close,
            cpu_seconds_all: all,
            ..referee_event::CaseFinished::accepted(1.9)
        }
    }

    #[test]
    fn what_is_close_is_named_and_more_of_it_counted() {
        let mut close = NearLimit::default();
        assert_eq!((close.submission_lines().len(), close.run_line()), (0, None));
        close.add(&case("far", Some(false), &[]));
        close.add(&case("unknown", None, &[]));
        close.add(&case("secret/1", Some(true), &[]));
        assert_eq!(
            close.run_line().unwrap(),
            "1 result is close to the time limit; measure again with `grade --repeat 5`"
        );
        assert_eq!(close.submission_lines(), ["close to the time limit: 1.900 s on secret/1"]);
        for name in ["a", "b", "c", "d", "e"] {
            close.add(&case(name, Some(true), &[2.1, 1.9, 2.0]));
        }
        let lines = close.submission_lines();
        assert_eq!(lines[0], "close to the time limit: 1.900 to 2.100 s in 3 runs on a");
        assert_eq!(lines[3], "and 2 more results close to the time limit");
        let advised = "6 results are close to the time limit; measure again with `grade --repeat 5`";
        assert_eq!(close.run_line().unwrap(), advised);
        let mut measured = NearLimit::default();
        measured.add(&case("a", Some(true), &[2.1, 1.9]));
        measured.add(&CaseFinished { verdict: Verdict::TimeLimitExceeded, ..case("b", Some(true), &[]) });
        assert_eq!(measured.run_line().unwrap(), "2 results are close to the time limit");
    }
}
