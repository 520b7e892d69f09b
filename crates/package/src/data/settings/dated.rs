//! Reads the keys of `test_group.yaml` and of a test case's own file, in the dated versions of the format.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Folder, Settings};
use crate::InputArguments;
use crate::problem::Problem;
use crate::version::Version;
use crate::yaml::{Fields, Node, Position, Source, Value};
use referee_grading::score::{Aggregation, Score};

/// Reads the keys that folders and test cases have in common.
pub(super) fn keys(fields: &mut Fields, settings: &mut Settings, source: &mut Source<'_>) {
    settings.arguments = fields.take("args").and_then(|node| source.texts(&node)).map(Arc::from);
    if let Some(node) = fields.take("output_validator_args")
        && let Some(arguments) = source.texts(&node)
    {
        settings.set_arguments(&node, None, arguments);
    }
    if let Some(node) = fields.take("input_validator_args") {
        settings.input_validator_arguments = Some(by_validator(node, &mut source.unused()).into());
    }
    // BAPCtools defines this key; the format does not.
    if let Some(node) = fields.take_unlisted("answer_validator_args") {
        settings.answer_validator_arguments = Some(by_validator(node, &mut source.unused()).into());
    }
    for (_, node) in fields.take_all(&["input_visualizer_args", "output_visualizer_args"]) {
        source.unused().texts(&node);
    }
    if let Some(node) = fields.take("full_feedback") {
        source.unused().boolean(&node);
    }
}

/// Reads the arguments of input or answer validators, either for all of them or by validator name.
fn by_validator(node: Node, source: &mut Source<'_>) -> InputArguments {
    let mut arguments = InputArguments::default();
    if !matches!(node.value, Value::Map(_)) {
        arguments.every = source.texts(&node).unwrap_or_default();
        return arguments;
    }
    let Some(fields) = source.fields(node) else { return arguments };
    for (key, node) in fields.rest().0 {
        if let Some(texts) = source.texts(&node) {
            arguments.by_name.insert(key.text, texts);
        }
    }
    arguments
}

/// The keys that affect the group's score. Groups do not inherit them.
#[derive(Clone, Debug, Default)]
pub(in crate::data) struct DatedKeys {
    /// The largest score. The outer `None` means that the key is missing, the inner `None` that the score is unbounded.
    pub(in crate::data) max_score: Option<(Option<Score>, Position)>,
    pub(in crate::data) aggregation: Option<(Aggregation, Position)>,
    pub(in crate::data) requires: Option<(Vec<String>, Position)>,
    pub(in crate::data) static_case: Option<StaticCase>,
}

/// A test case of the static validator.
#[derive(Clone, Debug)]
pub(in crate::data) struct StaticCase {
    /// The value of `static_validation_score`; `None` if that is `pass-fail`.
    pub(in crate::data) score: Option<Score>,
    pub(in crate::data) place: Position,
    pub(in crate::data) arguments: Vec<String>,
}

impl DatedKeys {
    /// Returns whether the settings file has any of these keys.
    pub(in crate::data) fn has_any_key(&self) -> bool {
        self.max_score.is_some() || self.aggregation.is_some() || self.requires.is_some() || self.static_case.is_some()
    }
}

const AGGREGATIONS: [(&str, Aggregation); 3] =
    [("pass-fail", Aggregation::PassFail), ("sum", Aggregation::Sum), ("min", Aggregation::Min)];

/// Reads the keys that affect the score of a group. In format 2025-09, `max_score`, `score_aggregation` and
/// `require_pass` are not allowed in `sample` or in problems without scores.
pub(super) fn scoring_keys(
    fields: &mut Fields,
    kind: Folder,
    problem: &Problem,
    (name, earlier): &(&str, &BTreeSet<String>),
    settings: &mut Settings,
    source: &mut Source<'_>,
) {
    let keys = &mut settings.dated;
    for (key, node) in fields.take_all(&["max_score", "score_aggregation", "require_pass"]) {
        if problem.version == Version::V2025_09 {
            if kind == Folder::Sample {
                source.breach(node.place, format!("'{key}' is not allowed in sample"));
            } else if !problem.kind.scoring {
                source.breach(node.place, format!("'{key}' is for problems of type scoring only"));
            }
        }
        match key {
            "max_score" if node.scalar() == Some("unbounded") => keys.max_score = Some((None, node.place)),
            "max_score" => {
                // An invalid score is reported only once: it counts as 0, so that `max_score` is not reported as
                // missing as well.
                let score = source.whole_number(&node, 0, u64::MAX).map(Score::whole).unwrap_or_default();
                keys.max_score = Some((Some(score), node.place));
            }
            "score_aggregation" => {
                keys.aggregation = source.word(&node, &AGGREGATIONS).map(|aggregation| (aggregation, node.place));
            }
            _ => keys.requires = Some((require_pass(&node, name, earlier, source), node.place)),
        }
    }
    keys.static_case = static_case(fields, source);
    settings.static_validation |= keys.static_case.is_some();
}

/// Reads the keys of a static test case; `None` if there is none or its score is invalid. See the section "Static
/// validation test cases" of format 2025-09.
fn static_case(fields: &mut Fields, source: &mut Source<'_>) -> Option<StaticCase> {
    let node = fields.take("static_validation_score");
    let arguments = fields.take("static_validator_args");
    if let Some(arguments) = arguments.as_ref().filter(|_| node.is_none()) {
        source.breach(
            arguments.place,
            "'static_validator_args' has no effect without 'static_validation_score'; add 'static_validation_score' or \
             remove 'static_validator_args'",
        );
    }
    let arguments = arguments.and_then(|node| source.texts(&node)).unwrap_or_default();
    let node = node?;
    let score = match node.scalar() {
        Some("pass-fail") => None,
        _ => Some(Score::whole(source.whole_number(&node, 0, u64::MAX)?)),
    };
    Some(StaticCase { score, place: node.place, arguments })
}

/// The largest number of allowed names that a message lists.
const SHOWN: usize = 20;

/// Returns the groups that `require_pass` names. The group `name` may require only the groups in `earlier`; every other
/// name is reported as an error and left out.
fn require_pass(node: &Node, name: &str, earlier: &BTreeSet<String>, source: &mut Source<'_>) -> Vec<String> {
    let mut required = source.one_or_more(node).unwrap_or_default();
    required.retain(|wanted| {
        let there = earlier.contains(wanted);
        if !there {
            let names = earlier.iter().take(SHOWN).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
            let more = if earlier.len() > SHOWN { ", ..." } else { "" };
            source.error(node.place, format!("found {wanted:?}, allowed: the groups before {name}: {names}{more}"));
        }
        there
    });
    required
}
