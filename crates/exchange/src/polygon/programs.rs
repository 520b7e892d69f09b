//! Imports the checker, the interactor, the validators and the generators.

use std::fmt::Write as _;
use std::path::Path;

use super::data::WrittenCase;
use super::problem::{Problem, Source};
use super::{UnusedFiles, make, xml};
use crate::quoted::{list, quoted};
use crate::wrapper::{self, WrappedProgram};
use crate::{ExchangeError, Files, Notes};
use referee_files::regular;
use referee_package::is_legal_name;

/// The standard checkers that judge exactly like the default output validator, each with the arguments that this
/// validator needs. Only one checker does so: `wcmp` compares sequences of tokens, case-sensitively. All other checkers
/// are imported as programs. `lcmp` and `fcmp` compare lines; `rcmp` and its variants accept NaN, infinities and an
/// extra error of 1e-15; `ncmp`, `hcmp`, `yesno` and similar ones reject texts that are not numbers or known words.
const EQUIVALENT_CHECKERS: [(&str, &[&str]); 1] = [("std::wcmp.cpp", &["case_sensitive"])];

/// Imports programs from the Polygon package into the new package.
pub(super) struct Programs<'a, 'b> {
    pub(super) root: &'a Path,
    pub(super) problem: &'a Problem<'a>,
    pub(super) files: &'b mut Files,
    pub(super) unused_files: &'b mut UnusedFiles,
    pub(super) notes: &'b mut Notes,
}

