//! Reads `problem.yaml` of any format version. Each version has its own keys for the same settings.

mod about;
mod dated;
mod legacy;
pub(crate) mod limits;
mod places;

use std::collections::BTreeMap;
use std::path::Path;

use super::bounded;
use super::constants::Constants;
use super::findings::Findings;
use super::links;
use super::natural_language::{self, is_language};
use super::version::Version;
use super::yaml::{self, Fields, Position, Source, Value, shortened};
use super::{Kind, Limits, Timing};
use referee_grading::score::Objective;

/// The content of `problem.yaml` that other modules use.
pub(super) struct Problem {
    pub(super) version: Version,
    pub(super) names: Names,
    pub(super) uuid: Option<String>,
    pub(super) kind: Kind,
    pub(super) limits: Limits,
    pub(super) timing: Timing,
    pub(super) file_writing: bool,
    pub(super) constants: Constants,
    /// The allowed languages; `None` if all are allowed.
    pub(super) languages: Option<Vec<String>>,
    pub(super) validation: Validation,
    /// Whether higher or lower scores are better.
    pub(super) objective: Objective,
}

/// The problem's name: a single text, or one text per language.
#[derive(Default)]
pub(super) struct Names {
    /// The line and column of the value of `name`; `None` if the key `name` is missing.
    pub(super) place: Option<Position>,
    pub(super) plain: Option<String>,
    pub(super) by_language: BTreeMap<String, String>,
    /// Whether a value is not a text. The findings already contain an error about it.
    pub(super) is_wrong: bool,
}

impl Names {
    /// Returns the name, in English if there is an English one.
    pub(super) fn title(&self) -> String {
        let by_language = || self.by_language.get("en").or_else(|| self.by_language.values().next());
        self.plain.as_ref().or_else(by_language).cloned().unwrap_or_default()
    }
}

/// The choice of the output validator. Only the legacy versions have it in `problem.yaml`.
#[derive(Default)]
pub(super) struct Validation {
    /// `Some(true)` for the package's own validators, `Some(false)` for the default validator. `None` if `problem.yaml`
    /// does not choose.
    pub(super) custom: Option<bool>,
    /// Whether the validators may give scores.
    pub(super) score: bool,
    /// Arguments for every output validator.
    pub(super) arguments: Vec<String>,
    /// The line and column of the arguments in `problem.yaml`; `None` if there are none.
    pub(super) arguments_place: Option<Position>,
}

/// Reads `problem.yaml`. Returns `None` and reports an error if the file is unreadable or its format version is
/// unknown, because the rest of the package then cannot be understood.
pub(super) fn read(root: &Path, findings: &mut Findings) -> Option<Problem> {
    let path = root.join("problem.yaml");
    if let Err(refused) = links::resolve(root, &path) {
        findings.error(&path, refused.reason());
        return None;
    }
    if let Some(why) = bounded::unfit(&path) {
        findings.error(&path, format!("{why}; every problem package needs a problem.yaml"));
        return None;
    }
    let node = yaml::read(&path, findings)?;
    let mut source = Source::new(&path, findings);
    let mut fields = source.fields_except(node, &about::KEYS)?;
    let version = version(&mut fields, &mut source)?;
    Some(if version.is_legacy() {
        legacy::read(version, fields, &path, findings)
    } else {
        dated::read(version, fields, &path, findings)
    })
}

fn version(fields: &mut Fields, source: &mut Source<'_>) -> Option<Version> {
    let Some(node) = fields.take("problem_format_version") else {
        return Some(Version::Legacy);
    };
    let version = Version::named(&node);
    if version.is_none() {
        source.not_allowed(&node, Version::names());
    }
    version
}

/// Reads the name: a single text, or a map from languages to texts.
fn names(fields: &mut Fields, source: &mut Source<'_>) -> Names {
    let Some(node) = fields.take("name") else { return Names::default() };
    let source = &mut source.unused();
    let place = Some(node.place);
    if node.scalar().is_some() {
        let plain = source.proper_text(&node);
        return Names { place, is_wrong: plain.is_none(), plain, ..Names::default() };
    }
    let wrong = Names { place, is_wrong: true, ..Names::default() };
    let Value::Map(_) = node.value else {
        source.not_allowed(&node, "a text, or a text for each language ({en: Name})");
        return wrong;
    };
    let Some(entries) = source.fields(node) else { return wrong };
    let entries = entries.rest().0;
    let count = entries.len();
    let wrong: Vec<_> = entries.iter().map(|(key, _)| key).filter(|key| !is_language(&key.text)).collect();
    for key in &wrong {
        let message = format!("{:?} is not a language code; {}", shortened(&key.text), natural_language::CODE);
        source.error(key.place, message);
    }
    let has_wrong = !wrong.is_empty();
    let entries = entries.into_iter();
    let by_language: BTreeMap<_, _> =
        entries.filter_map(|(key, node)| Some((key.text, source.proper_text(&node)?))).collect();
    Names { place, is_wrong: has_wrong || by_language.len() < count, plain: None, by_language }
}
