//! Puts the generated files into their places. All files are first written under other names and then renamed, which
//! takes almost no time, so that no reader ever finds half a file.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::content::TargetContent;
use super::plan::ChangePlan;
use super::trash::Trash;
use referee_files::temporary;
use referee_sandbox::interrupt;

/// Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// A file or folder stands in the way, or there is no room.
    #[error("cannot write {}: {source}", path.display())]
    Unfit {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
}

fn unfit(path: &Path) -> impl Fn(io::Error) -> ApplyError {
    move |source| ApplyError::Unfit { path: path.to_path_buf(), source }
}

impl ChangePlan {
    /// Makes the folder `target` what it is to be. Until the last file has been written under another name nothing in
    /// it changes; after that nothing interrupts. Files that are removed or overwritten move into a new folder of the
    /// [trash](super::TRASH) beside `target`, whose path is returned; `None` if there were no such files.
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
        match self.put(target, stage.path(), &mut moves, &mut trash) {
            Ok(()) => Ok(trash.into_folder()),
            Err(error) => {
                moves.undo();
                trash.remove_empty_folders();
                Err(error)
            }
        }
    }

    /// Puts all files into their places. The files that were there go into the trash.
    fn put(&self, target: &Path, stage: &Path, moves: &mut Moves, trash: &mut Trash) -> Result<(), ApplyError> {
        for below in &self.removed {
            let path = target.join(below);
            let to = trash.place(below).map_err(unfit(&trash.path()))?;
            moves.away(&path, to).map_err(unfit(&path))?;
        }
        for folder in &self.folders {
            let folder = target.join(folder);
            fs::create_dir_all(&folder).map_err(unfit(&folder))?;
        }
        for (index, (below, _)) in self.writes.iter().enumerate() {
            let path = target.join(below);
            let new = stage.join(format!("new-{index}"));
            if path.symlink_metadata().is_ok() {
                let kept = trash.place(below).map_err(unfit(&trash.path()))?;
                moves.over(&new, &path, kept).map_err(unfit(&path))?;
            } else {
                moves.fill_gap(&new, &path).map_err(unfit(&path))?;
            }
        }
        Ok(())
    }
}

/// The files that were moved so far, so that they can be moved back if a later move fails.
#[derive(Default)]
struct Moves {
    /// Where something was, and where it is now; `None` where there was nothing before.
    done: Vec<(PathBuf, Option<PathBuf>)>,
}

impl Moves {
    fn away(&mut self, path: &Path, to: PathBuf) -> io::Result<()> {
        fs::rename(path, &to)?;
        self.done.push((path.to_path_buf(), Some(to)));
        Ok(())
    }

    /// Gives `new` the name `path`, which no file has.
    fn fill_gap(&mut self, new: &Path, path: &Path) -> io::Result<()> {
        fs::rename(new, path)?;
        self.done.push((path.to_path_buf(), None));
        Ok(())
    }

    /// Gives `new` the name `path`. The file that has it gets a second name first, so that there always is one.
    fn over(&mut self, new: &Path, path: &Path, kept: PathBuf) -> io::Result<()> {
        match fs::hard_link(path, &kept) {
            Ok(()) => {}
            // A folder in the place of a file stays, unless its removal was planned.
            Err(error) if path.symlink_metadata().is_ok_and(|found| found.is_dir()) => return Err(error),
            // Where a file can have one name only there is a moment without it.
            Err(_) => fs::rename(path, &kept)?,
        }
        self.done.push((path.to_path_buf(), Some(kept)));
        fs::rename(new, path)
    }

    /// Moves all back, the last first. Folders that were made stay.
    fn undo(self) {
        for (path, kept) in self.done.into_iter().rev() {
            // What cannot be moved back is worse off if the rest is not, either.
            let _ = match kept {
                Some(kept) => fs::rename(kept, &path),
                None => fs::remove_file(&path),
            };
        }
    }
}

fn write(wanted: &TargetContent, path: &Path) -> io::Result<()> {
    match wanted {
        TargetContent::File(from) => io::copy(&mut File::open(from)?, &mut File::create(path)?).map(drop),
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
        // A folder that nobody wants removed is where a file is to be.
        let failed = plan(&["a.in", "new.in", "b.in"], &["c"], &[""]).apply(&data);
        assert!(matches!(failed, Err(ApplyError::Unfit { path, .. }) if path == data.join("b.in")));
        assert_eq!(texts(above.path()), before);
        assert!(data.join("b.in/full").is_dir());
    }
}
