//! Writes the generated files into `data/`. Each file is first written under a temporary name and renamed at the end,
//! so no reader ever finds half a file.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::content::TargetContent;
use super::plan::ChangePlan;
use super::trash::Trash;
use referee_files::regular::{self, Stoppable};
use referee_files::temporary;
use referee_sandbox::interrupt;

/// The reason why no generated file was written.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// A file or folder could not be written, for example because another file is in its place or the disk is full.
    #[error("cannot write {}: {source}", path.display())]
    Unfit {
        /// The path that could not be written.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The user interrupted the run.
    #[error("interrupted")]
    Interrupted,
}

fn unfit(path: &Path) -> impl Fn(io::Error) -> ApplyError {
    move |source| ApplyError::Unfit { path: path.to_path_buf(), source }
}

impl ChangePlan {
    /// Writes, moves and removes files until the folder `target` matches the plan. An interrupt or error before the
    /// last temporary file is written leaves `target` unchanged. After that, an interrupt has no effect, and an error
    /// undoes the moves made so far. Removed and overwritten files move into a new folder of the [trash](super::TRASH)
    /// beside `target`. Returns the path of that folder; `None` if no file was removed or overwritten.
    pub fn apply(&self, target: &Path) -> Result<Option<PathBuf>, ApplyError> {
        let above = target.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let stage = tempfile::Builder::new().prefix(".referee-").tempdir_in(above);
        let stage = stage.map_err(temporary::without_name).map_err(unfit(above))?;
        let staged = |index: usize| stage.path().join(format!("new-{index}"));
        for (index, (path, wanted)) in self.writes.iter().enumerate() {
            if interrupt::happened() {
                return Err(ApplyError::Interrupted);
            }
            write(wanted, &staged(index)).map_err(unfit(&target.join(path)))?;
        }
        let (mut moves, mut trash) = (Moves::default(), Trash::beside(above));
        match self.move_files(target, stage.path(), &mut moves, &mut trash) {
            Ok(()) => Ok(trash.into_folder()),
            Err(error) => {
                moves.undo();
                trash.remove_empty_folders();
                Err(error)
            }
        }
    }

    /// Moves all new files to their final names. The removed and overwritten files move into the trash.
    fn move_files(&self, target: &Path, stage: &Path, moves: &mut Moves, trash: &mut Trash) -> Result<(), ApplyError> {
        for below in &self.removed {
            let path = target.join(below);
            let to = trash.reserve(below).map_err(unfit(&trash.path()))?;
            moves.move_to_trash(&path, to).map_err(unfit(&path))?;
        }
        for folder in &self.folders {
            let folder = target.join(folder);
            fs::create_dir_all(&folder).map_err(unfit(&folder))?;
        }
        for (index, (below, _)) in self.writes.iter().enumerate() {
            let path = target.join(below);
            let new = stage.join(format!("new-{index}"));
            if path.symlink_metadata().is_ok() {
                let trashed = trash.reserve(below).map_err(unfit(&trash.path()))?;
                moves.replace(&new, &path, trashed).map_err(unfit(&path))?;
            } else {
                moves.add(&new, &path).map_err(unfit(&path))?;
            }
        }
        Ok(())
    }
}

/// The moves made so far. If a later move fails, they are undone.
#[derive(Default)]
struct Moves {
    /// For each move, the path of the file in `target`, and the path of the old file in the trash; `None` if there was
    /// no old file.
    done: Vec<(PathBuf, Option<PathBuf>)>,
}

impl Moves {
    fn move_to_trash(&mut self, path: &Path, to: PathBuf) -> io::Result<()> {
        fs::rename(path, &to)?;
        self.done.push((path.to_path_buf(), Some(to)));
        Ok(())
    }

    /// Renames `new` to `path`, where no file exists.
    fn add(&mut self, new: &Path, path: &Path) -> io::Result<()> {
        fs::rename(new, path)?;
        self.done.push((path.to_path_buf(), None));
        Ok(())
    }

    /// Renames `new` to `path`, where a file exists. A hard link in the trash keeps the old file, so `path` exists at
    /// every moment.
    fn replace(&mut self, new: &Path, path: &Path, trashed: PathBuf) -> io::Result<()> {
        match fs::hard_link(path, &trashed) {
            Ok(()) => {}
            // A folder is at the path of the new file, and a folder cannot have a hard link. Only a plan that removes
            // the folder may replace it.
            Err(error) if path.symlink_metadata().is_ok_and(|found| found.is_dir()) => return Err(error),
            // On file systems without hard links, `path` is missing for a moment.
            Err(_) => fs::rename(path, &trashed)?,
        }
        self.done.push((path.to_path_buf(), Some(trashed)));
        fs::rename(new, path)
    }

