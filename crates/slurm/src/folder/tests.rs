use std::os::unix::fs::PermissionsExt;

use super::*;

fn place() -> (tempfile::TempDir, PathBuf) {
    let outer = tempfile::tempdir().unwrap();
    let path = outer.path().join("run");
    (outer, path)
}

#[test]
fn a_folder_is_used_by_one_process_and_continued_only_on_request() {
    let (_outer, path) = place();
    let (folder, none) = Folder::take(&path, false).unwrap();
    assert!(none.is_none());
    let record = Record::new(2, "c".to_owned(), "i".to_owned());
    folder.write_record(&record).unwrap();
    assert!(matches!(Folder::take(&path, true), Err(FolderError::Busy(_))));
    drop(folder);
    assert!(matches!(Folder::take(&path, false), Err(FolderError::Used(_))));
    let (folder, found) = Folder::take(&path, true).unwrap();
    assert_eq!(found, Some(record));
    folder.remove(2).unwrap();
    assert!(!path.exists());
}

#[test]
fn foreign_files_are_neither_used_nor_removed() {
    let (_outer, path) = place();
    fs::create_dir(&path).unwrap();
    fs::write(path.join("thesis.tex"), "x").unwrap();
    for resumes in [false, true] {
        assert!(matches!(Folder::take(&path, resumes), Err(FolderError::Foreign(_))));
    }
    fs::remove_file(path.join("thesis.tex")).unwrap();
    let (folder, _) = Folder::take(&path, false).unwrap();
    fs::write(path.join("thesis.tex"), "x").unwrap();
    assert!(folder.remove(1).is_err());
    assert!(path.join("thesis.tex").exists());
}

#[test]
fn a_folder_that_others_can_write_to_is_refused() {
    let (_outer, path) = place();
    fs::create_dir(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o777)).unwrap();
    assert!(matches!(Folder::take(&path, true), Err(FolderError::Untrusted(_))));
}

#[test]
fn a_damaged_record_is_named() {
    let (_outer, path) = place();
    drop(Folder::take(&path, false).unwrap());
    fs::write(path.join("run.json"), "{").unwrap();
    let error = Folder::take(&path, true).unwrap_err().to_string();
    assert!(error.contains("run.json: EOF"), "{error}");
}

#[test]
fn the_end_of_a_task_is_read_or_ignored() {
    let end = TaskEnd::parse("12 3 partial node-7\n").unwrap();
    assert_eq!(end, TaskEnd { job: 12, code: 3, is_complete: false, node: "node-7".to_owned() });
    assert!(TaskEnd::parse("12 0 complete n").unwrap().is_complete);
    for text in ["", "12", "12 x partial n", "a 0 complete n", "12 0 done n"] {
        assert_eq!(TaskEnd::parse(text), None, "{text}");
    }
}

#[test]
fn logs_give_the_last_error_and_each_warning_once() {
    let (_outer, path) = place();
    let (folder, _) = Folder::take(&path, false).unwrap();
    assert_eq!(folder.last_words(1), None);
    fs::write(folder.log(1), "part 1\nwarning: a\nwarning: a\nerror: first\nerror: \u{1b}last\nhint: x\n").unwrap();
    fs::write(folder.log(2), "warning: a\nwarning: b\nKilled\n\n").unwrap();
    assert_eq!(folder.last_words(1).as_deref(), Some("error: \u{241b}last"));
    assert_eq!(folder.last_words(2).as_deref(), Some("Killed"));
    let expected = [("a".to_owned(), 2), ("b".to_owned(), 1)];
    assert_eq!(folder.warnings(3), BTreeMap::from(expected));
}

#[test]
fn broken_reports_move_aside_and_complete_ones_become_partial() {
    let (_outer, path) = place();
    let (folder, _) = Folder::take(&path, false).unwrap();
    for number in 1..3 {
        fs::write(folder.report(1), "x").unwrap();
        let aside = set_aside(&folder.report(1)).unwrap();
        assert!(aside.to_str().unwrap().ends_with(&format!("part-1.jsonl.broken-{number}")));
    }
    folder.reopen(2).unwrap();
    fs::write(folder.report(2), "x").unwrap();
    folder.reopen(2).unwrap();
    assert!(folder.partial_report(2).exists() && !folder.report(2).exists());
}
