//! The jury's submissions and what is declared of them: by the folder they lie in and by `submissions.yaml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::cases::{is_legal, name_below};
use super::findings::Findings;
use super::glob::Glob;
use super::{JurySubmission, TestCase, yaml};
use crate::verdict::{CaseFilter, Expectation, Word};

/// The folders with a meaning: what each of its submissions may get and must get (2025-09, "Example Submissions").
const FOLDERS: [(&str, &[Word], &[Word]); 6] = [
    ("accepted", &[Word::AC], &[]),
    ("rejected", &[], &[Word::WA, Word::TLE, Word::RTE]),
    ("wrong_answer", &[Word::AC, Word::WA], &[Word::WA]),
    ("time_limit_exceeded", &[Word::AC, Word::TLE], &[Word::TLE]),
    ("run_time_error", &[Word::AC, Word::RTE], &[Word::RTE]),
    ("brute_force", &[Word::AC, Word::RTE, Word::TLE], &[Word::RTE, Word::TLE]),
];

/// A rule of `submissions.yaml`; keys that are not the format's own are patterns over test cases.
#[derive(Clone, Debug, Default, Deserialize)]
#[expect(dead_code, reason = "keys the format knows and judging does not need; known, so that misspelt ones are not")]
struct Rule {
    language: Option<String>,
    entrypoint: Option<String>,
    permitted: Option<BTreeSet<Word>>,
    required: Option<BTreeSet<Word>>,
    message: Option<String>,
    authors: Option<IgnoredAny>,
    model_solution: Option<IgnoredAny>,
    score: Option<IgnoredAny>,
    use_for_time_limit: Option<IgnoredAny>,
    #[serde(flatten)]
    by_case: BTreeMap<String, CaseRule>,
}

/// A rule about some of the test cases.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "keys the format knows and judging does not need; known, so that misspelt ones are not")]
struct CaseRule {
    permitted: Option<BTreeSet<Word>>,
    required: Option<BTreeSet<Word>>,
    message: Option<String>,
    score: Option<IgnoredAny>,
    use_for_time_limit: Option<IgnoredAny>,
}

pub(super) fn read(root: &Path, cases: &[TestCase], findings: &mut Findings) -> Vec<JurySubmission> {
    let folder = root.join("submissions");
    let mut submissions = find(&folder);
    let path = folder.join("submissions.yaml");
    let rules: BTreeMap<String, Rule> =
        if path.is_file() { yaml::read(&path, findings).unwrap_or_default() } else { BTreeMap::new() };
    for submission in &mut submissions {
        submission.expectations.extend(folder_rule(&submission.name, &rules));
    }
    for (pattern, rule) in &rules {
        apply(&path, pattern, rule, cases, &mut submissions, findings);
    }
    submissions
}

/// Every file and folder in the folders below `submissions/`, by name.
fn find(folder: &Path) -> Vec<JurySubmission> {
    let entries = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_legal));
        paths.sort();
        paths
    };
    let classes = entries(folder).into_iter().filter(|path| path.is_dir());
    let paths = classes.flat_map(|class| entries(&class));
    let submission = |path: std::path::PathBuf| JurySubmission {
        name: name_below(folder, &path),
        path,
        language: None,
        entry_point: None,
        expectations: Vec::new(),
    };
    paths.map(submission).collect()
}

/// The rule of the submission's folder. A rule in `submissions.yaml` for just that folder replaces the keys it gives.
fn folder_rule(name: &str, rules: &BTreeMap<String, Rule>) -> Option<Expectation> {
    let class = name.split('/').next()?;
    let (_, permitted, required) = FOLDERS.iter().find(|(folder, ..)| *folder == class)?;
    let set = |words: &[Word]| (!words.is_empty()).then(|| words.iter().copied().collect::<BTreeSet<_>>());
    let own = rules.get(class);
    Some(Expectation {
        origin: format!("as every program in {class}/"),
        cases: CaseFilter::All,
        permitted: own.and_then(|rule| rule.permitted.clone()).or_else(|| set(permitted)),
        required: own.and_then(|rule| rule.required.clone()).or_else(|| set(required)),
        message: own.and_then(|rule| rule.message.clone()),
    })
}

fn apply(
    path: &Path,
    pattern: &str,
    rule: &Rule,
    cases: &[TestCase],
    submissions: &mut [JurySubmission],
    findings: &mut Findings,
) {
    let Some(glob) = glob(path, pattern, findings) else { return };
    let expectations = expectations(path, pattern, rule, cases, findings);
    let mut matched = false;
    for submission in submissions.iter_mut().filter(|submission| glob.matches(&submission.name)) {
        matched = true;
        submission.language = rule.language.clone().or(submission.language.take());
        submission.entry_point = rule.entrypoint.clone().or(submission.entry_point.take());
        submission.expectations.extend(expectations.iter().cloned());
    }
    if !matched {
        findings.warning(path, format!("the pattern {pattern:?} matches no submission"));
    }
}

fn expectations(
    path: &Path,
    pattern: &str,
    rule: &Rule,
    cases: &[TestCase],
    findings: &mut Findings,
) -> Vec<Expectation> {
    let mut expectations = Vec::new();
    let is_folder = FOLDERS.iter().any(|(folder, ..)| *folder == pattern);
    let says_something = rule.permitted.is_some() || rule.required.is_some() || rule.message.is_some();
    if says_something && !is_folder {
        expectations.push(Expectation {
            origin: format!("submissions.yaml, {pattern}"),
            cases: CaseFilter::All,
            permitted: rule.permitted.clone(),
            required: rule.required.clone(),
            message: rule.message.clone(),
        });
    }
    for (case_pattern, case_rule) in &rule.by_case {
        let Some(glob) = glob(path, case_pattern, findings) else { continue };
        let names: BTreeSet<_> =
            cases.iter().map(|case| &case.name).filter(|name| glob.matches(name)).cloned().collect();
        if names.is_empty() {
            let message = format!(
                "under {pattern:?} the key {case_pattern:?} is no key of the format and matches no test case; keys: \
                 language, entrypoint, authors, model_solution, permitted, required, score, message, use_for_time_limit"
            );
            findings.error(path, message);
            continue;
        }
        expectations.push(Expectation {
            origin: format!("submissions.yaml, {pattern}: {case_pattern}"),
            cases: CaseFilter::Only(names),
            permitted: case_rule.permitted.clone(),
            required: case_rule.required.clone(),
            message: case_rule.message.clone(),
        });
    }
    expectations
}

fn glob(path: &Path, pattern: &str, findings: &mut Findings) -> Option<Glob> {
    Glob::new(pattern).map_err(|error| findings.error(path, error.to_string())).ok()
}
