//! Reads the rules in `submissions.yaml`. A rule applies to the submissions that match its pattern, on all test cases
//! or only on some.

use std::collections::BTreeSet;
use std::path::Path;

use super::defaults;
use crate::JurySubmission;
use crate::findings::Findings;
use crate::glob::Glob;
use crate::language_codes;
use crate::problem::Problem;
use crate::yaml::{self, Fields, Key, Node, Position, Source, Value};
use referee_grading::score::{ExpectedScore, Goal, Score, Tree};
use referee_grading::verdict::{CaseFilter, DeclaredVerdict, Expectation, TimeBound};

/// A rule of `submissions.yaml`.
pub(super) struct Rule {
    pub(super) pattern: String,
    place: Position,
    language: Option<String>,
    entry_point: Option<String>,
    pub(super) expected: RuleExpectation,
    by_case: Vec<(Key, RuleExpectation)>,
    /// Whether the pattern is exactly the name of a folder that the format defines. The rule then replaces the default
    /// rule of that folder.
    pub(super) replaces: bool,
}

/// The verdicts, message and score that a rule expects.
#[derive(Default)]
pub(super) struct RuleExpectation {
    pub(super) permitted: Option<BTreeSet<DeclaredVerdict>>,
    pub(super) required: Option<BTreeSet<DeclaredVerdict>>,
    pub(super) message: Option<String>,
    /// The smallest and the largest allowed score, both inclusive.
    pub(super) score: Option<(Score, Score)>,
    /// The value of `use_for_time_limit`. `None` if it is missing or `true`; the rule's verdicts then decide how the
    /// submission bounds the time limit.
    bounding: Option<Bounding>,
}

/// How the run times of a submission bound the time limit.
#[derive(Clone, Copy)]
pub(super) enum Bounding {
    By(TimeBound),
    Nothing,
}

impl Bounding {
    pub(super) fn time_bound(self) -> Option<TimeBound> {
        match self {
            Bounding::By(bound) => Some(bound),
            Bounding::Nothing => None,
        }
    }
}

impl RuleExpectation {
    /// Returns how the submission bounds the time limit. `None` if the rule has no verdicts, and `use_for_time_limit`
    /// is missing or `true`.
    pub(super) fn bound(&self) -> Option<Bounding> {
        if self.bounding.is_some() || (self.permitted.is_none() && self.required.is_none()) {
            return self.bounding;
        }
        let may_be_slow = self.permitted.as_ref().is_none_or(|words| words.contains(&DeclaredVerdict::TLE));
        let must_be_slow = self.required.as_ref().is_some_and(|words| words.iter().eq([&DeclaredVerdict::TLE]));
        Some(match (may_be_slow, must_be_slow) {
            (false, _) => Bounding::By(TimeBound::Lower),
            (true, true) => Bounding::By(TimeBound::Upper),
            (true, false) => Bounding::Nothing,
        })
    }

    /// Returns the permitted verdicts; `None` if the rule does not restrict them. If `use_for_time_limit` is `lower`,
    /// the submission must not exceed the time limit, so TLE is not permitted.
    pub(super) fn permitted(&self) -> Option<BTreeSet<DeclaredVerdict>> {
        if !matches!(self.bounding, Some(Bounding::By(TimeBound::Lower))) {
            return self.permitted.clone();
        }
        let mut permitted = self.permitted.clone().unwrap_or_else(|| DeclaredVerdict::ALL.into());
        permitted.remove(&DeclaredVerdict::TLE);
        Some(permitted)
    }

    /// Returns the required verdicts; `None` if the rule requires none. If `use_for_time_limit` is `upper`, the
    /// submission must exceed the time limit, so only TLE is required.
    pub(super) fn required(&self) -> Option<BTreeSet<DeclaredVerdict>> {
        if matches!(self.bounding, Some(Bounding::By(TimeBound::Upper))) {
            return Some([DeclaredVerdict::TLE].into());
        }
        self.required.clone()
    }

