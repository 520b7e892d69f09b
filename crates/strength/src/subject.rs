//! The programs of a package that are mutated.

use std::path::{Path, PathBuf};

use super::StrengthError;
use super::mutate::{Grammar, LONGEST_SOURCE};
use referee_event::ToolFound;
use referee_files::regular;
use referee_judge::{JudgeError, Settings, Submission, toolchain};
use referee_language::Detected;
use referee_package::{Package, PackageProgram, is_legal_name};

/// The purpose of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// An accepted submission.
    Submission,
    /// A program that decides whether an output is correct.
    OutputValidator,
    /// A program that decides whether an input is legal.
    InputValidator,
}

impl Role {
    /// Returns the role's name in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            Role::Submission => "submission",
            Role::OutputValidator => "output_validator",
            Role::InputValidator => "input_validator",
        }
    }
}

/// A program whose sources are mutated.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// The name of the program in reports: `accepted/a.cpp`, `output_validator/validate.cpp`.
    pub(super) name: String,
    pub(super) role: Role,
    /// The program's index among the package's submissions, or among the validators of its kind.
    pub(super) index: usize,
    /// The path of the program's file or folder.
    pub(super) path: PathBuf,
    pub(super) grammar: Grammar,
    /// The compilers and interpreters of the program's language that were found.
    pub(super) tools: Vec<ToolFound>,
    pub(super) sources: Vec<SourceFile>,
}

/// A source file of a program.
#[derive(Clone, Debug)]
pub(super) struct SourceFile {
    /// The path of the file relative to the program's folder; empty if the program is a single file.
    pub(super) below: PathBuf,
    pub(super) text: String,
}

/// The programs to mutate, and remarks on the programs and files that are skipped.
pub(super) struct Subjects {
    pub(super) subjects: Vec<Subject>,
    pub(super) remarks: Vec<String>,
}

/// Returns the names of the accepted submissions and of the validators.
pub(super) fn names(package: &Package) -> Vec<String> {
    let submissions = package.submissions.iter().map(|one| one.name.clone()).filter(|name| is_accepted(name));
    let validators = package.output_validators.iter().chain(&package.input_validators);
    submissions.chain(validators.map(|program| name_of(package, program))).collect()
}

fn is_accepted(name: &str) -> bool {
    name.starts_with("accepted/")
}

/// Finds the accepted submissions and the validators whose language can be mutated. Fails if a source cannot be read.
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
    /// Adds a program. If its path leads out of the package through a link, adds a remark instead.
    fn add_inside(
        &mut self,
        package: &Package,
        who: (Role, usize, String),
        path: &Path,
        declared: Option<&str>,
        settings: &Settings,
    ) -> Result<(), StrengthError> {
        match package.boundary.resolve(path) {
            Ok(_) => self.add(who, path, declared, settings),
            Err(refused) => {
                self.remarks.push(format!("{} is not mutated: {refused}", who.2));
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
            self.remarks.push(format!("{name} is not mutated: its language is unknown"));
            return Ok(());
        };
        let Some(grammar) = Grammar::of(&language.id) else {
            let known = "C, C++, Java, Python and Rust";
            self.remarks.push(format!(
                "{name} is not mutated: its language is {}, but only {known} are supported",
                language.name
            ));
            return Ok(());
        };
        let files = if path.is_dir() { language.sources(path) } else { vec![PathBuf::new()] };
        // Files whose names the package format ignores are not part of the program.
        let files = files.into_iter().filter(|below| below.iter().all(|name| name.to_str().is_some_and(is_legal_name)));
        let mut sources = Vec::new();
        for below in files {
            match read(path, &below)? {
                Ok(text) => sources.push(SourceFile { below, text }),
                Err(reason) => {
                    let file = source_path(Path::new(&name), &below);
                    self.remarks.push(format!("{} is not mutated: {reason}", file.display()));
                }
            }
        }
        let tools = language.tools().iter().filter_map(|tool| toolchain::found(tool)).collect();
        self.subjects.push(Subject { name, role, index, path: path.to_path_buf(), grammar, tools, sources });
        Ok(())
    }
}

/// Reads a source. The inner error is the reason why it cannot be mutated.
fn read(path: &Path, below: &Path) -> Result<Result<String, String>, StrengthError> {
    let path = source_path(path, below);
    let failed = |source| StrengthError::Judge(JudgeError::System { doing: "reading a source", source });
    let found = path.metadata().map_err(failed)?;
    if !found.is_file() {
        return Ok(Err("it is not a regular file".to_owned()));
    }
    if found.len() > LONGEST_SOURCE as u64 {
        return Ok(Err(format!("it has {} bytes, but at most {LONGEST_SOURCE} are allowed", found.len())));
    }
    let bytes = regular::read(&path, LONGEST_SOURCE as u64).map_err(failed)?;
    Ok(String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned()))
}

/// Returns the path of a source file: `path` itself if `below` is empty, otherwise `below` in the folder `path`.
pub(super) fn source_path(path: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() { path.to_path_buf() } else { path.join(below) }
}

impl Subject {
    /// Returns the file's name in reports: the program's name, followed by the path below its folder if there is one.
    pub(super) fn file_name(&self, file: usize) -> String {
        source_path(Path::new(&self.name), &self.sources[file].below).display().to_string()
    }

    /// Returns whether `file`, as named in reports, is this program's file or is in its folder.
    pub(super) fn has_file(&self, file: &str) -> bool {
        Path::new(file).starts_with(&self.name)
    }

    /// Returns a submission called `name` with its sources at `path`, and with the language and expectations of this
    /// program.
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
            student: None,
        }
    }

    /// Returns a copy of the package in which this program is the only validator of its kind and has its sources at
    /// `path`.
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
