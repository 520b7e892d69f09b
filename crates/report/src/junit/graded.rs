//! A submission as a test suite: one test for its verdict, and one for each test case.
//!
//! The first test passes if the submission got its expected verdict. The test of a case fails if the result breaks a
//! rule of the package. If the submission declares no verdict but must be accepted, each case that is not accepted
//! fails, too. If the submission may fail on the case, the test passes, and its output shows the verdict.

use super::suite::{Outcome, Suite, Test};
use referee_event::{BuildFinished, CaseFinished, Excerpt, Exhibit, SubmissionFinished};
use referee_grading::verdict::Verdict;

/// The parts of a case result that the report stores until the submission is judged. A submission may have hundreds of
/// thousands of results, and most of these have no texts.
pub(super) struct CaseResult {
    name: Box<str>,
    verdict: Verdict,
    seconds: Option<f64>,
    texts: Option<Box<Texts>>,
}

/// The texts of a case result. Each of them may be empty.
#[derive(Default)]
struct Texts {
    message: String,
    details: String,
}

impl CaseResult {
    pub(super) fn of(case: &CaseFinished) -> CaseResult {
        let details = case.exhibit.as_deref().map(details).unwrap_or_default();
        let message = case.message.clone().unwrap_or_default();
        let has_texts = !message.is_empty() || !details.is_empty();
        CaseResult {
            name: case.case.as_str().into(),
            verdict: case.verdict,
            seconds: case.cpu_seconds.filter(|_| !case.cached),
            texts: has_texts.then(|| Box::new(Texts { message, details })),
        }
    }
}

/// Returns the suite of a submission that was judged.
pub(super) fn suite(done: &SubmissionFinished, build: Option<&BuildFinished>) -> Suite {
    let tools = build.map(|build| build.tools.clone()).unwrap_or_default();
    Suite { name: done.submission.clone(), tools, points: done.points }
}

/// Returns the tests of a submission that was judged. Each test is made when it is needed.
pub(super) fn tests<'a>(
    done: &'a SubmissionFinished,
    build: Option<&'a BuildFinished>,
    cases: &'a [CaseResult],
) -> impl Iterator<Item = Test> + Clone + 'a {
    let of_verdict = std::iter::once(()).map(move |()| {
        let mut test = Test::passed(&done.submission, "as expected").with_outcome(verdict_outcome(done, build));
        test.output = format!("verdict {}{}", done.verdict, expected_verdicts(done));
        test
    });
    of_verdict.chain(cases.iter().map(move |case| test(done, case)))
}

/// Returns the expected verdicts in words; empty if none are declared.
fn expected_verdicts(done: &SubmissionFinished) -> String {
    done.expected.as_ref().map(|verdicts| format!(", declared: {}", verdicts.join(" or "))).unwrap_or_default()
}

fn verdict_outcome(done: &SubmissionFinished, build: Option<&BuildFinished>) -> Outcome {
    if done.verdict == Verdict::JudgeError {
        return Outcome::Error(done.message.clone().unwrap_or_else(|| "the judge or the package failed".to_owned()));
    }
    if done.as_wanted {
        return Outcome::Passed;
    }
    let place = done.first_failing_case.as_ref().map(|case| format!(" on {case}")).unwrap_or_default();
    let breaches = done.breaches.iter().map(ToString::to_string);
    let compiler = build.filter(|build| !build.ok).and_then(|build| build.message.clone());
    let text = breaches.chain(compiler).chain(done.message.clone()).collect::<Vec<_>>().join("\n");
    Outcome::Failed { message: format!("{}{place}{}", done.verdict, expected_verdicts(done)), text }
}

fn test(done: &SubmissionFinished, case: &CaseResult) -> Test {
    let mut test = Test { seconds: case.seconds, ..Test::passed(&done.submission, &case.name) };
    let (message, details) = case.texts.as_deref().map_or(("", ""), |texts| (&texts.message, &texts.details));
    let message = format!("{}: {message}", case.verdict);
    let message = message.trim_end_matches(": ").to_owned();
    let breaks_rule = done.breaches.iter().any(|breach| breach.case.as_deref() == Some(&*case.name));
    // If no verdict is declared, a submission fails only if it is not accepted.
    let must_be_accepted = !done.as_wanted && done.expected.is_none();
    match case.verdict {
        Verdict::Accepted if !breaks_rule => {}
        Verdict::JudgeError => test.outcome = Outcome::Error(message),
        _ if breaks_rule || must_be_accepted => {
            test.outcome = Outcome::Failed { message, text: details.to_owned() };
        }
        _ => test.output = format!("{message}\nThe submission is allowed to fail on this test case."),
    }
    test
}

/// Returns the texts of a case, one after the other.
fn details(exhibit: &Exhibit) -> String {
    let parts = [
        ("input", &exhibit.input),
        ("expected", &exhibit.expected),
        ("output", &exhibit.output),
        ("standard error", &exhibit.stderr),
    ];
    let shown = parts.iter().filter(|(_, excerpt)| excerpt.whole_bytes > 0);
    let parts: Vec<_> = shown.map(|(title, excerpt)| format!("{title}{}\n{}", part(excerpt), lines(excerpt))).collect();
    parts.concat()
}

/// Returns a description of the part of a text that an excerpt shows.
fn part(excerpt: &Excerpt) -> String {
    if excerpt.bytes.len() == excerpt.whole_bytes {
        return ":".to_owned();
    }
    format!(", {} of {} bytes, from line {}:", excerpt.bytes.len(), excerpt.whole_bytes, excerpt.first_line)
}

fn lines(excerpt: &Excerpt) -> String {
    let text = String::from_utf8_lossy(&excerpt.bytes).into_owned();
    if text.ends_with('\n') { text } else { format!("{text}\n") }
}
