//! The folder for files that `generate --write` removes or overwrites. They are moved there and never deleted.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The name of the folder, which is beside `data/`. Each run has its own subfolder, named after the time.
pub const NAME: &str = ".referee-trash";

/// The maximum number of names that one run tries for its own subfolder.
const ATTEMPTS: u32 = 1000;

/// The trash of one run. Its folders are created when the first file needs them.
pub(super) struct Trash {
    /// The folder that contains the trash of all runs.
    all: PathBuf,
    /// The folder of this run; `None` until a file needs it.
    own: Option<PathBuf>,
    /// The folders and the file that this run has created, in the order of creation.
    made: Vec<PathBuf>,
}

impl Trash {
    /// Returns the trash in the folder `above`.
    pub(super) fn beside(above: &Path) -> Self {
        Trash { all: above.join(NAME), own: None, made: Vec::new() }
    }

    /// Returns the folder of this run, or the folder of all runs if this run has none yet.
    pub(super) fn path(&self) -> PathBuf {
        self.own.as_ref().unwrap_or(&self.all).clone()
    }

    /// Returns a free path in the trash for the file at `below` in `data/`, and creates the folders above that path.
    pub(super) fn reserve(&mut self, below: &str) -> io::Result<PathBuf> {
        let own = self.create_own_folder()?;
        let to = own.join(below);
        let folders: Vec<_> =
            to.ancestors().skip(1).take_while(|folder| *folder != own).map(Path::to_path_buf).collect();
        for folder in folders.into_iter().rev() {
            if !folder.is_dir() {
                fs::create_dir(&folder)?;
                self.made.push(folder);
            }
        }
        Ok(to)
    }

    /// Returns the folder of this run, and creates it if there is none yet. Fails if no free name is found.
    fn create_own_folder(&mut self) -> io::Result<PathBuf> {
        if let Some(own) = &self.own {
            return Ok(own.clone());
        }
        self.create_shared_folder()?;
        let name = stamp(SystemTime::now());
        for attempt in 1..=ATTEMPTS {
            let name = if attempt == 1 { name.clone() } else { format!("{name}-{attempt}") };
            let own = self.all.join(name);
            match fs::create_dir(&own) {
                Ok(()) => {
                    self.made.push(own.clone());
                    self.own = Some(own.clone());
                    return Ok(own);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("all names for a new folder exist already; empty the trash folder"))
    }

    /// Creates the folder of all runs, unless it exists. Fails if there is a file or a link at its path: through a
    /// link, files could leave the package.
    fn create_shared_folder(&mut self) -> io::Result<()> {
        match self.all.symlink_metadata() {
            Ok(found) if found.is_dir() => return Ok(()),
            Ok(_) => return Err(io::Error::other("it is not a folder; remove it")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        fs::create_dir(&self.all)?;
        self.made.push(self.all.clone());
        // The file .gitignore hides the trash from Git.
        let ignore = self.all.join(".gitignore");
        let mut file = fs::File::create_new(&ignore)?;
        self.made.push(ignore);
        file.write_all(b"*\n")
    }

    /// Returns the folder with the files of this run; `None` if there are no such files.
    pub(super) fn into_folder(self) -> Option<PathBuf> {
        self.own
    }

    /// Removes the empty folders and the `.gitignore` that this run has created, after all files have been moved back.
    pub(super) fn remove_empty_folders(self) {
        let ignore = self.all.join(".gitignore");
        for path in self.made.iter().rev() {
            if *path != ignore {
                let _ = fs::remove_dir(path);
            } else if self.all.read_dir().is_ok_and(|entries| entries.count() == 1) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Formats a time in UTC as the name of a folder: `2026-11-23T09-39-21Z`.
fn stamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}-{minute:02}-{second:02}Z")
}

/// Returns the Gregorian date of a day counted from 1970-01-01. In this computation, a year begins in March, so that
/// the leap day is the last day of the year. 400 years have 146 097 days.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_time_is_named_by_its_date_in_utc() {
        let at = |seconds| stamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00-00-00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00-00-00Z");
        assert_eq!(at(951_868_799), "2000-02-29T23-59-59Z");
        assert_eq!(at(1_735_689_599), "2024-12-31T23-59-59Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00-00-00Z");
    }

    #[test]
    fn two_runs_in_the_same_second_have_two_folders() {
        let above = tempfile::tempdir().unwrap();
        let folders: Vec<_> = (0..3)
            .map(|number| {
                let mut trash = Trash::beside(above.path());
                let path = trash.reserve("secret/g/1.in").unwrap();
                fs::write(&path, number.to_string()).unwrap();
                trash.reserve("secret/1.in").unwrap();
                path
            })
            .collect();
        let texts: Vec<_> = folders.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
        assert_eq!(texts, ["0", "1", "2"]);
        assert_eq!(fs::read_to_string(above.path().join(NAME).join(".gitignore")).unwrap(), "*\n");
    }

    #[test]
    fn empty_folders_go_and_a_link_is_not_followed() {
        let above = tempfile::tempdir().unwrap();
        let mut trash = Trash::beside(above.path());
        trash.reserve("secret/1.in").unwrap();
        trash.remove_empty_folders();
        assert_eq!(above.path().read_dir().unwrap().count(), 0);
        let mut used = Trash::beside(above.path());
        fs::write(used.reserve("1.in").unwrap(), "mine").unwrap();
        used.remove_empty_folders();
        assert_eq!(above.path().join(NAME).read_dir().unwrap().count(), 2, "a folder with a file stays");
        fs::remove_dir_all(above.path().join(NAME)).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), above.path().join(NAME)).unwrap();
        assert!(Trash::beside(above.path()).reserve("1.in").unwrap_err().to_string().contains("it is not a folder"));
        assert_eq!(elsewhere.path().read_dir().unwrap().count(), 0);
    }
}
