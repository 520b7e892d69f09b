//! Reads the settings in `test_group.yaml`, `testdata.yaml` and a test case's own `.yaml`. Test cases inherit settings
//! from their folders, key by key.

mod dated;
mod legacy;

pub(super) use dated::{DatedKeys, StaticCase};
pub(super) use legacy::LegacyKeys;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::name_below;
use crate::findings::Findings;
use crate::problem::Problem;
use crate::version::Version;
use crate::yaml::{self, Node, Source};
use crate::{InputArguments, ValidatorArguments};

/// Keys that grading ignores in the settings files of folders and test cases. `verify`, `hunt` and `strength` use some
/// of them: the arguments of input and answer validators.
const UNUSED: [&str; 8] = [
    "answer_validator_args",
    "description",
    "full_feedback",
    "hint",
    "input_validator_args",
    "input_validator_flags",
    "input_visualizer_args",
    "output_visualizer_args",
];

/// The settings of a folder or a test case. A setting that is missing takes its value from the folder above. The fields
/// `description`, `static_validation`, `dated` and `own_legacy` are not inherited.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    pub(super) arguments: Option<Arc<[String]>>,
    pub(super) output_validator_arguments: Arc<ValidatorArguments>,
    /// Whether this file or the file of a folder above sets `output_validator_arguments`. If not, only `problem.yaml`
    /// can set them.
    own_output_validator_arguments: bool,
    pub(super) input_validator_arguments: Option<Arc<InputArguments>>,
    pub(super) answer_validator_arguments: Option<Arc<InputArguments>>,
    pub(super) description: Option<Arc<String>>,
    /// Whether the folder has a test case for the static validator.
    pub(super) static_validation: bool,
    /// The legacy keys that affect the result.
    pub(super) legacy: LegacyKeys,
    /// The keys of the dated versions that affect the result.
    pub(super) dated: DatedKeys,
    /// The legacy keys of the folder's own settings file; `None` if the folder has no such file. The rules of DOMjudge
    /// use this field, because folders on DOMjudge do not inherit keys.
    pub(super) own_legacy: Option<LegacyKeys>,
}

/// The origin of a group's grader flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlagsOrigin {
    /// The group's own file.
    OwnFile,
    /// The file of a folder above.
    Inherited,
}

/// The kind of a folder, which decides which keys the folder's settings may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Folder {
    /// `data` itself.
    Data,
    Sample,
    Secret,
    /// A folder directly below `secret`.
    Group,
    /// A folder further down.
    Below,
    /// A folder of validator tests, such as `invalid_input`, or a folder below it.
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
    /// Returns the settings that `problem.yaml` gives to every test case.
    pub(super) fn of_problem(problem: &Problem) -> Settings {
        let place = problem.validation.arguments_place;
        let arguments = ValidatorArguments {
            of_problem: problem.validation.arguments.clone(),
            place: place.map(|(line, column)| format!("problem.yaml:{line}:{column}")),
            ..ValidatorArguments::default()
        };
        Settings { output_validator_arguments: arguments.into(), ..Settings::default() }
    }

    /// Puts the name of the file `path` before the line and the column in the source position of the arguments. The
    /// name is relative to the package's folder.
    pub(super) fn located(mut self, data: &Path, path: &Path) -> Settings {
        if let Some(place) = &self.output_validator_arguments.place {
            let place = format!("data/{}:{place}", name_below(data, path));
            Arc::make_mut(&mut self.output_validator_arguments).place = Some(place);
        }
        self
    }

    pub(super) fn below(self, above: &Settings) -> Settings {
        let mut arguments = if self.own_output_validator_arguments {
            self.output_validator_arguments
        } else {
            above.output_validator_arguments.clone()
        };
        let of_problem = &above.output_validator_arguments.of_problem;
        if arguments.of_problem != *of_problem {
            Arc::make_mut(&mut arguments).of_problem.clone_from(of_problem);
        }
        Settings {
            arguments: self.arguments.or_else(|| above.arguments.clone()),
            output_validator_arguments: arguments,
            own_output_validator_arguments: self.own_output_validator_arguments || above.own_output_validator_arguments,
            input_validator_arguments: self
                .input_validator_arguments
                .or_else(|| above.input_validator_arguments.clone()),
            answer_validator_arguments: self
                .answer_validator_arguments
                .or_else(|| above.answer_validator_arguments.clone()),
            description: self.description,
            static_validation: self.static_validation,
            legacy: self.legacy.below(&above.legacy),
            dated: self.dated,
            own_legacy: self.own_legacy,
        }
    }

    /// Sets the arguments of the output validators. `node` gives their line and column; [`Settings::located`] adds the
    /// name of the file later.
    fn set_arguments(&mut self, node: &Node, only: Option<String>, arguments: Vec<String>) {
        let (line, column) = node.place;
        self.own_output_validator_arguments = true;
        self.output_validator_arguments =
            ValidatorArguments { of_problem: Vec::new(), only, arguments, place: Some(format!("{line}:{column}")) }
                .into();
    }
}

/// Reads the settings of a folder. `earlier` contains the names of the groups that this folder may require.
pub(super) fn of_folder(
    path: &Path,
    kind: Folder,
    name: &str,
    problem: &Problem,
    earlier: &BTreeSet<String>,
    findings: &mut Findings,
) -> Settings {
    let version = problem.version;
    let mut settings = Settings::default();
    let Some(node) = yaml::read_with(&problem.constants, path, findings) else { return settings };
    let source = &mut Source::new(path, findings);
    let Some(mut fields) = source.fields_except(node, &UNUSED) else { return settings };
    if version == Version::LegacyIcpc {
        source.breach(
            fields.place,
            "the format legacy-icpc has no test data groups and does not define this file; remove it",
        );
    }
    if version == Version::V2025_09 && kind == Folder::Below {
        source.breach(fields.place, "only folders directly below secret/ are test data groups; remove this file");
    }
    if version.is_legacy() || version == Version::V2023_07 {
        legacy::keys(&mut fields, problem, &mut settings, source);
    }
    if !version.is_legacy() {
        dated::scoring_keys(&mut fields, kind, problem, &(name, earlier), &mut settings, source);
        dated::keys(&mut fields, &mut settings, source);
    }
    if version == Version::V2023_07 {
        for (key, node) in fields.take_all(&["scoring", "static_validation", "hint", "description"]) {
            if ["scoring", "static_validation"].contains(&key) && problem.kind.scoring {
                let message = "of the draft 2023-07 is not supported; use these keys of 2025-09 instead: max_score, \
                               score_aggregation, require_pass and static_validation_score";
                source.error(node.place, format!("'{key}' {message}"));
            }
        }
    }
    fields.finish(source);
    settings
}

/// Reads the settings of a test case.
pub(super) fn of_case(path: &Path, findings: &mut Findings) -> Settings {
    let mut settings = Settings::default();
    let Some(node) = yaml::read(path, findings) else { return settings };
    let source = &mut Source::new(path, findings);
    let Some(mut fields) = source.fields_except(node, &UNUSED) else { return settings };
    dated::keys(&mut fields, &mut settings, source);
    if let Some(node) = fields.take("hint") {
        source.unused().text(&node);
    }
    settings.description = fields.take("description").and_then(|node| source.unused().text(&node)).map(Arc::from);
    fields.finish(source);
    settings
}
