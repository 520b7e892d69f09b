//! `--csv` and `--gradebook`: the results of a class for spreadsheets, Moodle and Canvas.
//!
//! The worksheets have the columns that the platforms write: for Moodle those of `mod/assign/gradingtable.php` with the
//! language file `mod/assign/lang/en/assign.php`, for Canvas those of `lib/gradebook_exporter.rb`.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::str::contains;
use tempfile::TempDir;

use super::support::command::{names_in, referee, write};
use super::support::program::temporary_folder;

const WORKSHEET: &str = "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be \
                         changed\",\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback \
                         comments\"\r\n\"Participant 11\",\"Zoë Adams\",za@example.org,Submitted,,15.00,Yes,-,-,\r\n\
                         \"Participant 12\",\"Bob Baker\",bb@example.org,Submitted,,15.00,Yes,-,-,\r\n\
                         \"Participant 13\",\"Carl Clark\",cc@example.org,Submitted,7.00,15.00,Yes,-,-,\r\n";

const CANVAS: &str = "Student,ID,SIS User ID,SIS Login ID,Section,Doubles (70),Current Score\n    Points \
                      Possible,,,,,20.00,(read only)\n\"Adams, Zoë\",501,,zadams,A,,\n\"Baker, Bob\",502,,bbaker,A,,\n";

/// Returns a folder with a package of two test cases and the programs of three students. The first passes both, the
/// second one, and the third is no program.
fn class() -> TempDir {
    let folder = temporary_folder();
    for (name, text) in [
        ("exercise/problem.yaml", "problem_format_version: legacy\nname: Doubles\n"),
        ("exercise/data/secret/1.in", "1\n"),
        ("exercise/data/secret/1.ans", "2\n"),
        ("exercise/data/secret/2.in", "2\n"),
        ("exercise/data/secret/2.ans", "4\n"),
        ("in/Zoe\u{308} Adams.py", "print(2 * int(input()))\n"),
        ("in/BOB baker.py", "print(2)\n"),
        ("in/Carl Clark.pdf", "%PDF-1.4\n"),
        ("worksheet.csv", WORKSHEET),
        ("canvas.csv", CANVAS),
    ] {
        write(folder.path(), name, text);
    }
    folder
}

const PROGRAMS: [&str; 3] = ["in/Zoe\u{308} Adams.py", "in/BOB baker.py", "in/Carl Clark.pdf"];

fn grade(folder: &Path, options: &[&str]) -> Command {
    let mut command = referee(["grade", "--time-limit", "20", "exercise"]);
    // A folder of its own, because other tests also fill worksheets.
    command.env("XDG_CACHE_HOME", folder.join("cache"));
    command.current_dir(folder).args(PROGRAMS).args(options);
    command
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn a_table_has_a_row_for_every_program() {
    needs!("python3");
    let folder = class();
    grade(folder.path(), &["--points", "--csv", "marks.csv"]).assert().code(2);
    let table = text(folder.path(), "marks.csv");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|header| header.trim_start_matches('\u{feff}') == name).unwrap();
    let cells = |name: &str| rows[1..].iter().map(|row| row[column(name)]).collect::<Vec<_>>();
    assert_eq!(cells("submission"), ["in/BOB baker.py", "in/Carl Clark.pdf", "in/Zoe\u{308} Adams.py"]);
    assert_eq!(cells("name"), cells("submission"), "no class was recognised");
    assert_eq!((cells("verdict"), cells("points")), (vec!["WA", "", "AC"], vec!["50", "", "100"]));
    assert_eq!((cells("cases_passed"), cells("cases_all")), (vec!["1", "", "2"], vec!["2", "", "2"]));
    assert_eq!(cells("first_failing_case"), ["secret/2", "", ""]);
    assert!(rows[2].last().unwrap().contains("neither a source of a known language"), "{rows:?}");
    assert!(table.starts_with('\u{feff}') && table.matches("\r\n").count() == 4, "{table:?}");
    let again = grade(folder.path(), &["--points", "--csv", "marks.csv"]).assert().code(2);
    drop(again);
    grade(folder.path(), &["--csv", "worksheet.csv"]).assert().code(2).stderr(contains("is not a report"));
    assert_eq!(text(folder.path(), "worksheet.csv"), WORKSHEET);
    let output = grade(folder.path(), &["--csv", "-"]).output().expect("referee starts");
    assert!(output.stdout.starts_with("\u{feff}name,".as_bytes()));
}

#[test]
fn names_of_files_cannot_become_formulas() {
    needs!("python3");
    let folder = class();
    let name = "=cmd|' -C calc'!A0;@x.py";
    write(folder.path(), name, "print(2)\n");
    let mut command = referee(["grade", "--time-limit", "20", "exercise", name, "--csv", "marks.csv"]);
    command.current_dir(folder.path()).assert().code(1);
    let table = text(folder.path(), "marks.csv");
    assert!(table.contains("\r\n\"'=cmd|' -C calc'!A0;'@x.py\",,,\"'=cmd|"), "{table}");
}

