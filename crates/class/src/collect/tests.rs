use std::io::Write;
use std::os::unix::fs::PermissionsExt;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use crate::{AsLanguage, Ask, Recognised, recognise};

const MAIN: &[u8] = b"print(1)\n";

fn collected_from(path: &Path, declared: &[AsLanguage], all_attempts: bool) -> Class {
    let languages = Table::load(&[]).unwrap();
    let endings = Endings::new(&languages, declared).unwrap();
    let listing = Listing::open(path).unwrap();
    let Recognised::Class(found) = recognise(&listing, &endings, Ask::Always) else { panic!("it is a class") };
    let options = Options { all_attempts, shebangs: Shebangs::Ignored };
    Collector { languages: &languages, endings: &endings, options }.collect(listing, found).unwrap()
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// Returns the paths of the copies of each student, or the reason.
fn copies(class: &Class) -> Vec<Result<Vec<String>, String>> {
    let files = |program: &Program| {
        let root = if program.path.is_dir() { &program.path } else { program.path.parent().unwrap() };
        let entries = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().map(Result::unwrap);
        let files = entries.filter(|entry| entry.file_type().is_file());
        files.map(|entry| entry.path().strip_prefix(root).unwrap().display().to_string()).collect()
    };
    class.attempts.iter().map(|attempt| attempt.program.as_ref().map(files).map_err(NotJudged::to_string)).collect()
}

#[test]
fn copies_have_the_students_names_and_the_endings_of_languages() {
    let folder = folder(&[
        ("a_1_10_Main.JAVA", b"public class Main { public static void main(String[] a) {} }"),
        ("b_2_20_MAIN-2.PY", MAIN),
        ("c_3_30_solve.c", b"#include \"util.h\"\nint main(void) {}"),
        ("c_3_31_util.h", b""),
    ]);
    let class = collected_from(folder.path(), &[], false);
    assert_eq!(
        copies(&class),
        [
            Ok(vec!["Main.java".to_owned()]),
            Ok(vec!["MAIN.py".to_owned()]),
            Ok(vec!["solve.c".to_owned(), "util.h".to_owned()]),
        ]
    );
    assert_eq!(class.attempts[1].student.files, ["b_2_20_MAIN-2.PY"]);
    assert_eq!(class.attempts[1].student.canvas_submission_id.as_deref(), Some("20"));
}

#[test]
fn headers_modules_and_folders_of_one_program_stay_together() {
    let folder = folder(&[
        ("amy/hw/main.py", b"from lib.util import f"),
        ("amy/hw/lib/util.py", b""),
        ("amy/hw/build/old.py", b""),
        ("amy/hw/__pycache__/x.py", b""),
        ("bob/build/main.py", MAIN),
        ("cy/Main.java", b"package a.b; class Main { public static void main(String[] a) {} }"),
        ("cy/Old.java", b"class Old { public static void main(String[] a) {} }"),
        ("di/main.c", b"int main(void) {}"),
        ("di/main2.c", b"int main(void) {}"),
        ("ed/main.py", MAIN),
        ("ed/notes.sh", b""),
    ]);
    let class = collected_from(folder.path(), &[], false);
    let names = |names: &[&str]| Ok(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    assert_eq!(
        copies(&class),
        [
            names(&["lib/util.py", "main.py"]),
            names(&["main.py"]),
            names(&["Main.java", "Old.java"]),
            names(&["main.c"]),
            names(&["main.py"]),
        ]
    );
    let program = |index: usize| class.attempts[index].program.clone().unwrap();
    assert_eq!(program(0).entry_point.as_deref(), Some("main.py"));
    assert_eq!(program(0).remark.as_deref(), Some("starts with main.py"));
    assert_eq!(program(2).entry_point.as_deref(), Some("a.b.Main"));
    assert_eq!(
        (program(3).entry_point, program(3).remark.unwrap()),
        (None, "starts with main.c, without main2.c".into())
    );
    assert_eq!(program(4).language_name, "Python 3");
    assert_eq!(class.attempts[3].student.files, ["di/main.c"]);
}

#[test]
fn files_that_cannot_be_used_are_reasons() {
    let long = format!("fay/{}.py", "ü".repeat(124));
    let folder = folder(&[
        ("amy/big.py", &vec![b'#'; (LARGEST_FILE + 1) as usize]),
        ("bob/secret.py", MAIN),
        ("cy/util.h", b""),
        ("di/.git/main.py", MAIN),
        (&long, MAIN),
    ]);
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("di/main.py")).unwrap();
    fs::set_permissions(folder.path().join("bob/secret.py"), fs::Permissions::from_mode(0o0)).unwrap();
    let class = collected_from(folder.path(), &[], false);
    let all = copies(&class);
    let reason = |index: usize| all[index].clone().unwrap_err();
    assert_eq!(reason(0), "big.py has 16777217 bytes, allowed: at most 16777216");
    if fs::read(folder.path().join("bob/secret.py")).is_err() {
        assert!(reason(1).starts_with("secret.py cannot be read: Permission denied"), "{}", reason(1));
    }
    assert!(reason(2).starts_with("found util.h, and no language has the ending .h; allowed: "), "{}", reason(2));
    assert!(reason(3).starts_with("main.py is a link to /etc/passwd; hand in the file itself"), "{}", reason(3));
    assert!(all[4].is_ok());
    assert!(class.attempts.iter().all(|attempt| attempt.program.is_ok() || attempt.student.files.is_empty()));
}

#[test]
fn entries_of_archives_are_read_by_their_numbers_and_never_leave_the_folder() {
    let outer = tempfile::tempdir().unwrap();
    let path = outer.path().join("class.zip");
    let mut zip = ZipWriter::new(fs::File::create(&path).unwrap());
    for (name, bytes) in [
        ("amy/../../evil.py", MAIN),
        ("bob/main.py", MAIN),
        ("bob\\util.py", b"" as &[u8]),
        ("cy/a.py/b.py", MAIN),
        ("di/NUL\0.py", MAIN),
        ("J\u{f6}rg/main.py", MAIN),
    ] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.add_symlink("ed/main.py", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    zip.finish().unwrap();
    let class = collected_from(&path, &[], false);
    let rows: Vec<_> = class.attempts.iter().map(|attempt| attempt.submission.as_str()).zip(copies(&class)).collect();
    let row = |name: &str| &rows.iter().find(|(own, _)| *own == name).unwrap_or_else(|| panic!("{rows:?}")).1;
    assert!(row("amy").as_ref().unwrap_err().contains("leads out of the archive"), "{rows:?}");
    assert_eq!(row("bob").as_ref().unwrap(), &["main.py", "util.py"]);
    assert!(row("ed").as_ref().unwrap_err().contains("main.py is a link"), "{rows:?}");
    assert!(row("J\u{f6}rg").is_ok());
    assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1, "nothing lies beside the archive");
}

#[test]
fn a_name_in_code_page_437_is_read_as_such_and_utf_8_without_its_mark_as_utf_8() {
    let outer = tempfile::tempdir().unwrap();
    let path = outer.path().join("class.zip");
    let mut zip = ZipWriter::new(fs::File::create(&path).unwrap());
    for name in ["J0rg/main.py", "K11a/main.py"] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(MAIN).unwrap();
    }
    zip.finish().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let mut replace = |old: &[u8], new: &[u8]| {
        let at: Vec<_> = (0..bytes.len() - old.len()).filter(|&at| bytes[at..].starts_with(old)).collect();
        for at in at {
            bytes[at..at + new.len()].copy_from_slice(new);
        }
    };
    replace(b"J0rg", b"J\x94rg");
    replace(b"K11a", "K\u{e9}a".as_bytes());
    fs::write(&path, bytes).unwrap();
    let class = collected_from(&path, &[], false);
    let names: Vec<_> = class.attempts.iter().map(|attempt| attempt.student.name.clone()).collect();
    assert_eq!(names, ["J\u{f6}rg", "K\u{e9}a"]);
}

