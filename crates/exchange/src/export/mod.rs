//! Exports a package of any format version as an archive in the legacy format. Kattis' problemtools supports no other
//! version, except drafts of later versions. DOMjudge supports the legacy format best, with its own extensions.
//!
//! The export is refused if a part of the package affects verdicts and the legacy format cannot express it. The error
//! lists all such parts. Other losses do not affect verdicts and are reported as notes. `ImportProblemService.php` of
//! DOMjudge shows which files and keys DOMjudge reads.

mod check;
mod copy;
mod data;
mod grading;
mod metadata;
mod programs;
mod submissions;
mod tree;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use super::{ExchangeError, Existing, Files, Notes, file_error};
use referee_files::regular;
use referee_package::{Package, is_legal_name};

/// The judge that the archive is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judge {
    /// DOMjudge's import of problems.
    Domjudge,
    /// Kattis' problemtools, and Kattis itself.
    Kattis,
}

impl Judge {
    /// Returns the judge's name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Judge::Domjudge => "DOMjudge",
            Judge::Kattis => "Kattis",
        }
    }
}

/// The result of an export.
#[derive(Debug)]
pub struct Exported {
    /// The package, read back from the archive.
    pub package: Package,
    /// Messages about the export.
    pub notes: Notes,
}

/// Exports the package as the archive `out`. `testlib` is the user's testlib.h, for checkers whose package has none.
/// Fails if the package cannot be exported without changing verdicts, or if the archive cannot be written.
pub fn export(
    package: &Package,
    to: Judge,
    (out, existing): (&Path, Existing),
    testlib: Option<&Path>,
) -> Result<Exported, ExchangeError> {
    let mut export = Export {
        package,
        to,
        testlib,
        files: Files::default(),
        notes: Notes::default(),
        refused: Vec::new(),
        links: BTreeSet::new(),
        verbatim: package.version.is_legacy(),
    };
    export.gather()?;
    let Export { files, notes, refused, links, .. } = export;
    if !links.is_empty() {
        let list: Vec<_> = links.into_iter().collect();
        let reason = format!(
            "the package {} has links that are broken or lead out of the package:\n{}",
            package.name,
            list.join("\n")
        );
        return Err(ExchangeError::unusable(reason).with_remedy(COPIES));
    }
    if !refused.is_empty() {
        let (judge, name, list) = (to.name(), &package.name, refused.join("\n"));
        return Err(ExchangeError::unusable(format!("the package {name} cannot be exported for {judge}:\n{list}")));
    }
    let mut notes = notes;
    let stem = out.file_stem().and_then(|stem| stem.to_str()).filter(|stem| is_legal_name(stem));
    let is_short = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if to == Judge::Kattis && !stem.is_some_and(is_short) {
        notes.remark(
            "Kattis allows only lower case letters and digits in the name of the archive; export again with another \
             --out",
        );
    }
    // DOMjudge expects problem.yaml at the top of the archive. The specification expects it in a folder of the archive.
    let top = (to == Judge::Kattis).then_some(stem.unwrap_or("problem"));
    let mut back = None;
    let written = files.write_archive((out, existing), top, |archive| {
        back = Some(check::read_back(package, to, archive)?);
        Ok::<(), ArchiveError>(())
    });
    written.map_err(|error| error.with(out))?;
    let package = back.ok_or_else(|| {
        ExchangeError::Failed(
            "the archive was written but not checked; this is a bug in referee, please report it".to_owned(),
        )
    })?;
    Ok(Exported { package, notes })
}

/// The reason why no archive was written: an error of the system, or a fault of the content.
enum ArchiveError {
    Writing(io::Error),
    Content(ExchangeError),
}

impl ArchiveError {
    /// Converts this to an error that names the archive.
    fn with(self, archive: &Path) -> ExchangeError {
        match self {
            ArchiveError::Writing(error) if error.kind() == io::ErrorKind::Interrupted => ExchangeError::Interrupted,
            ArchiveError::Writing(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                file_error(archive, "already exists; another program created it during the export")
                    .with_remedy("use --force to replace it")
            }
            ArchiveError::Writing(error) => file_error(archive, format_args!("cannot be written: {error}"))
                .with_remedy("give another --out, in a folder where you have write permission"),
            ArchiveError::Content(error) => error,
        }
    }
}

impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> Self {
        ArchiveError::Writing(error)
    }
}

impl From<ExchangeError> for ArchiveError {
    fn from(error: ExchangeError) -> Self {
        ArchiveError::Content(error)
    }
}