#[test]
fn worksheets_of_moodle_and_canvas_are_filled_by_name() {
    needs!("python3");
    let folder = class();
    fs::remove_file(folder.path().join(PROGRAMS[2])).expect("a file can be removed");
    let programs = &PROGRAMS[..2];
    let mut command = referee(["grade", "--time-limit", "20", "exercise", "--gradebook", "worksheet.csv"]);
    command.current_dir(folder.path()).args(programs).args(["--csv", "marks.csv"]).assert().code(1);
    let absent = "Carl Clark,13,,,,,,,,,,,,,,no program\r\n";
    assert!(text(folder.path(), "marks.csv").contains(absent));
    fs::remove_file(folder.path().join("worksheet.filled.csv")).expect("a file can be removed");
    write(folder.path(), PROGRAMS[2], "%PDF-1.4\n");

    let options = ["--points", "--gradebook", "worksheet.csv", "--gradebook", "canvas.csv"];
    let output = grade(folder.path(), &options).output().expect("referee starts");
    assert_eq!(output.status.code(), Some(2), "one program was not judged");
    let expected = WORKSHEET
        .replace(
            "za@example.org,Submitted,,15.00,Yes,-,-,",
            "za@example.org,Submitted,15,15.00,Yes,-,-,\"referee: AC, 2 of 2 test cases, 100 points\"",
        )
        .replace(
            "bb@example.org,Submitted,,15.00,Yes,-,-,",
            "bb@example.org,Submitted,7.5,15.00,Yes,-,-,\"referee: WA, 1 of 2 test cases, 50 points\"",
        );
    assert_eq!(text(folder.path(), "worksheet.filled.csv"), expected);
    let expected = CANVAS.replace("zadams,A,,", "zadams,A,20,").replace("bbaker,A,,", "bbaker,A,10,");
    assert_eq!(text(folder.path(), "canvas.filled.csv"), expected);
    assert_eq!(
        (text(folder.path(), "worksheet.csv"), text(folder.path(), "canvas.csv")),
        (WORKSHEET.into(), CANVAS.into())
    );
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    for line in [
        "worksheet.filled.csv: 2 of 3 students have a grade in the column Grade\n",
        "  unchanged, not judged: Carl Clark (",
        "canvas.filled.csv: 2 of 2 students have a grade in the column Doubles (70)\n",
        "  no row for: in/Carl Clark.pdf\n",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
}

#[test]
fn without_points_accepted_programs_get_the_maximum_and_this_is_said() {
    needs!("python3");
    let folder = class();
    grade(folder.path(), &["--gradebook", "canvas.csv", "--gradebook-column", "Doubles"])
        .assert()
        .code(2)
        .stderr(contains("without --points: the maximum for accepted programs, 0 for all others"));
    let expected = CANVAS.replace("zadams,A,,", "zadams,A,20,").replace("bbaker,A,,", "bbaker,A,0,");
    assert_eq!(text(folder.path(), "canvas.filled.csv"), expected);
}

#[test]
fn a_copy_is_replaced_only_if_the_user_has_not_changed_it() {
    needs!("python3");
    let folder = class();
    let fill = |options: &[&str]| grade(folder.path(), &[&["--gradebook", "canvas.csv"], options].concat()).assert();
    fill(&["--points"]).code(2);
    let first = text(folder.path(), "canvas.filled.csv");
    fill(&[]).code(2);
    let second = text(folder.path(), "canvas.filled.csv");
    assert_ne!(first, second);
    let mine = second.replace("zadams,A,20,", "zadams,A,19,");
    write(folder.path(), "canvas.filled.csv", &mine);
    fill(&[]).code(2).stderr(contains("canvas.filled.csv exists, and may contain grades that you changed"));
    assert_eq!(text(folder.path(), "canvas.filled.csv"), mine);
}

#[test]
fn a_worksheet_that_cannot_be_filled_ends_the_command_before_any_program_runs() {
    let folder = class();
    let refused = |arguments: &[&str], message: &'static str, hint: &'static str| {
        let output = grade(folder.path(), arguments).assert().code(2);
        let output = output.stderr(contains(message)).stderr(contains(hint));
        assert!(output.get_output().stdout.is_empty());
    };
    write(folder.path(), "other.csv", "a,b\n1,2\n");
    refused(&["--gradebook", "other.csv"], "neither those of Moodle nor those of Canvas: \"a\", \"b\"", "export");
    refused(&["--gradebook", "missing.csv"], "--gradebook missing.csv: ", "");
    refused(
        &["--gradebook", "canvas.csv", "--gradebook-column", "Triples"],
        "the file has no column \"Triples\" for grades; it has \"Doubles (70)\"",
        "give --gradebook-column one of these names",
    );
    refused(&["--gradebook", "canvas.csv", "--gradebook", "canvas.csv"], "name the same file", "");
    refused(&["--gradebook", "canvas.csv", "--csv", "canvas.filled.csv"], "name the same file", "");
    refused(&["--gradebook-column", "x"], "--gradebook", "");
    refused(&["--gradebook", "canvas.csv", "--partition", "1/2"], "cannot be used with", "");
    assert!(!names_in(folder.path()).iter().any(|name| name.contains("filled")));
}

#[test]
fn merged_reports_fill_a_worksheet_too() {
    needs!("python3");
    let folder = class();
    for part in ["1", "2"] {
        let partition = format!("{part}/2");
        let report = format!("{part}.jsonl");
        grade(folder.path(), &["--points", "--partition", &partition, "--json", &report]).output().expect("it starts");
    }
    let mut merge = referee(["merge", "1.jsonl", "2.jsonl", "--gradebook", "worksheet.csv", "--csv", "all.csv"]);
    merge.current_dir(folder.path()).env("XDG_CACHE_HOME", folder.path().join("cache")).assert().code(2);
    let copy = text(folder.path(), "worksheet.filled.csv");
    assert!(copy.contains(",15,15.00,") && copy.contains(",7.5,15.00,") && copy.contains(",7.00,15.00,"), "{copy}");
    assert_eq!(text(folder.path(), "all.csv").lines().count(), 4);
}
