//! Reads tags in source files, as DOMjudge does. The tag `@EXPECTED_RESULTS@:` lists verdicts; the submission must get
//! one of them. The tag `@EXPECTED_SCORE@:` gives the score of the submission; as in DOMjudge, it may list verdicts
//! instead.

use std::collections::BTreeSet;

use crate::JurySubmission;
use crate::bounded;
use crate::findings::Findings;
use crate::links::Boundary;
use crate::problem::Problem;
use referee_grading::score::{ExpectedScore, Goal, Score};
use referee_grading::verdict::{CaseFilter, Expectation, Verdict};

const TAG: &[u8] = b"@EXPECTED_RESULTS@: ";

/// The tag for a score. It may also contain verdicts.
const SCORE_TAG: &[u8] = b"@EXPECTED_SCORE@: ";

/// The maximum number of bytes of a file that are searched for tags.
const LONGEST: u64 = 1 << 20;

/// The maximum length of the text of a tag, in bytes. The rest is cut off.
const LONGEST_LINE: usize = 500;

/// The maximum number of tags that are read in a file.
const MOST_TAGS: usize = 10;

/// The folders whose own rule takes precedence over a tag for verdicts.
const OFFICIAL: [&str; 4] = ["accepted", "wrong_answer", "time_limit_exceeded", "run_time_error"];

/// The names of verdicts in tags. An empty list means any verdict. DOMjudge counts exceeded memory as a run-time error,
/// and no output as a wrong answer.
const WORDS: [(&str, &[Verdict]); 12] = [
    ("ACCEPTED", &[Verdict::Accepted]),
    ("CORRECT", &[Verdict::Accepted]),
    ("WRONG_ANSWER", &[Verdict::WrongAnswer]),
    ("WRONG-ANSWER", &[Verdict::WrongAnswer]),
    ("NO-OUTPUT", &[Verdict::WrongAnswer]),
    ("TIME_LIMIT_EXCEEDED", &[Verdict::TimeLimitExceeded]),
    ("TIMELIMIT", &[Verdict::TimeLimitExceeded]),
    ("RUN_TIME_ERROR", &[Verdict::RunTimeError, Verdict::MemoryLimitExceeded]),
    ("RUN-ERROR", &[Verdict::RunTimeError, Verdict::MemoryLimitExceeded]),
    ("OUTPUT-LIMIT", &[Verdict::OutputLimitExceeded]),
    ("COMPILER-ERROR", &[Verdict::CompileError]),
    ("CHECK-MANUALLY", &[]),
];

/// The tags in a submission's files: the text after each.
#[derive(Default)]
pub(super) struct Tags {
    results: Vec<String>,
    scores: Vec<String>,
}

impl Tags {
    /// Reads the tags in the submission's files, including files behind links inside the boundary. There are none if a
    /// link leads out of the boundary, because such a submission is not built.
    pub(super) fn of(boundary: &Boundary, submission: &JurySubmission) -> Tags {
        let mut all = Tags::default();
        for file in boundary.files(&submission.path).unwrap_or_default() {
            if let Ok(text) = bounded::beginning(&file.real, LONGEST) {
                all.results.extend(tags(&text, TAG));
                all.scores.extend(tags(&text, SCORE_TAG));
            }
        }
        all
    }
}

/// Returns the rule that one of the submission's tags states; `None` if there is no tag, if it is not valid, or if the
/// rule of the submission's folder takes precedence.
pub(super) fn read(
    tags: &Tags,
    submission: &JurySubmission,
    problem: &Problem,
    findings: &mut Findings,
) -> Option<Expectation> {
    let mut found: Vec<_> = tags.results.iter().map(|words| ("@EXPECTED_RESULTS@", words)).collect();
    let scores = tags.scores.iter().map(|words| ("@EXPECTED_SCORE@", words));
    found.extend(scores.filter(|(_, words)| outcome(words).is_ok()));
    // A comment may mention the tag before the actual tag. So this function uses the first tag with known verdicts.
    let meant = found.iter().find(|(_, words)| outcome(words).is_ok());
    let (name, words) = meant.or(found.first())?;
    let class = submission.name.split('/').next().unwrap_or_default();
    if OFFICIAL.contains(&class) {
        if agrees_with(class, words) {
            return None;
        }
        let message = format!(
            "{name} is ignored, because the folder {class}/ already states the verdicts; to use the tag, move the file \
             to mixed/"
        );
        findings.warning(&submission.path, message);
        return None;
    }
    if found.iter().filter(|(_, words)| outcome(words).is_ok()).count() > 1 {
        findings.breach(&submission.path, format!("contains {name} more than once; only the first counts"));
    }
    if !problem.version.is_legacy() {
        findings.warning(
            &submission.path,
            format!(
                "{name} is an extension of DOMjudge; state the verdicts in submissions.yaml, which other judges read"
            ),
        );
    }
    match outcome(words) {
        Ok(outcome) => Some(Expectation {
            origin: format!("{name}: {words}"),
            cases: CaseFilter::All,
            permitted: None,
            required: None,
            message: None,
            outcome,
            time_bound: None,
        }),
        Err(unknown) => {
            let allowed = WORDS.map(|(known, _)| known).join(", ");
            findings.breach(&submission.path, format!("{name}: found {unknown:?}, allowed: {allowed}"));
            None
        }
    }
}

