//! Generates the tests that a "standard" package of Polygon does not contain. Inputs come from the package's
//! generators, answers from its main solution. The judge builds and runs these programs like any program of a jury.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::problem::{Problem, Source, Test};
use super::xml;
use crate::{ExchangeError, file_error};
use referee_judge::package_program::{JuryProgram, PackagePrograms, ProgramSource, ending_words, limit_words};
use referee_judge::{JudgeError, Settings, jury_limits};
use referee_sandbox::{Captured, Ended, Input, Limits, Outcome, Run, SandboxError};
use referee_text::printable::printable;

/// The largest part of a failing program's standard error that a message quotes, in bytes.
const QUOTED_BYTES: usize = 500;

/// The maximum total size of all generated files, in bytes. It equals the maximum for the files of an archive.
const MOST_BYTES: u64 = 4 << 30;

/// Generates tests. The files are in a temporary folder, which is removed when this value is dropped.
pub(super) struct Maker<'a> {
    root: &'a Path,
    problem: &'a Problem<'a>,
    package_programs: PackagePrograms<'a>,
    /// The headers that the package puts beside each of its programs.
    headers: Vec<PathBuf>,
    built: HashMap<PathBuf, JuryProgram>,
    limits: Limits,
    folder: TempDir,
    /// The number of files in the temporary folder.
    file_count: usize,
    /// The number of bytes that generated files may still have in total.
    room: u64,
    /// The number of generated inputs and the number of generated answers.
    pub(super) generated: (usize, usize),
}

impl<'a> Maker<'a> {
    pub(super) fn new(
        root: &'a Path,
        problem: &'a Problem<'a>,
        settings: &'a Settings,
    ) -> Result<Maker<'a>, ExchangeError> {
        let folder = referee_files::temporary::folder("made");
        Ok(Maker {
            root,
            problem,
            package_programs: PackagePrograms::outside_a_package(root, settings)?,
            headers: headers(root, problem),
            built: HashMap::new(),
            limits: jury_limits(settings),
            folder: folder
                .map_err(|error| ExchangeError::Failed(format!("cannot make a temporary folder: {error}")))?,
            file_count: 0,
            room: MOST_BYTES,
            generated: (0, 0),
        })
    }

    /// Generates the input of a test with its command and returns the path of the file. Fails if the test has no
    /// command or the generator fails.
    pub(super) fn input(&mut self, test: &Test<'_>, wanted: &str) -> Result<PathBuf, ExchangeError> {
        let missing =
            |why: String| test.element.wrong(format_args!("the input {wanted} of this test is missing, and {why}"));
        let Some(command) = test.command else {
            return Err(missing("the test has no cmd attribute to generate the input".to_owned()));
        };
        // Polygon's own doall.sh passes the command from problem.xml to a shell unchanged, so it is split here as a
        // shell splits it.
        let words = referee_text::words::split(command)
            .map_err(|why| missing(format!("the cmd {command:?} of the test cannot be split into words: {why}")))?;
        let Some((name, arguments)) = words.split_first() else {
            return Err(missing("the cmd attribute of the test is empty".to_owned()));
        };
        if test.element.attribute("from-file").is_some() {
            let why = "the cmd of the test generates several files, which the import does not support; download the \
                       full package from Polygon";
            return Err(missing(why.to_owned()));
        }
        let Some(source) = self.problem.executables.iter().find(|source| stem(source.path) == name) else {
            return Err(missing(format!("there is no generator {name:?} among the executables")));
        };
        let made = self.run(source, arguments, None).map_err(|why| match why {
            MakeError::Program(reason) => missing(format!("the generator command {command:?} failed: {reason}")),
            MakeError::Import(error) => error,
        })?;
        self.generated.0 += 1;
        Ok(made)
    }

    /// Runs the main solution on an input and returns the path of the answer. Fails if there is no main solution or it
    /// fails.
    pub(super) fn answer(&mut self, test: &Test<'_>, input: &Path) -> Result<PathBuf, ExchangeError> {
        let missing = |why: String| test.element.wrong(format_args!("the answer of this test is missing, and {why}"));
        let Some(main) = self.problem.solutions.iter().find(|solution| solution.tag == "main") else {
            return Err(missing("there is no solution with the tag \"main\"".to_owned()));
        };
        let made = self.run(&main.source, &[], Some(input)).map_err(|why| match why {
            MakeError::Program(reason) => missing(format!("the main solution {} failed: {reason}", main.source.path)),
            MakeError::Import(error) => error,
        })?;
        self.generated.1 += 1;
        Ok(made)
    }

    fn run(&mut self, source: &Source<'_>, arguments: &[String], input: Option<&Path>) -> Result<PathBuf, MakeError> {
        let path = xml::existing_file(self.root, source.path).ok_or_else(|| {
            MakeError::Program(format!("{} {}", source.path, xml::why_unusable(self.root, source.path)))
        })?;
        if !self.built.contains_key(&path) {
            let files: Vec<_> = std::iter::once(path.clone()).chain(self.headers.iter().cloned()).collect();
            let built = self
                .package_programs
                .build(&ProgramSource::Files(source.path, &files))
                .map_err(ExchangeError::from)?
                .result;
            let built =
                built.map_err(|words| MakeError::Program(format!("{} cannot be built: {words}", source.path)))?;
            self.built.insert(path.clone(), built);
        }
        let program = &self.built[&path];
        let run = Run {
            arguments: arguments.iter().map(OsString::from).collect(),
            input: input.map_or(Input::Empty, Input::File),
            limits: self.limits,
        };
        let output = match self.package_programs.run(program, &run) {
            Err(SandboxError::Interrupted) => return Err(ExchangeError::from(JudgeError::Interrupted).into()),
            Err(error) => return Err(MakeError::Program(error.to_string())),
            Ok(outcome) => successful_output(outcome, &self.limits).map_err(MakeError::Program)?,
        };
        let room = self.room.checked_sub(output.len() as u64);
        self.room = room.ok_or_else(|| {
            MakeError::Program(format!(
                "with its output, the generated files would exceed the {MOST_BYTES} bytes allowed per package"
            ))
        })?;
        Ok(self.write_temporary(&output)?)
    }

    /// Writes these bytes to a new file in the temporary folder and returns its path.
    pub(super) fn write_temporary(&mut self, bytes: &[u8]) -> Result<PathBuf, ExchangeError> {
        let path = self.folder.path().join(self.file_count.to_string());
        self.file_count += 1;
        fs::write(&path, bytes).map_err(|error| file_error(&path, format_args!("cannot be written: {error}")))?;
        Ok(path)
    }
}