    /// Undoes all moves, the last one first. New folders stay.
    fn undo(self) {
        for (path, trashed) in self.done.into_iter().rev() {
            // An error is ignored, so that the other files are still moved back.
            let _ = match trashed {
                // If both paths are hard links to one file, a rename changes nothing, and the link in the trash stays.
                Some(trashed) if is_same(&trashed, &path) => fs::remove_file(trashed),
                Some(trashed) => fs::rename(trashed, &path),
                None => fs::remove_file(&path),
            };
        }
    }
}

/// Returns whether both paths lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    let id = |path: &Path| path.symlink_metadata().ok().map(|found| (found.dev(), found.ino()));
    id(one).is_some() && id(one) == id(other)
}

fn write(wanted: &TargetContent, path: &Path) -> io::Result<()> {
    match wanted {
        TargetContent::File(from) => io::copy(&mut Stoppable(regular::open(from)?), &mut File::create(path)?).map(drop),
        TargetContent::Text(text) => fs::write(path, text),
        TargetContent::Link(target) => std::os::unix::fs::symlink(target, path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(writes: &[&str], removed: &[&str], folders: &[&str]) -> ChangePlan {
        ChangePlan {
            writes: writes.iter().map(|path| ((*path).to_owned(), TargetContent::Text("new".to_owned()))).collect(),
            removed: removed.iter().map(|path| (*path).to_owned()).collect(),
            folders: folders.iter().map(|path| (*path).to_owned()).collect(),
            ..ChangePlan::default()
        }
    }

    fn texts(folder: &Path) -> Vec<(String, String)> {
        let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
        let files = entries.filter(|entry| entry.file_type().is_file());
        let text = |entry: walkdir::DirEntry| {
            let below = entry.path().strip_prefix(folder).unwrap().display().to_string();
            (below, fs::read_to_string(entry.path()).unwrap())
        };
        files.map(text).collect()
    }

    #[test]
    fn a_replacement_that_fails_leaves_nothing_in_the_trash() {
        let folder = tempfile::tempdir().unwrap();
        let (path, trashed) = (folder.path().join("path"), folder.path().join("trashed"));
        fs::write(&path, "old").unwrap();
        let mut moves = Moves::default();
        moves.replace(&folder.path().join("missing"), &path, trashed.clone()).unwrap_err();
        moves.undo();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), trashed.exists()), ("old", false));
    }

    #[test]
    fn what_is_planned_is_there_and_what_is_removed_is_gone() {
        let above = tempfile::tempdir().unwrap();
        let data = above.path().join("data");
        fs::create_dir_all(data.join("secret")).unwrap();
        fs::write(data.join("secret/old.in"), "old").unwrap();
        fs::write(data.join("secret/a.in"), "old").unwrap();
        let plan = plan(&["secret/a.in", "sample/1.in"], &["secret/old.in"], &["", "sample", "secret"]);
        let trash = plan.apply(&data).unwrap();
        let new = |name: &str| (name.to_owned(), "new".to_owned());
        assert_eq!(texts(&data), [new("sample/1.in"), new("secret/a.in")]);
        let old = |name: &str| (name.to_owned(), "old".to_owned());
        assert_eq!(texts(&trash.unwrap()), [old("secret/a.in"), old("secret/old.in")]);
    }

    #[test]
    fn where_nothing_is_removed_or_overwritten_there_is_no_trash() {
        let above = tempfile::tempdir().unwrap();
        let data = above.path().join("data");
        assert_eq!(plan(&["sample/1.in"], &[], &["", "sample"]).apply(&data).unwrap(), None);
        let names: Vec<_> = above.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["data"]);
    }

    #[test]
    fn a_link_that_is_overwritten_or_removed_is_moved_and_not_followed() {
        let above = tempfile::tempdir().unwrap();
        let data = above.path().join("data");
        fs::create_dir(&data).unwrap();
        fs::write(above.path().join("mine"), "mine").unwrap();
        for name in ["a.in", "b.in"] {
            std::os::unix::fs::symlink("../mine", data.join(name)).unwrap();
        }
        let trash = plan(&["a.in"], &["b.in"], &[""]).apply(&data).unwrap().unwrap();
        assert_eq!(fs::read_to_string(above.path().join("mine")).unwrap(), "mine");
        assert_eq!(texts(&data), [("a.in".to_owned(), "new".to_owned())]);
        assert!(["a.in", "b.in"].iter().all(|name| trash.join(name).is_symlink()));
    }

    #[test]
    fn where_something_stands_in_the_way_all_is_as_it_was() {
        let above = tempfile::tempdir().unwrap();
        let data = above.path().join("data");
        fs::create_dir_all(data.join("b.in/full")).unwrap();
        fs::write(data.join("a.in"), "old").unwrap();
        fs::write(data.join("c"), "mine").unwrap();
        let before = texts(above.path());
        // The plan does not remove this folder, which is at the path of a new file.
        let failed = plan(&["a.in", "new.in", "b.in"], &["c"], &[""]).apply(&data);
        assert!(matches!(failed, Err(ApplyError::Unfit { path, .. }) if path == data.join("b.in")));
        assert_eq!(texts(above.path()), before);
        assert!(data.join("b.in/full").is_dir());
    }
}
