//! A small package that tests may change, with its own cache.

use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

use super::command::{json, of_type, referee, write};
use super::program::temporary_folder;

pub(crate) const PROBLEM: &str = "problem_format_version: 2025-09\nname: Sum\n\
                       uuid: 5d3c1f2e-0000-4000-8000-00000000000c\n\
                       constants:\n  start: 0\nlimits:\n  time_limit: 5\n";

/// A submission that prints a sum. It adds the numbers of its input, of its arguments and of the file `beside`, and a
/// value from `include.sh`.
pub(crate) const ADD: &str = ". ./include.sh\nread a b\nsum=$((a + b + zero + {{start}}))\n\
                   for more in \"$@\" $(cat ./beside 2>&-); do sum=$((sum + more)); done\necho $sum\n";

pub(crate) const VALIDATOR: &str = "read -r wanted < \"$2\"\nread -r got\nmost=0\n[ \"$#\" -lt 4 ] || most=$4\n\
                         [ $((got - wanted)) -le \"$most\" ] && exit 42\nexit 43\n";

/// A package with two submissions and three cases, and its own cache.
pub(crate) struct Lab {
    pub(crate) folder: TempDir,
}

impl Lab {
    pub(crate) fn new() -> Lab {
        let lab = Lab { folder: temporary_folder() };
        for (name, text) in [
            ("problem.yaml", PROBLEM),
            ("submissions/accepted/one.sh", ADD),
            ("submissions/accepted/two.sh", ". ./include.sh\nread a b\necho $((a + b + ${1-0} + zero))\n"),
            ("include/default/include.sh", "zero=0\n"),
            ("statement/problem.en.md", "Add.\n"),
            ("input_validators/any.sh", "exit 42\n"),
            ("data/secret/a.in", "1 2\n"),
            ("data/secret/a.ans", "3\n"),
            ("data/secret/b.in", "3 4\n"),
            ("data/secret/b.ans", "7\n"),
            ("data/secret/c.in", "5 6\n"),
            ("data/secret/c.ans", "12\n"),
            ("data/secret/c.yaml", "args: [\"1\"]\n"),
            ("data/secret/c.files/beside", ""),
        ] {
            lab.write(name, text);
        }
        lab
    }

    /// Creates the same package with an output validator.
    pub(crate) fn with_validator() -> Lab {
        let lab = Lab::new();
        lab.write("output_validator/validate.sh", VALIDATOR);
        lab
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("sum").join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        write(&self.folder.path().join("sum"), name, text)
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    pub(crate) fn results(&self) -> PathBuf {
        self.cache().join("referee/results")
    }

    pub(crate) fn grade<S: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = referee(["grade"]);
        command.arg(self.path("")).env("XDG_CACHE_HOME", self.cache()).args(arguments);
        command
    }

    /// Grades the package, and returns the submission and the case of each run. All other results came from the cache.
    pub(crate) fn runs<S: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Vec<String> {
        runs(&json(self.grade(arguments)).1)
    }
}

/// Returns the submission and the case of each result that did not come from the cache. `lines` is a JSON report.
pub(crate) fn runs(lines: &[Value]) -> Vec<String> {
    let fresh = of_type(lines, "case_finished").into_iter().filter(|case| case["cached"] == false);
    fresh.map(|case| format!("{} {}", last(&case["submission"]), last(&case["case"]))).collect()
}

fn last(name: &Value) -> &str {
    name.as_str().and_then(|name| name.rsplit('/').next()).expect("it has a name")
}

pub(crate) const NONE: &[&str] = &[];
pub(crate) const ALL: &[&str] = &["one.sh a", "one.sh b", "one.sh c", "two.sh a", "two.sh b", "two.sh c"];
