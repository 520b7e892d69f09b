//! Reads `problem.yaml` in the versions `legacy` and `legacy-icpc`.

use std::path::Path;

use super::{Problem, Validation, about, limits, names, places};
use crate::Kind;
use crate::constants::Constants;
use crate::findings::Findings;
use crate::version::Version;
use crate::yaml::{Fields, Source};
use referee_grading::score::Objective;

pub(super) fn read(version: Version, mut fields: Fields, path: &Path, findings: &mut Findings) -> Problem {
    let uuid = about::legacy(&mut fields, &mut Source::about(path, findings));
    let source = &mut Source::new(path, findings);
    let names = names(&mut fields, source);
    let mut kind = Kind { scoring: scoring(version, &mut fields, source), ..Kind::default() };
    let validation = validation(&mut fields, &mut kind, source);
    let given = fields.take("limits");
    let (limits, timing) = limits::read(version, kind, given, source);
    let objective = if version == Version::Legacy { grading(kind, &mut fields, source) } else { Objective::default() };
    fields.finish_with_places(source, |key| places::of_key(key, true));
    Problem {
        version,
        names,
        uuid,
        kind,
        limits,
        timing,
        // The specification does not mention file writing, and judges of these packages forbid it.
        file_writing: false,
        constants: Constants::default(),
        languages: None,
        validation,
        objective,
    }
}

fn scoring(version: Version, fields: &mut Fields, source: &mut Source<'_>) -> bool {
    let Some(node) = fields.take("type") else { return false };
    let words: &[_] =
        if version == Version::Legacy { &[("pass-fail", false), ("scoring", true)] } else { &[("pass-fail", false)] };
    source.word(&node, words).unwrap_or(false)
}

/// Reads `validation`: `default`, or `custom` followed by features of the validator.
fn validation(fields: &mut Fields, kind: &mut Kind, source: &mut Source<'_>) -> Validation {
    let mut validation = Validation::default();
    if let Some(node) = fields.take("validator_flags")
        && let Some(flags) = source.text(&node)
    {
        validation.arguments = source.flags(node.place, &flags);
        validation.arguments_place = Some(node.place);
    }
    let Some(node) = fields.take("validation") else { return validation };
    let words: Vec<_> = node.scalar().unwrap_or_default().split_whitespace().collect();
    match words.as_slice() {
        ["default"] => validation.custom = Some(false),
        ["custom", rest @ ..] if rest.iter().all(|word| ["score", "interactive", "multi-pass"].contains(word)) => {
            validation.custom = Some(true);
            validation.score = rest.contains(&"score");
            kind.interactive = rest.contains(&"interactive");
            kind.multi_pass = rest.contains(&"multi-pass");
            if kind.multi_pass {
                source.breach(
                    node.place,
                    "\"multi-pass\" is an extension of DOMjudge; the format defines multi-pass problems since version \
                     2023-07",
                );
            }
            if rest.contains(&"score") && !kind.scoring {
                source.error(node.place, "\"score\" is for problems of type scoring only");
            }
        }
        _ => source.not_allowed(
            &node,
            "\"default\", \"custom\", \"custom score\", \"custom interactive\", \
                                          \"custom score interactive\"",
        ),
    }
    validation
}

fn grading(kind: Kind, fields: &mut Fields, source: &mut Source<'_>) -> Objective {
    let Some(node) = fields.take("grading") else { return Objective::default() };
    if !kind.scoring {
        source.breach(node.place, "'grading' is for problems of type scoring only");
    }
    let Some(mut grading) = source.fields(node) else { return Objective::default() };
    let words = [("max", Objective::Max), ("min", Objective::Min)];
    let objective = grading.take("objective").and_then(|node| source.word(&node, &words));
    if let Some(node) = grading.take("show_test_data_groups") {
        source.boolean(&node);
    }
    grading.finish(source);
    objective.unwrap_or_default()
}
