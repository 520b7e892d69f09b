//! `referee grade` judges the programs of a class, as Moodle, Canvas and GitHub Classroom hand them out.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use super::support::class::{
    Handed, archive, canvas_id, every_fault, folder_name, gradebook_of_canvas, moodle_id, of_canvas, of_folders,
    of_moodle, unpacked, worksheet_of_moodle,
};
use super::support::command::{json, of_type, referee, write};
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";
const RIGHT: &str = "print(sum(map(int, input().split())))\n";

/// Grades a class with `options`, and returns the exit code and the result of each student by the value of `key`: the
/// verdict, or `-` for a student whose work was not judged.
fn results(class: &Path, options: &[String], key: &str) -> (i32, BTreeMap<String, String>) {
    let mut command = referee(["grade", SUM]);
    command.arg(class).args(options);
    let (code, lines) = json(command);
    let started = of_type(&lines, "run_started")[0]["submissions"].as_u64();
    let of = |kind: &str| {
        let one = |line: &&Value| {
            let verdict = line["verdict"].as_str().unwrap_or("-").to_owned();
            (line["student"][key].as_str().expect("a student").to_owned(), verdict)
        };
        of_type(&lines, kind).iter().map(one).collect::<Vec<_>>()
    };
    let all: Vec<_> = [of("submission_finished"), of("submission_skipped")].concat();
    assert_eq!(started, Some(all.len() as u64), "the run says how many students there are");
    (code, all.into_iter().collect())
}

/// Returns the grade of a student whom the gradebook gives at most 10 points.
fn grade(student: &Handed) -> &'static str {
    match student.expected {
        "AC" => "10",
        "-" => "",
        _ => "0",
    }
}

#[test]
fn a_class_with_every_fault_goes_from_the_download_of_moodle_or_canvas_to_its_gradebook() {
    needs!("python3", "gcc", "g++", "javac");
    let class = every_fault();
    assert_eq!(class.len(), 34);
    let expected = |key: &dyn Fn(usize) -> String| -> BTreeMap<String, String> {
        class.iter().enumerate().map(|(index, student)| (key(index), student.expected.to_owned())).collect()
    };
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    let students = |name: &str| fs::read_to_string(path(name)).expect("a table").lines().count() - 1;
    for (name, files, sheet, filled, id, of_students) in [
        (
            "moodle",
            of_moodle(&class),
            worksheet_of_moodle(&class, |_| ""),
            worksheet_of_moodle(&class, grade),
            "moodle_id",
            expected(&moodle_id),
        ),
        (
            "canvas",
            of_canvas(&class),
            gradebook_of_canvas(&class, |_| ""),
            gradebook_of_canvas(&class, grade),
            "canvas_id",
            expected(&canvas_id),
        ),
    ] {
        let zip = archive(&path(&format!("{name}.zip")), &files);
        let exported = write(folder.path(), &format!("{name}_sheet.csv"), &sheet);
        let table = format!("{name}_table.csv");
        let options = ["--csv", &path(&table).display().to_string(), "--gradebook", &exported.display().to_string()]
            .map(str::to_owned);
        assert_eq!(results(&zip, &options, id), (2, of_students), "{name}");
        let copy = fs::read_to_string(path(&format!("{name}_sheet.filled.csv"))).expect("a copy");
        assert_eq!(copy, filled, "{name}");
        assert_eq!(students(&table), 35, "the absent student has a row, too");
    }
    let folders = unpacked(&path("folders"), &of_folders(&class));
    let options = ["--csv".to_owned(), path("folders_table.csv").display().to_string()];
    assert_eq!(results(&folders, &options, "folder"), (2, expected(&|index| folder_name(&class, index))));
    assert_eq!(students("folders_table.csv"), 34);
}

