//! `problem.yaml` of the format 2025-09.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_saphyr::Spanned;

use super::Limits;
use super::findings::Findings;
use super::yaml;

/// The keys of the file. Those that do not matter to judging are known, so that a misspelt one is not.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "keys the format knows and judging does not need; known, so that misspelt ones are not")]
struct ProblemYaml {
    problem_format_version: Option<Spanned<String>>,
    name: Option<Name>,
    uuid: Option<String>,
    r#type: Option<Spanned<OneOrMore>>,
    limits: Option<LimitsYaml>,
    #[serde(default)]
    allow_file_writing: Option<Spanned<bool>>,
    constants: Option<Spanned<BTreeMap<String, serde_json::Value>>>,
    version: Option<IgnoredAny>,
    credits: Option<IgnoredAny>,
    source: Option<IgnoredAny>,
    license: Option<IgnoredAny>,
    rights_owner: Option<IgnoredAny>,
    embargo_until: Option<IgnoredAny>,
    keywords: Option<IgnoredAny>,
    languages: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Name {
    English(String),
    ByLanguage(BTreeMap<String, String>),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "keys the format knows and judging does not need; known, so that misspelt ones are not")]
struct LimitsYaml {
    time_limit: Option<Spanned<f64>>,
    time_multipliers: Option<IgnoredAny>,
    time_resolution: Option<IgnoredAny>,
    memory: Option<Spanned<u64>>,
    output: Option<Spanned<u64>>,
    code: Option<Spanned<u64>>,
    compilation_time: Option<Spanned<u64>>,
    compilation_memory: Option<Spanned<u64>>,
    validation_time: Option<Spanned<u64>>,
    validation_memory: Option<Spanned<u64>>,
    validation_output: Option<Spanned<u64>>,
    validation_passes: Option<IgnoredAny>,
}

/// What judging needs of `problem.yaml`.
pub(super) struct Problem {
    pub(super) title: String,
    pub(super) limits: Limits,
    pub(super) file_writing: bool,
}

const MIB: u64 = 1 << 20;

/// Longer than this no limit is meant seriously, and it keeps every sum of limits inside its type.
const LONGEST_SECONDS: f64 = 1e6;

pub(super) fn read(root: &Path, findings: &mut Findings) -> Option<Problem> {
    let path = root.join("problem.yaml");
    if !path.is_file() {
        findings.error(&path, "is missing; every problem package has one");
        return None;
    }
    let yaml: ProblemYaml = yaml::read(&path, findings)?;
    let known_version = check_version(&path, yaml.problem_format_version.as_ref(), findings);
    if !known_version {
        return None;
    }
    check_type(&path, yaml.r#type.as_ref(), findings);
    check_unsupported(&path, &yaml, findings);
    if yaml.uuid.is_none() {
        findings.error(&path, "the key 'uuid' is missing; 2025-09 requires it");
    }
    let title = title(&path, yaml.name, findings);
    let limits = limits(&path, yaml.limits.unwrap_or_default(), findings);
    let file_writing = yaml.allow_file_writing.is_some_and(|allowed| allowed.value);
    Some(Problem { title, limits, file_writing })
}

fn check_version(path: &Path, version: Option<&Spanned<String>>, findings: &mut Findings) -> bool {
    let (place, found) = match version {
        Some(version) if version.value == "2025-09" => return true,
        Some(version) => (Some(at(version)), format!("{:?}", version.value)),
        None => (None, "no problem_format_version, which means \"legacy\"".to_owned()),
    };
    findings.error_at(path, place, format!("found {found}; this version of referee reads \"2025-09\" only"));
    false
}

fn check_type(path: &Path, types: Option<&Spanned<OneOrMore>>, findings: &mut Findings) {
    let Some(types) = types else { return };
    let words = match &types.value {
        OneOrMore::One(word) => std::slice::from_ref(word),
        OneOrMore::More(words) => words.as_slice(),
    };
    for word in words {
        let message = match word.as_str() {
            "pass-fail" => continue,
            "scoring" | "multi-pass" | "interactive" | "submit-answer" => {
                format!("problems of type {word:?} cannot be judged by this version of referee, only \"pass-fail\"")
            }
            _ => format!(
                "found type {word:?}, allowed: \"pass-fail\", \"scoring\", \"multi-pass\", \"interactive\", \
                 \"submit-answer\""
            ),
        };
        findings.error_at(path, Some(at(types)), message);
    }
}

fn check_unsupported(path: &Path, yaml: &ProblemYaml, findings: &mut Findings) {
    if let Some(constants) = yaml.constants.as_ref().filter(|constants| !constants.value.is_empty()) {
        findings.error_at(path, Some(at(constants)), "constants: this version of referee does not substitute them");
    }
}

fn title(path: &Path, name: Option<Name>, findings: &mut Findings) -> String {
    match name {
        Some(Name::English(title)) => title,
        Some(Name::ByLanguage(titles)) => {
            titles.get("en").or_else(|| titles.values().next()).cloned().unwrap_or_default()
        }
        None => {
            findings.error(path, "the key 'name' is missing; 2025-09 requires it");
            String::new()
        }
    }
}

fn limits(path: &Path, yaml: LimitsYaml, findings: &mut Findings) -> Limits {
    let mut whole = |given: Option<Spanned<u64>>, default: u64, unit: u64| match given {
        None => default * unit,
        Some(given) if given.value == 0 || given.value > 1 << 24 => {
            findings.error_at(path, Some(at(&given)), format!("found {}, allowed: 1 to {}", given.value, 1 << 24));
            default * unit
        }
        Some(given) => given.value * unit,
    };
    // The defaults are the "typical system defaults" of the format.
    let limits = Limits {
        time: None,
        memory_bytes: whole(yaml.memory, 2048, MIB),
        output_bytes: whole(yaml.output, 8, MIB),
        code_bytes: whole(yaml.code, 128, 1 << 10),
        compilation_time: Duration::from_secs(whole(yaml.compilation_time, 60, 1)),
        compilation_memory_bytes: whole(yaml.compilation_memory, 2048, MIB),
        validation_time: Duration::from_secs(whole(yaml.validation_time, 60, 1)),
        validation_memory_bytes: whole(yaml.validation_memory, 2048, MIB),
        validation_output_bytes: whole(yaml.validation_output, 8, MIB),
    };
    Limits { time: time(path, yaml.time_limit, findings), ..limits }
}

fn time(path: &Path, given: Option<Spanned<f64>>, findings: &mut Findings) -> Option<Duration> {
    let given = given?;
    if given.value > 0.0 && given.value <= LONGEST_SECONDS {
        return Some(Duration::from_secs_f64(given.value));
    }
    findings.error_at(path, Some(at(&given)), format!("found {}, allowed: a number of seconds above 0", given.value));
    None
}

fn at<T>(value: &Spanned<T>) -> (u64, u64) {
    (value.referenced.line(), value.referenced.column())
}
