//! The test cases below `data/sample` and `data/secret`, with what they inherit from `test_group.yaml`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_saphyr::Spanned;

use super::TestCase;
use super::findings::Findings;
use super::yaml;

/// What groups and cases may say that concerns judging; cases inherit from the groups above them, key by key.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "keys the format knows and judging does not need; known, so that misspelt ones are not")]
struct Settings {
    args: Option<Vec<String>>,
    output_validator_args: Option<Spanned<Vec<String>>>,
    /// Where they stand.
    #[serde(skip)]
    output_validator_args_place: Option<String>,
    description: Option<String>,
    hint: Option<IgnoredAny>,
    input_validator_args: Option<IgnoredAny>,
    input_visualizer_args: Option<IgnoredAny>,
    output_visualizer_args: Option<IgnoredAny>,
    full_feedback: Option<IgnoredAny>,
    max_score: Option<IgnoredAny>,
    score_aggregation: Option<IgnoredAny>,
    static_validation_score: Option<IgnoredAny>,
    require_pass: Option<IgnoredAny>,
}

impl Settings {
    /// What the file at `path`, which lies below the folder `data`, says.
    fn read(path: &Path, data: &Path, findings: &mut Findings) -> Settings {
        let own = yaml::read::<Settings>(path, findings).unwrap_or_default();
        let place = own.output_validator_args.as_ref().map(|arguments| {
            let (line, column) = (arguments.referenced.line(), arguments.referenced.column());
            format!("data/{}:{line}:{column}", name_below(data, path))
        });
        Settings { output_validator_args_place: place, ..own }
    }

    fn below(self, above: &Settings) -> Settings {
        Settings {
            args: self.args.or_else(|| above.args.clone()),
            output_validator_args: self.output_validator_args.or_else(|| above.output_validator_args.clone()),
            output_validator_args_place: self
                .output_validator_args_place
                .or_else(|| above.output_validator_args_place.clone()),
            ..self
        }
    }
}

/// Endings of the files that may lie beside an input and belong to it.
const COMPANIONS: [&str; 14] = [
    ".in",
    ".ans",
    ".out",
    ".yaml",
    ".interaction",
    ".in.statement",
    ".ans.statement",
    ".in.download",
    ".ans.download",
    ".files",
    ".png",
    ".jpg",
    ".jpeg",
    ".svg",
];

pub(super) fn read(root: &Path, findings: &mut Findings) -> Vec<TestCase> {
    let data = root.join("data");
    let mut cases = Vec::new();
    for part in ["sample", "secret"] {
        let folder = data.join(part);
        if folder.is_dir() {
            read_folder(&data, &folder, &Settings::default(), &mut cases, findings);
        }
    }
    if !cases.iter().any(|case| case.name.starts_with("secret/")) {
        findings.error(&data.join("secret"), "holds no test case; a package needs at least one NAME.in with NAME.ans");
    }
    cases
}

fn read_folder(data: &Path, folder: &Path, above: &Settings, cases: &mut Vec<TestCase>, findings: &mut Findings) {
    let Some(names) = names(folder, findings) else { return };
    let group = folder.join("test_group.yaml");
    let settings = if group.is_file() { Settings::read(&group, data, findings).below(above) } else { above.clone() };
    for name in &names {
        let path = folder.join(name);
        if let Some(stem) = name.strip_suffix(".in") {
            cases.extend(case(data, folder, stem, &names, &settings, findings));
        } else if path.is_dir() && name.strip_suffix(".files").is_none() {
            read_folder(data, &path, &settings, cases, findings);
        } else if name != "test_group.yaml" && !belongs_to_a_case(name, &names) {
            findings.warning(&path, "belongs to no test case: there is no input of that name");
        }
    }
}

/// The names in a folder that the format lets count, in the order of judging.
fn names(folder: &Path, findings: &mut Findings) -> Option<BTreeSet<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            findings.error(folder, format!("cannot be read: {error}"));
            return None;
        }
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    Some(names.filter(|name| is_legal(name)).collect())
}

/// `[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}`; anything else is to be treated as if it were not there.
pub(super) fn is_legal(name: &str) -> bool {
    let starts_well = name.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_');
    starts_well && name.len() <= 255 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

fn belongs_to_a_case(name: &str, names: &BTreeSet<String>) -> bool {
    let stems = COMPANIONS.iter().filter_map(|ending| name.strip_suffix(ending));
    stems.into_iter().any(|stem| names.contains(&format!("{stem}.in")))
}

fn case(
    data: &Path,
    folder: &Path,
    stem: &str,
    names: &BTreeSet<String>,
    group: &Settings,
    findings: &mut Findings,
) -> Option<TestCase> {
    let file = |ending: &str| folder.join(format!("{stem}{ending}"));
    let input = file(".in");
    if !names.contains(&format!("{stem}.ans")) {
        findings.error(&input, format!("has no answer file {stem}.ans beside it"));
        return None;
    }
    for path in [&input, &file(".ans")] {
        if let Some(reason) = unfit(path) {
            findings.error(path, reason);
            return None;
        }
    }
    if names.contains(&format!("{stem}.files")) {
        findings.error(&file(".files"), "this version of referee does not provide files to submissions");
    }
    let own = if names.contains(&format!("{stem}.yaml")) {
        Settings::read(&file(".yaml"), data, findings)
    } else {
        Settings::default()
    };
    let settings = own.below(group);
    Some(TestCase {
        name: name_below(data, &folder.join(stem)),
        input,
        answer: file(".ans"),
        arguments: settings.args.unwrap_or_default(),
        output_validator_arguments: settings.output_validator_args.map(|given| given.value).unwrap_or_default(),
        output_validator_arguments_place: settings.output_validator_args_place,
        description: settings.description,
    })
}

/// Inputs and answers are held in memory; a larger one is a mistake or an attack.
const LARGEST_BYTES: u64 = 1 << 30;

/// Why the file cannot be an input or an answer, if so.
fn unfit(path: &Path) -> Option<String> {
    match path.metadata() {
        Err(error) => Some(format!("cannot be read: {error}")),
        Ok(found) if !found.is_file() => Some("is not a file".to_owned()),
        Ok(found) if found.len() > LARGEST_BYTES => {
            Some(format!("has {} bytes, allowed: at most {LARGEST_BYTES}", found.len()))
        }
        Ok(_) => None,
    }
}

/// A path below `base` with `/` between its parts.
pub(super) fn name_below(base: &Path, path: &Path) -> String {
    let below: PathBuf = path.strip_prefix(base).map(Path::to_path_buf).unwrap_or_default();
    below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