#[test]
fn of_files_in_several_languages_the_program_is_judged_or_none() {
    let c_main = b"int main(void) {}";
    let folder = folder(&[
        ("amy/main.py", MAIN),
        ("amy/notes.c", b"int f(void);"),
        ("bob/a.py", MAIN),
        ("bob/b.c", c_main),
        ("cy/main.py", MAIN),
        ("cy/old.c", c_main),
    ]);
    let class = collected_from(folder.path(), &[], false);
    let all = copies(&class);
    assert_eq!((&all[0], &all[2]), (&Ok(vec!["main.py".to_owned()]), &Ok(vec!["main.py".to_owned()])));
    let reason = all[1].clone().unwrap_err();
    assert_eq!(reason, "2 programs were handed in: a.py, b.c; keep one, or call one of them main");
    let amy = class.attempts[0].program.as_ref().unwrap();
    assert_eq!((amy.language.as_deref(), amy.remark.as_deref()), (Some("python3"), Some("without notes.c")));
    assert_eq!((amy.bytes, class.attempts[0].student.files.len()), (MAIN.len() as u64, 1));
}

#[test]
fn a_number_that_a_student_chose_stays_in_the_name() {
    let folder = folder(&[
        ("doejane_1_2_main-1.c", b"#include \"util-1.h\"\nint main(void) {}"),
        ("doejane_1_3_util-1.h", b""),
        ("roejohn_4_5_task-1.py", MAIN),
        ("roejohn_4_6_task-2.py", MAIN),
        ("poe_7_8_main-2.py", MAIN),
    ]);
    let class = collected_from(folder.path(), &[], false);
    let all = copies(&class);
    assert_eq!(all[0], Ok(vec!["main.c".to_owned(), "util-1.h".to_owned()]));
    assert_eq!(all[1], Ok(vec!["main.py".to_owned()]), "poe");
    assert!(all[2].clone().unwrap_err().starts_with("2 programs were handed in: task-1.py, task-2.py"), "{all:?}");
}

