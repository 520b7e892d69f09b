//! Hashes the files that programs read, and checks later whether they are unchanged.

use std::fs::Metadata;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use blake3::Hasher;
use walkdir::WalkDir;

use referee_files::regular::{self, Stoppable};
use referee_package::TestCase;

/// The key of a test case's result within the results of a program. It is small, because a package may have hundreds of
/// thousands of test cases.
pub(super) struct CaseKey {
    pub(super) hash: blake3::Hash,
    stamps: Stamps,
    /// Whether a file was changed so shortly before it was hashed that a later change might leave its metadata equal.
    is_fresh: bool,
}

impl CaseKey {
    /// Returns the key `hash` of the test case whose files are `hashed`.
    pub(super) fn new(hash: blake3::Hash, hashed: &[HashedFile]) -> CaseKey {
        let stamps = Stamps::of(hashed.iter().map(|file| (&*file.name, file.stamp)));
        CaseKey { hash, stamps, is_fresh: hashed.iter().any(|file| file.stamp.is_fresh(file.hashed)) }
    }

    /// Whether no file of the test case has changed since it was hashed. Calls `again`, which hashes the files again,
    /// if their metadata cannot show that.
    pub(super) fn is_unchanged(&self, case: &TestCase, again: impl FnOnce() -> Option<CaseKey>) -> bool {
        let stamps = files_of(case).and_then(|files| {
            let stamp = |file: &FileOfCase| Some(Stamp::of(&file.path.metadata().ok()?));
            let stamps = files.iter().map(stamp).collect::<Option<Vec<_>>>()?;
            Some(Stamps::of(files.iter().map(|file| &*file.name).zip(stamps)))
        });
        stamps == Some(self.stamps) && (!self.is_fresh || again().is_some_and(|again| again.hash == self.hash))
    }
}

/// A digest of the names and the metadata of all files of a test case. The names count, because a folder or a link can
/// get another name while the metadata of the files stay equal. The digest has half the length of a hash, as nothing but
/// the user's own files decides it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamps([u8; 16]);

impl Stamps {
    fn of<'a>(stamps: impl IntoIterator<Item = (&'a str, Stamp)>) -> Stamps {
        let mut hasher = Hasher::new();
        for (name, Stamp { file, bytes, modified, changed, is_program }) in stamps {
            hasher.update(&(name.len() as u64).to_le_bytes()).update(name.as_bytes());
            let numbers = [file.0, file.1, bytes, u64::from(is_program)].map(u64::to_le_bytes);
            let times = [modified.0, modified.1, changed.0, changed.1].map(i64::to_le_bytes);
            hasher.update(numbers.as_flattened()).update(times.as_flattened());
        }
        let mut half = [0; 16];
        hasher.finalize_xof().fill(&mut half);
        Stamps(half)
    }
}

/// A file or a folder that was hashed.
pub(super) struct HashedFile {
    /// See [`FileOfCase::name`].
    pub(super) name: String,
    pub(super) hash: blake3::Hash,
    stamp: Stamp,
    hashed: SystemTime,
}

/// A file that a program or a validator reads, or a folder beside the program.
struct FileOfCase {
    /// The role of the file: `input`, `answer`, `file NAME` or `folder NAME`.
    name: String,
    path: PathBuf,
    is_folder: bool,
}

/// Returns the files of a test case that a program or a validator reads, and the folders in which they are beside the
/// program. Links are followed, because the program gets copies of the files that they lead to. Returns `None` if a
/// folder cannot be read, or if there are too many files.
fn files_of(case: &TestCase) -> Option<Vec<FileOfCase>> {
    let named = |name: &str, path| FileOfCase { name: name.to_owned(), path, is_folder: false };
    let mut files = vec![named("input", case.input()), named("answer", case.answer())];
    let Some(folder) = &case.files else { return Some(files) };
    for entry in WalkDir::new(&**folder).follow_links(true).sort_by_file_name() {
        let entry = entry.ok().filter(|_| files.len() < MOST_FILES)?;
        let is_folder = entry.file_type().is_dir();
        if is_folder || entry.file_type().is_file() {
            // A file whose name is not UTF-8 cannot be copied for the program, so the folder has no digest.
            let name = entry.path().strip_prefix(&**folder).ok()?.to_str()?;
            let name = if is_folder { format!("folder {name}") } else { format!("file {name}") };
            files.push(FileOfCase { name, path: entry.into_path(), is_folder });
        }
    }
    Some(files)
}

