//! Runs the output validator on junk and on corrupted answers, and reports the kinds of junk that it accepts on every
//! test case tried.

use super::Check;
use super::bench::{Bench, not_tried};
use super::finding::{Finding, Outcome, counted, listed};
use referee_files::regular;
use referee_grading::verdict::Verdict;
use referee_judge::{JudgeError, OutputExaminer};
use referee_package::TestCase;

/// The number of test cases that are tried first. Only junk that is accepted on all of them is tried on the other
/// cases.
const PICKED: usize = 6;

/// With fewer test cases than this, some junk may happen to be the correct answer to all of them.
const FEW: usize = 3;

/// The maximum number of test cases on which junk is tried.
const MOST_CASES: usize = 60;

/// The maximum size of an answer that is used, in bytes.
const LARGEST_BYTES: u64 = 1 << 20;

/// A test case and its answer.
struct Known<'a> {
    case: &'a TestCase,
    answer: Vec<u8>,
}

/// A way to make an output that is probably wrong. `make` returns `None` if the answer of the test case gives no such
/// output.
struct Junk {
    what: &'static str,
    make: fn(&Known<'_>, &[Known<'_>]) -> Option<Vec<u8>>,
    /// Whether `make` ignores the answer of the test case.
    is_blind: bool,
}

const fn blind(what: &'static str, make: fn(&Known<'_>, &[Known<'_>]) -> Option<Vec<u8>>) -> Junk {
    Junk { what, make, is_blind: true }
}

const fn from_answer(what: &'static str, make: fn(&Known<'_>, &[Known<'_>]) -> Option<Vec<u8>>) -> Junk {
    Junk { what, make, is_blind: false }
}

/// The kinds of junk that are tried. Each may be correct on some test case, but hardly on all of them.
const ALL: [Junk; 18] = [
    blind("no output at all", |_, _| Some(Vec::new())),
    blind("an empty line", |_, _| Some(b"\n".to_vec())),
    blind("random characters", |_, _| Some(b"Vk%2(qY]t=\n".to_vec())),
    blind("bytes that are not UTF-8 text", |_, _| Some(b"\xc3\x28\xff\x80\n".to_vec())),
    blind("a NUL byte", |_, _| Some(b"\0\n".to_vec())),
    blind("the output \"0\"", |_, _| Some(b"0\n".to_vec())),
    blind("the output \"1\"", |_, _| Some(b"1\n".to_vec())),
    blind("the output \"-1\"", |_, _| Some(b"-1\n".to_vec())),
    blind("a number of 5000 digits", |_, _| Some([b"9".repeat(5000), b"\n".to_vec()].concat())),
    blind("a million numbers", |_, _| Some(b"1 ".repeat(1_000_000))),
    blind("the output \"nan\"", |_, _| Some(b"nan\n".to_vec())),
    blind("the output \"YES\"", |_, _| Some(b"YES\n".to_vec())),
    blind("the output \"impossible\"", |_, _| Some(b"impossible\n".to_vec())),
    from_answer("the answer and one more number", |known, _| Some([&known.answer, b"42\n".as_slice()].concat())),
    from_answer("the answer and one more word", |known, _| Some([&known.answer, b"hello\n".as_slice()].concat())),
    from_answer("the answer twice", |known, _| has_words(known).then(|| known.answer.repeat(2))),
    from_answer("the answer without its last word", |known, _| has_words(known).then(|| without_last(&known.answer))),
    from_answer("the answer of another test case", |known, all| {
        let other = all.iter().find(|other| !tokens(&other.answer).eq(tokens(&known.answer)));
        other.map(|other| other.answer.clone())
    }),
];

pub(super) fn check(bench: &Bench<'_>) -> Result<Outcome, JudgeError> {
    if let Some(reason) = bench.why_needs_submission() {
        return Ok(Outcome::skipped(reason));
    }
    let examiner = bench.output_examiner()?;
    let known = known(&bench.package.cases);
    let (picked, others) = known.split_at(known.len().min(PICKED));
    let tasks: Vec<_> = ALL.iter().flat_map(|junk| picked.iter().map(move |known| (junk, known))).collect();
    let failed = |ruling: &JunkRuling| matches!(ruling, Some((Verdict::JudgeError, _)));
    let verdicts =
        bench.each_until(Check::JunkOutputs, &tasks, failed, |(junk, case)| try_junk(examiner, junk, case, &known))?;
    let mut findings = failures(&tasks, &verdicts);
    if verdicts.len() < tasks.len() {
        findings.extend(not_tried(tasks.len(), verdicts.len(), "junk output"));
        let about = format!("{} of {}", verdicts.len(), counted(tasks.len(), "junk output"));
        return Ok(Outcome { about, findings, skipped: None });
    }
    let on_others = |junk: &Junk| bench.each(Check::JunkOutputs, others, |case| try_junk(examiner, junk, case, &known));
    let accepted = accepted(&verdicts, picked.len(), &on_others)?;
    findings.extend(findings_on(&accepted, &known));
    let about = format!("{} kinds of junk on {}", ALL.len(), counted(known.len(), "case"));
    Ok(Outcome { about, findings, skipped: None })
}

/// Returns the junk that is accepted on every test case on which it is tried. `verdicts` has the results of all junk on
/// the first `picked` test cases. `on_others` tries one kind of junk on the remaining test cases; it is called only for
/// junk that is accepted on the first `picked` test cases.
fn accepted(
    verdicts: &[JunkRuling],
    picked: usize,
    on_others: &dyn Fn(&Junk) -> Result<Vec<JunkRuling>, JudgeError>,
) -> Result<Vec<&'static Junk>, JudgeError> {
    let mut accepted = Vec::new();
    for (junk, verdicts) in ALL.iter().zip(verdicts.chunks(picked.max(1))) {
        if accepted_on_all(verdicts) {
            let all = [verdicts, &on_others(junk)?].concat();
            accepted.extend(accepted_on_all(&all).then_some(junk));
        }
    }
    Ok(accepted)
}

/// Reads the answers of at most [`MOST_CASES`] test cases, in an order in which the first [`PICKED`] are already spread
/// evenly over the package.
fn known(cases: &[TestCase]) -> Vec<Known<'_>> {
    let step = cases.len().div_ceil(PICKED).max(1);
    let spread = (0..step).flat_map(|first| cases.iter().skip(first).step_by(step));
    let is_small = |case: &&TestCase| case.answer().metadata().is_ok_and(|found| found.len() <= LARGEST_BYTES);
    let read = |case| Some(Known { case, answer: regular::read(&case.answer(), LARGEST_BYTES).ok()? });
    spread.filter(is_small).filter_map(read).take(MOST_CASES).collect()
}

