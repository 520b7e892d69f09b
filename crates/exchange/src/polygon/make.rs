//! Tests that a "standard" package of Polygon does not hold: inputs come from its generators, answers from its main
//! solution, both built and run as this judge builds and runs every program of a jury.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::problem::{Problem, Source, Test};
use super::xml;
use crate::{ExchangeError, trouble};
use referee_judge::jury::{JuryProgram, Part, Workshop, ending_words, limit_words};
use referee_judge::{JudgeError, Settings, jury_limits};
use referee_sandbox::{Captured, Ended, Input, Limits, Outcome, Run, SandboxError};
use referee_text::printable::printable;

/// What is kept of a program's own words when it fails, in bytes.
const SAID_BYTES: usize = 500;

/// All that is made together, in bytes: as much as an archive may hold.
const MOST_BYTES: u64 = 4 << 30;

/// Makes tests. What it makes lies in a folder of its own, which is removed with it.
pub(super) struct Maker<'a> {
    root: &'a Path,
    problem: &'a Problem<'a>,
    workshop: Workshop<'a>,
    /// What the package puts beside each of its programs.
    headers: Vec<PathBuf>,
    built: HashMap<PathBuf, JuryProgram>,
    limits: Limits,
    folder: TempDir,
    /// How many files lie there, and how many bytes more may.
    kept: usize,
    room: u64,
    /// How many inputs and answers were made.
    pub(super) made: (usize, usize),
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
            workshop: Workshop::outside_a_package(root, settings)?,
            headers: headers(root, problem),
            built: HashMap::new(),
            limits: jury_limits(settings),
            folder: folder
                .map_err(|error| ExchangeError::Failed(format!("cannot make a temporary folder: {error}")))?,
            kept: 0,
            room: MOST_BYTES,
            made: (0, 0),
        })
    }

    /// The input that the test's command makes.
    pub(super) fn input(&mut self, test: &Test<'_>, wanted: &str) -> Result<PathBuf, ExchangeError> {
        let missing = |why: String| test.element.wrong(format_args!("its input {wanted} is not there, and {why}"));
        let Some(command) = test.command else {
            return Err(missing("it has no cmd that would make it".to_owned()));
        };
        // Polygon's own doall.sh hands the command to a shell as it stands in problem.xml.
        let words =
            referee_text::words::split(command).map_err(|why| missing(format!("its cmd {command:?}: {why}")))?;
        let Some((name, arguments)) = words.split_first() else {
            return Err(missing("its cmd is empty".to_owned()));
        };
        if test.element.attribute("from-file").is_some() {
            return Err(missing("its cmd makes several files; download the full package from Polygon".to_owned()));
        }
        let Some(source) = self.problem.executables.iter().find(|source| stem(source.path) == name) else {
            return Err(missing(format!("there is no generator {name:?} among the executables")));
        };
        let made = self.run(source, arguments, None).map_err(|why| match why {
            Stop::Own(reason) => missing(format!("{command:?} does not make it: {reason}")),
            Stop::Whole(error) => error,
        })?;
        self.made.0 += 1;
        Ok(made)
    }

    /// The answer that the main solution gives on an input.
    pub(super) fn answer(&mut self, test: &Test<'_>, input: &Path) -> Result<PathBuf, ExchangeError> {
        let missing = |why: String| test.element.wrong(format_args!("its answer is not there, and {why}"));
        let Some(main) = self.problem.solutions.iter().find(|solution| solution.tag == "main") else {
            return Err(missing("there is no solution with the tag \"main\"".to_owned()));
        };
        let made = self.run(&main.source, &[], Some(input)).map_err(|why| match why {
            Stop::Own(reason) => missing(format!("{} does not give it: {reason}", main.source.path)),
            Stop::Whole(error) => error,
        })?;
        self.made.1 += 1;
        Ok(made)
    }

    fn run(&mut self, source: &Source<'_>, arguments: &[String], input: Option<&Path>) -> Result<PathBuf, Stop> {
        let path = xml::inside(self.root, source.path)
            .ok_or_else(|| Stop::Own(format!("{} {}", source.path, xml::why_not(self.root, source.path))))?;
        if !self.built.contains_key(&path) {
            let files: Vec<_> = std::iter::once(path.clone()).chain(self.headers.iter().cloned()).collect();
            let built = self.workshop.build(&Part::Files(&files)).map_err(ExchangeError::from)?.result;
            let built = built.map_err(|words| Stop::Own(format!("{} cannot be built: {words}", source.path)))?;
            self.built.insert(path.clone(), built);
        }
        let program = &self.built[&path];
        let run = Run {
            arguments: arguments.iter().map(OsString::from).collect(),
            input: input.map_or(Input::Empty, Input::File),
            limits: self.limits,
        };
        let output = match self.workshop.run(program, &run) {
            Err(SandboxError::Interrupted) => return Err(ExchangeError::from(JudgeError::Interrupted).into()),
            Err(error) => return Err(Stop::Own(error.to_string())),
            Ok(outcome) => printed(outcome).map_err(Stop::Own)?,
        };
        let room = self.room.checked_sub(output.len() as u64);
        self.room = room.ok_or_else(|| {
            Stop::Own(format!("with it, more than the {MOST_BYTES} bytes allowed would be made of one package"))
        })?;
        Ok(self.keep(&output)?)
    }

    /// A new file with these bytes, which lies beside what is made.
    pub(super) fn keep(&mut self, bytes: &[u8]) -> Result<PathBuf, ExchangeError> {
        let path = self.folder.path().join(self.kept.to_string());
        self.kept += 1;
        fs::write(&path, bytes).map_err(|error| trouble(&path, format_args!("cannot be written: {error}")))?;
        Ok(path)
    }
}

/// What a program printed that ended well; else how it ended.
fn printed(outcome: Outcome) -> Result<Captured, String> {
    if let Some(limit) = outcome.crossed {
        return Err(format!("it used {}", limit_words(limit)));
    }
    if outcome.ended == Ended::Exited(0) {
        return Ok(outcome.stdout);
    }
    let said = printable(&outcome.stderr[..outcome.stderr.len().min(SAID_BYTES)]);
    let said = if said.trim().is_empty() { String::new() } else { format!(" and said: {}", said.trim()) };
    Err(format!("it ended with {}{said}", ending_words(outcome.ended)))
}

/// Why a test is not made.
enum Stop {
    /// Its own program fails.
    Own(String),
    /// The import as a whole has to stop.
    Whole(ExchangeError),
}

impl From<ExchangeError> for Stop {
    fn from(error: ExchangeError) -> Self {
        Stop::Whole(error)
    }
}

/// The files that are put beside every program: testlib.h and other headers.
pub(super) fn headers(root: &Path, problem: &Problem<'_>) -> Vec<PathBuf> {
    let named = problem.resources.iter().filter(|file| {
        let ending = file.path.rsplit_once('.').map_or("", |(_, ending)| ending);
        ["h", "hpp", "hh"].contains(&ending)
    });
    let mut headers: Vec<PathBuf> = named.filter_map(|file| xml::inside(root, file.path)).collect();
    if !headers.iter().any(|path| path.ends_with("testlib.h")) {
        headers.extend(xml::inside(root, "files/testlib.h").or_else(|| problem.testlib.map(Path::to_path_buf)));
    }
    headers
}

/// A file's name without its ending.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