/// Maximum number of files and folders of a test case. With more of them, results are not cached.
const MOST_FILES: usize = 1 << 12;

/// Maximum size of a file that is hashed, in bytes. A larger file is not copied for a program.
const MOST_BYTES: u64 = 1 << 30;

/// Upper bound of one tick of a file system's clock. If a file changes twice within one tick, only its bytes show the
/// second change.
const TICK: Duration = Duration::from_secs(3);

/// Metadata that changes whenever the contents of a file or the names in a folder change, except at the second of two
/// changes within one tick. A file's owner can set `modified` back, but not `changed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    is_program: bool,
}

impl Stamp {
    fn of(found: &Metadata) -> Stamp {
        Stamp {
            file: (found.dev(), found.ino()),
            bytes: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
            is_program: found.permissions().mode() & 0o111 != 0,
        }
    }

    /// Whether the file was changed so shortly before `time` that another change might leave the metadata equal.
    fn is_fresh(&self, time: SystemTime) -> bool {
        let seconds = self.changed.0.max(self.modified.0);
        let changed = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
        time.duration_since(changed).map_or(true, |age| age < TICK)
    }
}

impl HashedFile {
    /// Hashes all files of a test case. Returns `None` if one of them cannot be hashed, or if there are too many.
    pub(super) fn all_of(case: &TestCase) -> Option<Vec<HashedFile>> {
        let hashed = |file: FileOfCase| {
            let hash = if file.is_folder { HashedFile::folder } else { HashedFile::file };
            hash(&file.path, file.name)
        };
        files_of(case)?.into_iter().map(hashed).collect()
    }

    /// Makes the digest of a folder, which depends only on its name. Returns `None` if `path` does not exist.
    fn folder(path: &Path, name: String) -> Option<HashedFile> {
        let hashed = SystemTime::now();
        let stamp = Stamp::of(&path.metadata().ok()?);
        Some(HashedFile { name, hash: Hasher::new().finalize(), stamp, hashed })
    }

