//! Keys of `test_group.yaml` and of a case's own file, since 2023.

use super::{Folder, Settings};
use crate::package::InputArguments;
use crate::package::problem::Problem;
use crate::package::version::Version;
use crate::package::yaml::{Fields, Node, Source, Value};

/// Keys that folders and cases have alike since 2023.
pub(super) fn keys(fields: &mut Fields, settings: &mut Settings, source: &mut Source<'_>) {
    settings.arguments = fields.take("args").and_then(|node| source.texts(&node));
    if let Some(node) = fields.take("output_validator_args")
        && let Some(arguments) = source.texts(&node)
    {
        settings.set_arguments(&node, None, arguments);
    }
    if let Some(node) = fields.take("input_validator_args") {
        settings.input_validator_arguments = Some(by_validator(node, source));
    }
    for (_, node) in fields.take_all(&["input_visualizer_args", "output_visualizer_args"]) {
        source.texts(&node);
    }
    if let Some(node) = fields.take("full_feedback") {
        source.boolean(&node);
    }
}

/// Arguments of every input validator, or by the validator's name.
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

/// How results add up. Only scoring problems have that, and not in every folder.
pub(super) fn scoring_keys(
    fields: &mut Fields,
    kind: Folder,
    problem: &Problem,
    (name, earlier): &(&str, &[String]),
    settings: &mut Settings,
    source: &mut Source<'_>,
) {
    for (key, node) in fields.take_all(&["max_score", "score_aggregation", "require_pass"]) {
        if problem.version == Version::V2025_09 {
            if kind == Folder::Sample {
                source.breach(node.place, format!("'{key}' is not allowed in sample"));
            } else if !problem.kind.scoring {
                source.breach(node.place, format!("'{key}' is for problems of type scoring only"));
            }
        }
        match key {
            "max_score" if node.scalar() == Some("unbounded") => {}
            "max_score" => {
                source.whole(&node, 0, u64::MAX);
            }
            "score_aggregation" => {
                source.word(&node, &[("pass-fail", ()), ("sum", ()), ("min", ())]);
            }
            _ => require_pass(&node, name, earlier, source),
        }
    }
    let score = fields.take("static_validation_score");
    settings.static_validation |= score.is_some();
    if let Some(node) = score.as_ref().filter(|node| node.scalar() != Some("pass-fail")) {
        source.whole(node, 0, u64::MAX);
    }
    if let Some(node) = fields.take("static_validator_args") {
        source.texts(&node);
        if score.is_none() {
            source.breach(node.place, "'static_validator_args' without 'static_validation_score'");
        }
    }
}

fn require_pass(node: &Node, name: &str, earlier: &[String], source: &mut Source<'_>) {
    for wanted in source.one_or_more(node).unwrap_or_default() {
        if !earlier.contains(&wanted) {
            let there = earlier.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
            source.error(node.place, format!("found {wanted:?}, allowed: what comes before {name}: {there}"));
        }
    }
}
