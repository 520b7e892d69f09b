use std::fs::File;
use std::io::Write;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

/// Creates an archive of these files. A text that starts with `->` makes a link.
fn archive(name: &str, files: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let mut zip = ZipWriter::new(File::create(&path).unwrap());
    for (name, text) in files {
        if let Some(target) = text.strip_prefix("-> ") {
            zip.add_symlink(*name, target, SimpleFileOptions::default()).unwrap();
        } else {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
    }
    zip.finish().unwrap();
    (folder, path)
}

const FILES: [(&str, &str); 4] = [
    ("problem.yaml", DATED),
    ("data/secret/1.in", "1 2\n"),
    ("data/secret/1.ans", "3\n"),
    ("submissions/accepted/a.py", ""),
];

fn with(more: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    FILES.iter().chain(more).copied().collect()
}

fn refusal(files: &[(&str, &str)]) -> String {
    let (_folder, path) = archive("add.zip", files);
    load(&path).unwrap_err().to_string()
}

#[test]
fn an_archive_is_a_package_with_or_without_a_folder_around_it() {
    let (_folder, path) = archive("add.zip", &FILES);
    let package = load(&path).unwrap();
    assert_eq!((package.name.as_str(), package.cases.len()), ("add", 1));
    let root = package.root.clone();
    let copy = package.clone();
    drop(package);
    assert!(root.is_dir(), "a copy of the package still needs it");
    drop(copy);
    assert!(!root.exists(), "removed with the last package");
    let inner: Vec<_> = FILES.iter().map(|(name, text)| (format!("sum/{name}"), *text)).collect();
    let inner: Vec<_> = inner.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    for name in ["add.kpp", "ADD.ZIP"] {
        let (_folder, path) = archive(name, &inner);
        assert_eq!(load(&path).unwrap().name, "sum");
    }
}

#[test]
fn what_is_wrong_is_named_as_the_user_named_the_archive() {
    let (_folder, path) = archive("add.zip", &[("problem.yaml", "nam: x\n")]);
    let findings = load(&path).unwrap_err().to_string();
    assert!(findings.starts_with(&format!("{}/problem.yaml:1:1: unknown key", path.display())), "{findings}");
}

#[test]
fn nothing_is_unpacked_outside_the_folder() {
    for name in ["../evil", "a/../../evil", "/tmp/evil", "a//../../../evil"] {
        let refused = refusal(&with(&[(name, "x")]));
        assert!(refused.contains("leads out of the archive"), "{name}: {refused}");
    }
}

#[test]
fn links_must_stay_inside_and_nothing_is_written_through_them() {
    for target in ["/etc/passwd", "../../../etc/passwd", "nowhere", "data/../../x"] {
        let files = [("link", format!("-> {target}"))];
        let all: Vec<_> =
            FILES.iter().copied().chain(files.iter().map(|(name, text)| (*name, text.as_str()))).collect();
        assert!(refusal(&all).contains("is broken or leads out"), "{target}");
    }
    let (_folder, path) =
        archive("add.zip", &with(&[("data/secret/2.in", "-> 1.in"), ("data/secret/2.ans", "-> 1.ans")]));
    assert_eq!(load(&path).unwrap().cases.len(), 2);
    let through = refusal(&with(&[("here", "-> data"), ("here/x", "y")]));
    assert!(through.contains("the entry here appears twice"), "{through}");
}

#[test]
fn an_archive_of_something_else_is_refused() {
    assert!(refusal(&[("readme", "x")]).contains("contains no problem.yaml"));
    assert!(refusal(&[("a/problem.yaml", "x"), ("b/problem.yaml", "x")]).contains("contains several packages"));
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "add.zip", "no archive at all");
    let error = load(&folder.path().join("add.zip")).unwrap_err().to_string();
    assert!(error.contains("is not a ZIP archive, or its end is missing"), "{error}");
    write(folder.path(), "add.txt", "");
    assert!(
        load(&folder.path().join("add.txt"))
            .unwrap_err()
            .to_string()
            .contains("is neither a folder nor a .zip or .kpp file")
    );
}