    fn has_any_key(&self) -> bool {
        self.permitted.is_some() || self.required.is_some() || self.message.is_some() || self.bounding.is_some()
    }

    fn expectation(&self, origin: String, cases: CaseFilter) -> Expectation {
        Expectation {
            origin,
            cases,
            permitted: self.permitted(),
            required: self.required(),
            message: self.message.clone(),
            outcome: None,
            time_bound: self.bound().and_then(Bounding::time_bound),
        }
    }
}

/// Keys of a rule that grading ignores.
const UNUSED: [&str; 2] = ["authors", "model_solution"];

/// The largest number of rules allowed. Each rule is checked against each submission and test case.
const MOST_RULES: usize = 1000;

/// The largest number of alternatives that all patterns of the file may expand to. Each alternative is checked against
/// each submission or test case.
const MOST_ALTERNATIVES: usize = 50_000;

const WORDS: [(&str, DeclaredVerdict); 4] = [
    ("AC", DeclaredVerdict::AC),
    ("WA", DeclaredVerdict::WA),
    ("TLE", DeclaredVerdict::TLE),
    ("RTE", DeclaredVerdict::RTE),
];

/// Reads the rules of the file. In a rule, a key that the format does not define is a pattern for test cases.
pub(super) fn read(path: &Path, problem: &Problem, findings: &mut Findings) -> Vec<Rule> {
    let Some(node) = yaml::read(path, findings) else { return Vec::new() };
    let source = &mut Source::new(path, findings);
    if problem.version.is_legacy() {
        source.breach(
            node.place,
            format!(
                "the format {} does not define this file; referee reads it by the rules of the format 2025-09",
                problem.version.name()
            ),
        );
    }
    let Some(fields) = source.fields(node) else { return Vec::new() };
    let entries = fields.rest().0;
    if entries.len() > MOST_RULES {
        source.error((1, 1), format!("there are {} rules, allowed: at most {MOST_RULES}", entries.len()));
        return Vec::new();
    }
    let rules: Vec<_> = entries.into_iter().filter_map(|(key, node)| rule(key, node, problem, source)).collect();
    let patterns = rules.iter().flat_map(|rule| rule.by_case.iter().map(|(case, _)| &case.text).chain([&rule.pattern]));
    // A pattern with more than 1000 alternatives gets an error of its own later. Here it counts as 1001, so that it does
    // not cause the error about the sum as well.
    let alternatives: usize = patterns.map(|pattern| Glob::count_alternatives(pattern).min(1001)).sum();
    if alternatives > MOST_ALTERNATIVES {
        let message = format!("the patterns expand to more than {MOST_ALTERNATIVES} alternatives; use fewer braces");
        source.error((1, 1), message);
        return Vec::new();
    }
    rules
}

fn rule(key: Key, node: Node, problem: &Problem, source: &mut Source<'_>) -> Option<Rule> {
    let mut fields = source.fields_except(node, &UNUSED)?;
    let language = fields.take("language").and_then(|node| {
        language_codes::check(&node, source);
        source.text(&node)
    });
    let entry_point = fields.take("entrypoint").and_then(|node| source.text(&node));
    if let Some(node) = fields.take("model_solution") {
        source.unused().boolean(&node);
    }
    fields.take("authors");
    let expected = read_expectation(&mut fields, problem, source);
    let (rest, known) = fields.rest();
    let mut by_case = Vec::new();
    for (case, node) in rest {
        // The value of a pattern for test cases is a map. If the value is not a map, and the key does not look like a
        // pattern, the key is probably misspelt.
        if !matches!(node.value, Value::Map(_)) && !looks_like_pattern(&case.text) {
            let message = format!(
                "{:?} is not a key of the format; the keys are {}; a pattern for test cases needs a map as its \
                 value",
                case.text,
                known.join(", ")
            );
            source.error(case.place, message);
            continue;
        }
        let Some(mut fields) = source.fields(node) else { continue };
        let expected = read_expectation(&mut fields, problem, source);
        fields.finish(source);
        by_case.push((case, expected));
    }
    let replaces = defaults::all(problem).iter().any(|(folder, ..)| *folder == key.text);
    Some(Rule { pattern: key.text, place: key.place, language, entry_point, expected, by_case, replaces })
}

