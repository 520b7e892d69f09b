//! The types of the server's answers. DOMjudge writes ids sometimes as numbers and sometimes as strings, and adds fields
//! with new versions. So every id is read in both forms, and unknown fields are ignored.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An id that the server writes as a number or as a string.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Id(pub String);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
        struct AnyForm;
        impl Visitor<'_> for AnyForm {
            type Value = Id;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a string")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Id, E> {
                Ok(Id(text.to_owned()))
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Id, E> {
                Ok(Id(number.to_string()))
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Id, E> {
                Ok(Id(number.to_string()))
            }
        }
        deserializer.deserialize_any(AnyForm)
    }
}

/// A task. The fields that are `None` do not apply to the task's type, or the server's version does not send them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Task {
    /// `judging_run`, `prefetch`, `debug_info` or `try_again`.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The task's id. Empty for `try_again`.
    pub(crate) judgetaskid: Id,
    /// The submission.
    pub(crate) submitid: Option<Id>,
    /// The contest, from version 10.0 on.
    pub(crate) contestid: Option<Id>,
    /// The judging.
    pub(crate) jobid: Option<Id>,
    /// The script that compiles the submission.
    pub(crate) compile_script_id: Option<Id>,
    /// The script that runs the submission. For interactive problems, the jury's program.
    pub(crate) run_script_id: Option<Id>,
    /// The script that compares outputs.
    pub(crate) compare_script_id: Option<Id>,
    /// The test case.
    pub(crate) testcase_id: Option<Id>,
    /// The MD5 sums of the input and of the answer, joined by `_`.
    pub(crate) testcase_hash: Option<String>,
    /// The [`CompileConfig`] as JSON text.
    pub(crate) compile_config: Option<String>,
    /// The [`RunConfig`] as JSON text.
    pub(crate) run_config: Option<String>,
    /// The [`CompareConfig`] as JSON text.
    pub(crate) compare_config: Option<String>,
}

/// The limits of a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct ScriptLimits {
    /// Seconds.
    #[serde(rename = "script_timelimit", deserialize_with = "number")]
    pub(crate) seconds: f64,
    /// KiB.
    #[serde(rename = "script_memory_limit", deserialize_with = "number")]
    pub(crate) memory_kib: f64,
    /// KiB.
    #[serde(rename = "script_filesize_limit", deserialize_with = "number")]
    pub(crate) files_kib: f64,
}

/// How the submission is compiled.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct CompileConfig {
    /// The limits of the script.
    #[serde(flatten)]
    pub(crate) limits: ScriptLimits,
    /// The endings of the language's files, without the dot.
    pub(crate) language_extensions: Vec<String>,
    /// Whether only files with these endings are passed to the compiler.
    #[serde(deserialize_with = "flag")]
    pub(crate) filter_compiler_files: bool,
    /// The hash of the script.
    pub(crate) hash: String,
}

/// How the submission is run.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct RunConfig {
    /// Seconds.
    #[serde(deserialize_with = "number")]
    pub(crate) time_limit: f64,
    /// KiB.
    #[serde(deserialize_with = "number")]
    pub(crate) memory_limit: f64,
    /// KiB.
    #[serde(deserialize_with = "number")]
    pub(crate) output_limit: f64,
    /// The largest number of processes and threads of the submission.
    #[serde(deserialize_with = "number")]
    pub(crate) process_limit: f64,
    /// The entry point that the team gave; `None` if it gave none.
    pub(crate) entry_point: Option<String>,
    /// The largest number of passes; 0 or 1 unless the problem is multi-pass.
    #[serde(deserialize_with = "number")]
    pub(crate) pass_limit: f64,
    /// Seconds that are added to the hard time limit.
    #[serde(deserialize_with = "number")]
    pub(crate) overshoot: f64,
    /// The hash of the script.
    pub(crate) hash: String,
}

/// How the output is compared.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct CompareConfig {
    /// The limits of the script.
    #[serde(flatten)]
    pub(crate) limits: ScriptLimits,
    /// The arguments, separated by blanks; `None` if there are none.
    pub(crate) compare_args: Option<String>,
    /// Whether the problem is interactive.
    #[serde(deserialize_with = "flag")]
    pub(crate) combined_run_compare: bool,
    /// Whether the problem is scored, from version 10.0 on.
    #[serde(deserialize_with = "flag")]
    pub(crate) is_scoring_problem: bool,
    /// The hash of the script.
    pub(crate) hash: String,
}

