//! A find becomes a test case: two files under a telling name, and nothing that was there is touched.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::FoundCase;
use crate::judge::{InputExaminer, JudgeError, Settings, Trials, Word};
use crate::package::Package;
use crate::verdict::Verdict;

/// Where a case goes, and what it is called.
pub struct Keep<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// The name without an ending. Where it is taken a number is added.
    pub name: String,
}

/// A case could not be kept.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// The package's own programs do not accept it.
    #[error("{0}")]
    Refused(String),
    /// It cannot be written.
    #[error("cannot write {path}: {source}")]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The judge failed.
    #[error(transparent)]
    Judge(#[from] JudgeError),
}

/// More cases of one name nobody wants.
const MOST_OF_A_NAME: usize = 1000;

/// Writes the find's files, and says which these are. If the same case is there already, it is said and left.
pub fn keep(found: &FoundCase, keep: &Keep<'_>) -> Result<Vec<PathBuf>, KeepError> {
    let answer = found.answer.as_deref().map(|bytes| ("ans", bytes));
    keep_files(&found.input, answer.as_slice(), &["in", "ans"], keep)
}

/// Writes an input and its companions, by their endings, and says which files these are: the input first. A name is
/// free if it has none of the files that `endings` stand for. If the same input is there already with the same
/// companions, it is said and left.
pub(crate) fn keep_files(
    input: &[u8],
    companions: &[(&str, &[u8])],
    endings: &[&str],
    keep: &Keep<'_>,
) -> Result<Vec<PathBuf>, KeepError> {
    fs::create_dir_all(keep.folder).map_err(unwritable(keep.folder))?;
    let names =
        std::iter::once(keep.name.clone()).chain((2..MOST_OF_A_NAME).map(|more| format!("{}-{more}", keep.name)));
    for name in names {
        let file = |ending: &str| keep.folder.join(format!("{name}.{ending}"));
        // Answers may differ where several are right.
        let holds = |ending: &str, bytes: &[u8]| fs::read(file(ending)).is_ok_and(|there| there == bytes);
        let compared = |(ending, bytes): &(&str, &[u8])| *ending == "ans" || holds(ending, bytes);
        if holds("in", input) && companions.iter().all(compared) {
            return Ok(endings.iter().map(|ending| file(ending)).filter(|path| path.exists()).collect());
        }
        if endings.iter().any(|ending| file(ending).symlink_metadata().is_ok()) {
            continue;
        }
        // The input last: one without an answer is an error in a package, the other way round it is not read.
        let files: Vec<_> =
            companions.iter().chain(&[("in", input)]).map(|(ending, bytes)| (file(ending), *bytes)).collect();
        return write_all(&files);
    }
    let source = io::Error::other(format!("there are {MOST_OF_A_NAME} cases of that name"));
    Err(KeepError::Unwritable { path: keep.folder.join(&keep.name), source })
}

/// Writes all files or none. The last one is told first.
fn write_all(files: &[(PathBuf, &[u8])]) -> Result<Vec<PathBuf>, KeepError> {
    for (count, (path, bytes)) in files.iter().enumerate() {
        if let Err(source) = write(path, bytes) {
            for (written, _) in &files[..count] {
                let _ = fs::remove_file(written);
            }
            return Err(unwritable(path)(source));
        }
    }
    let mut written: Vec<_> = files.iter().map(|(path, _)| path.clone()).collect();
    written.rotate_right(1);
    Ok(written)
}

fn unwritable(path: &Path) -> impl Fn(io::Error) -> KeepError + use<> {
    let path = path.to_path_buf();
    move |source| KeepError::Unwritable { path: path.clone(), source }
}

/// A whole file or none, and never in the place of another.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut file = NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    // Temporary files are for their owner's eyes only; a package is for everyone's.
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    file.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

/// Has the package's own validators look at the find before it becomes a part of the package.
pub fn check(found: &FoundCase, package: &Package, settings: &Settings) -> Result<(), KeepError> {
    let refused = |reason: String| Err(KeepError::Refused(reason));
    let cases = super::cases(package);
    let like = super::usual(&cases);
    let examiner = InputExaminer::new(package, settings)?;
    for (name, word) in examiner.names().iter().zip(examiner.judge_instead(like, &found.input)?) {
        match word {
            Word::Valid => {}
            Word::Invalid(reason) | Word::Aborted(reason) => {
                return refused(format!("the input validator {name} does not accept it: {reason}"));
            }
            Word::Failed(reason) | Word::Exhausted(reason) => {
                return refused(format!("the input validator {name} {reason}"));
            }
        }
    }
    let talks = package.kind.interactive || package.kind.multi_pass;
    let answer = match &found.answer {
        Some(answer) => answer,
        None if talks => return Ok(()),
        None => return refused("nobody knows the right answer, and a test case needs one".to_owned()),
    };
    let trials = Trials::open(package, settings)?;
    let case = trials.case(like, &found.input, answer)?;
    let ruling = trials.ruling(&case, answer)?;
    if ruling.verdict == Verdict::Accepted {
        return Ok(());
    }
    let reason = ruling.message.unwrap_or_default();
    refused(format!("the output validator does not accept the answer as an output ({}): {reason}", ruling.verdict))
}