    /// Hashes a file. Returns `None` if `path` is not a regular file, if the file is too large or changes while it is
    /// hashed, or if the user interrupts the judge.
    fn file(path: &Path, name: String) -> Option<HashedFile> {
        let hashed = SystemTime::now();
        let file = regular::open(path).ok()?;
        let stamp = Stamp::of(&file.metadata().ok()?);
        if stamp.bytes > MOST_BYTES {
            return None;
        }
        let mut hasher = Hasher::new();
        hasher.update(&[u8::from(stamp.is_program)]);
        hasher.update_reader(Stoppable(&file)).ok()?;
        let after = Stamp::of(&file.metadata().ok()?);
        (after == stamp).then(|| HashedFile { name, hash: hasher.finalize(), stamp, hashed })
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::sync::Arc;

    use referee_package::TestFiles;

    use super::*;

    /// Returns a test case with the file `one` beside the program, and the folder that holds all its files.
    fn case() -> (tempfile::TempDir, TestCase) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("1.in"), "in").unwrap();
        fs::write(path("1.ans"), "answer").unwrap();
        fs::create_dir(path("1.files")).unwrap();
        fs::write(path("1.files/one"), "beside").unwrap();
        let case = TestCase {
            name: "1".into(),
            paths: TestFiles::new(path("1.in"), path("1.ans")),
            files: Some(path("1.files").into()),
            arguments: Arc::default(),
            output_validator_arguments: Arc::default(),
            input_validator_arguments: None,
            answer_validator_arguments: None,
            output: None,
            description: None,
        };
        (folder, case)
    }

    fn key(case: &TestCase) -> CaseKey {
        let hashed = HashedFile::all_of(case).unwrap();
        let mut hasher = Hasher::new();
        for file in &hashed {
            hasher.update(file.hash.as_bytes());
        }
        CaseKey::new(hasher.finalize(), &hashed)
    }

    /// Returns the key as if the files had been hashed long after their last change.
    fn key_of_old_files(case: &TestCase) -> CaseKey {
        let mut hashed = HashedFile::all_of(case).unwrap();
        for file in &mut hashed {
            file.hashed += 2 * TICK;
        }
        CaseKey::new(Hasher::new().finalize(), &hashed)
    }

    fn is_unchanged(key: &CaseKey, case: &TestCase) -> bool {
        key.is_unchanged(case, || Some(self::key(case)))
    }

    #[test]
    fn a_file_that_was_changed_since_it_was_hashed_is_noticed_whatever_its_time_says() {
        for name in ["1.in", "1.ans", "1.files/one"] {
            let (folder, case) = case();
            let path = folder.path().join(name);
            let (text, time) = (fs::read(&path).unwrap(), path.metadata().unwrap().modified().unwrap());
            let before = key(&case);
            assert!(is_unchanged(&before, &case), "{name}");
            fs::write(&path, text.to_ascii_uppercase()).unwrap();
            File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
            assert!(!is_unchanged(&before, &case), "{name}");
            // This simulates a second change within one clock tick: the metadata is equal, and only the bytes differ.
            let stamps = key(&case).stamps;
            assert!(!is_unchanged(&CaseKey { stamps, ..before }, &case), "{name}");
        }
    }

    #[test]
    fn a_file_that_comes_beside_the_program_is_a_change() {
        let (folder, case) = case();
        let before = key(&case);
        fs::write(folder.path().join("1.files/two"), "new").unwrap();
        assert!(!is_unchanged(&before, &case));
    }

    #[test]
    fn files_that_were_changed_long_before_are_not_hashed_again() {
        let (_folder, case) = case();
        assert!(key_of_old_files(&case).is_unchanged(&case, || panic!("the files are hashed again")));
    }

    #[test]
    fn another_name_of_a_folder_or_of_a_link_is_a_change_although_the_files_stay_the_same() {
        let (folder, case) = case();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("1.files/folder")).unwrap();
        fs::write(path("1.files/folder/two"), "two").unwrap();
        std::os::unix::fs::symlink("../1.in", path("1.files/link")).unwrap();
        for name in ["1.files/folder", "1.files/link"] {
            let before = key_of_old_files(&case);
            fs::rename(path(name), path("1.files/other")).unwrap();
            assert!(!before.is_unchanged(&case, || panic!("the metadata shows the change")), "{name}");
            fs::rename(path("1.files/other"), path(name)).unwrap();
            assert!(!before.is_unchanged(&case, || panic!("the metadata shows the change")), "{name}: undone");
        }
    }

    #[test]
    fn a_name_counts_although_all_metadata_are_equal() {
        let (folder, _case) = case();
        let stamp = Stamp::of(&folder.path().join("1.in").metadata().unwrap());
        assert!(Stamps::of([("file a/x", stamp)]) != Stamps::of([("file b/x", stamp)]));
    }

    #[test]
    fn an_empty_folder_beside_the_program_counts() {
        let (folder, case) = case();
        let names = |case: &TestCase| -> Vec<_> {
            HashedFile::all_of(case).unwrap().into_iter().map(|file| file.name).collect()
        };
        assert_eq!(names(&case), ["input", "answer", "folder ", "file one"]);
        let before = key_of_old_files(&case);
        fs::create_dir(folder.path().join("1.files/empty")).unwrap();
        assert_eq!(names(&case), ["input", "answer", "folder ", "folder empty", "file one"]);
        assert!(!before.is_unchanged(&case, || panic!("the metadata shows the change")));
    }

    #[test]
    fn what_is_no_file_is_not_hashed() {
        let folder = tempfile::tempdir().unwrap();
        let is_hashed = |path: &Path| HashedFile::file(path, String::new()).is_some();
        assert!(!is_hashed(folder.path()));
        assert!(!is_hashed(Path::new("/dev/zero")));
        assert!(!is_hashed(&folder.path().join("nowhere")));
    }
}
