//! Reads the jury's submissions and their expected verdicts. These come from the folder of a submission, from
//! `submissions.yaml`, and from a tag in its source.

mod defaults;
mod left_out;
mod rules;
mod tag;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::JurySubmission;
use super::bounded;
use super::data::name_below;
use super::findings::Findings;
use super::links::Boundary;
use super::problem::Problem;
use super::programs::{entries, is_document, is_header};
use referee_grading::score::Tree;
use referee_grading::verdict::Expectation;
use referee_text::typo::nearest;
use tag::Tags;

pub(super) use left_out::find as left_out;

pub(super) fn read(
    boundary: &Boundary,
    problem: &Problem,
    tree: &Tree,
    findings: &mut Findings,
) -> Vec<JurySubmission> {
    let folder = boundary.package().join("submissions");
    let files: Vec<_> = classes(boundary, &folder).flat_map(|class| entries(boundary, &class)).collect();
    let mut submissions = submissions_among(&files, &folder);
    let path = folder.join("submissions.yaml");
    let rules = if bounded::is_there(&path) { rules::read(&path, problem, findings) } else { Vec::new() };
    for submission in &mut submissions {
        submission.expectations.extend(defaults::of(&submission.name, problem, &rules));
        if tree.needs_grader() {
            submission.expectations.extend(defaults::outcome_of(&submission.name, problem));
        }
        submission.scores.extend(defaults::score_of(&submission.name, problem, &rules));
        let tags = Tags::of(boundary, submission);
        submission.expectations.extend(tag::read(&tags, submission, problem, findings));
        submission.scores.extend(tag::read_score(&tags, submission, problem, findings));
    }
    let data = rules::Names::of(tree);
    for rule in &rules {
        rules::apply(rule, &path, &data, &mut submissions, findings);
    }
    for path in files.iter().filter(|path| is_header(path)) {
        findings.warning(
            path,
            "is not used: a header is not a submission; put a submission of several files into a folder",
        );
    }
    warn_without_rule(&folder, &submissions, problem, findings);
    for submission in &submissions {
        report_contradictions(submission, &path, findings);
    }
    let partial = folder.join("partially_accepted");
    if partial.is_dir() && problem.version.is_legacy() && !problem.kind.scoring {
        findings.breach(&partial, "is for problems of type scoring only");
    }
    if !submissions.iter().any(|submission| submission.name.starts_with("accepted/")) {
        findings.breach(
            &folder.join("accepted"),
            "contains no submission; a package needs at least one accepted submission",
        );
    }
    submissions
}

/// Returns the folders below `submissions/` that have allowed names, except disabled ones.
fn classes(boundary: &Boundary, folder: &Path) -> impl Iterator<Item = PathBuf> {
    entries(boundary, folder).into_iter().filter(|path| path.is_dir() && !left_out::is_disabled(path))
}

/// Returns a submission for each of `files`, which are the files and folders with allowed names in the folders below
/// `submissions/`. Headers, documents and disabled submissions are left out.
fn submissions_among(files: &[PathBuf], folder: &Path) -> Vec<JurySubmission> {
    let paths = files.iter().filter(|path| !is_header(path) && !is_document(path) && !left_out::is_disabled(path));
    let submission = |path: &PathBuf| JurySubmission {
        name: name_below(folder, path),
        path: path.clone(),
        language: None,
        entry_point: None,
        expectations: Vec::new(),
        scores: Vec::new(),
    };
    paths.map(submission).collect()
}

/// Warns about each folder with a submission that has no expected verdict: the format does not define the folder's
/// name, and neither `submissions.yaml` nor a tag states a rule.
fn warn_without_rule(folder: &Path, submissions: &[JurySubmission], problem: &Problem, findings: &mut Findings) {
    let known: Vec<_> = defaults::all(problem).iter().map(|(name, ..)| *name).collect();
    let without = submissions.iter().filter(|one| one.expectations.is_empty() && one.scores.is_empty());
    let classes: BTreeSet<_> = without.filter_map(|submission| submission.name.split('/').next()).collect();
    for class in classes {
        let remedy = match nearest(class, &known) {
            Some(meant) => format!("did you mean {meant}?"),
            None => "state the verdicts in submissions.yaml, or use a folder such as accepted/".to_owned(),
        };
        let message = format!(
            "has a name that the format does not define, and no rule states the expected verdicts of its submissions, \
             so referee does not check their verdicts; {remedy}"
        );
        findings.warning(&folder.join(class), message);
    }
}

/// Reports the submission's first rule that contradicts itself or an earlier rule. No program can satisfy such rules.
fn report_contradictions(submission: &JurySubmission, path: &Path, findings: &mut Findings) {
    let rules: Vec<&Expectation> = submission.expectations.iter().collect();
    for (index, rule) in rules.iter().enumerate() {
        if rule.contradicts_itself() {
            let message =
                format!("the rule for {} ({}) requires verdicts that it does not permit", submission.name, rule.origin);
            return findings.breach(path, message);
        }
        let other = rules[..index].iter().find(|other| other.contradicts(rule));
        if let Some(other) = other {
            let message = format!(
                "no verdict satisfies both rules for {}: {} and {}",
                submission.name, other.origin, rule.origin
            );
            return findings.breach(path, message);
        }
    }
}
