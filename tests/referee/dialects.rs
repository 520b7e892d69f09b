//! The packages of `tests/dialects`. Each has one submission, whose verdict depends on the judge. The file `verdicts`
//! of the package lists the verdict that each judge gives, and the score if there is one.

use std::fs;

use serde_json::Value;

use super::support::command::{json, names_in, of_type, referee};
use super::support::files::in_repository;

/// The values of `--as`.
const JUDGES: [&str; 3] = ["spec", "kattis", "domjudge"];

/// Returns the verdict and the score of a submission, such as `WA 12.5`; only the verdict if it has no score.
fn verdict_and_score(finished: &Value) -> String {
    let verdict = finished["verdict"].as_str().unwrap_or_default();
    if finished["score"].is_null() { verdict.to_owned() } else { format!("{verdict} {}", finished["score"]) }
}

#[test]
#[ignore = "takes ten seconds: each package three times"]
fn each_judge_gives_its_own_verdict() {
    needs!("python3", "pypy3", "gcc");
    let folder = in_repository("tests/dialects");
    let mut names = names_in(&folder);
    names.retain(|name| folder.join(name).is_dir());
    assert!(names.len() >= 12, "{names:?}");
    for name in names {
        let package = folder.join(&name);
        let text = fs::read_to_string(package.join("verdicts")).expect("the package has verdicts");
        let wanted = |judge: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(judge)?.strip_prefix(' '));
            line.unwrap_or_else(|| panic!("{name}: no line for {judge}")).to_owned()
        };
        for judge in JUDGES {
            let (_, lines) = json(referee(["grade", package.to_str().expect("it is text"), "--as", judge]));
            let finished = of_type(&lines, "submission_finished");
            let found: Vec<_> = finished.iter().map(|line| verdict_and_score(line)).collect();
            assert_eq!(found, [wanted(judge)], "{name} --as {judge}");
        }
    }
}