/// Whether the words of a tag name only the verdict of the official folder `class`, so that ignoring the tag changes
/// nothing.
fn agrees_with(class: &str, words: &str) -> bool {
    let of_folder = match class {
        "accepted" => "ACCEPTED",
        "wrong_answer" => "WRONG_ANSWER",
        "time_limit_exceeded" => "TIME_LIMIT_EXCEEDED",
        _ => "RUN_TIME_ERROR",
    };
    outcome(words).is_ok_and(|named| Ok(named) == outcome(of_folder))
}

/// Returns the score that one of the submission's tags states; `None` if there is no tag, if it is not valid, or if
/// the problem has no scores. No folder name states a score, so the tag counts in every folder. [`read`] handles a tag
/// that lists verdicts.
pub(super) fn read_score(
    tags: &Tags,
    submission: &JurySubmission,
    problem: &Problem,
    findings: &mut Findings,
) -> Option<ExpectedScore> {
    let found: Vec<_> = tags.scores.iter().filter(|text| outcome(text).is_err()).collect();
    let mut scores = found.iter().filter_map(|text| Score::parse(text));
    let Some(score) = scores.next() else {
        let text = found.first()?;
        let words = WORDS.map(|(known, _)| known).join(", ");
        findings.breach(&submission.path, format!("@EXPECTED_SCORE@: found {text:?}, allowed: a number, or {words}"));
        return None;
    };
    if !problem.kind.scoring {
        findings.warning(&submission.path, "@EXPECTED_SCORE@ is not used: only problems of type scoring have scores");
        return None;
    }
    if scores.next().is_some() {
        findings.breach(&submission.path, "contains @EXPECTED_SCORE@ more than once; only the first counts");
    }
    let goal = Goal::Between(score.clone(), score);
    Some(ExpectedScore { origin: "@EXPECTED_SCORE@".to_owned(), groups: None, goal })
}

/// Returns the text after each tag, for at most [`MOST_TAGS`] tags. The text ends at the end of the line, and a `*/`
/// there is removed.
fn tags(text: &[u8], tag: &[u8]) -> Vec<String> {
    let is_tag = |start: &usize| text[*start..].get(..tag.len()).is_some_and(|part| part.eq_ignore_ascii_case(tag));
    // Every tag begins with an @, and few other places of a source do.
    let starts = memchr::memchr_iter(b'@', text).filter(is_tag);
    let line = |index: usize| {
        let rest = &text[index + tag.len()..];
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        // The trim also removes the CR of a line that ends with CR LF.
        let line = line[..line.len().min(LONGEST_LINE)].trim_ascii();
        referee_text::printable::printable(line).trim_end_matches("*/").trim().to_owned()
    };
    starts.map(line).take(MOST_TAGS).collect()
}

/// Returns the verdicts that the text lists; `None` in the result if any verdict is allowed. Fails with the first
/// unknown word.
fn outcome(words: &str) -> Result<Option<BTreeSet<Verdict>>, String> {
    let mut verdicts = BTreeSet::new();
    let mut any = false;
    for word in words.split(',').map(|word| word.trim().to_ascii_uppercase()) {
        let (_, meaning) = WORDS.iter().find(|(known, _)| *known == word).ok_or(word)?;
        any |= meaning.is_empty();
        verdicts.extend(*meaning);
    }
    Ok((!any).then_some(verdicts))
}
