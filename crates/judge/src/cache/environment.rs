//! Describes the machine and its software. Results depend on both, and several machines may share one folder of
//! results.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::build_cache::contents::hash_field;
use referee_files::regular;
use referee_language::software;

/// Fields of `/proc/cpuinfo` that identify the model of a processor.
const PROCESSOR_FIELDS: [&str; 10] = [
    "vendor_id",
    "cpu family",
    "model",
    "model name",
    "stepping",
    "CPU implementer",
    "CPU variant",
    "CPU part",
    "uarch",
    "cpu",
];

/// Number of bytes of `/proc/cpuinfo` that are read. They cover the first processor.
const PROCESSOR_BYTES: u64 = 4 << 10;

/// Memory sizes of machines of the same kind differ by a few kilobytes. In keys of a shared cache, they count in steps
/// of this many bytes.
const MEMORY_STEP: u64 = 256 << 20;

/// Maximum size of a file whose contents are hashed for a key of a shared cache, in bytes.
const MOST_HASHED: u64 = 64 << 20;

/// Databases of package managers that differ even if the same packages are installed, because they contain the times.
const DATABASES_WITH_TIMES: [&str; 3] = ["/var/lib/rpm", "/usr/lib/sysimage/rpm", "/nix/var/nix/db/db.sqlite"];

/// The machines whose results have the same key, if everything else is equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// This machine. Modification times show that software has changed.
    ThisMachine,
    /// Machines of the same kind, on which the same software was perhaps installed at different times. The contents of
    /// files show that software has changed.
    SameKind,
}

impl Scope {
    /// Returns facts about the machine and its software. If the processor, the kernel or an installed library changes,
    /// at least one of these facts changes. Reading them takes longer for [`Scope::SameKind`].
    pub(crate) fn facts(self) -> Vec<String> {
        static OF_SAME_KIND: OnceLock<Vec<String>> = OnceLock::new();
        match self {
            Scope::ThisMachine => self.new_facts(),
            Scope::SameKind => OF_SAME_KIND.get_or_init(|| self.new_facts()).clone(),
        }
    }

    fn new_facts(self) -> Vec<String> {
        let system = rustix::system::uname();
        let cores = referee_sandbox::usable_cores();
        let bytes = referee_sandbox::machine_memory_bytes();
        let bytes = if self == Scope::SameKind { bytes / MEMORY_STEP * MEMORY_STEP } else { bytes };
        let machine =
            [format!("{:?} {:?}", system.machine(), system.release()), format!("{cores} cores, {bytes} bytes")];
        let software = software::SYSTEM.iter().map(|path| self.stamp(Path::new(path)));
        machine.into_iter().chain(processor()).chain(software).collect()
    }

    /// Returns a text that changes if a file or folder changes. For a folder, only the names and sizes of its direct
    /// entries count.
    pub(crate) fn stamp(self, path: &Path) -> String {
        if self == Scope::ThisMachine || DATABASES_WITH_TIMES.iter().any(|one| Path::new(one) == path) {
            return software::stamp(path);
        }
        let contents = if path.is_dir() { listing(path) } else { contents(path) };
        format!("{} {contents:?}", path.display())
    }

    /// Returns the size of a file, and what shows that the file has changed; `None` if it cannot be read.
    pub(crate) fn version_of_file(self, path: &Path) -> Option<String> {
        let found = path.metadata().ok()?;
        let times = (found.len(), found.mtime(), found.mtime_nsec());
        match self {
            Scope::SameKind if found.len() <= MOST_HASHED => Some(remembered_contents(path, times)?.to_string()),
            Scope::ThisMachine | Scope::SameKind => Some(format!("{times:?}")),
        }
    }
}

/// The size and the modification time of a file: bytes, seconds and nanoseconds.
type SizeAndTime = (u64, i64, i64);

/// The digests of files that were hashed before.
type Digests = HashMap<(PathBuf, SizeAndTime), blake3::Hash>;

/// Returns the digest of a file's contents. Hashes a file only once, unless its size or time changes.
fn remembered_contents(path: &Path, times: SizeAndTime) -> Option<blake3::Hash> {
    static KNOWN: Mutex<Option<Digests>> = Mutex::new(None);
    let key = (path.to_path_buf(), times);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(hash) = known().get_or_insert_default().get(&key) {
        return Some(*hash);
    }
    let hash = contents(path)?;
    known().get_or_insert_default().insert(key, hash);
    Some(hash)
}

/// Returns the digest of a file's contents; `None` if it cannot be read or is too large.
fn contents(path: &Path) -> Option<blake3::Hash> {
    regular::read(path, MOST_HASHED).ok().map(|bytes| blake3::hash(&bytes))
}

/// Returns the digest of the names, kinds and sizes of a folder's direct entries; `None` if it cannot be read. The size
/// of a folder depends on the file system, so it does not count.
fn listing(folder: &Path) -> Option<blake3::Hash> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        let found = entry.metadata().ok()?;
        let size = if found.is_dir() { 0 } else { found.len() };
        lines.push((entry.file_name(), found.file_type(), size));
    }
    lines.sort_by(|one, other| one.0.cmp(&other.0));
    let mut hasher = blake3::Hasher::new();
    for (name, kind, size) in lines {
        let kind = [u8::from(kind.is_dir()), u8::from(kind.is_symlink())];
        for field in [name.as_encoded_bytes(), &kind, &size.to_le_bytes()] {
            hash_field(&mut hasher, field);
        }
    }
    Some(hasher.finalize())
}

fn processor() -> Vec<String> {
    let mut text = Vec::new();
    let read = File::open("/proc/cpuinfo").and_then(|file| file.take(PROCESSOR_BYTES).read_to_end(&mut text));
    let text = if read.is_ok() { String::from_utf8_lossy(&text) } else { "".into() };
    let first = text.lines().take_while(|line| !line.is_empty());
    let counts = |line: &&str| line.split_once(':').is_some_and(|(name, _)| PROCESSOR_FIELDS.contains(&name.trim()));
    first.filter(counts).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    fn set_time(path: &Path, seconds: u64) {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        File::open(path).unwrap().set_modified(time).unwrap();
    }

    #[test]
    fn for_machines_of_the_same_kind_only_contents_count() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let stamps = |scope: Scope| (scope.stamp(&file), scope.stamp(folder.path()), scope.version_of_file(&file));
        fs::write(&file, "one").unwrap();
        set_time(&file, 1);
        set_time(folder.path(), 1);
        let (machine, kind) = (stamps(Scope::ThisMachine), stamps(Scope::SameKind));
        set_time(&file, 2);
        set_time(folder.path(), 2);
        let later = stamps(Scope::ThisMachine);
        assert!(machine.0 != later.0 && machine.1 != later.1 && machine.2 != later.2);
        assert_eq!(stamps(Scope::SameKind), kind);
        fs::write(&file, "two").unwrap();
        let changed = stamps(Scope::SameKind);
        assert!(changed.0 != kind.0 && changed.2 != kind.2);
        assert_eq!(changed.1, kind.1, "a listing has no contents");
        fs::write(folder.path().join("other"), "").unwrap();
        assert_ne!(stamps(Scope::SameKind).1, kind.1);
    }

    #[test]
    fn the_facts_of_both_scopes_are_the_same_each_time() {
        for scope in [Scope::ThisMachine, Scope::SameKind] {
            let facts = scope.facts();
            assert_eq!(facts, scope.facts());
            assert!(facts.iter().any(|fact| fact.contains("cores, ")), "{facts:?}");
            assert!(facts.len() >= 2 + software::SYSTEM.len(), "{facts:?}");
        }
    }
}
