//! Faults in the files of a class that `referee grade` must report: names that cannot be decoded, parts that cannot be
//! read, hidden files, equal names, and archives that are empty, encrypted or ambiguous.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use predicates::prelude::*;
use predicates::str::contains;

use super::support::class::{archive, unpacked};
use super::support::command::{json, of_type, referee, write};
use super::support::person::Person;
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";
const RIGHT: &str = "print(sum(map(int, input().split())))\n";

/// Returns the output of `grade --dry-run`.
fn dry_run(paths: &[PathBuf], columns: Option<&str>) -> String {
    let mut command = referee(["grade", SUM, "--dry-run"]);
    if let Some(columns) = columns {
        command.env("COLUMNS", columns);
    }
    let output = command.args(paths).output().expect("referee starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).expect("it is text")
}

fn row(text: &str, start: &str) -> String {
    let row = text.lines().find(|line| line.starts_with(start));
    row.unwrap_or_else(|| panic!("no row begins with {start:?}:\n{text}")).to_owned()
}

/// Returns the files, each a right program.
fn programs(names: &[&str]) -> Vec<(String, Vec<u8>)> {
    names.iter().map(|name| ((*name).to_owned(), RIGHT.into())).collect()
}

/// Replaces each `old` in a file by `new`, which has the same length.
fn replace(path: &Path, replacements: &[(&[u8], &[u8])]) {
    let mut bytes = fs::read(path).expect("it can be read");
    for (old, new) in replacements {
        let places: Vec<_> = (0..bytes.len() - old.len()).filter(|&at| bytes[at..].starts_with(old)).collect();
        assert!(!places.is_empty(), "the text is there");
        for at in places {
            bytes[at..at + new.len()].copy_from_slice(new);
        }
    }
    fs::write(path, bytes).expect("it can be written");
}

#[test]
fn students_and_files_with_different_bytes_in_their_names_never_come_together() {
    let folder = temporary_folder();
    let class = folder.path().join("class");
    let names: [&[u8]; 5] =
        [b"M\xfcller/main.py", b"M\xf6ller/other.py", b"M\\xfcller/x.py", b"Amy/a\xe4.py", b"Amy/a\xeb.py"];
    for name in names {
        let path = class.join(OsStr::from_bytes(name));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, RIGHT).unwrap();
    }
    let text = dry_run(&[class], None);
    assert!(text.contains("4 students"), "{text}");
    assert!(row(&text, "M\\xf6ller ").contains(" other.py "), "{text}");
    assert!(row(&text, "M\\xfcller ").contains(" x.py "), "{text}");
    assert!(row(&text, "#2 M\\xfcller ").contains(" main.py "), "{text}");
    assert!(row(&text, "Amy ").contains("2 programs were handed in: a\\xe4.py, a\\xeb.py"), "{text}");
}

#[test]
fn students_of_an_archive_whose_names_decode_to_the_same_text_are_not_merged() {
    let folder = temporary_folder();
    // The first names are marked as UTF-8, and are no UTF-8 after the change.
    let files = programs(&["M\u{e9}x/main.py", "M\u{ea}x/main.py", "amy/main.py"]);
    let path = archive(&folder.path().join("class.zip"), &files);
    replace(&path, &[("M\u{e9}x/".as_bytes(), b"M\xfcax/"), ("M\u{ea}x/".as_bytes(), b"M\xf6ax/")]);
    let text = dry_run(&[path], None);
    assert!(text.contains("3 students, 1 not judged"), "{text}");
    let both = [row(&text, "M\\xfcax "), row(&text, "M\\xf6ax ")];
    let is_unread = |row: &String| row.contains("has the name of another entry in another encoding");
    assert_eq!(both.iter().filter(|row| is_unread(row)).count(), 1, "{text}");
}

#[test]
fn work_of_which_a_part_cannot_be_read_is_not_judged() {
    needs!("python3");
    let person = needs!(Person::ordinary());
    let folder = temporary_folder();
    let class = folder.path().join("class");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    write(folder.path(), "class/Sue/main.py", RIGHT);
    write(folder.path(), "class/Sue/util/part.py", RIGHT);
    write(folder.path(), "class/Bob/main.py", RIGHT);
    write(folder.path(), "class/Cy/main.py", RIGHT);
    for closed in ["Sue/util", "Cy"] {
        fs::set_permissions(class.join(closed), fs::Permissions::from_mode(0o000)).unwrap();
    }
    let mut command = person.referee(["grade", SUM]);
    command.arg(&class);
    let (code, lines) = json(command);
    for closed in ["Sue/util", "Cy"] {
        fs::set_permissions(class.join(closed), fs::Permissions::from_mode(0o755)).unwrap();
    }
    assert_eq!(code, 2);
    let judged = of_type(&lines, "submission_finished");
    assert_eq!(judged.iter().map(|line| line["submission"].as_str().unwrap()).collect::<Vec<_>>(), ["Bob"]);
    let reasons: Vec<_> = of_type(&lines, "submission_skipped").iter().map(|line| line["reason"].to_string()).collect();
    for start in ["Cy cannot be read: Permission denied", "Sue/util cannot be read: Permission denied"] {
        assert!(reasons.iter().any(|reason| reason.contains(start)), "{reasons:?}");
    }
}