#[test]
fn an_archive_cannot_choose_a_folder_by_its_own_name() {
    for name in ["...zip", "a b.zip", "-x.zip"] {
        let (folder, path) = archive(name, &FILES);
        let package = load(&path).unwrap();
        assert_eq!(package.name, "package", "{name}");
        assert!(!package.root.starts_with(folder.path()));
    }
}

#[test]
fn paths_of_many_folders_are_refused() {
    let deep = format!("{}x", "a/".repeat(40));
    assert!(
        refusal(&[("problem.yaml", DATED), (&deep, "")]).contains("has a path that is too long: more than 32 parts")
    );
}

#[test]
fn a_name_that_is_a_folder_already_is_refused() {
    let twice = refusal(&with(&[("data", "a file")]));
    assert!(twice.contains("the entry data appears twice"), "{twice}");
    let twice = refusal(&with(&[("a", "a file"), ("a/b/c", "")]));
    assert!(twice.contains("the entry a/b/c appears twice, or an earlier entry is a file"), "{twice}");
}

#[test]
fn what_can_be_executed_is_so_when_it_is_unpacked_and_nothing_else_is() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, path) = archive("add.zip", &FILES);
    let mut zip = ZipWriter::new_append(File::options().read(true).write(true).open(&path).unwrap()).unwrap();
    for (name, mode) in [("submissions/accepted/run.py", 0o744), ("submissions/accepted/read.py", 0o640)] {
        zip.start_file(name, SimpleFileOptions::default().unix_permissions(mode)).unwrap();
    }
    zip.finish().unwrap();
    let package = load(&path).unwrap();
    let mode = |name: &str| {
        let found = package.root.join("submissions/accepted").join(name).metadata().unwrap();
        found.permissions().mode() & 0o777
    };
    assert_eq!((mode("run.py"), mode("read.py"), mode("a.py")), (0o755, 0o644, 0o644));
}

/// Changes the stated size of every entry in the directory of an archive.
fn with_stated_size(path: &Path, size: u32) {
    let mut bytes = std::fs::read(path).unwrap();
    let entries: Vec<_> = bytes.windows(4).enumerate().filter(|(_, found)| *found == b"PK\x01\x02").collect();
    let places: Vec<_> = entries.into_iter().map(|(at, _)| at).collect();
    assert_eq!(places.len(), FILES.len());
    for at in places {
        bytes[at + 24..at + 28].copy_from_slice(&size.to_le_bytes());
    }
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn sizes_that_the_directory_states_decide_before_anything_is_unpacked() {
    let (_folder, path) = archive("add.zip", &FILES);
    with_stated_size(&path, u32::MAX - 1);
    assert!(load(&path).unwrap_err().to_string().contains("unpacks to more than the 4294967296 bytes allowed"));
    let (_folder, path) = archive("add.zip", &FILES);
    with_stated_size(&path, 2);
    assert!(load(&path).unwrap_err().to_string().contains("is larger than the archive states"));
}

#[test]
fn an_archive_that_states_too_many_entries_is_refused_before_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.zip");
    let end = |count: u16| {
        let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
        end.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
        end.extend([0; 10]);
        end
    };
    let mut large = b"PK\x06\x06".to_vec();
    large.extend([0; 28]);
    large.extend(3_000_000u64.to_le_bytes());
    large.extend([0; 16]);
    large.extend(b"PK\x06\x07\0\0\0\0");
    large.extend([0; 12]);
    large.extend(end(u16::MAX));
    std::fs::write(&path, large).unwrap();
    assert!(load(&path).unwrap_err().to_string().contains("has 3000000 entries, allowed: at most 100000"));
}

#[test]
fn an_archive_of_many_small_entries_is_read() {
    let more: Vec<_> = (0..9000).map(|number| (format!("attic/{number}"), "")).collect();
    let all: Vec<_> = FILES.iter().copied().chain(more.iter().map(|(name, text)| (name.as_str(), *text))).collect();
    let (_folder, path) = archive("add.zip", &all);
    assert_eq!(load(&path).unwrap().cases.len(), 1);
}

#[test]
fn a_directory_beyond_all_measure_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.zip");
    std::fs::File::create(&path).unwrap().set_len(200 << 20).unwrap();
    let error = load(&path).unwrap_err().to_string();
    assert!(
        error.contains("is not a ZIP archive, or the list of its entries is larger than the 32 MiB allowed"),
        "{error}"
    );
}
