//! Packs the folder of a compiled program into bytes, for a shared cache.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path};

use referee_shared_cache::MOST_BYTES;
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

/// Maximum number of files and folders of a program.
const MOST_ENTRIES: usize = 1 << 14;

/// A file or a folder of a compiled program. Its path is relative to the program's folder.
#[derive(Serialize, Deserialize)]
enum Packed {
    Folder { path: String },
    File { path: String, is_executable: bool, bytes: Vec<u8> },
}

/// Packs a folder. Fails if it contains anything else than files and folders with names in UTF-8, or if it is too large.
pub(super) fn pack(folder: &Path) -> io::Result<Vec<u8>> {
    let (mut all, mut total) = (Vec::new(), 0);
    for entry in WalkDir::new(folder).min_depth(1).sort_by_file_name() {
        let entry = entry?;
        let found = entry.metadata()?;
        let relative = entry.path().strip_prefix(folder).map_err(io::Error::other)?;
        let path = relative.to_str().ok_or_else(|| unfit("a name that is not UTF-8"))?.to_owned();
        total += found.len();
        if all.len() == MOST_ENTRIES || (found.is_file() && total > MOST_BYTES) {
            return Err(unfit("too many files or bytes"));
        }
        if found.is_dir() {
            all.push(Packed::Folder { path });
        } else if found.is_file() {
            let is_executable = found.permissions().mode() & 0o111 != 0;
            all.push(Packed::File { path, is_executable, bytes: fs::read(entry.path())? });
        } else {
            return Err(unfit("an entry that is neither a file nor a folder"));
        }
    }
    postcard::to_allocvec(&all).map_err(io::Error::other)
}

/// Makes the new folder `to` with what was packed. The bytes may come from anyone, so every path is checked.
pub(super) fn unpack(packed: &[u8], to: &Path) -> io::Result<()> {
    let all: Vec<Packed> = postcard::from_bytes(packed).map_err(io::Error::other)?;
    if all.len() > MOST_ENTRIES {
        return Err(unfit("too many files"));
    }
    let make = |path: &Path| fs::DirBuilder::new().mode(0o755).create(path);
    make(to)?;
    for entry in &all {
        let (Packed::Folder { path } | Packed::File { path, .. }) = entry;
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if path.is_empty() || !Path::new(path).components().all(is_plain) {
            return Err(unfit("a path that leads elsewhere"));
        }
        let path = to.join(path);
        match entry {
            Packed::Folder { .. } => make(&path)?,
            Packed::File { is_executable, bytes, .. } => {
                let mode = if *is_executable { 0o755 } else { 0o644 };
                File::options().write(true).create_new(true).mode(mode).open(&path)?.write_all(bytes)?;
            }
        }
    }
    Ok(())
}

fn unfit(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the program has {what}"))
}

#[cfg(test)]
mod tests {
    use super::super::contents::Digest;
    use super::*;

    #[test]
    fn a_packed_folder_comes_back_with_its_files_folders_and_modes() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("from");
        fs::create_dir_all(from.join("a/b")).unwrap();
        fs::write(from.join("a/b/Main.class"), [0, 255, 1]).unwrap();
        fs::write(from.join("program"), "").unwrap();
        fs::set_permissions(from.join("program"), fs::Permissions::from_mode(0o755)).unwrap();
        let to = folder.path().join("to");
        unpack(&pack(&from).unwrap(), &to).unwrap();
        assert_eq!(Digest::of(&to).unwrap(), Digest::of(&from).unwrap());
        assert!(unpack(&pack(&from).unwrap(), &to).is_err(), "the folder is new");
    }

    #[test]
    fn a_folder_with_a_link_is_not_packed() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).unwrap();
        assert!(pack(folder.path()).is_err());
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        for (number, path) in ["../out", "/tmp/out", "", "a/../../out", "."].into_iter().enumerate() {
            let file = Packed::File { path: path.to_owned(), is_executable: false, bytes: vec![1] };
            let packed = postcard::to_allocvec(&[file]).unwrap();
            assert!(unpack(&packed, &folder.path().join(number.to_string())).is_err(), "{path}");
        }
        for bytes in [&[255; 40][..], &[1, 7], &[1, 1, 200, 1]] {
            assert!(unpack(bytes, &folder.path().join("strange")).is_err());
        }
        assert!(!folder.path().join("out").exists());
    }
}
