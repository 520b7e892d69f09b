//! Reads the keys of `testdata.yaml`, the settings file of the legacy versions of the format.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{FlagsOrigin, Settings};
use crate::InputArguments;
use crate::problem::Problem;
use crate::yaml::{Fields, Node, Position, Source, Value};
use referee_grading::score::{Range, Score};

/// The keys that affect the group's result. A key that is `None` is inherited from the folder above.
#[derive(Clone, Debug, Default)]
pub(in crate::data) struct LegacyKeys {
    /// Whether the group ends at the first result that is not accepted.
    pub(in crate::data) breaks: Option<bool>,
    /// Whether the package's own grader grades the group.
    pub(in crate::data) custom: Option<bool>,
    /// The grader's flags, their source position, and whether they come from the group's own file.
    pub(in crate::data) flags: Option<(String, Position, FlagsOrigin)>,
    pub(in crate::data) accept_score: Option<Score>,
    pub(in crate::data) reject_score: Option<Score>,
    pub(in crate::data) range: Option<Range>,
}

impl LegacyKeys {
    /// Fills in missing keys from the folder above.
    pub(super) fn below(self, above: &LegacyKeys) -> LegacyKeys {
        let inherited = || above.flags.clone().map(|(flags, place, _)| (flags, place, FlagsOrigin::Inherited));
        LegacyKeys {
            breaks: self.breaks.or(above.breaks),
            custom: self.custom.or(above.custom),
            flags: self.flags.or_else(inherited),
            accept_score: self.accept_score.or_else(|| above.accept_score.clone()),
            reject_score: self.reject_score.or_else(|| above.reject_score.clone()),
            range: self.range.or_else(|| above.range.clone()),
        }
    }
}

/// Reads the keys of `testdata.yaml`.
pub(super) fn keys(fields: &mut Fields, problem: &Problem, settings: &mut Settings, source: &mut Source<'_>) {
    if let Some(node) = fields.take("on_reject") {
        settings.legacy.breaks = source.word(&node, &[("break", true), ("continue", false)]);
    }
    if let Some(node) = fields.take("grading") {
        settings.legacy.custom = source.word(&node, &[("default", false), ("custom", true)]);
    }
    if let Some(node) = fields.take("grader_flags") {
        settings.legacy.flags = source.text(&node).map(|flags| (flags, node.place, FlagsOrigin::OwnFile));
    }
    if let Some(node) = fields.take("input_validator_flags") {
        settings.input_validator_arguments = flags(node, &mut source.unused()).map(input_arguments).map(Arc::from);
    }
    if let Some(node) = fields.take("output_validator_flags") {
        let place = node.clone();
        if let Some((only, arguments)) = flags(node, source) {
            settings.set_arguments(&place, only, arguments);
        }
    }
    for (key, node) in fields.take_all(&["accept_score", "reject_score", "range"]) {
        if !problem.kind.scoring {
            source.breach(node.place, format!("'{key}' is for problems of type scoring only"));
        }
        match key {
            "range" => settings.legacy.range = range(&node, source),
            "accept_score" => settings.legacy.accept_score = score(&node, source),
            _ => settings.legacy.reject_score = score(&node, source),
        }
    }
}

/// Returns the flags, and the name of the validator that gets them; the name is `None` if every validator gets them.
/// Flags are separated by blanks; quotes keep blanks inside a flag. Returns `None` if the value is neither a text nor a
/// map.
fn flags(node: Node, source: &mut Source<'_>) -> Option<(Option<String>, Vec<String>)> {
    let place = node.place;
    if !matches!(node.value, Value::Map(_)) {
        let flags = source.text(&node)?;
        return Some((None, source.flags(place, &flags)));
    }
    let mut fields = source.fields(node)?;
    let name = fields.take("name").and_then(|node| source.text(&node));
    let flags = fields.take("flags").and_then(|node| source.text(&node)).unwrap_or_default();
    fields.finish(source);
    Some((name, source.flags(place, &flags)))
}

/// Turns flags into arguments for the named validator, or for all validators if none is named.
fn input_arguments((only, arguments): (Option<String>, Vec<String>)) -> InputArguments {
    match only {
        Some(name) => InputArguments { every: Vec::new(), by_name: BTreeMap::from([(name, arguments)]) },
        None => InputArguments { every: arguments, by_name: BTreeMap::new() },
    }
}

/// Reads two numbers, the smaller first. Reports any other value as an error and returns `None`.
fn range(node: &Node, source: &mut Source<'_>) -> Option<Range> {
    let range = node.scalar().and_then(Range::read);
    if range.is_none() {
        source.not_allowed(node, "two numbers, the smaller first, such as 0 100 or -inf +inf");
    }
    range
}

fn score(node: &Node, source: &mut Source<'_>) -> Option<Score> {
    let score = node.scalar().and_then(Score::parse);
    if score.is_none() {
        source.not_allowed(node, "a number");
    }
    score
}