/// Returns the output of a program that ended with exit code 0. Otherwise fails with a description of how the program
/// ended or which limit it exceeded.
fn successful_output(outcome: Outcome, limits: &Limits) -> Result<Captured, String> {
    if let Some(limit) = outcome.crossed {
        return Err(format!("it used {}", limit_words(limit, limits, &outcome.usage)));
    }
    if outcome.ended == Ended::Exited(0) {
        return Ok(outcome.stdout);
    }
    let said = printable(&outcome.stderr[..outcome.stderr.len().min(QUOTED_BYTES)]);
    let said = if said.trim().is_empty() { String::new() } else { format!(" and said: {}", said.trim()) };
    Err(format!("it ended with {}{said}", ending_words(outcome.ended)))
}

/// The reason why a test was not generated.
enum MakeError {
    /// The generator or the main solution failed.
    Program(String),
    /// An error that ends the whole import.
    Import(ExchangeError),
}

impl From<ExchangeError> for MakeError {
    fn from(error: ExchangeError) -> Self {
        MakeError::Import(error)
    }
}

/// Returns the files that are put beside every program: testlib.h and other headers.
pub(super) fn headers(root: &Path, problem: &Problem<'_>) -> Vec<PathBuf> {
    let named = problem.resources.iter().filter(|file| {
        let ending = file.path.rsplit_once('.').map_or("", |(_, ending)| ending);
        ["h", "hpp", "hh"].contains(&ending)
    });
    let mut headers: Vec<PathBuf> = named.filter_map(|file| xml::existing_file(root, file.path)).collect();
    if !headers.iter().any(|path| path.ends_with("testlib.h")) {
        headers.extend(xml::existing_file(root, "files/testlib.h").or_else(|| problem.testlib.map(Path::to_path_buf)));
    }
    headers
}

/// Returns a file's name without its extension.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
