//! The options `--csv` and `--gradebook`, which write the results of a class for a spreadsheet, Moodle or Canvas.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{Failure, destination};
use referee_files::memo::Memo;
use referee_files::regular;
use referee_report::Report;
use referee_report::csv::Csv;
use referee_report::gradebook::{Gradebook, Sheet};

/// The options for the files of a class.
#[derive(Debug, Args)]
pub(super) struct MarksArguments {
    /// Write a table to FILE, with one row for each program: verdict, points, times and more (- is standard output)
    #[arg(long, value_name = "FILE", help_heading = "Marks")]
    csv: Option<PathBuf>,

    /// Fill in the grades of FILE, which was exported from Moodle or Canvas; the result is called NAME.filled.csv
    ///
    /// FILE is the grading worksheet of an assignment in Moodle, or the gradebook of Moodle or Canvas. Students are
    /// found by the platform's numbers, which are in the names of downloaded files, or else by equal names. All other
    /// cells stay as they are. Without --points, accepted programs get the maximum and all others 0.
    #[arg(long, value_name = "FILE", help_heading = "Marks")]
    gradebook: Vec<PathBuf>,

    /// The column of --gradebook for the grades [default: the only one]
    #[arg(long, value_name = "NAME", requires = "gradebook", help_heading = "Marks")]
    gradebook_column: Option<String>,
}

/// The largest worksheet, in bytes.
const LARGEST_WORKSHEET: u64 = 16 << 20;

impl MarksArguments {
    /// Returns the path of `--csv`; `None` if that option is not given.
    pub(super) fn csv(&self) -> Option<&Path> {
        self.csv.as_deref()
    }

    /// Returns the paths of the filled copies.
    pub(super) fn filled(&self) -> impl Iterator<Item = PathBuf> {
        self.gradebook.iter().map(|path| filled(path))
    }

    /// Reads the worksheets and opens all destinations, before any program runs.
    pub(super) fn open(&self) -> Result<Vec<Box<dyn Report>>, Failure> {
        let column = self.gradebook_column.as_deref();
        let sheets = self.gradebook.iter().map(|path| read(path, column)).collect::<Result<Vec<_>, _>>()?;
        let mut reports: Vec<Box<dyn Report>> = Vec::new();
        if let Some(path) = &self.csv {
            let rosters = sheets.iter().map(Sheet::roster).collect();
            reports.push(Box::new(Csv::new(destination::open(path)?, rosters)));
        }
        for (path, sheet) in self.gradebook.iter().zip(sheets) {
            let filled = filled(path);
            let out = destination::open_copy(&filled, &|bytes| memo().recall(&[bytes]).is_some())?;
            let print = Box::new(|line: &str| super::eprint_message("", 0, line));
            reports.push(Box::new(Gradebook::new(sheet, out, filled.display().to_string(), print)));
        }
        Ok(reports)
    }

    /// Remembers the filled copies, so that a later run may replace them unless the user has changed them.
    pub(super) fn remember(&self) {
        for path in self.filled() {
            if let Ok(bytes) = regular::read(&path, LARGEST_WORKSHEET * 2) {
                memo().replace(&[&bytes], "filled");
            }
        }
    }
}

/// The digests of the copies that this user's runs have written.
fn memo() -> Memo {
    Memo::of_user("gradebooks")
}

fn read(path: &Path, column: Option<&str>) -> Result<Sheet, Failure> {
    let name = path.display();
    let bytes = regular::read(path, LARGEST_WORKSHEET)
        .map_err(|error| Failure::unusable(format!("--gradebook {name}: {error}")))?;
    Sheet::read(bytes, column)
        .map_err(|error| Failure::unusable(format!("--gradebook {name}: {error}")).with_hint(error.hint()))
}

/// Returns the path of the filled copy: `NAME.filled.csv` beside `NAME.csv`.
fn filled(path: &Path) -> PathBuf {
    let endings = ["csv", "tsv", "txt"];
    let ending = path.extension().filter(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)));
    let mut name = match ending {
        Some(_) => path.file_stem().map(OsString::from).unwrap_or_default(),
        None => path.file_name().map(OsString::from).unwrap_or_default(),
    };
    name.push(".filled.");
    name.push(ending.unwrap_or("csv".as_ref()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_stands_beside_the_worksheet() {
        for (path, copy) in [
            ("a/Grades-1.2.csv", "a/Grades-1.2.filled.csv"),
            ("Grades.TXT", "Grades.filled.TXT"),
            ("Grades 1.2", "Grades 1.2.filled.csv"),
        ] {
            assert_eq!(filled(Path::new(path)), Path::new(copy));
        }
    }
}
