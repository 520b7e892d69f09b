//! `--html FILE` writes one self-contained page. `tests/browser` tests the page in browsers.

use std::fs;

use predicates::str::contains;
use serde_json::Value;

use super::support::command::{names_in, referee, write};
use super::support::program::temporary_folder;
use super::support::runs;

/// Returns the JSON lines that a page contains. Fails if they contain a `<`, which could end the script element.
fn lines(page: &str) -> Vec<Value> {
    let (_, after) = page.split_once("id=\"report\">\n").expect("a page holds lines");
    let (lines, _) = after.split_once("</script>").expect("they end");
    assert!(!lines.contains('<'), "nothing in them looks like an element");
    lines.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn of_type<'a>(lines: &'a [Value], name: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == name).collect()
}

/// Grades programs on a package, and returns the JSON lines of the page.
fn graded(package: &str, programs: &[(&str, &str)]) -> Vec<Value> {
    let folder = temporary_folder();
    let mut command = referee(["grade", package, "--html"]);
    command.arg(folder.path().join("page.html"));
    for (name, text) in programs {
        write(folder.path(), name, text);
        command.arg(folder.path().join(name));
    }
    command.output().expect("referee starts");
    lines(&fs::read_to_string(folder.path().join("page.html")).expect("there is a page"))
}

#[test]
fn every_page_holds_the_lines_of_json_and_asks_for_nothing() {
    needs!("python3");
    for runs::RunReports { arguments, html: page, .. } in runs::all() {
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{arguments:?}");
        let lines = lines(page);
        assert_eq!(lines[0]["type"], "page", "{arguments:?}");
        assert_eq!(lines[1]["type"], "run_started", "{arguments:?}");
        let last = lines.last().map(|line| line["type"].clone());
        let ends = ["run_finished", "generate_finished"];
        assert!(ends.iter().any(|end| last == Some(Value::from(*end))), "{arguments:?} {last:?}");
        assert!(page.contains("default-src 'none'"));
    }
}

#[test]
fn a_failure_is_shown_with_texts_a_diff_and_the_boards_of_both_answers() {
    needs!("python3");
    let wrong = "n = 2\nprint(n)\nprint('1112')\nprint('9999')\n";
    let lines = graded("swapgame", &[("wrong.py", wrong)]);
    let [exhibit] = of_type(&lines, "exhibit")[..] else { panic!("{lines:?}") };
    let [told] = of_type(&lines, "case_told")[..] else { panic!("{lines:?}") };
    assert_eq!(exhibit["case"], told["case"]);
    assert!(told["input"]["text"].as_str().is_some_and(|text| text.lines().count() >= 8));
    assert!(exhibit["output"]["text"].as_str().is_some_and(|text| text.starts_with("2\n1112\n")));
    assert!(exhibit["diff"].as_array().is_some_and(|rows| !rows.is_empty()));
    let scene = &exhibit["boards"][0];
    assert_eq!(
        scene["actual"]["frames"][0]["grid"], scene["expected"]["frames"][0]["grid"],
        "both films must begin with the same board"
    );
    assert!(scene["actual"]["goal"].is_array() && scene["wrong"].is_string());
    assert!(scene["expected"]["end"].is_null());
}

#[test]
fn a_submission_cannot_end_the_lines_or_hide_what_it_wrote() {
    needs!("python3");
    let hostile = "print('</script><script>alert(1)</script><!--')\nprint('\\u202e\\x1b[2J')\n";
    let lines = graded("flipgame", &[("</title><b>.py", hostile)]);
    let exhibits = of_type(&lines, "exhibit");
    let text = exhibits[0]["output"]["text"].as_str().expect("an output is text");
    assert_eq!(text, "</script><script>alert(1)</script><!--\n\\u{202e}␛[2J\n");
    assert!(exhibits[0]["submission"].as_str().is_some_and(|name| name.ends_with("</title><b>.py")));
}

#[test]
fn what_a_hunt_found_has_its_board() {
    needs!("python3");
    let output = referee(["hunt", "flipgame", "cases/flipgame/submissions/wrong_answer/white_only.py", "--html", "-"])
        .output()
        .expect("referee starts");
    let lines = lines(&String::from_utf8(output.stdout).expect("a page is UTF-8"));
    let [found] = of_type(&lines, "find_told")[..] else { panic!("{lines:?}") };
    assert_eq!(found["boards"][0]["expected"]["frames"][0]["grid"].as_array().map(Vec::len), Some(4));
    assert!(found["number"].is_null());
}

#[test]
fn a_page_that_cannot_be_written_is_refused_before_anything_runs_and_leaves_nothing() {
    let folder = temporary_folder();
    let page = folder.path().join("missing/page.html");
    referee(["grade", "flipgame", "--html"]).arg(&page).assert().code(2).stderr(contains("page.html"));
    assert!(names_in(folder.path()).is_empty());
    referee(["grade", "flipgame", "--html", "-", "--json", "-"]).assert().code(2).stderr(contains("cannot both"));
}
