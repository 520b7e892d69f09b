//! The output of `referee doctor` is true for this machine, and useful.

use std::sync::OnceLock;

use serde_json::Value;

use super::support::command::{json, referee};
use super::support::program::has;

/// The output of `referee doctor` on this machine. It is shared by all tests, because asking every compiler for its
/// version takes long.
fn full_diagnosis() -> &'static Value {
    static DIAGNOSIS: OnceLock<Value> = OnceLock::new();
    DIAGNOSIS.get_or_init(|| diagnosis(""))
}

fn diagnosis(without: &str) -> Value {
    let mut command = referee(["doctor"]);
    command.env("REFEREE_SANDBOX_WITHOUT", without);
    let (code, lines) = json(command);
    assert_eq!((code, lines.len(), &lines[0]["type"]), (0, 1, &Value::from("doctor_finished")));
    lines.into_iter().next().expect("there is a line")
}

#[test]
fn every_mechanism_has_a_state_and_a_reason() {
    let found = full_diagnosis();
    for group in [&found["mechanisms"], &found["sandbox"]["parts"]] {
        let parts = group.as_object().expect("parts have names");
        assert!(parts.len() >= 8);
        for (name, part) in parts {
            let state = part["state"].as_str().expect("a state is a word");
            assert!(["enforced", "partial", "not"].contains(&state), "{name}: {part}");
            assert!(part["why"].as_str().is_some_and(|why| !why.is_empty()), "{name}: {part}");
        }
    }
}

#[test]
fn what_is_left_out_is_missed_and_comes_with_a_remedy() {
    let (left_out, kept) = (["landlock", "cgroups"], ["namespaces", "seccomp"]);
    for (without, others) in [(left_out, kept), (kept, left_out)] {
        let found = diagnosis(&without.join(","));
        for mechanism in without {
            let part = &found["mechanisms"][mechanism];
            assert_eq!(part["state"], "not", "{part}");
            assert!(part["remedy"].is_string(), "{part}");
        }
        for mechanism in others {
            assert_eq!(
                found["mechanisms"][mechanism]["state"],
                full_diagnosis()["mechanisms"][mechanism]["state"],
                "{mechanism}"
            );
        }
    }
}

#[test]
fn languages_are_named_with_the_versions_that_their_tools_tell() {
    let found = full_diagnosis();
    let languages = found["languages"].as_array().expect("languages are a list");
    let named: Vec<_> = languages.iter().map(|language| language["language"].as_str().unwrap_or("")).collect();
    assert!(named.starts_with(&["C", "C++", "Java", "Python 3", "Rust"]), "{named:?}");
    for language in languages {
        let is_whole = language["missing"].is_null();
        assert_ne!(is_whole, language["missing"].as_str().is_some_and(|missing| missing.contains("install it with")));
    }
    if has("gcc", "the version of gcc") {
        let said = std::process::Command::new("gcc").arg("--version").output().expect("gcc starts").stdout;
        let first = String::from_utf8_lossy(&said).lines().next().map(str::to_owned);
        assert_eq!(languages[0]["tools"][0]["version"].as_str().map(str::to_owned), first);
    }
}

#[test]
fn the_cost_of_a_run_is_measured() {
    let cost = &full_diagnosis()["cost"];
    for figure in ["spawn_seconds", "sandbox_seconds", "setup_seconds"] {
        assert!(cost[figure].as_f64().is_some_and(|seconds| seconds > 1e-6 && seconds < 1.0), "{cost}");
    }
}

#[test]
fn people_read_it_within_eighty_columns() {
    for without in ["", "namespaces,cgroups,landlock,seccomp"] {
        let mut command = referee(["doctor", "--color", "never"]);
        let output = command.env("REFEREE_SANDBOX_WITHOUT", without).output().expect("referee starts");
        let text = String::from_utf8(output.stdout).expect("what people read is UTF-8");
        let wide: Vec<_> = text.lines().filter(|line| line.chars().count() > 80).collect();
        assert_eq!(wide, Vec::<&str>::new());
        assert!(text.contains("cost of a run") && text.contains("languages"), "{text}");
    }
}
