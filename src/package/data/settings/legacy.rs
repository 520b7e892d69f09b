//! Keys of `testdata.yaml`, from before versions had dates.

use std::collections::BTreeMap;

use super::Settings;
use crate::package::InputArguments;
use crate::package::problem::Problem;
use crate::package::yaml::{Fields, Node, Source, Value};

/// Keys of `testdata.yaml`.
pub(super) fn keys(fields: &mut Fields, problem: &Problem, settings: &mut Settings, source: &mut Source<'_>) {
    if let Some(node) = fields.take("on_reject") {
        source.word(&node, &[("break", ()), ("continue", ())]);
    }
    if let Some(node) = fields.take("grading") {
        source.word(&node, &[("default", ()), ("custom", ())]);
    }
    if let Some(node) = fields.take("grader_flags") {
        source.text(&node);
    }
    if let Some(node) = fields.take("input_validator_flags") {
        settings.input_validator_arguments = flags(node, source).map(input_arguments);
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
        if key == "range" {
            range(&node, source);
        } else {
            source.number(&node, "a number", f64::is_finite);
        }
    }
}

/// Words with blanks between them for every validator, or for the one that is named.
fn flags(node: Node, source: &mut Source<'_>) -> Option<(Option<String>, Vec<String>)> {
    let words = |text: String| text.split_whitespace().map(str::to_owned).collect();
    if !matches!(node.value, Value::Map(_)) {
        return Some((None, words(source.text(&node)?)));
    }
    let mut fields = source.fields(node)?;
    let name = fields.take("name").and_then(|node| source.text(&node));
    let flags = fields.take("flags").and_then(|node| source.text(&node)).unwrap_or_default();
    fields.finish(source);
    Some((name, words(flags)))
}

/// Those for the validator that is named, or for all of them.
fn input_arguments((only, arguments): (Option<String>, Vec<String>)) -> InputArguments {
    match only {
        Some(name) => InputArguments { every: Vec::new(), by_name: BTreeMap::from([(name, arguments)]) },
        None => InputArguments { every: arguments, by_name: BTreeMap::new() },
    }
}

/// Two numbers, the smaller first.
fn range(node: &Node, source: &mut Source<'_>) {
    let bounds: Option<Vec<f64>> =
        node.scalar().and_then(|text| text.split_whitespace().map(|word| word.parse().ok()).collect());
    if !matches!(bounds.as_deref(), Some(&[low, high]) if low <= high) {
        source.not_allowed(node, "two numbers, the smaller first (0 100, -inf +inf)");
    }
}
