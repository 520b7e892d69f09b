//! Cached results of interactive and multi-pass problems.

use serde_json::Value;

use crate::support::command::{json, of_type, referee};
use crate::support::files;
use crate::support::program::temporary_folder;

/// Packages, each with some of its submissions that end quickly.
const TALKS: [(&str, &[&str]); 3] = [
    ("talks", &["accepted/search.sh", "wrong_answer/wrong_then_exit_1.sh", "run_time_error/right_then_exit_1.sh"]),
    ("passes", PASSES),
    ("talksinpasses", PASSES),
];

const PASSES: &[&str] =
    &["accepted/adds.sh", "wrong_answer/in_the_third_pass.sh", "run_time_error/in_the_second_pass.sh"];

#[test]
fn a_talk_is_remembered_with_its_passes_and_what_was_said_last() {
    needs!("python3");
    for (package, submissions) in TALKS {
        let folder = format!("tests/packages/judged/{package}");
        let cache = temporary_folder();
        let grade = || {
            let mut command = referee(["grade", &folder]);
            let of_package = |name: &&str| files::in_repository(&folder).join("submissions").join(name);
            command.args(submissions.iter().map(of_package)).arg("--all-cases").env("XDG_CACHE_HOME", cache.path());
            command
        };
        let ((_, first), (_, second)) = (json(grade()), json(grade()));
        let cases = of_type(&second, "case_finished");
        assert!(!cases.is_empty() && cases.iter().all(|case| case["cached"] == true), "{package}: {cases:#?}");
        let known = |lines: &[Value]| -> Vec<Value> {
            let mut cases: Vec<_> = of_type(lines, "case_finished").into_iter().cloned().collect();
            for case in &mut cases {
                case["cached"] = Value::Null;
            }
            cases
        };
        assert_eq!(known(&first), known(&second), "{package}");
        // The terminal shows the last messages of each failed interaction, no matter whether the result is cached.
        let text = || String::from_utf8(grade().output().unwrap().stdout).unwrap();
        let anew = String::from_utf8(grade().arg("--no-cache").output().unwrap().stdout).unwrap();
        let failures = |text: &str| text.matches("last messages").count();
        assert_eq!(failures(&text()), failures(&anew), "{package}");
    }
}