/// The verdict on some junk and the validator's message; `None` if the junk was not tried on the test case.
type JunkRuling = Option<(Verdict, Option<String>)>;

fn try_junk(
    examiner: &OutputExaminer<'_>,
    junk: &Junk,
    known: &Known<'_>,
    all: &[Known<'_>],
) -> Result<JunkRuling, JudgeError> {
    let Some(output) = (junk.make)(known, all) else { return Ok(None) };
    // In a package with few test cases, the junk may be the correct answer by chance.
    if all.len() < FEW && tokens(&output).eq(tokens(&known.answer)) {
        return Ok(None);
    }
    let ruling = examiner.judge(known.case, &output)?;
    Ok(Some((ruling.verdict, ruling.message)))
}

fn accepted_on_all(rulings: &[JunkRuling]) -> bool {
    let mut tried = rulings.iter().flatten().peekable();
    tried.peek().is_some() && tried.all(|(verdict, _)| *verdict == Verdict::Accepted)
}

/// Returns a finding on the first junk on which the validator itself failed; empty if there is none.
fn failures(tasks: &[(&Junk, &Known<'_>)], rulings: &[JunkRuling]) -> Vec<Finding> {
    let failed = tasks.iter().zip(rulings).find_map(|((junk, known), ruling)| match ruling {
        Some((Verdict::JudgeError, said)) => Some((junk, known, said)),
        _ => None,
    });
    let finding = failed.map(|(junk, known, said)| {
        let said = said.as_deref().and_then(|text| text.lines().next()).unwrap_or("the validator wrote no message");
        Finding::error(format!("the output validator fails on {}: {said}", junk.what))
            .on(known.case.name.to_string())
            .hint("make the validator exit with code 42 or 43 for every output, even for junk")
    });
    finding.into_iter().collect()
}

fn findings_on(accepted: &[&Junk], known: &[Known<'_>]) -> Vec<Finding> {
    // The validator accepts nearly all kinds of junk. They contradict each other, so they cannot all be correct.
    if accepted.len() + 2 >= ALL.len() {
        let message = format!(
            "the output validator accepts nearly every output ({} of {} kinds of junk)",
            accepted.len(),
            ALL.len()
        );
        return vec![
            Finding::error(message).hint("make the output validator exit with code 43 for every wrong output"),
        ];
    }
    let each = accepted.iter().map(|junk| {
        let tried = counted(known.len(), "test case");
        let message = format!("the output validator accepts {} on every test case tried ({tried})", junk.what);
        let hint = if junk.is_blind {
            "make the output validator reject this output: a submission that always prints it may be accepted"
        } else {
            "make the output validator read to the end of the output and check all of it"
        };
        Finding::warning(message).hint(hint)
    });
    let names: Vec<_> = accepted.iter().map(|junk| junk.what).collect();
    // A validator that accepts many kinds of junk often has a single bug, so it gets a single finding.
    if accepted.len() > 4 {
        let message =
            format!("the output validator accepts these outputs on every test case tried: {}", listed(&names));
        return vec![
            Finding::warning(message).hint("make the output validator exit with code 43 for every wrong output"),
        ];
    }
    each.collect()
}

fn tokens(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty())
}

/// Returns whether the answer has at least one word.
fn has_words(known: &Known<'_>) -> bool {
    tokens(&known.answer).next().is_some()
}

fn without_last(text: &[u8]) -> Vec<u8> {
    let body = text.trim_ascii_end();
    let end = body.iter().rposition(u8::is_ascii_whitespace).map_or(0, |blank| blank + 1);
    body[..end].to_vec()
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{as_lines as lines, assert_lines};
    use super::*;

    #[test]
    fn junk_that_was_never_tried_is_not_accepted() {
        let ruling = |verdict| Some((verdict, None));
        assert!(accepted_on_all(&[None, ruling(Verdict::Accepted)]));
        assert!(!accepted_on_all(&[ruling(Verdict::Accepted), ruling(Verdict::WrongAnswer)]));
        assert!(!accepted_on_all(&[None, None]) && !accepted_on_all(&[]));
    }

    #[test]
    fn junk_has_to_be_accepted_on_the_other_cases_too() {
        let ruling = |verdict| Some((verdict, None));
        let (right, wrong) = (ruling(Verdict::Accepted), ruling(Verdict::WrongAnswer));
        // The verdicts of three kinds of junk on two test cases.
        let verdicts = [&right, &wrong, &right, &right, &right, &None].map(Clone::clone);
        let on_others = |junk: &Junk| {
            assert_ne!(junk.what, ALL[0].what, "that was rejected already");
            Ok(vec![right.clone(), if junk.what == ALL[1].what { wrong.clone() } else { None }])
        };
        let accepted = accepted(&verdicts, 2, &on_others).unwrap();
        assert_eq!(accepted.iter().map(|junk| junk.what).collect::<Vec<_>>(), [ALL[2].what]);
    }

    #[test]
    fn large_answers_are_not_spoilt() {
        let fixture = super::super::test_support::test_package(&[]);
        let count = || known(&fixture.package.cases).len();
        assert_eq!(count(), 3);
        let large = std::fs::File::options().write(true).open(fixture.package.cases[1].answer()).unwrap();
        large.set_len(LARGEST_BYTES + 1).unwrap();
        assert_eq!(count(), 2);
    }

    #[test]
    fn much_accepted_junk_is_one_mistake() {
        let findings_on_first = |count: usize| lines(&findings_on(&ALL[..count].iter().collect::<Vec<_>>(), &[]));
        assert_eq!((findings_on_first(0).len(), findings_on_first(4).len()), (0, 4));
        let listed =
            "warning : the output validator accepts these outputs on every test case tried: no output at all, an empty";
        assert_lines(&findings_on_first(5), &[listed]);
        assert_lines(&findings_on_first(15), &[listed]);
        assert_lines(
            &findings_on_first(16),
            &["error : the output validator accepts nearly every output (16 of 18 kinds of junk)"],
        );
    }

    #[test]
    fn an_answer_without_words_cannot_be_repeated_or_cut_short() {
        assert_eq!(without_last(b"1 2\n33\n"), b"1 2\n");
        assert_eq!(without_last(b"33\n"), b"");
        let package = super::super::test_support::test_package(&[]).package;
        let known = |answer: &[u8]| Known { case: &package.cases[0], answer: answer.to_vec() };
        let made = |answer: &[u8]| {
            let known = [known(answer), known(b"5\n")];
            ALL[15..].iter().map(|junk| (junk.make)(&known[0], &known)).collect::<Vec<_>>()
        };
        assert_eq!(made(b"\n"), [None, None, Some(b"5\n".to_vec())]);
        assert_eq!(made(b"5 \n"), [Some(b"5 \n5 \n".to_vec()), Some(b"".to_vec()), None]);
    }
}
