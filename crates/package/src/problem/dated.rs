//! Reads `problem.yaml` in the dated format versions: 2023-07 and 2025-09.

use std::path::Path;

use super::{Problem, Validation, about, limits, names, places};
use crate::Kind;
use crate::constants::{Constants, is_name};
use crate::findings::Findings;
use crate::language_codes;
use crate::version::Version;
use crate::yaml::{Fields, Node, Source, Value};
use referee_grading::score::Objective;

pub(super) fn read(version: Version, mut fields: Fields, path: &Path, findings: &mut Findings) -> Problem {
    about::dated(&mut fields, &mut Source::about(path, findings));
    let source = &mut Source::new(path, findings);
    let names = names(&mut fields, source);
    let kind = fields.take("type").map(|node| kind(version, &node, source)).unwrap_or_default();
    let given = fields.take("limits");
    let (limits, timing) = limits::read(version, kind, given, source);
    let writing = fields.take("allow_file_writing");
    let languages = fields.take("languages").and_then(|node| languages(&node, source));
    report_legacy_keys(&mut fields, source);
    let constants = fields.take("constants").map(|node| constants(node, source)).unwrap_or_default();
    let uuid = fields.take("uuid").map(|node| uuid(&node, &mut source.unused()));
    let problem = Problem {
        version,
        names,
        uuid: uuid.clone().flatten(),
        kind,
        limits,
        timing,
        file_writing: writing.and_then(|node| source.boolean(&node)).unwrap_or(false),
        constants,
        languages,
        // In the dated versions, every output validator of a scoring problem may give scores.
        validation: Validation { score: kind.scoring, ..Validation::default() },
        objective: Objective::Max,
    };
    for key in ["name", "uuid"] {
        let there = if key == "name" { problem.names.place.is_some() } else { uuid.is_some() };
        if !there {
            source.missing(format!("the key '{key}' is missing; the format {} requires this key", version.name()));
        }
    }
    fields.finish_with_places(source, |key| places::of_key(key, false));
    problem
}

/// Reads a UUID: 32 hexadecimal digits with four hyphens (RFC 4122). Reports a text of another form, but still returns
/// it.
fn uuid(node: &Node, source: &mut Source<'_>) -> Option<String> {
    let text = source.text(node)?;
    let fits = |(index, byte): (usize, u8)| {
        if [8, 13, 18, 23].contains(&index) { byte == b'-' } else { byte.is_ascii_hexdigit() }
    };
    if text.len() != 36 || !text.bytes().enumerate().all(fits) {
        source.breach(node.place, format!("found {}, allowed: a UUID; create one with `uuidgen`", node.quoted()));
    }
    Some(text)
}

/// Reports keys of `legacy` that the dated versions do not have, and names the replacements. Such a key is an error if
/// it would change how the problem is judged, and otherwise a breach.
fn report_legacy_keys(fields: &mut Fields, source: &mut Source<'_>) {
    for (key, instead) in [("author", "credits"), ("source_url", "source: {name: ..., url: ...}")] {
        if let Some(node) = fields.take_unlisted(key) {
            source.breach(node.place, format!("'{key}' is a key of the format legacy; write '{instead}'"));
        }
    }
    let judged = [
        ("validation", "'type', and put the validator into output_validator/"),
        ("validator_flags", "'output_validator_args' in data/secret/test_group.yaml"),
        ("grading", "'max_score' and 'score_aggregation' in test_group.yaml"),
    ];
    for (key, instead) in judged {
        if let Some(node) = fields.take_unlisted(key) {
            source.error(node.place, format!("'{key}' is a key of the format legacy; use {instead}"));
        }
    }
}

const TYPES: &str = "\"pass-fail\", \"scoring\", \"multi-pass\", \"interactive\", \"submit-answer\"";

/// Reads the types of the problem, and reports types that exclude each other.
fn kind(version: Version, node: &Node, source: &mut Source<'_>) -> Kind {
    let mut words = source.one_or_more(node).unwrap_or_default();
    // In packages of 2023 and of DOMjudge, the types are one text, separated by blanks.
    if version == Version::V2023_07 || node.scalar().is_some_and(|text| text.contains(' ')) {
        if version == Version::V2025_09 {
            source.breach(
                node.place,
                format!("{} is not a list; write [{}]", node.quoted(), words.join(" ").replace(' ', ", ")),
            );
        }
        words = words.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect();
    }
    let mut kind = Kind::default();
    let mut pass_fail = false;
    for (index, word) in words.iter().enumerate() {
        match word.as_str() {
            "pass-fail" => pass_fail = true,
            "scoring" => kind.scoring = true,
            "multi-pass" => kind.multi_pass = true,
            "interactive" => kind.interactive = true,
            "submit-answer" => kind.submit_answer = true,
            _ => source.error(node.place, format!("found type {word:?}, allowed: {TYPES}")),
        }
        if words[..index].contains(word) {
            source.error(node.place, format!("the type {word:?} is given twice"));
        }
    }
    for (together, first, second) in [
        (pass_fail && kind.scoring, "pass-fail", "scoring"),
        (kind.submit_answer && kind.multi_pass, "submit-answer", "multi-pass"),
        (kind.submit_answer && kind.interactive, "submit-answer", "interactive"),
    ] {
        if together {
            source.error(node.place, format!("the types {first:?} and {second:?} exclude each other"));
        }
    }
    kind
}

/// Returns the allowed languages; `None` if all are allowed or the value is invalid.
fn languages(node: &Node, source: &mut Source<'_>) -> Option<Vec<String>> {
    let languages = source.one_or_more(node)?;
    if languages.iter().any(|language| language == "all") {
        if languages.len() > 1 {
            source.error(node.place, "\"all\" already includes every language; list languages or write \"all\" alone");
        }
        return None;
    }
    match &node.value {
        Value::List(nodes) => nodes.iter().for_each(|node| language_codes::check(node, source)),
        _ => language_codes::check(node, source),
    }
    Some(languages)
}

fn constants(node: Node, source: &mut Source<'_>) -> Constants {
    let mut constants = Constants::default();
    let Some(fields) = source.fields(node) else { return constants };
    for (key, node) in fields.rest().0 {
        if !is_name(&key.text) {
            let message = format!(
                "found {:?}, allowed: a name of letters, digits and _ that does not begin with a digit",
                key.text
            );
            source.error(key.place, message);
            continue;
        }
        match node.value {
            Value::Scalar { text, .. } => constants.insert(key.text, text),
            Value::Map(_) => variants(&key.text, node, &mut constants, source),
            Value::List(_) => source.not_allowed(&node, "a number, a text, or a map with the key 'value'"),
        }
    }
    constants
}

/// Reads a constant that has variants. A file refers to a variant as `{{name.variant}}`.
fn variants(name: &str, node: Node, constants: &mut Constants, source: &mut Source<'_>) {
    let place = node.place;
    let Some(mut fields) = source.fields(node) else { return };
    match fields.take("value").and_then(|node| source.text(&node)) {
        Some(value) => {
            constants.insert(format!("{name}.value"), value.clone());
            constants.insert(name.to_owned(), value);
        }
        None => source.error(place, format!("the constant {name} has no key 'value'")),
    }
    for (key, node) in fields.rest().0 {
        if let Some(value) = source.text(&node) {
            constants.insert(format!("{name}.{}", key.text), value);
        }
    }
}