#[test]
fn a_link_that_the_program_may_need_is_named_although_it_is_judged() {
    let folder = temporary_folder();
    let class = unpacked(&folder.path().join("class"), &programs(&["Amy/main.py", "Bob/main.py"]));
    std::os::unix::fs::symlink("../Bob", class.join("Amy/util")).unwrap();
    let text = dry_run(&[class], None);
    assert!(row(&text, "Amy ").ends_with("util is a link to ../Bob; hand in the file itself"), "{text}");
}

#[test]
fn folders_deeper_than_those_that_are_searched_are_not_ignored_silently() {
    let folder = temporary_folder();
    write(folder.path(), "class/Amy/main.py", RIGHT);
    write(folder.path(), &format!("class/Bob/{}main.py", "d/".repeat(20)), RIGHT);
    let text = dry_run(&[folder.path().join("class")], None);
    assert!(row(&text, "Bob ").contains("is not searched, because it is 16 folders deep; move its files up"), "{text}");
}

#[test]
fn a_student_whose_name_begins_with_a_dot_has_a_row() {
    let folder = temporary_folder();
    let moodle = programs(&[
        ".Net Guy_18_assignsubmission_file_/x.py",
        "Amy_19_assignsubmission_file_/x.py",
        "._Amy_19_assignsubmission_file_x.py",
        ".config/x.py",
        ".git/x.py",
    ]);
    for path in [archive(&folder.path().join("moodle.zip"), &moodle), unpacked(&folder.path().join("moodle"), &moodle)]
    {
        let text = dry_run(&[path], None);
        assert!(text.contains("Moodle's download: 2 students, ignored: .config\n"), "{text}");
        row(&text, ".Net Guy  x.py");
    }
    let folders = programs(&[".Net Guy/hw/x.py", "Amy/x.py", "Bob/x.py", ".idea/x.py"]);
    let text = dry_run(&[unpacked(&folder.path().join("folders"), &folders)], None);
    assert!(text.contains("2 students, ignored: .Net Guy\n"), "{text}");
}

#[test]
fn a_student_with_only_hidden_files_reads_their_names() {
    let folder = temporary_folder();
    let files = programs(&["Amy/x.py", "Bob/.main.py", "Cy/__pycache__/x.py", "Di/.venv/x.py"]);
    let class = unpacked(&folder.path().join("class"), &files);
    fs::create_dir(class.join("Ed")).unwrap();
    let text = dry_run(&[class], None);
    for (name, found) in [("Bob ", ".main.py"), ("Cy ", "__pycache__"), ("Di ", ".venv")] {
        let row = row(&text, name);
        assert!(row.contains(&format!("not judged: found only {found}; hidden files ")), "{row}");
    }
    assert!(row(&text, "Ed ").contains("nothing was handed in: the folder is empty"), "{text}");
}

#[test]
fn students_of_one_name_have_the_same_names_in_every_report() {
    needs!("python3");
    let folder = temporary_folder();
    let names = ["Ann Adams_1201_assignsubmission_file_/a.py", "Ann Adams_1205_assignsubmission_file_/a.py"];
    let mut files = programs(&names);
    files[1].1 = b"print(5)\n".to_vec();
    let class = unpacked(&folder.path().join("class"), &files);
    let text = dry_run(std::slice::from_ref(&class), None);
    for (options, shown) in
        [(&[][..], &["AC  Ann Adams (1201) ", "WA  Ann Adams (1205) "][..]), (&["-q"], &["WA  Ann Adams (1205) "])]
    {
        let mut command = referee(["grade", SUM]);
        let output = command.arg(&class).args(options).output().expect("referee starts");
        let table = String::from_utf8(output.stdout).expect("it is text");
        for row in shown {
            assert!(table.contains(row), "{table}");
        }
    }
    row(&text, "Ann Adams (1201) ");
    row(&text, "Ann Adams (1205) ");
}

