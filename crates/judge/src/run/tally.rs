//! Combines the results on the test cases into a submission's verdict.

use std::sync::Arc;

use crate::{Submission, Summary};
use referee_event::{CaseFinished, SubmissionFinished};
use referee_grading::points::{Points, Scheme};
use referee_grading::score::{Outcome, Tree};
use referee_grading::verdict::{self, Breach, CaseVerdict, DeclaredVerdict, Expectation, Verdict};

/// The results of a submission so far.
pub(crate) struct Tally<'a> {
    language: String,
    cases: Vec<CaseSummary<'a>>,
    cpu_seconds_max: Option<f64>,
    memory_bytes_max: Option<u64>,
    /// The number of test cases and static tests in the run.
    planned: usize,
    /// How the submission gets points; `None` if it gets none.
    points: Option<Arc<Scheme>>,
}

/// The test cases of the package on which a submission was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All.
    Whole,
    /// All that can change the verdict.
    UntilVerdict,
    /// Only some or none, so the verdict on all test cases is unknown.
    Part,
}

/// A submission's verdict and the facts that it depends on.
struct Decision<'a> {
    verdict: Verdict,
    extent: Extent,
    /// The results of the test groups; `None` if there are none.
    outcome: Option<(&'a Outcome, &'a Tree)>,
    /// Why the submission was not run; `None` if it was.
    not_run: Option<NotRun>,
}

/// Why a submission was not run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NotRun {
    DoesNotCompile,
    /// It breaks a rule of the package or of the judge.
    Refused,
    JudgeFailed,
}

/// The part of a test case's result that expectations refer to. It is small, because a package may have hundreds of
/// thousands of test cases.
struct CaseSummary<'a> {
    case: &'a str,
    verdict: Verdict,
    /// The output validator's message; `None` if something other than the validator decided the verdict, such as a
    /// limit, or if the validator wrote no message.
    message: Option<Box<str>>,
}

impl CaseSummary<'_> {
    fn as_verdict(&self) -> CaseVerdict<'_> {
        CaseVerdict { case: self.case, verdict: self.verdict, message: self.message.as_deref() }
    }
}

/// Returns the declared rules about the submission's verdicts. The list is empty if only scores are declared. Returns
/// `None` if nothing is declared.
pub(super) fn declared(submission: &Submission) -> Option<&[Expectation]> {
    let is_declared = |rules: &&[Expectation]| !rules.is_empty() || !submission.scores.is_empty();
    submission.expectations.as_deref().filter(is_declared)
}

/// Whether the declared rules are about the overall verdict or the score, and not about single test cases.
pub(crate) fn declares_outcome_only(submission: &Submission) -> bool {
    declared(submission).is_some_and(|rules| rules.iter().all(|rule| rule.outcome.is_some()))
}

/// Whether expected verdicts or scores are declared for the submission.
pub(crate) fn declares(submission: &Submission) -> bool {
    declared(submission).is_some()
}

impl<'a> Tally<'a> {
    /// Starts a tally. `planned` is the number of test cases in the run.
    pub(crate) fn new(language: String, planned: usize, points: Option<Arc<Scheme>>) -> Self {
        Tally {
            language,
            cases: Vec::with_capacity(planned),
            cpu_seconds_max: None,
            memory_bytes_max: None,
            planned,
            points,
        }
    }

    /// Adds the result on the test case `name`.
    pub(crate) fn add(&mut self, name: &'a str, case: &CaseFinished) {
        self.cpu_seconds_max = self.cpu_seconds_max.into_iter().chain(case.cpu_seconds).reduce(f64::max);
        self.memory_bytes_max = self.memory_bytes_max.max(case.memory_bytes);
        // If a limit or an exit code decided, the message is the judge's, not the output validator's.
        let validated = matches!(case.verdict, Verdict::Accepted | Verdict::WrongAnswer);
        let message = case.message.as_deref().filter(|_| validated).map(Box::from);
        self.cases.push(CaseSummary { case: name, verdict: case.verdict, message });
    }

