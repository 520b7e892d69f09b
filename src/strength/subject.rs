//! Programs of a package whose sources are changed.

use std::path::{Path, PathBuf};

use super::StrengthError;
use super::mutate::{Grammar, LONGEST_SOURCE};
use crate::event::ToolFound;
use crate::judge::{JudgeError, Settings, Submission};
use crate::language::Detected;
use crate::package::{Package, PackageProgram, is_legal_name, links};
use crate::toolchain;

/// What a program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// An accepted submission.
    Submission,
    /// It says whether an output is right.
    OutputValidator,
    /// It says whether an input is legal.
    InputValidator,
}

impl Role {
    /// Its name in reports.
    pub(super) fn word(self) -> &'static str {
        match self {
            Role::Submission => "submission",
            Role::OutputValidator => "output_validator",
            Role::InputValidator => "input_validator",
        }
    }
}

/// A program whose sources are changed.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// `accepted/a.cpp`, `output_validator/validate.cpp`.
    pub(super) name: String,
    pub(super) role: Role,
    /// Its place among the package's submissions, or validators of this kind.
    pub(super) index: usize,
    /// The file or folder.
    pub(super) path: PathBuf,
    pub(super) grammar: Grammar,
    /// The compilers and interpreters of its language.
    pub(super) tools: Vec<ToolFound>,
    pub(super) sources: Vec<SourceFile>,
}

/// One of its source files.
#[derive(Clone, Debug)]
pub(super) struct SourceFile {
    /// Below the folder; empty where the program is this file.
    pub(super) below: PathBuf,
    pub(super) text: String,
}

/// What there is to change, and why not more.
pub(super) struct Subjects {
    pub(super) subjects: Vec<Subject>,
    pub(super) remarks: Vec<String>,
}

/// The names of accepted submissions and validators.
pub(super) fn names(package: &Package) -> Vec<String> {
    let submissions = package.submissions.iter().map(|one| one.name.clone()).filter(|name| is_accepted(name));
    let validators = package.output_validators.iter().chain(&package.input_validators);
    submissions.chain(validators.map(|program| name_of(package, program))).collect()
}

fn is_accepted(name: &str) -> bool {
    name.starts_with("accepted/")
}

/// The accepted submissions and the validators, as far as their language is one of those that can be changed.
pub(super) fn subjects(package: &Package, settings: &Settings) -> Result<Subjects, StrengthError> {
    let mut found = Subjects { subjects: Vec::new(), remarks: Vec::new() };
    for (index, one) in package.submissions.iter().enumerate() {
        if is_accepted(&one.name) {
            let who = (Role::Submission, index, one.name.clone());
            found.add_inside(package, who, &one.path, one.language.as_deref(), settings)?;
        }
    }
    let kinds =
        [(Role::OutputValidator, &package.output_validators), (Role::InputValidator, &package.input_validators)];
    for (role, programs) in kinds {
        for (index, program) in programs.iter().enumerate() {
            let who = (role, index, name_of(package, program));
            found.add_inside(package, who, &program.path, None, settings)?;
        }
    }
    Ok(found)
}

fn name_of(package: &Package, program: &PackageProgram) -> String {
    let below = program.path.strip_prefix(&package.root).unwrap_or(&program.path);
    below.display().to_string()
}

impl Subjects {
    /// Adds a program, unless a link leads out of the package instead.
    fn add_inside(
        &mut self,
        package: &Package,
        who: (Role, usize, String),
        path: &Path,
        declared: Option<&str>,
        settings: &Settings,
    ) -> Result<(), StrengthError> {
        match links::resolve(&package.root, path) {
            Ok(_) => self.add(who, path, declared, settings),
            Err(refused) => {
                self.remarks.push(format!("{} is not changed: {refused}", who.2));
                Ok(())
            }
        }
    }

    fn add(
        &mut self,
        (role, index, name): (Role, usize, String),
        path: &Path,
        declared: Option<&str>,
        settings: &Settings,
    ) -> Result<(), StrengthError> {
        let Detected::Source(language) = settings.languages.detect(path, declared, settings.shebangs) else {
            self.remarks.push(format!("{name} is not changed: it is no source of a known language"));
            return Ok(());
        };
        let Some(grammar) = Grammar::of(&language.id) else {
            let known = "C, C++, Java, Python and Rust";
            self.remarks.push(format!("{name} is not changed: sources in {known} are, not in {}", language.name));
            return Ok(());
        };
        let files = if path.is_dir() { language.sources(path) } else { vec![PathBuf::new()] };
        // Names that the format ignores are no part of the program.
        let files = files.into_iter().filter(|below| below.iter().all(|name| name.to_str().is_some_and(is_legal_name)));
        let mut sources = Vec::new();
        for below in files {
            match read(path, &below)? {
                Ok(text) => sources.push(SourceFile { below, text }),
                Err(reason) => {
                    let file = place(Path::new(&name), &below);
                    self.remarks.push(format!("{} is not changed: {reason}", file.display()));
                }
            }
        }
        let tools = language.tools().iter().filter_map(|tool| toolchain::found(tool)).collect();
        self.subjects.push(Subject { name, role, index, path: path.to_path_buf(), grammar, tools, sources });
        Ok(())
    }
}

/// The inner error is why the source cannot be changed.
fn read(path: &Path, below: &Path) -> Result<Result<String, String>, StrengthError> {
    let path = place(path, below);
    let failed = |source| StrengthError::Judge(JudgeError::System { doing: "reading a source", source });
    let found = path.metadata().map_err(failed)?;
    if !found.is_file() || found.len() > LONGEST_SOURCE as u64 {
        return Ok(Err(format!("it is no file of at most {LONGEST_SOURCE} bytes")));
    }
    let bytes = std::fs::read(&path).map_err(failed)?;
    Ok(String::from_utf8(bytes).map_err(|_| "it is no text in UTF-8".to_owned()))
}

/// The file of a program that is a file, or a folder with the file below it.
pub(super) fn place(path: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() { path.to_path_buf() } else { path.join(below) }
}

impl Subject {
    /// The file's name in reports: below the folder, or the program's own.
    pub(super) fn file_name(&self, file: usize) -> String {
        place(Path::new(&self.name), &self.sources[file].below).display().to_string()
    }

    /// Whether reports name a source of this program so.
    pub(super) fn has(&self, file: &str) -> bool {
        Path::new(file).starts_with(&self.name)
    }

    /// The submission with its sources elsewhere.
    pub(super) fn submission_at(&self, package: &Package, path: PathBuf, name: String) -> Submission {
        let one = &package.submissions[self.index];
        Submission {
            name,
            path,
            language: one.language.clone(),
            entry_point: one.entry_point.clone(),
            expectations: Some(one.expectations.clone()),
            scores: one.scores.clone(),
            left_out: None,
        }
    }

    /// The package with this validator alone, of its kind, and its sources elsewhere.
    pub(super) fn package_with(&self, package: &Package, path: PathBuf) -> Package {
        let mut changed = package.clone();
        let programs = match self.role {
            Role::InputValidator => &mut changed.input_validators,
            _ => &mut changed.output_validators,
        };
        let mut program = programs[self.index].clone();
        program.path = path;
        *programs = vec![program];
        changed
    }
}