/// Whether a key inside a rule is meant as a pattern for test cases: `sample`, `secret`, and names with a slash, a
/// wildcard or a brace.
fn looks_like_pattern(key: &str) -> bool {
    key.contains(['/', '*', '{']) || ["sample", "secret"].contains(&key)
}

fn read_expectation(fields: &mut Fields, problem: &Problem, source: &mut Source<'_>) -> RuleExpectation {
    let mut expected = RuleExpectation::default();
    for (key, node) in fields.take_all(&["permitted", "required"]) {
        let words = words(&node, source);
        match key {
            "permitted" => expected.permitted = words,
            _ if words.as_ref().is_some_and(BTreeSet::is_empty) => {
                source.not_allowed(&node, "a list of at least one verdict: AC, WA, TLE, RTE");
            }
            _ => expected.required = words,
        }
    }
    // The default is the empty message, which requires nothing.
    expected.message = fields.take("message").and_then(|node| source.text(&node)).filter(|text| !text.is_empty());
    if let Some(node) = fields.take("score") {
        expected.score = score(&node, problem, source);
    }
    if let Some(node) = fields.take("use_for_time_limit") {
        expected.bounding = match node.scalar() {
            Some("lower") => Some(Bounding::By(TimeBound::Lower)),
            Some("upper") => Some(Bounding::By(TimeBound::Upper)),
            Some("false" | "False") => Some(Bounding::Nothing),
            Some("true" | "True") => None,
            _ => {
                source.not_allowed(&node, "true, false, lower, upper");
                None
            }
        };
    }
    expected
}

fn words(node: &Node, source: &mut Source<'_>) -> Option<BTreeSet<DeclaredVerdict>> {
    let Value::List(nodes) = &node.value else {
        source.not_allowed(node, "a list of verdicts: AC, WA, TLE, RTE");
        return None;
    };
    let mut words = BTreeSet::new();
    for node in nodes {
        match node.scalar().and_then(|text| WORDS.iter().find(|(word, _)| *word == text)) {
            Some((_, word)) => {
                words.insert(*word);
            }
            None => source.not_allowed(node, "AC, WA, TLE, RTE"),
        }
    }
    Some(words)
}

/// Reads a number, or a list with the smallest and the largest number of a range.
fn score(node: &Node, problem: &Problem, source: &mut Source<'_>) -> Option<(Score, Score)> {
    if !problem.kind.scoring {
        source.breach(node.place, "'score' is for problems of type scoring only");
    }
    let mut read = |node: &Node| {
        let score = node.scalar().and_then(Score::parse);
        if score.is_none() {
            source.not_allowed(node, "a number, or a list of two numbers");
        }
        score
    };
    match &node.value {
        Value::List(ends) if ends.len() == 2 => {
            let (low, high) = (read(&ends[0])?, read(&ends[1])?);
            if low > high {
                source.not_allowed(node, "a list of two numbers, the smaller first");
                return None;
            }
            Some((low, high))
        }
        Value::Scalar { .. } => read(node).map(|score| (score.clone(), score)),
        _ => {
            source.not_allowed(node, "a number, or a list of two numbers");
            None
        }
    }
}

/// The names of test cases and groups, which the patterns inside a rule can match.
pub(super) struct Names<'a> {
    tree: &'a Tree,
    cases: Vec<&'a str>,
}