/// Runs `grade --dry-run` and returns the table without its headings.
fn dry_run(arguments: &[&str], class: &Path) -> (String, Vec<String>) {
    let mut command = referee(["grade", SUM]);
    let output = command.arg(class).args(arguments).arg("--dry-run").output().expect("referee starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("it is text");
    let (summary, table) = text.split_once("\n\n").expect("a summary and a table");
    (summary.to_owned(), table.lines().skip(1).map(str::to_owned).collect())
}

#[test]
fn downloads_are_recognised_as_archives_and_as_folders_and_nothing_is_judged() {
    let class = every_fault();
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    for (name, words, files) in [
        ("moodle", "Moodle's download", of_moodle(&class)),
        ("canvas", "Canvas' download", of_canvas(&class)),
        ("folders", "one folder per student", of_folders(&class)),
    ] {
        let zip = archive(&path(&format!("{name}.zip")), &files);
        let (of_zip, table) = dry_run(&[], &zip);
        assert!(of_zip.contains(words) && of_zip.contains("34 students, 8 not judged"), "{of_zip}");
        assert_eq!(table.len(), 34);
        assert_eq!(table.iter().filter(|row| row.contains("  not judged: ")).count(), 8, "{table:#?}");
        let (_, of_folder) = dry_run(&[], &unpacked(&path(name), &files));
        assert_eq!(of_folder, table, "the same if the teacher unpacks it");
        let around = unpacked(&path(&format!("around {name}/download")), &files);
        assert_eq!(dry_run(&[], around.parent().unwrap()).1, table, "the same with a folder around it");
    }
}

#[test]
fn reasons_name_what_was_found_and_what_is_allowed() {
    let folder = temporary_folder();
    let class = unpacked(&folder.path().join("class"), &of_folders(&every_fault()));
    fs::create_dir(class.join("Zed Zorn")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", class.join("Zed Zorn 2.py")).unwrap();
    let (_, table) = dry_run(&[], &class);
    let reason = |name: &str| {
        let row = table.iter().find(|row| row.starts_with(name)).unwrap_or_else(|| panic!("{name}: {table:#?}"));
        row.split_once("not judged: ").unwrap_or_else(|| panic!("{row}")).1.to_owned()
    };
    for (name, words) in [
        ("Kim Kern", "found essay.pdf, a PDF document; allowed: sources, such as .py, .c, .cpp, .java"),
        ("Lea Lang", "found main.docx, a text document; allowed: "),
        ("Max Moll", "found screen.png, an image; allowed: "),
        ("Nia Noll", "found main.txt, and no language has the ending .txt; allowed: "),
        ("Nia Noll", "if it is a source, say its language, such as --as-language python3=.txt"),
        ("Ole Orth", "found main, which has no ending; allowed: "),
        ("Pia Pohl", "found homework.zip, an archive; unpack it into a folder; allowed: "),
        ("Sue Seitz", "2 programs were handed in: a.py, b.py; keep one, or call one of them main"),
        ("Uwe Uhl", "main.py is a PDF document, whatever its ending says; allowed: "),
        ("Zed Zorn  ", "nothing was handed in: the folder is empty; allowed: "),
        ("Zed Zorn 2.py", "Zed Zorn 2.py is a link to /etc/passwd; hand in the file itself"),
    ] {
        assert!(reason(name).contains(words), "{name}: {}", reason(name));
    }
    let row = |name: &str| table.iter().find(|row| row.starts_with(name)).expect("a row");
    assert!(row("Ron Roth").contains("starts with solve.py"), "{}", row("Ron Roth"));
    assert!(row("Tim Thoma").contains("starts with main.c, without old.c"), "{}", row("Tim Thoma"));
}

#[test]
fn the_latest_attempt_counts_and_all_are_judged_on_request() {
    needs!("python3");
    let folder = temporary_folder();
    let files = [
        ("doejane_1_10_sum.py", "print(5)\n"),
        ("doejane_1_11_sum-1.py", "print(6)\n"),
        ("doejane_LATE_1_12_sum-2.py", RIGHT),
        ("roejohn_2_20_main.py", RIGHT),
    ];
    let files: Vec<_> = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    let class = archive(&folder.path().join("canvas.zip"), &files);
    let verdicts = |arguments: &[&str]| {
        let mut command = referee(["grade", SUM]);
        command.arg(&class).args(arguments);
        let (_, lines) = json(command);
        let one = |line: &&Value| {
            let student = &line["student"];
            (
                line["submission"].clone(),
                line["verdict"].clone(),
                student["is_late"].clone(),
                student["attempt"].clone(),
            )
        };
        of_type(&lines, "submission_finished").iter().map(one).collect::<Vec<_>>()
    };
    let row = |name: &str, verdict: &str, late: bool, attempt: Option<u32>| {
        (Value::from(name), Value::from(verdict), Value::from(late), attempt.map_or(Value::Null, Value::from))
    };
    let other = row("roejohn", "AC", false, None);
    assert_eq!(verdicts(&[]), [row("doejane", "AC", true, Some(3)), other.clone()]);
    assert_eq!(
        verdicts(&["--all-attempts"]),
        [
            row("doejane, attempt 1", "WA", false, Some(1)),
            row("doejane, attempt 2", "WA", false, Some(2)),
            row("doejane, attempt 3", "AC", true, Some(3)),
            other
        ]
    );
    let (summary, _) = dry_run(&[], &class);
    assert!(summary.contains("2 students, 1 late, 2 earlier attempts not judged (--all-attempts)"), "{summary}");
}

#[test]
fn clones_of_github_classroom_are_named_after_their_users() {
    needs!("python3");
    let folder = temporary_folder();
    for (user, text) in [("octocat", RIGHT), ("hub-ot", "print(5)\n")] {
        let clone = format!("hw-1-submissions/hw-1-{user}");
        write(folder.path(), &format!("{clone}/.git/hooks/sample.py"), "no program\n");
        write(folder.path(), &format!("{clone}/.github/classroom/grade.py"), "no program\n");
        write(folder.path(), &format!("{clone}/src/main.py"), text);
        write(folder.path(), &format!("{clone}/tests/test_main.py"), "import main\n");
        write(folder.path(), &format!("{clone}/README.md"), "# Homework\n");
    }
    let mut command = referee(["grade", SUM]);
    command.arg(folder.path().join("hw-1-submissions"));
    let (code, lines) = json(command);
    let found: Vec<_> = of_type(&lines, "submission_finished")
        .iter()
        .map(|line| format!("{} {} {}", line["submission"], line["verdict"], line["student"]["layout"]))
        .collect();
    assert_eq!(found, [r#""hub-ot" "WA" "github_classroom""#, r#""octocat" "AC" "github_classroom""#]);
    assert_eq!(code, 1);
}

#[test]
fn a_folder_of_sources_is_one_program_unless_it_is_called_a_class() {
    needs!("python3");
    let folder = temporary_folder();
    for name in ["amy", "bob ross", "carl"] {
        write(folder.path(), &format!("handed in/{name}.py"), RIGHT);
    }
    write(folder.path(), "handed in/dora.pdf", "%PDF-1.4");
    let sum = fs::canonicalize(SUM).unwrap();
    let mut command = referee(["grade".as_ref(), sum.as_os_str(), "handed in".as_ref()]);
    let output = command.current_dir(folder.path()).output().expect("referee starts");
    let told = String::from_utf8(output.stderr).expect("it is text");
    assert!(told.contains("note: the 3 sources in handed in are judged as one program"), "{told}");
    let line = told.lines().find_map(|line| line.strip_prefix("  referee ")).expect("a command");
    let script = format!("{} {line} --json -", env!("CARGO_BIN_EXE_referee"));
    let mut shell = std::process::Command::new("bash");
    let output = shell.args(["-c", &script]).current_dir(folder.path()).output().expect("bash starts");
    let text = String::from_utf8(output.stdout).expect("it is text");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let names: Vec<_> = of_type(&lines, "submission_finished").iter().map(|line| line["submission"].clone()).collect();
    assert_eq!(names, ["amy.py", "bob ross.py", "carl.py"]);
    assert_eq!(of_type(&lines, "submission_skipped")[0]["submission"], "dora.pdf");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_language_of_endings_that_say_nothing_is_declared() {
    needs!("python3", "gcc");
    let folder = temporary_folder();
    write(folder.path(), "class/amy/main.txt", RIGHT);
    write(folder.path(), "class/bob/main", RIGHT);
    write(folder.path(), "class/carl/main.py", RIGHT);
    let class = folder.path().join("class");
    let verdicts = |path: &Path, arguments: &[&str]| {
        let mut command = referee(["grade", SUM]);
        command.arg(path).args(arguments);
        let (_, lines) = json(command);
        let verdict = |line: &&Value| line["verdict"].as_str().unwrap_or_default().to_owned();
        of_type(&lines, "submission_finished").iter().map(verdict).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(verdicts(&class, &[]), "AC");
    assert_eq!(verdicts(&class, &["--as-language", "python3=.TXT"]), "AC AC");
    assert_eq!(verdicts(&class, &["--as-language", "python3"]), "AC AC AC");
    assert_eq!(verdicts(&class, &["--as-language", "python3=txt", "--as-language", "c="]), "AC CE AC");
    assert_eq!(verdicts(&class.join("amy/main.txt"), &["--as-language", "python3"]), "AC", "also one program");
    assert_eq!(verdicts(&class.join("bob"), &["--as-language", "python3"]), "AC", "also one folder");
    let mut command = referee(["grade", SUM, "--as-language", "phyton"]);
    command.arg(&class).assert().code(2).stderr(contains("error: --as-language: \"phyton\" is no known language"));
    let mut command = referee(["grade", SUM]);
    command.arg(class.join("amy/main.txt")).assert().code(2).stderr(contains("add --as-language LANG"));
}

#[test]
fn hostile_archives_are_harmless_and_their_entries_are_rows() {
    let folder = temporary_folder();
    let right = RIGHT.as_bytes().to_vec();
    let entry = |name: &str| (name.to_owned(), right.clone());
    let path = folder.path().join("inner/class.zip");
    fs::create_dir(folder.path().join("inner")).unwrap();
    let files = [
        entry("Ann_1_assignsubmission_file_/../../../slipped.py"),
        entry("Bob_2_assignsubmission_file_/main.py"),
        entry("/tmp/absolute_3_assignsubmission_file_/main.py"),
        entry("Cy_4_assignsubmission_file_/homework.py/main.py"),
        ("Di_5_assignsubmission_file_/bomb.py".to_owned(), vec![b'#'; 20 << 20]),
    ];
    let (_, table) = dry_run(&[], &archive(&path, &files));
    let text = table.join("\n");
    assert!(text.contains("Bob"), "{text}");
    assert!(text.contains("leads out of the archive"), "{text}");
    assert!(text.contains("bomb.py has 20971520 bytes, allowed: at most 16777216"), "{text}");
    assert!(!folder.path().join("slipped.py").exists());
    fs::write(&path, "no archive").unwrap();
    let mut command = referee(["grade", SUM]);
    command.arg(&path).assert().code(2).stderr(contains("class.zip is not a ZIP archive"));
}

#[test]
fn an_archive_of_loose_sources_is_a_class_on_request_only() {
    needs!("python3");
    let folder = temporary_folder();
    let files = [("amy.py".to_owned(), RIGHT.into()), ("bob.py".to_owned(), RIGHT.into())];
    let path = archive(&folder.path().join("class.zip"), &files);
    let mut command = referee(["grade", SUM]);
    let refused =
        contains("neither a download of Moodle or Canvas nor one folder per student").and(contains("--class"));
    command.arg(&path).assert().code(2).stderr(refused);
    let (summary, table) = dry_run(&["--class"], &path);
    assert!(summary.contains("one file per student: 2 students"), "{summary}");
    assert_eq!(table.len(), 2);
}
