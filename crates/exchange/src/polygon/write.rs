//! Writes the new package under a temporary name, reads it back, and compares it with its source. Only then is the
//! folder renamed to its final name.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::data::{self, Data};
use super::problem::Problem;
use super::programs::line;
use crate::quoted::{list, quoted};
use crate::{ExchangeError, Files, Notes, file_error, stop_if_interrupted};
use referee_files::regular;
use referee_files::temporary;
use referee_package::{self as package, Package};

/// The folder to create, and the temporary folder in which it is built. The temporary one is removed when this value is
/// dropped.
pub(super) struct Target {
    pub(super) path: PathBuf,
    unfinished: TempDir,
}

/// The hint if the folder cannot be created.
const ELSEWHERE: &str = "give another --out: a new folder, or a folder where you have write permission";

impl Target {
    /// Returns the target: the new folder `out`, or a new folder in `out` if that is an existing folder. Fails if the
    /// new folder cannot be created or its path is in use, so that the user learns this before generators run for a
    /// long time.
    pub(super) fn new(out: &Path, short_name: &str) -> Result<Target, ExchangeError> {
        let path = if out.is_dir() { out.join(package_name(short_name)) } else { out.to_path_buf() };
        if path.symlink_metadata().is_ok() {
            return Err(file_error(&path, "already exists").with_remedy("remove it, or give another --out"));
        }
        let exists = |above: &&Path| above.as_os_str().is_empty() || above.symlink_metadata().is_ok();
        let above = path.ancestors().skip(1).find(exists).unwrap_or(Path::new(""));
        let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
        if !above.is_dir() {
            return Err(file_error(above, "is not a folder").with_remedy(ELSEWHERE));
        }
        let unfinished = tempfile::Builder::new().prefix(".referee-").tempdir_in(above);
        let unfinished = unfinished
            .map_err(temporary::without_name)
            .map_err(|error| file_error(above, format_args!("cannot be written to: {error}")).with_remedy(ELSEWHERE))?;
        Ok(Target { path, unfinished })
    }
}

/// Returns a package name: the short name in lower case, without characters other than ASCII letters and digits;
/// `problem` if no character is left.
fn package_name(short_name: &str) -> String {
    let fits = |found: &char| found.is_ascii_lowercase() || found.is_ascii_digit();
    let name: String = short_name.to_ascii_lowercase().chars().filter(fits).collect();
    if name.is_empty() { "problem".to_owned() } else { name }
}

const MIB: u64 = 1 << 20;

/// Returns the text of `problem.yaml` for the new package.
pub(super) fn problem_yaml(
    problem: &Problem<'_>,
    names: &BTreeMap<&'static str, String>,
    scoring: bool,
    notes: &mut Notes,
) -> String {
    let mut text = "problem_format_version: \"2025-09\"\n".to_owned();
    if let (1, Some(name)) = (names.len(), names.get("en")) {
        text += &line("name", name);
    } else {
        text += "name:\n";
        for (language, name) in names {
            let _ = write!(text, "  {}", line(language, name));
        }
    }
    text += &line("uuid", &uuid(problem));
    let mut kinds = vec![if scoring { "scoring" } else { "pass-fail" }];
    if problem.interactor.is_some() {
        kinds.push("interactive");
    }
    if problem.runs > 1 {
        kinds.push("multi-pass");
    }
    let _ = writeln!(text, "type: {}", list(&kinds));
    if let Some(url) = problem.url {
        let _ = writeln!(text, "source:\n  name: \"Polygon\"\n  url: {}", quoted(url));
    }
    if !problem.keywords.is_empty() {
        let _ = writeln!(text, "keywords: {}", list(&problem.keywords));
    }
    text + &limits(problem, notes)
}

fn limits(problem: &Problem<'_>, notes: &mut Notes) -> String {
    let main = data::main_testset(problem);
    for other in &problem.testsets {
        if other.time_ms != main.time_ms || other.memory_bytes != main.memory_bytes {
            notes.lose(format!(
                "the limits of the test set {:?}, which differ from the limits of the test set {:?}",
                other.name, main.name
            ));
        }
    }
    let mut text = String::new();
    if let Some(milliseconds) = main.time_ms {
        let _ = writeln!(text, "  time_limit: {}", seconds(milliseconds));
        if let Some(resolution) = resolution(milliseconds) {
            let _ = writeln!(text, "  time_resolution: {}", seconds(resolution));
        }
    }
    if let Some(bytes) = main.memory_bytes {
        let mib = bytes.div_ceil(MIB);
        if mib * MIB != bytes {
            notes.remark(format!(
                "the memory limit of {bytes} bytes is written as {mib} MiB; the format has no smaller unit"
            ));
        }
        let _ = writeln!(text, "  memory: {mib}");
    }
    if problem.runs > 1 {
        let _ = writeln!(text, "  validation_passes: {}", problem.runs);
    }
    if text.is_empty() { text } else { format!("limits:\n{text}") }
}

