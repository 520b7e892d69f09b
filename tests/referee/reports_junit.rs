//! The JUnit XML of reports. An independent parser reads it back.

use std::fs;

use roxmltree::{Document, Node};

use super::support::command::referee;
use super::support::program::temporary_folder;
use super::support::runs;

/// Returns the output of a command with `--junit -`.
fn report(arguments: &[&str]) -> String {
    let output = referee(arguments).args(["--junit", "-"]).output().expect("referee starts");
    String::from_utf8(output.stdout).expect("the report is UTF-8")
}

fn named<'a, 'i>(document: &'a Document<'i>, name: &'static str) -> Vec<Node<'a, 'i>> {
    document.descendants().filter(|node| node.has_tag_name(name)).collect()
}

/// Returns the test with this class and name.
fn test<'a, 'i>(document: &'a Document<'i>, class: &str, name: &str) -> Node<'a, 'i> {
    let is = |node: &Node<'_, '_>| node.attribute("classname") == Some(class) && node.attribute("name") == Some(name);
    named(document, "testcase").into_iter().find(is).unwrap_or_else(|| panic!("there is no test {name} of {class}"))
}

/// Returns the result of a test: `failure`, `error` or `skipped` if it has an element of this name, otherwise `passed`.
fn outcome(test: Node<'_, '_>) -> &'static str {
    let words = ["failure", "error", "skipped"];
    words.into_iter().find(|word| test.children().any(|child| child.has_tag_name(*word))).unwrap_or("passed")
}

#[test]
fn every_report_is_well_formed_and_its_counts_are_those_of_its_tests() {
    needs!("python3");
    for runs::RunReports { arguments, junit: text, .. } in runs::all() {
        let document = Document::parse(text).unwrap_or_else(|error| panic!("{arguments:?}: {error}\n{text}"));
        assert!(document.root_element().has_tag_name("testsuites"), "{arguments:?}");
        assert!(!named(&document, "testcase").is_empty(), "{arguments:?}: {text}");
        let suites = named(&document, "testsuite");
        assert!(!suites.is_empty(), "{arguments:?}: {text}");
        for suite in suites {
            let tests: Vec<_> = suite.children().filter(|child| child.has_tag_name("testcase")).collect();
            assert_eq!(suite.attribute("tests"), Some(tests.len().to_string().as_str()), "{arguments:?}");
            let version = suite.descendants().find(|node| node.attribute("name") == Some("referee"));
            let version = version.and_then(|property| property.attribute("value"));
            assert_eq!(version, Some(env!("CARGO_PKG_VERSION")), "{arguments:?}");
            for (count, word) in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")] {
                let found = tests.iter().filter(|test| outcome(**test) == word).count();
                assert_eq!(suite.attribute(count), Some(found.to_string().as_str()), "{arguments:?}: {count}");
            }
        }
        let mut names: Vec<_> = named(&document, "testcase")
            .iter()
            .map(|node| (node.attribute("classname"), node.attribute("name")))
            .collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "{arguments:?}: readers keep one test of a name");
    }
}

#[test]
fn a_wrong_program_fails_on_its_cases_and_a_jurys_wrong_program_passes() {
    needs!("python3");
    let wrong = "cases/flipgame/submissions/wrong_answer/white_only.py";
    let text = report(&["grade", "flipgame", wrong, "--cases", "sample/*", "--all-cases"]);
    let document = Document::parse(&text).expect("XML");
    let failure = test(&document, wrong, "sample/3");
    let told = failure.children().find(|child| child.has_tag_name("failure")).expect("it fails there");
    assert_eq!(told.attribute("message"), Some("WA: line 1: expected \"3\", got \"5\""));
    assert!(told.text().unwrap_or_default().contains("bbwb\nbwww"), "the input is shown: {text}");
    assert_eq!(outcome(test(&document, wrong, "sample/1")), "passed");
    assert_eq!(outcome(test(&document, wrong, "as expected")), "failure");

    let text = report(&["grade", "tests/packages/judged/rules"]);
    let document = Document::parse(&text).expect("XML");
    assert!(named(&document, "testcase").iter().all(|test| outcome(*test) == "passed"), "{text}");
    let beside = named(&document, "system-out");
    let beside = beside.iter().filter(|node| node.text().unwrap_or_default().contains("is allowed to fail"));
    assert!(beside.count() > 0, "the report must describe the failures of wrong programs: {text}");
}

#[test]
fn a_judge_error_is_an_error_and_what_cannot_be_judged_here_is_skipped() {
    needs!("python3");
    let text = report(&["grade", "tests/packages/judge-error/validator-exits-0"]);
    let document = Document::parse(&text).expect("XML");
    assert!(named(&document, "testcase").iter().any(|test| outcome(*test) == "error"), "{text}");
    assert!(named(&document, "failure").is_empty(), "a judge error must not be a failure of the submission: {text}");
    let folder = temporary_folder();
    let unknown = folder.path().join("program.unknown");
    fs::write(&unknown, "").expect("a file can be written");
    let wanted = "tests/packages/judged/sum/submissions/accepted/sum.py";
    let text = report(&["grade", "tests/packages/judged/sum", wanted, unknown.to_str().expect("UTF-8")]);
    let document = Document::parse(&text).expect("XML");
    assert_eq!(named(&document, "skipped").len(), 1, "{text}");
}

#[test]
fn what_a_program_writes_cannot_leave_its_element() {
    needs!("python3");
    let folder = temporary_folder();
    let program = folder.path().join("hostile.py");
    let text = r#"import sys; sys.stdout.buffer.write(b"]]></failure><evil a='&x;'>\x00\x1b[2J\xff\xef\xbf\xbf</testsuites>\n" * 3)"#;
    fs::write(&program, text).expect("a file can be written");
    let text = report(&["grade", "tests/packages/judged/sum", program.to_str().expect("UTF-8"), "--all-cases"]);
    let document = Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(named(&document, "evil").is_empty(), "{text}");
    assert!(named(&document, "failure").iter().any(|node| node.text().unwrap_or_default().contains("<evil")), "{text}");
}

#[test]
fn standard_output_has_room_for_one_report() {
    referee(["grade", "flipgame", "--json", "-", "--junit", "-"])
        .assert()
        .code(2)
        .stderr(predicates::str::contains("--json and --junit cannot both go to standard output"));
    let folder = temporary_folder();
    let (json, junit) = (folder.path().join("a.jsonl"), folder.path().join("a.xml"));
    referee(["crosscheck", "flipgame", "--boards", "5", "--json"])
        .arg(&json)
        .arg("--junit")
        .arg(&junit)
        .assert()
        .code(0);
    assert!(json.is_file() && Document::parse(&fs::read_to_string(junit).expect("it is there")).is_ok());
}