#[test]
fn a_declared_language_is_for_files_that_nothing_else_explains() {
    let folder = folder(&[("amy/a.txt", MAIN), ("bob/b.py", MAIN), ("bob/notes.txt", b""), ("cy/c", MAIN)]);
    let declared = [AsLanguage { language: "python3".to_owned(), ending: Some("txt".to_owned()) }];
    let class = collected_from(folder.path(), &declared, false);
    let all = copies(&class);
    assert_eq!(all[0], Ok(vec!["a.py".to_owned()]));
    assert_eq!(class.attempts[0].program.as_ref().unwrap().language.as_deref(), Some("python3"));
    assert_eq!(all[1], Ok(vec!["b.py".to_owned()]));
    assert!(all[2].as_ref().unwrap_err().starts_with("found c, which has no ending"), "{all:?}");
}

#[test]
fn many_files_and_hostile_texts_end_soon() {
    let many: Vec<String> = (0..20_000).map(|number| format!("amy/{number}.txt")).collect();
    let mut files: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
    // A search to the end of the text for each `main` would take hours.
    let mains = "main(".repeat(1 << 20);
    files.extend([("bob/a.c", mains.as_bytes()), ("bob/b.c", b"int main(void) {}")]);
    // So would a search through all texts for each name.
    let scripts: Vec<String> = (0..300).map(|number| format!("cy/p{number}.py")).collect();
    let text = "import p0\n".repeat(2_000);
    files.extend(scripts.iter().map(|name| (name.as_str(), text.as_bytes())));
    let folder = folder(&files);
    let class = collected_from(folder.path(), &[], false);
    assert_eq!(class.attempts[1].program.as_ref().unwrap().remark.as_deref(), Some("starts with b.c"));
    assert!(class.attempts[0].program.is_err() && class.attempts[2].program.is_err());
}

#[test]
fn many_names_with_numbers_end_soon() {
    // A search through all texts for each name would take a minute or more: the texts almost have the names.
    let almost = "a".repeat(60_000);
    let name = |number| format!("dora_1_{number}_{}{number}-1.c", "a".repeat(200));
    let names: Vec<String> = (1..300).map(name).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), almost.as_bytes())).collect();
    let folder = folder(&files);
    let class = collected_from(folder.path(), &[], false);
    assert_eq!(class.attempts[0].program.as_ref().unwrap().bytes, 299 * 60_000);
}