impl<'a> Names<'a> {
    pub(super) fn of(tree: &'a Tree) -> Names<'a> {
        Names { tree, cases: tree.cases().into_iter().map(|(name, _)| name).collect() }
    }
}

/// Adds the rule to every submission that matches its pattern. Warns if no submission matches.
pub(super) fn apply(
    rule: &Rule,
    path: &Path,
    data: &Names<'_>,
    submissions: &mut [JurySubmission],
    findings: &mut Findings,
) {
    let Some(glob) = glob(&rule.pattern, rule.place, path, findings) else { return };
    let expectations = expectations(rule, path, data, findings);
    let scores = scores(rule, path, data, findings);
    let mut matched = false;
    for submission in submissions.iter_mut().filter(|submission| glob.matches(&submission.name)) {
        matched = true;
        submission.language = rule.language.clone().or(submission.language.take());
        submission.entry_point = rule.entry_point.clone().or(submission.entry_point.take());
        submission.expectations.extend(expectations.iter().cloned());
        submission.scores.extend(scores.iter().cloned());
    }
    if !matched {
        let message = format!("the pattern {:?} matches no submission", rule.pattern);
        findings.add(crate::Severity::Warning, path, Some(rule.place), message);
    }
}

/// Returns the scores that the rule expects: for the whole submission and for groups. If the rule replaces the default
/// rule of a folder, `defaults::score_of` gives the score for the whole submission instead.
fn scores(rule: &Rule, path: &Path, data: &Names<'_>, findings: &mut Findings) -> Vec<ExpectedScore> {
    let goal = |(low, high): &(Score, Score)| Goal::Between(low.clone(), high.clone());
    let mut scores = Vec::new();
    if let Some(ends) = rule.expected.score.as_ref().filter(|_| !rule.replaces) {
        let origin = format!("submissions.yaml, {}", rule.pattern);
        scores.push(ExpectedScore { origin, groups: None, goal: goal(ends) });
    }
    for (key, expected) in &rule.by_case {
        let (Some(ends), Some(glob)) = (&expected.score, Glob::new(&key.text).ok()) else { continue };
        let names = data.tree.groups.iter().enumerate().skip(1);
        let groups: Vec<_> =
            names.filter(|(_, group)| glob.matches_exactly(&group.name)).map(|(index, _)| index).collect();
        if groups.is_empty() {
            let message = format!("'score' applies to groups, but the pattern {:?} matches no group", key.text);
            findings.error_at(path, Some(key.place), message);
            continue;
        }
        let origin = format!("submissions.yaml, {}: {}", rule.pattern, key.text);
        scores.push(ExpectedScore { origin, groups: Some(groups), goal: goal(ends) });
    }
    scores
}

fn expectations(rule: &Rule, path: &Path, data: &Names<'_>, findings: &mut Findings) -> Vec<Expectation> {
    let mut expectations = Vec::new();
    if rule.expected.has_any_key() && !rule.replaces {
        expectations.push(rule.expected.expectation(format!("submissions.yaml, {}", rule.pattern), CaseFilter::All));
    }
    for (key, expected) in &rule.by_case {
        let Some(glob) = glob(&key.text, key.place, path, findings) else { continue };
        let names: BTreeSet<_> =
            data.cases.iter().copied().filter(|name| glob.matches(name)).map(str::to_owned).collect();
        if names.is_empty() && looks_like_pattern(&key.text) {
            let message = format!("the pattern {:?} matches no test case", key.text);
            findings.add(crate::Severity::Warning, path, Some(key.place), message);
            continue;
        }
        // A key that does not look like a pattern and matches no test case is probably misspelt.
        if names.is_empty() {
            let message = format!(
                "under {:?} the key {:?} is not a key of the format and matches no test case; the keys are language, \
                 entrypoint, authors, model_solution, permitted, required, score, message, use_for_time_limit",
                rule.pattern, key.text
            );
            findings.error_at(path, Some(key.place), message);
            continue;
        }
        let origin = format!("submissions.yaml, {}: {}", rule.pattern, key.text);
        expectations.push(expected.expectation(origin, CaseFilter::Only(names)));
    }
    expectations
}

fn glob(pattern: &str, place: Position, path: &Path, findings: &mut Findings) -> Option<Glob> {
    Glob::new(pattern).map_err(|error| findings.error_at(path, Some(place), error.to_string())).ok()
}