/// Returns the `time_resolution` for a time limit: the largest of 100, 10 and 1 that divides the limit. `None` if the
/// format's default of 1000 divides the limit. All values are in milliseconds.
fn resolution(milliseconds: u64) -> Option<u64> {
    let step = [1000, 100, 10, 1].into_iter().find(|&step| milliseconds.is_multiple_of(step));
    step.filter(|&step| step < 1000)
}

fn seconds(milliseconds: u64) -> String {
    let text = format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
    let text = text.trim_end_matches('0');
    if text.ends_with('.') { format!("{text}0") } else { text.to_owned() }
}

/// Returns a UUID (RFC 9562, version 8) that is the same for every revision of a problem: a hash of the problem's URL.
/// If the problem has no URL, its short name is hashed.
fn uuid(problem: &Problem<'_>) -> String {
    let of = problem.url.unwrap_or(&problem.short_name);
    let mut bytes = blake3::derive_key("referee 2026-11-21 uuid of a Polygon problem", of.as_bytes());
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = bytes[..16].iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// Writes the files, reads them back, and calls `check` with the package. Only then is the folder renamed to its final
/// name. Fails if the folder cannot be written, if the package cannot be read back, or if `check` fails.
pub(super) fn write(
    files: &Files,
    target: &Target,
    check: impl FnOnce(&Package) -> Result<(), ExchangeError>,
) -> Result<Package, ExchangeError> {
    let Target { path: target, unfinished } = target;
    let failed = |error| file_error(target, format_args!("cannot be written: {error}")).with_remedy(ELSEWHERE);
    // The judge reads the name of the folder as the name of the package, so the temporary folder has the same name.
    let new = unfinished.path().join(target.file_name().unwrap_or("problem".as_ref()));
    let written = fs::create_dir(&new).and_then(|()| files.write_below(&new));
    stop_if_interrupted()?;
    written.map_err(failed)?;
    let package = package::load(&new).map_err(|findings| ExchangeError::Differs(findings.to_string()))?;
    check(&package)?;
    stop_if_interrupted()?;
    let above = target.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(above).and_then(|()| fs::rename(&new, target)).map_err(failed)?;
    package::load(target).map_err(|findings| ExchangeError::Differs(findings.to_string()))
}

/// Compares the package that was read back with its source. Fails with all differences.
pub(super) fn check(package: &Package, problem: &Problem<'_>, data: &Data) -> Result<(), ExchangeError> {
    let mut wrong = Vec::new();
    let mut wanted: Vec<_> = data.cases.iter().map(|case| (case.name.as_str(), case.input, case.answer)).collect();
    wanted.sort_unstable();
    let mut found = Vec::new();
    for case in package.cases.iter() {
        let hash =
            |path: &Path| regular::read(path, regular::LARGEST_BYTES).map(|bytes| *blake3::hash(&bytes).as_bytes());
        match (hash(&case.input()), hash(&case.answer())) {
            (Ok(input), Ok(answer)) => found.push((&*case.name, input, answer)),
            _ => wrong.push(format!("the input or the answer of test case {} cannot be read", case.name)),
        }
    }
    found.sort_unstable();
    if wanted != found {
        wrong.push(format!(
            "the test cases differ in number, name or content: {} were written, {} were read back",
            wanted.len(),
            found.len()
        ));
    }
    let main = data::main_testset(problem);
    if package.limits.time != main.time_ms.map(Duration::from_millis) {
        let shown = |time: Option<Duration>| time.map_or("none".to_owned(), |time| format!("{} s", time.as_secs_f64()));
        let expected = main.time_ms.map(Duration::from_millis);
        wrong.push(format!("time limit {}, expected {}", shown(package.limits.time), shown(expected)));
    }
    if let Some(bytes) = main.memory_bytes.filter(|bytes| bytes.div_ceil(MIB) * MIB != package.limits.memory_bytes) {
        wrong.push(format!("memory limit of {} bytes, expected {bytes}", package.limits.memory_bytes));
    }
    let kind = (package.kind.scoring, package.kind.interactive, package.kind.multi_pass);
    if kind != (data.scoring, problem.interactor.is_some(), problem.runs > 1) {
        wrong.push(format!("the type of the problem differs, found: {}", package.kind.words().join(" and ")));
    }
    if package.submissions.len() != data.submissions {
        wrong.push(format!("{} submissions, expected {}", package.submissions.len(), data.submissions));
    }
    if package.input_validators.len() != problem.validators.len() {
        wrong.push(format!(
            "{} input validators, expected {}",
            package.input_validators.len(),
            problem.validators.len()
        ));
    }
    if wrong.is_empty() { Ok(()) } else { Err(ExchangeError::Differs(wrong.join("\n"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_are_written_as_seconds() {
        assert_eq!([seconds(1000), seconds(1500), seconds(250), seconds(2001)], ["1.0", "1.5", "0.25", "2.001"]);
    }

    #[test]
    fn a_time_limit_is_a_multiple_of_its_resolution() {
        assert_eq!([3000, 2500, 1250, 1005].map(resolution), [None, Some(100), Some(10), Some(1)]);
    }

    #[test]
    fn a_package_is_called_as_the_format_wants() {
        assert_eq!(package_name("Guess-The_Array 2"), "guessthearray2");
        assert_eq!(package_name("задача"), "problem");
    }
}
