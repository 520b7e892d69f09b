//! Writes a failing input as a test case, in files with a descriptive name. Existing files are never changed.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::FoundCase;
use referee_files::regular;
use referee_grading::verdict::Verdict;
use referee_judge::{InputVerdict, JudgeError, Session, Settings};
use referee_package::Package;

/// The folder and the name of a new test case.
pub struct CaseName<'a> {
    /// The folder into which the files are written.
    pub folder: &'a Path,
    /// The file name without an extension. If it is taken, a number is appended.
    pub name: String,
}

/// The reason why a case could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The package's own validators refuse the test case, or it has no answer.
    #[error("{0}")]
    Refused(String),
    /// A file or folder of the test case cannot be written.
    #[error("cannot write {path}: {source}")]
    Unwritable {
        /// The file or folder that cannot be written.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The judge failed.
    #[error(transparent)]
    Judge(#[from] JudgeError),
}

/// The numbers that are appended to a taken name begin at 2 and are less than this.
const NUMBERS_END: usize = 1000;

/// Writes the input and, if it is known, the answer. If the input may be illegal, also writes a description that says
/// so, as the package's format version requires. Returns the paths of the files. If a test case of this name, or of
/// this name with a number appended, already has the same input, writes nothing and returns the paths of that test
/// case.
pub fn write_find(found: &FoundCase, package: &Package, case_name: &CaseName<'_>) -> Result<Vec<PathBuf>, WriteError> {
    let ending = if package.version.is_legacy() { "desc" } else { "yaml" };
    let description = found.unchecked.as_deref().map(|reason| description(reason, ending));
    let mut companions = Vec::new();
    companions.extend(found.answer.as_deref().map(|bytes| ("ans", bytes)));
    companions.extend(description.as_deref().map(|text| (ending, text.as_bytes())));
    write_files(&found.input, &companions, &["in", "ans", ending], case_name)
}

/// Returns the text of the file that describes a test case whose input may be illegal. `reason` says why it is unknown
/// whether the input is legal. `ending` is `yaml` for the dated versions of the format, and `desc` for the legacy
/// versions.
fn description(reason: &str, ending: &str) -> String {
    let sentence = format!("found by referee; it is unknown whether this input is legal: {reason}");
    if ending == "yaml" { format!("description: '{}'\n", sentence.replace('\'', "''")) } else { sentence + "\n" }
}

/// Writes an input and its companion files, and returns their paths, the input first. Each companion is given as its
/// extension and its contents.
///
/// All files get the same name: the first free one of `name`, `name-2`, `name-3` and so on. A name is free if there is
/// no file with that name and an extension of `endings`. If a name that is tried belongs to files with the same
/// contents, writes nothing and returns the paths of these files. Answers and descriptions are not compared.
pub fn write_files(
    input: &[u8],
    companions: &[(&str, &[u8])],
    endings: &[&str],
    case_name: &CaseName<'_>,
) -> Result<Vec<PathBuf>, WriteError> {
    let CaseName { folder, name: base } = case_name;
    fs::create_dir_all(folder).map_err(unwritable(folder))?;
    let names = std::iter::once(base.clone()).chain((2..NUMBERS_END).map(|number| format!("{base}-{number}")));
    for name in names {
        let file = |ending: &str| folder.join(format!("{name}.{ending}"));
        // Answers are not compared, because there may be several correct ones. Descriptions are not compared, because
        // the setter may have changed them.
        let holds = |ending: &str, bytes: &[u8]| {
            regular::read(&file(ending), regular::LARGEST_BYTES).is_ok_and(|there| there == bytes)
        };
        let compared =
            |(ending, bytes): &(&str, &[u8])| ["ans", "desc", "yaml"].contains(ending) || holds(ending, bytes);
        if holds("in", input) && companions.iter().all(compared) {
            return Ok(endings.iter().map(|ending| file(ending)).filter(|path| path.exists()).collect());
        }
        if endings.iter().any(|ending| file(ending).symlink_metadata().is_ok()) {
            continue;
        }
        // The input is written last, so that an interruption leaves a valid package: a package may have an answer
        // without an input, but not the reverse.
        let files: Vec<_> =
            companions.iter().chain(&[("in", input)]).map(|(ending, bytes)| (file(ending), *bytes)).collect();
        return write_all(&files);
    }
    let source = io::Error::other(format!("all names from {base} to {base}-{} are taken", NUMBERS_END - 1));
    Err(WriteError::Unwritable { path: folder.join(base), source })
}

/// Writes all files or none. Returns their paths, the last one first.
fn write_all(files: &[(PathBuf, &[u8])]) -> Result<Vec<PathBuf>, WriteError> {
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

fn unwritable(path: &Path) -> impl Fn(io::Error) -> WriteError + use<> {
    let path = path.to_path_buf();
    move |source| WriteError::Unwritable { path: path.clone(), source }
}

/// Writes the complete file or nothing. Fails if the file exists.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut file = NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    // A temporary file is readable only by its owner, but the files of a package must be readable for all users.
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    file.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

/// Checks whether a failing input and its answer can be added to the package. Fails if one of the package's own
/// validators refuses them, or if the package needs an answer and none is known.
pub fn validate_find(found: &FoundCase, package: &Package, settings: &Settings) -> Result<(), WriteError> {
    let refused = |reason: String| Err(WriteError::Refused(reason));
    let cases = super::cases_or_empty(package);
    let template = super::default_case(&cases);
    let session = Session::open(package, settings)?;
    let examiner = session.input_examiner()?;
    for (name, verdict) in examiner.names().iter().zip(examiner.judge_instead(template, &found.input)?) {
        match verdict {
            InputVerdict::Valid => {}
            InputVerdict::Invalid(reason) | InputVerdict::Aborted(reason) => {
                return refused(format!("the input validator {name} rejects the input: {reason}"));
            }
            InputVerdict::Failed(reason) | InputVerdict::Exhausted(reason) => {
                return refused(format!("the input validator {name} {reason}"));
            }
        }
    }
    let communicates = package.kind.interactive || package.kind.multi_pass;
    let answer = match &found.answer {
        Some(answer) => answer,
        None if communicates => return Ok(()),
        None => return refused("the correct answer is unknown, but a test case needs an answer".to_owned()),
    };
    let trials = session.trials()?;
    let case = trials.case(template, &found.input, answer)?;
    let ruling = trials.ruling(&case, answer)?;
    if ruling.verdict == Verdict::Accepted {
        return Ok(());
    }
    let reason = ruling.message.unwrap_or_default();
    let does = if ruling.verdict == Verdict::JudgeError { "fails on" } else { "rejects" };
    refused(format!("the output validator {does} the answer ({}): {reason}", ruling.verdict))
}