impl Programs<'_, '_> {
    /// Imports the output validator. Returns the arguments for the default output validator; none if the package gets
    /// its own output validator, or if Polygon has no checker.
    pub(super) fn output_validator(&mut self) -> Result<Vec<&'static str>, ExchangeError> {
        let (checker, interactor) = (self.problem.checker.as_ref(), self.problem.interactor.as_ref());
        let Some(interactor) = interactor else {
            if self.problem.runs > 1 {
                let message = "run-count is 2 and there is no interactor, so the input of the second run is unknown";
                return Err(self.problem.judging.wrong(message));
            }
            let Some(checker) = checker else {
                self.notes.remark("there is no checker; the default output validator is used");
                return Ok(Vec::new());
            };
            let name = checker.name.unwrap_or_default();
            if let Some((name, arguments)) = EQUIVALENT_CHECKERS.iter().find(|(stock, _)| *stock == name) {
                self.notes.remark(format!(
                    "the checker {name} is replaced by the default output validator with the argument {}",
                    arguments.join(" ")
                ));
                self.unused_files.take(self.root, checker.path);
                return Ok(arguments.to_vec());
            }
            self.wrapped("output_validator", &[(checker, "checker")], &wrapper::run_checker())?;
            return Ok(Vec::new());
        };
        let checker = checker.filter(|checker| !checker.path.is_empty());
        let run = if self.problem.runs > 1 {
            self.notes.remark(
                "a submission runs twice on each test: the interactor's output of the first run is the input of the \
                 second",
            );
            wrapper::run_twice(checker.is_some())
        } else {
            wrapper::run_interactor(checker.is_some())
        };
        let mut parts = vec![(interactor, "interactor")];
        parts.extend(checker.map(|checker| (checker, "checker")));
        self.wrapped("output_validator", &parts, &run)?;
        Ok(Vec::new())
    }

    /// Imports the input validators.
    pub(super) fn input_validators(&mut self) -> Result<(), ExchangeError> {
        for (index, validator) in self.problem.validators.iter().enumerate() {
            let name = make::stem(validator.path);
            let name = if is_legal_name(name) { name.to_owned() } else { format!("validator-{}", index + 1) };
            let mut folder = format!("input_validators/{name}");
            // The first number to try is the position of the validator in the list, because earlier validators of the
            // same name mostly use smaller numbers.
            for number in index + 1.. {
                if !self.files.has(&format!("{folder}/run")) {
                    break;
                }
                folder = format!("input_validators/{name}-{number}");
            }
            self.wrapped(&folder, &[(validator, "validator")], wrapper::run_validator())?;
        }
        Ok(())
    }

    /// Returns whether a validator's source uses the name of the test set or of the group of a test.
    pub(super) fn validators_use_names(&self) -> bool {
        let asks = |source: &Source<'_>| {
            let text = xml::existing_file(self.root, source.path)
                .and_then(|path| regular::read(&path, regular::LARGEST_BYTES).ok())
                .unwrap_or_default();
            [&b"validator.group"[..], b"validator.testset"]
                .iter()
                .any(|&word| memchr::memmem::find(&text, word).is_some())
        };
        self.problem.validators.iter().any(asks)
    }

    /// Copies programs that use testlib, and adds the scripts `build` and `run` that combine them into one program of
    /// the format.
    fn wrapped(&mut self, folder: &str, parts: &[(&Source<'_>, &str)], run: &str) -> Result<(), ExchangeError> {
        let mut named = Vec::new();
        for (source, executable) in parts {
            let name = self.add(folder, source, executable)?;
            named.push((name, source.kind, *executable));
        }
        let list: Vec<WrappedProgram<'_>> =
            named.iter().map(|(name, kind, executable)| WrappedProgram { source: name, kind, executable }).collect();
        let Some(build) = wrapper::build(&list) else {
            let (source, _) = parts[0];
            let message = format!(
                "{} is of type {:?}; the import supports only checkers, interactors and validators in C++ and Python",
                source.path, source.kind
            );
            return Err(source.element.wrong(message));
        };
        self.headers(folder);
        self.files.script(format!("{folder}/build"), build);
        self.files.script(format!("{folder}/run"), run);
        Ok(())
    }

    /// Copies testlib.h and the package's other headers into a folder.
    fn headers(&mut self, folder: &str) {
        for header in make::headers(self.root, self.problem) {
            if let Some(name) = header.file_name().and_then(|name| name.to_str()).filter(|name| is_legal_name(name)) {
                self.files.copy(format!("{folder}/{name}"), &header);
            }
            if let Some(below) = header.strip_prefix(self.root).ok().and_then(Path::to_str) {
                self.unused_files.take(self.root, below);
            }
        }
    }

    /// Copies a source into the folder and returns its new name.
    fn add(&mut self, folder: &str, source: &Source<'_>, executable: &str) -> Result<String, ExchangeError> {
        if let Some(copy) = source.element.down("copy").and_then(|copy| copy.attribute("path")) {
            self.unused_files.take(self.root, copy);
        }
        let Some(found) = self.unused_files.take(self.root, source.path) else {
            let message = format!("{:?} {}", source.path, xml::why_unusable(self.root, source.path));
            return Err(source.element.wrong(message));
        };
        let name = source.path.rsplit('/').next().unwrap_or(source.path);
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| if ending == "c++" { "cpp" } else { ending });
        // A source must not have the name of a script, or of the executable that is built from it.
        let fits = is_legal_name(name) && name != executable && !["build", "run"].contains(&name);
        let name = if fits { name.to_owned() } else { format!("{executable}-source.{ending}") };
        self.files.copy(format!("{folder}/{name}"), &found);
        Ok(name)
    }

    /// Copies the generators, and lists the commands that generated the cases.
    pub(super) fn generators(&mut self, cases: &[WrittenCase]) {
        let mut names: Vec<&str> = Vec::new();
        for source in &self.problem.executables {
            let is_other = |other: &Source<'_>| other.path == source.path;
            let others = self.problem.checker.iter().chain(&self.problem.interactor).chain(&self.problem.validators);
            if others.into_iter().any(is_other) {
                continue;
            }
            let Some(found) = self.unused_files.take(self.root, source.path) else { continue };
            let name = source.path.rsplit('/').next().unwrap_or(source.path);
            let path = format!("generators/{name}");
            if !is_legal_name(name) || self.files.has(&path) {
                let why = if is_legal_name(name) {
                    "another generator has the same file name"
                } else {
                    "the package format does not allow this file name"
                };
                self.notes.lose(format!("the generator {}: {why}", source.path));
                continue;
            }
            self.files.copy(path, &found);
            names.push(name);
        }
        if names.is_empty() && cases.iter().all(|case| case.command.is_none()) {
            return;
        }
        self.headers("generators");
        self.files.text("generators/polygon-tests.txt", commands(cases));
        self.notes.remark(
            "generators/polygon-tests.txt lists the command of each generated test case; the generators are in the \
             same folder. The import writes no generators.yaml, because that file must describe every test case, \
             and test cases that were written by hand have no command",
        );
    }
}

/// Lists the commands with which Polygon generated the cases.
fn commands(cases: &[WrittenCase]) -> String {
    let mut text = "# The commands with which Polygon generated the test cases.\n".to_owned();
    for case in cases {
        let command =
            case.command.as_deref().map_or_else(|| "(by hand)".to_owned(), |command| command.replace('\n', " "));
        let _ = writeln!(text, "{}: {command}", case.name);
    }
    text
}

/// Returns the line of `test_group.yaml` with the arguments of the default output validator; empty if there are none.
pub(super) fn arguments_line(arguments: &[&str]) -> String {
    if arguments.is_empty() { String::new() } else { format!("output_validator_args: {}\n", list(arguments)) }
}

/// Returns a line `key: text`.
pub(super) fn line(key: &str, text: &str) -> String {
    format!("{key}: {}\n", quoted(text))
}