    /// Returns the last result that was added; `None` if there is none.
    pub(super) fn last(&self) -> Option<CaseVerdict<'_>> {
        self.cases.last().map(CaseSummary::as_verdict)
    }

    /// Decides the verdict on the submission. `outcome` contains the results of the test groups. It is `None` if no
    /// test groups combine the results, or if the run stopped before all groups had a result.
    pub(crate) fn finish(
        self,
        submission: &Submission,
        extent: Extent,
        outcome: Option<(&Outcome, &Tree)>,
        summary: &mut Summary,
    ) -> SubmissionFinished {
        let by_cases = verdict::of_submission(self.cases.iter().map(|case| case.verdict));
        let verdict = match outcome {
            // A judge error on any test case counts, even if the score does not depend on that test case.
            Some((outcome, _)) if by_cases != Verdict::JudgeError => outcome.verdict,
            _ => by_cases,
        };
        self.finished_event(submission, &Decision { verdict, extent, outcome, not_run: None }, summary)
    }

    /// Decides the verdict on a submission that was not run: it did not compile, it was refused, or the judge failed.
    pub(crate) fn not_run(self, submission: &Submission, why: NotRun, summary: &mut Summary) -> SubmissionFinished {
        let verdict = match why {
            NotRun::DoesNotCompile | NotRun::Refused => Verdict::CompileError,
            NotRun::JudgeFailed => Verdict::JudgeError,
        };
        self.finished_event(
            submission,
            &Decision { verdict, extent: Extent::Part, outcome: None, not_run: Some(why) },
            summary,
        )
    }

    fn finished_event(
        &self,
        submission: &Submission,
        decision: &Decision<'_>,
        summary: &mut Summary,
    ) -> SubmissionFinished {
        let verdict = decision.verdict;
        let declared = declared(submission);
        // If the judge failed, the submission's verdict is unknown, and the submission is not to blame.
        let judged = verdict != Verdict::JudgeError;
        let breaches = declared.filter(|_| judged).map(|rules| {
            let mut breaches = self.breaches(rules, decision);
            let outcome = decision.outcome.into_iter();
            breaches.extend(outcome.flat_map(|(outcome, tree)| {
                submission.scores.iter().filter_map(move |rule| rule.breach(outcome, tree))
            }));
            breaches
        });
        let as_expected = breaches.as_ref().map(Vec::is_empty);
        // A jury submission without declared verdicts may get any verdict, but it must compile.
        let may_have_any_verdict = submission.expectations.is_some() && verdict != Verdict::CompileError;
        let undeclared = judged && (may_have_any_verdict || verdict == Verdict::Accepted);
        let as_wanted = as_expected.unwrap_or(undeclared);
        summary.count(verdict, as_wanted);
        let outcome = decision.outcome.map(|(outcome, _)| outcome);
        let best = decision.outcome.and_then(|(_, tree)| tree.best(tree.whole()?));
        let mut failed = self.cases.iter().filter(|case| case.verdict != Verdict::Accepted);
        SubmissionFinished {
            submission: submission.name.clone(),
            language: self.language.clone(),
            verdict,
            score: outcome.filter(|_| judged).and_then(|outcome| outcome.score.clone()),
            max_score: best.cloned(),
            message: outcome.and_then(|outcome| outcome.failure.clone()),
            expected: declared.map(expected_verdicts),
            as_expected,
            as_wanted,
            breaches: breaches.unwrap_or_default(),
            cases_run: self.cases.len(),
            cases_failed: failed.clone().count(),
            cases_skipped: self.planned.saturating_sub(self.cases.len()),
            first_failing_case: failed.next().map(|case| case.case.to_owned()),
            cpu_seconds_max: self.cpu_seconds_max,
            memory_bytes_max: self.memory_bytes_max,
            points: self.points(decision).map(Points::to_f64),
            student: submission.student.clone(),
        }
    }

    /// Returns the points; `None` if the run gives none, or if the judge failed.
    fn points(&self, decision: &Decision<'_>) -> Option<Points> {
        let scheme = self.points.as_deref()?;
        match decision.verdict {
            Verdict::JudgeError => None,
            Verdict::CompileError => Some(Points::ZERO),
            _ => {
                let cases = self.cases.iter().map(|case| (case.case, case.verdict));
                scheme.points(cases, decision.outcome.and_then(|(outcome, _)| outcome.score.as_ref()))
            }
        }
    }

    fn breaches(&self, rules: &[Expectation], decision: &Decision<'_>) -> Vec<Breach> {
        let Decision { verdict, extent, .. } = *decision;
        let (of_outcome, of_cases): (Vec<_>, Vec<_>) = rules.iter().partition(|rule| rule.outcome.is_some());
        // If only some or none of the test cases were run, the overall verdict is unknown, unless it is a compile
        // error.
        let known = extent != Extent::Part || verdict == Verdict::CompileError;
        let of_outcome = of_outcome.into_iter().filter(|_| known);
        let mut breaches: Vec<_> = of_outcome.filter_map(|rule| rule.outcome_breach(verdict)).collect();
        if verdict == Verdict::CompileError {
            let is_expected = |rule: &Expectation| rule.outcome.as_ref().is_some_and(|words| words.contains(&verdict));
            if !of_cases.is_empty() && !rules.iter().any(is_expected) {
                let (reason, origin) = match decision.not_run {
                    // This reason does not say which rule the submission breaks, because the message of the build
                    // says it.
                    Some(NotRun::Refused) => {
                        ("is refused, so it is not compiled", "a package cannot expect a refused submission")
                    }
                    _ => ("does not compile", "a package cannot expect a compile error"),
                };
                breaches.push(Breach { origin: origin.to_owned(), case: None, reason: reason.to_owned() });
            }
            return breaches;
        }
        let (results, is_whole) = (self.results(), extent == Extent::Whole);
        breaches.extend(of_cases.iter().filter_map(|rule| rule.breach(&results, is_whole)));
        breaches
    }

    fn results(&self) -> Vec<CaseVerdict<'_>> {
        self.cases.iter().map(CaseSummary::as_verdict).collect()
    }
}

/// Returns the expected verdicts for the report. They come from the submission's first rule: the overall verdicts that
/// the rule allows, or else the verdicts that it requires, or else the verdicts that it permits. If the rule names no
/// verdicts, or if there is no rule, returns the four verdicts of the package format.
fn expected_verdicts(rules: &[Expectation]) -> Vec<String> {
    let first = rules.first();
    if let Some(outcome) = first.and_then(|rule| rule.outcome.as_ref()) {
        return outcome.iter().map(Verdict::to_string).collect();
    }
    let words = first.and_then(|rule| rule.required.as_ref().or(rule.permitted.as_ref()));
    words.map_or_else(
        || DeclaredVerdict::ALL.iter().map(DeclaredVerdict::to_string).collect(),
        |words| words.iter().map(DeclaredVerdict::to_string).collect(),
    )
}