#[test]
fn archives_that_are_empty_encrypted_or_ambiguous_are_named_so() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    let refused = |path: &Path, says: &str| {
        referee(["grade", SUM]).arg(path).assert().code(2).stderr(contains(says.to_owned()));
    };
    refused(&archive(&path("empty.zip"), &[]), "empty.zip is an empty archive\n");
    let encrypted = archive(&path("encrypted.zip"), &programs(&["a.py", "b.py"]));
    mark_as_encrypted(&encrypted);
    refused(&encrypted, "encrypted.zip is encrypted\nhint: unpack it with its password");
    let twice = archive(&path("twice.zip"), &programs(&["amy/main.py", "amy/mixn.py", "bob/main.py"]));
    replace(&twice, &[(b"amy/mixn.py", b"amy/main.py")]);
    let text = dry_run(&[twice], None);
    assert!(row(&text, "amy ").contains("not judged: amy/main.py is in the archive twice"), "{text}");
    assert!(row(&text, "bob ").contains("main.py"), "{text}");
}

/// Sets the flag of encryption in every entry of an archive.
fn mark_as_encrypted(path: &Path) {
    let mut bytes = fs::read(path).expect("it can be read");
    for (mark, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let places: Vec<_> = (0..bytes.len() - 4).filter(|&at| bytes[at..].starts_with(mark)).collect();
        for at in places {
            bytes[at + flags] |= 1;
        }
    }
    fs::write(path, bytes).expect("it can be written");
}

#[test]
fn a_class_beside_another_program_is_refused_unless_it_is_called_one_program() {
    needs!("python3");
    let folder = temporary_folder();
    let class = unpacked(&folder.path().join("class"), &programs(&["amy/a.py", "bob/b.py"]));
    let other = unpacked(&folder.path().join("loose"), &programs(&["good.py"])).join("good.py");
    let refused = || {
        contains("class has the programs of several students, and 2 paths are given")
            .and(contains("name only that folder"))
            .and(contains("--class=never"))
    };
    referee(["grade", SUM]).arg(&class).arg(&other).assert().code(2).stderr(refused());
    // In one folder, a folder of folders may be the program of one student, but not a download of Moodle.
    let files = programs(&["amy/model/main.py", "amy/view/main.py", "bob/main.py"]);
    let together = unpacked(&folder.path().join("together"), &files);
    let mut command = referee(["grade", SUM]);
    command.arg(together.join("amy")).arg(together.join("bob"));
    assert_eq!(of_type(&json(command).1, "submission_finished").len(), 2);
    let download = unpacked(&folder.path().join("m"), &programs(&["A B_1_assignsubmission_file_/a.py"]));
    let beside = unpacked(&folder.path().join("n"), &programs(&["b.py"]));
    let mut together = referee(["grade", SUM]);
    together.arg(&download).arg(&beside).assert().code(2).stderr(contains("m has the programs of several students"));
    let mut command = referee(["grade", SUM, "--class=never"]);
    command.arg(&class).arg(&other);
    let (_, lines) = json(command);
    assert_eq!(of_type(&lines, "submission_finished").len(), 2);
    referee(["grade", SUM]).arg(class.join("amy")).arg(&other).assert().code(0);
}

#[test]
fn a_dry_run_names_sources_that_the_package_does_not_allow() {
    let folder = temporary_folder();
    let large = format!("#{}", "x".repeat(128 << 10));
    let files = [("amy/x.py", large.as_str()), ("bob/x.py", &large[..128 << 10])];
    let files: Vec<_> = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    let class = unpacked(&folder.path().join("class"), &files);
    let says = "will get CE: its sources have 131073 bytes, the package allows 131072";
    let text = dry_run(std::slice::from_ref(&class), None);
    assert!(row(&text, "amy ").ends_with(says) && row(&text, "bob ").ends_with("Python 3"), "{text}");
    let text = dry_run(&[class.join("amy/x.py"), class.join("bob/x.py")], None);
    assert_eq!(text.matches(says).count(), 1, "{text}");
}

#[test]
fn a_dry_run_fits_into_every_screen() {
    let folder = temporary_folder();
    let name = "Maximiliane-Alexandra von Hohenberg-Weißenfels (from the second group)";
    let files = programs(&[&format!("{name}/main.py"), &format!("{name}/util.py"), "Zoe/report.pdf"]);
    let class = unpacked(&folder.path().join("class"), &files);
    for columns in [40, 60, 80, 120] {
        let text = dry_run(std::slice::from_ref(&class), Some(&columns.to_string()));
        let (summary, table) = text.split_once("\n\n").expect("a table");
        let fits = |line: &str| line.chars().count() <= columns || !line.contains(' ');
        assert!(text.lines().all(fits), "{columns}:\n{text}");
        assert!(summary.replace('\n', " ").contains("one folder per student"), "{summary}");
        assert!(table.contains("group)") && table.contains('…') && !table.contains("..."), "{columns}:\n{text}");
        assert!(table.split_whitespace().any(|word| word == "languages"), "{columns}:\n{text}");
    }
}