/// The server's configuration, as far as a judgehost uses it.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct ServerConfig {
    /// The largest size of each output that the server stores, in bytes; negative if there is no limit.
    #[serde(deserialize_with = "number")]
    pub output_storage_limit: f64,
    /// The additional time before a program is ended, such as `1s|10%`.
    pub timelimit_overshoot: String,
    /// The smallest free space on the disk, in KiB.
    #[serde(deserialize_with = "number")]
    pub diskspace_error: f64,
    /// The limits of scripts that have no configuration of their own.
    #[serde(flatten)]
    pub(crate) script_limits: ScriptLimits,
}

impl Default for ServerConfig {
    /// Returns DOMjudge's own defaults.
    fn default() -> ServerConfig {
        ServerConfig {
            output_storage_limit: 60000.0,
            timelimit_overshoot: "1s|10%".to_owned(),
            diskspace_error: f64::from(1 << 20),
            script_limits: ScriptLimits {
                seconds: 30.0,
                memory_kib: f64::from(2 << 20),
                files_kib: f64::from(2_621_440),
            },
        }
    }
}

/// A language that the server offers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct OfferedLanguage {
    /// The language's id.
    pub id: Id,
    /// The language's name.
    pub name: String,
    /// The endings of the language's files, without the dot.
    pub extensions: Vec<String>,
    /// The hash of the language's compile script; `None` if the server does not state it.
    pub compile_executable_hash: Option<String>,
}

/// A file that the server sends.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct FileContent {
    /// The file's name.
    pub(crate) filename: String,
    /// The content in base64.
    pub(crate) content: String,
    /// Whether the file is executable.
    #[serde(default, deserialize_with = "flag")]
    pub(crate) is_executable: bool,
}

/// The commands that report the versions of a language's tools.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct VersionCommands {
    /// A shell command; `None` if the server does not ask for the compiler's version.
    pub(crate) compiler_version_command: Option<String>,
    /// A shell command; `None` if the server does not ask for the version of the program that runs submissions.
    pub(crate) runner_version_command: Option<String>,
}

/// Parses a configuration that a task contains as JSON. Returns the default if there is none, or if it cannot be
/// parsed. Only for tasks that may do without it: prefetching, and what the jury asks for after a judging.
pub(crate) fn configuration_or_default<T: Default + serde::de::DeserializeOwned>(text: Option<&str>) -> T {
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// Reads a number that may be a string. Reads null as 0.
pub(crate) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let read = match Value::deserialize(deserializer)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null => Some(0.0),
        _ => None,
    };
    read.filter(|number: &f64| number.is_finite()).ok_or_else(|| de::Error::custom("expected a number"))
}

/// Reads a truth value that may be a number or a string. Reads null as false.
fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Bool(flag) => flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !["", "0", "false"].contains(&text.as_str()),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_numbers_are_read_in_both_forms_and_unknown_fields_are_ignored() {
        let task: Task = serde_json::from_str(
            r#"{"type":"judging_run","judgetaskid":7,"submitid":"3","jobid":4,"new":[1],"testcase_id":null}"#,
        )
        .unwrap();
        assert_eq!((task.judgetaskid.0.as_str(), task.submitid.unwrap().0.as_str()), ("7", "3"));
        assert_eq!((task.jobid.unwrap().0.as_str(), task.testcase_id), ("4", None));
        let run: RunConfig =
            serde_json::from_str(r#"{"time_limit":"2.5","memory_limit":262144,"entry_point":null}"#).unwrap();
        assert_eq!((run.time_limit, run.memory_limit, run.pass_limit), (2.5, 262_144.0, 0.0));
        let compare: CompareConfig =
            serde_json::from_str(r#"{"combined_run_compare":1,"compare_args":"a b","is_scoring_problem":"0"}"#)
                .unwrap();
        assert!(compare.combined_run_compare && !compare.is_scoring_problem);
        assert!(serde_json::from_str::<RunConfig>(r#"{"time_limit":[]}"#).is_err());
    }
}