struct Export<'a> {
    package: &'a Package,
    to: Judge,
    testlib: Option<&'a Path>,
    files: Files,
    notes: Notes,
    /// The parts of the package that affect verdicts and that the legacy format cannot express.
    refused: Vec<String>,
    /// Links that are broken or lead out of the package, each with its target.
    links: BTreeSet<String>,
    /// Whether the package is already in a legacy version. Its files are then copied unchanged.
    verbatim: bool,
}

/// The hint for the user if a link is broken or leads out of the package.
const COPIES: &str = "replace the links by copies of the files; nothing was written";

/// The top-level files and folders that the export handles, so they are not reported as lost.
const CARRIED: [&str; 17] = [
    "problem.yaml",
    "data",
    "submissions",
    "input_validators",
    "input_format_validators",
    "output_validator",
    "output_validators",
    "answer_validators",
    "include",
    "statement",
    "problem_statement",
    "attachments",
    "graders",
    "domjudge-problem.ini",
    "problem.pdf",
    "problem.html",
    "problem.txt",
];

/// Maximum size of `domjudge-problem.ini`, in bytes.
const LARGEST_INI_BYTES: u64 = 1 << 20;

impl Export<'_> {
    fn gather(&mut self) -> Result<(), ExchangeError> {
        self.refuse_kinds();
        let flags = self.data()?;
        self.metadata(&flags)?;
        self.programs();
        self.statements();
        self.submissions();
        self.time_limit();
        self.report_unhandled();
        Ok(())
    }

    fn refuse(&mut self, text: impl AsRef<str>) {
        self.refused.push(referee_text::printable::printable(text.as_ref().as_bytes()));
    }

    fn refuse_kinds(&mut self) {
        let (kind, judge) = (self.package.kind, self.to.name());
        if kind.submit_answer {
            self.refuse("type: the legacy format does not support submit-answer");
        }
        if kind.static_validation {
            self.refuse("static_validator/: the legacy format has no static validation");
        }
        if kind.scoring && (kind.interactive || kind.multi_pass) && self.to == Judge::Domjudge && self.writes_scores() {
            self.refuse(
                "type: DOMjudge does not support interactive or multi-pass problems whose validator writes scores",
            );
        }
        if kind.multi_pass && self.to == Judge::Kattis {
            self.refuse("type: the legacy format does not support multi-pass");
        }
        if kind.multi_pass && kind.interactive && self.to == Judge::Domjudge {
            self.refuse(format!("type: {judge} does not support problems that are both interactive and multi-pass"));
        }
    }

    /// Writes the time limit to the file that the target judge uses, because the legacy `problem.yaml` has no key for
    /// it.
    fn time_limit(&mut self) {
        let Some(limit) = self.package.limits.time else {
            if self.to == Judge::Domjudge {
                self.notes.remark(
                    "the package states no time limit; DOMjudge uses 10 s unless you set a time limit in DOMjudge",
                );
            }
            return;
        };
        let seconds = limit.as_secs_f64();
        match self.to {
            Judge::Kattis => {
                self.files.text(".timelimit", format!("{seconds}\n"));
                self.notes.remark(format!(
                    "the time limit of {seconds} s is in the file .timelimit; verifyproblem of Kattis ignores this \
                     file and measures the package's own submissions instead"
                ));
            }
            Judge::Domjudge => {
                let own = regular::read_to_string(&self.package.root.join("domjudge-problem.ini"), LARGEST_INI_BYTES)
                    .or_else(
                        |error| if error.kind() == io::ErrorKind::NotFound { Ok(String::new()) } else { Err(error) },
                    );
                let own = own.unwrap_or_else(|error| {
                    self.refuse(format!("domjudge-problem.ini: cannot be read: {error}"));
                    String::new()
                });
                let is_other = |line: &&str| line.split('=').next().is_none_or(|key| key.trim() != "timelimit");
                let mut text: String = own.lines().filter(is_other).flat_map(|line| [line, "\n"]).collect();
                let _ = writeln!(text, "timelimit = {seconds}");
                self.files.text("domjudge-problem.ini", text);
            }
        }
    }

    /// Reports the top-level files and folders that no part of the export handles.
    fn report_unhandled(&mut self) {
        let found = fs::read_dir(&self.package.root).into_iter().flatten().filter_map(Result::ok);
        let mut names: Vec<String> = found.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        for name in names.iter().filter(|name| is_legal_name(name) && !CARRIED.contains(&name.as_str())) {
            let is_folder = self.package.root.join(name).is_dir();
            self.notes.lose(format!("{name}{}", if is_folder { "/" } else { "" }));
        }
    }
}
