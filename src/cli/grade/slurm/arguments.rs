//! The options about Slurm.

use std::ffi::OsString;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::super::{Arguments, Failure, destination};
use crate::cli::numbers::whole_number_in;
use referee_slurm::{NodeLocal, refused_option};

/// The options about Slurm.
#[derive(Debug, Args)]
pub(in crate::cli::grade) struct SlurmArguments {
    /// Judge in the N tasks of a Slurm array job, wait for them, and merge their reports; N%M runs M at a time
    ///
    /// Each task judges one part of the submissions. Parts that fail or lose their node are submitted again. The nodes
    /// must see the package, the programs, the working folder and this program at the same paths. docs/slurm.md says
    /// more.
    #[arg(long, value_name = "N[%M]", value_parser = tasks, help_heading = "Slurm")]
    slurm: Option<Tasks>,

    /// Only print the batch script, for sbatch
    #[arg(long, requires = "slurm", help_heading = "Slurm")]
    slurm_script: bool,

    /// The folder for the reports and logs of the parts, which all nodes share [default: FILE.slurm beside --json FILE]
    #[arg(long, value_name = "DIR", requires = "slurm", help_heading = "Slurm")]
    slurm_folder: Option<PathBuf>,

    /// An option of sbatch, e.g. --slurm-option=--time=2:00:00; may be given several times
    #[arg(long, value_name = "OPTION", requires = "slurm", allow_hyphen_values = true, value_parser = sbatch_option,
        help_heading = "Slurm")]
    slurm_option: Vec<String>,

    /// What each node has on its own disk; may be given several times
    #[arg(long, value_name = "WHAT", requires = "slurm", value_delimiter = ',', value_enum, help_heading = "Slurm")]
    slurm_local: Vec<Local>,

    /// How often in a row a part may fail without a new result
    #[arg(long, value_name = "N", requires = "slurm", default_value = "3", help_heading = "Slurm",
        value_parser = whole_number_in(1..=1000_u32), allow_negative_numbers = true)]
    slurm_tries: u32,
}

/// A value of `--slurm-local`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Local {
    /// A copy of the package, which each task makes in $SLURM_TMPDIR, $TMPDIR or /tmp
    Package,
    /// A cache in that folder, which stays for later tasks; otherwise, all nodes use the one of your home folder
    Cache,
}

/// The value of `--slurm`.
#[derive(Clone, Copy, Debug)]
struct Tasks {
    parts: usize,
    at_once: Option<usize>,
}

/// The largest number of tasks. Slurm's own maximum is MaxArraySize, by default 1001.
const MOST_TASKS: usize = 100_000;

/// Parses `N` or `N%M`.
fn tasks(text: &str) -> Result<Tasks, String> {
    let number = |text: &str| text.parse().ok().filter(|found| (1..=MOST_TASKS).contains(found));
    let (parts, at_once) = match text.split_once('%') {
        Some((parts, most)) => (number(parts), number(most).map(Some)),
        None => (number(text), Some(None)),
    };
    match (parts, at_once) {
        (Some(parts), Some(at_once)) => Ok(Tasks { parts, at_once }),
        _ => Err(format!("allowed: N or N%M with numbers from 1 to {MOST_TASKS}, such as 50 or 50%10")),
    }
}

/// Parses an option of `sbatch`.
fn sbatch_option(text: &str) -> Result<String, String> {
    match refused_option(text) {
        None => Ok(text.to_owned()),
        Some(why) => Err(format!("{why}; allowed: an option of sbatch as in a line #SBATCH, such as --partition=long")),
    }
}

impl SlurmArguments {
    /// Returns whether the run is a Slurm job.
    pub(in crate::cli::grade) fn are_given(&self) -> bool {
        self.slurm.is_some()
    }

    pub(super) fn parts(&self) -> usize {
        self.slurm.map_or(1, |tasks| tasks.parts)
    }

    /// Returns the maximum number of tasks that run at the same time; `None` if there is no maximum.
    pub(super) fn at_once(&self) -> Option<usize> {
        self.slurm?.at_once
    }

    pub(super) fn prints_script(&self) -> bool {
        self.slurm_script
    }

    pub(super) fn sbatch_options(&self) -> &[String] {
        &self.slurm_option
    }

    pub(super) fn local(&self) -> NodeLocal {
        NodeLocal {
            package: self.slurm_local.contains(&Local::Package),
            cache: self.slurm_local.contains(&Local::Cache),
        }
    }

    pub(super) fn most_failures(&self) -> u32 {
        self.slurm_tries
    }

    /// Returns whether the user has named the working folder. It then stays after the run.
    pub(super) fn names_folder(&self) -> bool {
        self.slurm_folder.is_some()
    }
}

impl Arguments {
    /// Returns the absolute path of the working folder. Fails if neither it nor a JSON report has a name.
    pub(super) fn working_folder(&self) -> Result<PathBuf, Failure> {
        if let Some(folder) = &self.slurm.slurm_folder {
            return absolute(folder);
        }
        match self.reports.json().filter(|report| destination::is_file(report)) {
            Some(report) => {
                let mut name = OsString::from(absolute(report)?);
                name.push(".slurm");
                Ok(name.into())
            }
            None => Err(Failure::unusable("--slurm needs a folder for the reports of the parts").with_hint(
                "add --json FILE, which makes the folder FILE.slurm, or --slurm-folder DIR; all nodes must see it",
            )),
        }
    }
}

/// Returns the absolute path below the current folder.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(current_directory()?.join(path)).map_err(Failure::judge)
}

/// Returns the current folder as the shell calls it. Its name without symbolic links may be one that other machines do
/// not have, for example if the home folders are mounted on demand.
pub(super) fn current_directory() -> Result<PathBuf, Failure> {
    let id = |path: &Path| -> io::Result<(u64, u64)> {
        let found = path.metadata()?;
        Ok((found.dev(), found.ino()))
    };
    let real = std::env::current_dir()
        .map_err(|error| Failure::unusable(format!("the current folder cannot be found: {error}")))?;
    let named = std::env::var_os("PWD").map(PathBuf::from).filter(|path| path.is_absolute());
    let is_same = |path: &PathBuf| id(path).is_ok_and(|one| id(&real).is_ok_and(|other| one == other));
    Ok(named.filter(is_same).unwrap_or(real))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_tasks_can_have_a_maximum_at_a_time() {
        let found = tasks("50%10").unwrap();
        assert_eq!((found.parts, found.at_once), (50, Some(10)));
        assert_eq!(tasks("3").unwrap().at_once, None);
        for wrong in ["0", "", "1%0", "%3", "1%", "-1", "100001", "2x", "1-5"] {
            assert!(tasks(wrong).unwrap_err().contains("N%M"), "{wrong}");
        }
    }

    #[test]
    fn options_of_sbatch_are_checked() {
        assert!(sbatch_option("--partition=long").is_ok());
        assert!(sbatch_option("--array=1-3").unwrap_err().contains("sets this option itself"));
    }
}
