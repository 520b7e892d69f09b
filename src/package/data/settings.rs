//! What `test_group.yaml`, `testdata.yaml` and a case's own `.yaml` say; cases inherit from folders, key by key.

use std::path::Path;

use super::names::name_below;
use crate::package::ValidatorArguments;
use crate::package::findings::Findings;
use crate::package::problem::Problem;
use crate::package::version::Version;
use crate::package::yaml::{self, Fields, Node, Source, Value};

/// What concerns judging. `None` leaves it to the folder above.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    pub(super) arguments: Option<Vec<String>>,
    pub(super) output_validator_arguments: ValidatorArguments,
    /// Whether the arguments stand here, and are not those of a folder above.
    own_output_validator_arguments: bool,
    pub(super) description: Option<String>,
}

/// Which folder the settings are of: not every key may stand in each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Folder {
    /// `data` itself.
    Data,
    Sample,
    Secret,
    /// Right below `secret`.
    Group,
    /// Further down.
    Below,
    /// Below `invalid_input` and the like.
    ValidatorTests,
}

impl Folder {
    pub(super) fn below(self) -> Folder {
        match self {
            Folder::Secret => Folder::Group,
            Folder::ValidatorTests => Folder::ValidatorTests,
            _ => Folder::Below,
        }
    }

    pub(super) fn is_group(self) -> bool {
        self == Folder::Group
    }
}

impl Settings {
    /// What `problem.yaml` says of every case.
    pub(super) fn of_problem(problem: &Problem) -> Settings {
        let place = problem.validation.arguments_place;
        let arguments = ValidatorArguments {
            of_problem: problem.validation.arguments.clone(),
            place: place.map(|(line, column)| format!("problem.yaml:{line}:{column}")),
            ..ValidatorArguments::default()
        };
        Settings { output_validator_arguments: arguments, ..Settings::default() }
    }

    /// Says where the arguments stand: `path` below the folder `data`.
    pub(super) fn located(mut self, data: &Path, path: &Path) -> Settings {
        if let Some(place) = &mut self.output_validator_arguments.place {
            *place = format!("data/{}:{place}", name_below(data, path));
        }
        self
    }

    pub(super) fn below(self, above: &Settings) -> Settings {
        let mut arguments = if self.own_output_validator_arguments {
            self.output_validator_arguments
        } else {
            above.output_validator_arguments.clone()
        };
        arguments.of_problem.clone_from(&above.output_validator_arguments.of_problem);
        Settings {
            arguments: self.arguments.or_else(|| above.arguments.clone()),
            output_validator_arguments: arguments,
            own_output_validator_arguments: self.own_output_validator_arguments || above.own_output_validator_arguments,
            description: self.description,
        }
    }

    /// The arguments stand at `node`; the file's name is put before the place by [`Settings::located`].
    fn set_arguments(&mut self, node: &Node, only: Option<String>, arguments: Vec<String>) {
        let (line, column) = node.place;
        self.own_output_validator_arguments = true;
        self.output_validator_arguments =
            ValidatorArguments { of_problem: Vec::new(), only, arguments, place: Some(format!("{line}:{column}")) };
    }
}

/// Reads the settings of a folder. `earlier` are the groups that may be required.
pub(super) fn of_folder(
    path: &Path,
    kind: Folder,
    name: &str,
    problem: &Problem,
    earlier: &[String],
    findings: &mut Findings,
) -> Settings {
    let version = problem.version;
    let mut settings = Settings::default();
    let Some(node) = yaml::read_with(&problem.constants, path, findings) else { return settings };
    let source = &mut Source::new(path, findings);
    let Some(mut fields) = source.fields(node) else { return settings };
    if version == Version::LegacyIcpc {
        source.breach(fields.place, "legacy-icpc has no test data groups, and no such file");
    }
    if version == Version::V2025_09 && kind == Folder::Below {
        source.breach(fields.place, "only folders right below secret/ are test data groups");
    }
    if version.is_legacy() || version == Version::V2023_07 {
        legacy_keys(&mut fields, problem, &mut settings, source);
    }
    if !version.is_legacy() {
        scoring_keys(&mut fields, kind, problem, &(name, earlier), source);
        dated_keys(&mut fields, &mut settings, source);
    }
    if version == Version::V2023_07 {
        fields.take_all(&["scoring", "static_validation", "hint", "description"]);
    }
    fields.finish(source);
    settings
}

/// Reads the settings of a case.
pub(super) fn of_case(path: &Path, findings: &mut Findings) -> Settings {
    let mut settings = Settings::default();
    let Some(node) = yaml::read(path, findings) else { return settings };
    let source = &mut Source::new(path, findings);
    let Some(mut fields) = source.fields(node) else { return settings };
    dated_keys(&mut fields, &mut settings, source);
    if let Some(node) = fields.take("hint") {
        source.text(&node);
    }
    settings.description = fields.take("description").and_then(|node| source.text(&node));
    fields.finish(source);
    settings
}

/// Keys that folders and cases have alike since 2023.
fn dated_keys(fields: &mut Fields, settings: &mut Settings, source: &mut Source<'_>) {
    settings.arguments = fields.take("args").and_then(|node| source.texts(&node));
    if let Some(node) = fields.take("output_validator_args")
        && let Some(arguments) = source.texts(&node)
    {
        settings.set_arguments(&node, None, arguments);
    }
    if let Some(node) = fields.take("input_validator_args") {
        by_validator(node, source);
    }
    for (_, node) in fields.take_all(&["input_visualizer_args", "output_visualizer_args"]) {
        source.texts(&node);
    }
    if let Some(node) = fields.take("full_feedback") {
        source.boolean(&node);
    }
}

/// Arguments of every input validator, or by the validator's name.
fn by_validator(node: Node, source: &mut Source<'_>) {
    if !matches!(node.value, Value::Map(_)) {
        source.texts(&node);
        return;
    }
    let Some(fields) = source.fields(node) else { return };
    for (_, node) in fields.rest().0 {
        source.texts(&node);
    }
}

/// How results add up. Only scoring problems have that, and not in every folder.
fn scoring_keys(
    fields: &mut Fields,
    kind: Folder,
    problem: &Problem,
    (name, earlier): &(&str, &[String]),
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

/// Keys of `testdata.yaml`.
fn legacy_keys(fields: &mut Fields, problem: &Problem, settings: &mut Settings, source: &mut Source<'_>) {
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
        flags(node, source);
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

/// Two numbers, the smaller first.
fn range(node: &Node, source: &mut Source<'_>) {
    let bounds: Option<Vec<f64>> =
        node.scalar().and_then(|text| text.split_whitespace().map(|word| word.parse().ok()).collect());
    if !matches!(bounds.as_deref(), Some(&[low, high]) if low <= high) {
        source.not_allowed(node, "two numbers, the smaller first (0 100, -inf +inf)");
    }
}
