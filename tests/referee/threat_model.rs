//! Each promise of docs/threat-model.md names the tests that show it, and these tests exist.

use std::fs;

use super::support::files::in_repository;

/// Returns the texts between backticks.
fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Checks that a test exists. `name` has the form `FILE`, or `FILE::FUNCTION` for a test in Rust. Returns a complaint
/// if there is no such test; otherwise `None`.
fn fault(name: &str) -> Option<String> {
    let (file, function) = name.split_once("::").map_or((name, None), |(file, function)| (file, Some(function)));
    let path = in_repository(file);
    if !path.is_file() {
        return Some(format!("{name}: there is no such file"));
    }
    let function = function?;
    let text = fs::read_to_string(path).expect("the file can be read");
    let Some((before, _)) = text.split_once(&format!("fn {function}(")) else {
        return Some(format!("{name}: there is no such function"));
    };
    let is_test = before.rsplit("\n\n").next().is_some_and(|attributes| attributes.contains("#[test]"));
    (!is_test).then(|| format!("{name}: the function is no test"))
}

#[test]
fn every_promise_names_tests_that_exist() {
    let page = fs::read_to_string(in_repository("docs/threat-model.md")).expect("the page can be read");
    let is_test = |span: &&str| ["tests/", "crates/", "src/"].iter().any(|folder| span.starts_with(folder));
    let faults: Vec<_> = code_spans(&page).filter(is_test).filter_map(fault).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    // The tables of promises are those whose last column is "shown by".
    let mut promises = 0;
    let mut is_promise = false;
    for line in page.lines() {
        match line {
            _ if !line.starts_with('|') => is_promise = false,
            _ if line.ends_with("| shown by |") => is_promise = true,
            _ if line.starts_with("| ---") || !is_promise => {}
            _ => {
                let shown_by = line.trim_end_matches('|').rsplit('|').next().unwrap_or_default();
                assert!(code_spans(shown_by).any(|span| is_test(&span)), "no test shows this promise: {line}");
                promises += 1;
            }
        }
    }
    assert!(promises >= 25, "the tables were read: {promises} promises");
}

#[test]
fn a_test_that_does_not_exist_is_found() {
    for name in ["tests/hostile/AC/no_such.c", "tests/referee/leaks.rs::no_such", "tests/referee/leaks.rs::package"] {
        assert!(fault(name).is_some(), "{name}");
    }
}
