//! Makes one test case. In this order, it runs the generator, copies files, writes texts and, if there is no answer
//! yet, runs the solution. Links between files of the input are created before the solution runs, and links between
//! files of the answer are created afterwards.

mod generate;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::content::{Content, Files, LARGEST_BYTES};
use super::ending::{Ending, PICTURES};
use super::rules::Case;
use super::{copy, solution};
use referee_files::regular;
use referee_judge::package_program::{JuryProgram, PackagePrograms, ending_words, limit_words};
use referee_package::Package;
use referee_sandbox::{Ended, Input, Limits, Outcome, Run, SandboxError};
use referee_text::printable::printable;

/// The maximum length of a quotation from a failed program's standard error, in bytes.
const QUOTED_BYTES: usize = 500;

/// The reason why a test case could not be made.
pub(super) enum MakeError {
    /// The package's rule or program failed.
    Failed(String),
    /// The judge failed.
    Sandbox(SandboxError),
}

impl From<SandboxError> for MakeError {
    fn from(error: SandboxError) -> Self {
        match error {
            // The program cannot be executed. The cause is its source or its build, so the package is at fault.
            SandboxError::Start { .. } => MakeError::Failed(error.to_string()),
            error => MakeError::Sandbox(error),
        }
    }
}

fn failed(message: impl Into<String>) -> MakeError {
    MakeError::Failed(message.into())
}

/// A test case to make, with everything that is needed for it.
pub(super) struct Maker<'a> {
    pub(super) package: &'a Package,
    pub(super) package_programs: &'a PackagePrograms<'a>,
    pub(super) case: &'a Case,
    /// The folder for the generated files.
    pub(super) folder: PathBuf,
    pub(super) generator: Option<&'a JuryProgram>,
    pub(super) solution: Option<&'a JuryProgram>,
}

/// The result of making one test case.
#[derive(Default)]
pub(super) struct Product {
    pub(super) files: Files,
    /// The seed of the successful attempt; `None` if the command has no `{seed}`.
    pub(super) seed: Option<u32>,
    /// Remarks on the test case, for the report.
    pub(super) remarks: Vec<String>,
    /// Messages about patterns that were not found.
    pub(super) unmatched: Vec<String>,
}

impl Maker<'_> {
    pub(super) fn make(&self) -> Result<Product, MakeError> {
        fs::create_dir_all(&self.folder).map_err(|error| storage_error(&error))?;
        let mut product = Product::default();
        if let (Some(command), Some(generator)) = (&self.case.command, self.generator) {
            self.generate(command, generator, &mut product)?;
        }
        if let Some(base) = &self.case.copy {
            let found = copy::files(self.package, base).map_err(MakeError::Failed)?;
            if found.is_empty() {
                product.remarks.push(format!(
                    "there is nothing to copy: found neither {base}.in nor {base} with another known extension, such \
                     as .ans"
                ));
            }
            product.files.extend(found);
        }
        for (ending, text) in &self.case.literals {
            let path = self.file(ending);
            fs::write(&path, text).map_err(|error| storage_error(&error))?;
            product.files.insert(ending, Content::File(path));
        }
        self.create_links("in", &mut product.files)?;
        self.check_input(&product.files)?;
        if product.files.contains_key("in") {
            self.check_patterns("in", &mut product)?;
            self.answer(&mut product)?;
        }
        self.create_links("ans", &mut product.files)?;
        self.check_answer(&product)?;
        self.check_patterns("ans", &mut product)?;
        self.drop_pictures(&mut product.files);
        Ok(product)
    }

    fn file(&self, ending: Ending) -> PathBuf {
        self.folder.join(format!("testcase.{ending}"))
    }

    fn limits(&self, output_bytes: u64) -> Limits {
        let limits = &self.package.limits;
        Limits {
            cpu: limits.generation_time,
            wall: limits.generation_time * 2 + Duration::from_secs(1),
            memory_bytes: limits.validation_memory_bytes.max(limits.memory_bytes),
            output_bytes,
            until: self.package_programs.until(),
        }
    }

    /// Creates the links of one kind (`in` or `ans`). Fails if the target of a link does not exist.
    fn create_links(&self, kind: &str, files: &mut Files) -> Result<(), MakeError> {
        for &(ending, target) in self.case.links.iter().filter(|(ending, _)| ending.split('.').next() == Some(kind)) {
            if !files.contains_key(target) {
                return Err(failed(format!("'{ending}' is a link to '{target}', which does not exist")));
            }
            files.insert(ending, Content::Link(target));
        }
        Ok(())
    }

    /// Checks that there is an input. A sample may have files for the statement and for download instead.
    fn check_input(&self, files: &Files) -> Result<(), MakeError> {
        let has = |ending: Ending| files.contains_key(ending);
        let has_interaction = !solution::can_print_answers(self.package);
        let shown = has("in.statement") || has_interaction && has("interaction");
        if has("in") || self.case.part() == "sample" && has("in.download") && shown {
            return Ok(());
        }
        Err(failed("there is no input: no .in file was generated, copied or given in the rule"))
    }

    fn answer(&self, product: &mut Product) -> Result<(), MakeError> {
        if product.files.contains_key("ans") || !solution::is_needed(self.case) {
            return Ok(());
        }
        let path = self.file("ans");
        if !solution::can_print_answers(self.package) {
            File::create(&path).map_err(|error| storage_error(&error))?;
        } else if let Some(program) = self.solution {
            let Some(Content::File(input)) = product.files.get("in") else {
                return Err(failed("the input is a link, so the solution cannot run; give the input as a file"));
            };
            let limits = self.limits(LARGEST_BYTES);
            let run = Run { arguments: Vec::new(), input: Input::File(input), limits };
            let outcome = self.package_programs.run(program, &run)?;
            if let Some(message) = failure_message(&outcome, &limits) {
                return Err(failed(format!("the solution failed: {message}")));
            }
            fs::write(&path, &*outcome.stdout).map_err(|error| storage_error(&error))?;
        } else {
            return Err(failed(
                "there is no answer: no .ans file was generated, copied or given, and there is no solution",
            ));
        }
        product.files.insert("ans", Content::File(path));
        Ok(())
    }

    fn check_answer(&self, product: &Product) -> Result<(), MakeError> {
        let part = self.case.part();
        if !product.files.contains_key("in") || ["invalid_input", "testing_tool_test"].contains(&part) {
            return Ok(());
        }
        if !product.files.contains_key("ans") {
            return Err(failed("there is no answer: no .ans file was generated, copied or given"));
        }
        if ["invalid_output", "valid_output"].contains(&part) && !product.files.contains_key("out") {
            return Err(failed("there is no output: no .out file was generated, copied or given"));
        }
        Ok(())
    }

    /// Searches the file with the extension `ending` for the patterns of the rule, and records the patterns that are
    /// not found. Fails if there are patterns but no such file.
    fn check_patterns(&self, ending: Ending, product: &mut Product) -> Result<(), MakeError> {
        let patterns: Vec<_> = self.case.patterns.iter().filter(|pattern| pattern.ending == ending).collect();
        if patterns.is_empty() {
            return Ok(());
        }
        let Some(path) = file_behind_link(&product.files, ending) else {
            return Err(failed(format!("'match' searches the .{ending} file, which does not exist")));
        };
        let text = regular::read(path, regular::LARGEST_BYTES).map_err(|error| storage_error(&error))?;
        for pattern in patterns {
            if !pattern.is_in(&text).map_err(MakeError::Failed)? {
                product.unmatched.push(format!("{} not found in the .{ending} file", pattern.written));
            }
        }
        Ok(())
    }

    /// Removes pictures in those parts of `data/` that BAPCtools visualizes. Only visualizers may make such pictures,
    /// and this crate runs none. BAPCtools also removes the pictures if no visualizer runs.
    fn drop_pictures(&self, files: &mut Files) {
        let is_visualized = files.contains_key("in") && !self.case.part().starts_with("invalid_");
        if is_visualized && self.case.part() != "testing_tool_test" {
            files.retain(|ending, _| !PICTURES.contains(ending));
        }
    }
}

/// Returns the file that holds the content of `ending`, and follows at most one link. `None` if there is no such file.
fn file_behind_link(files: &Files, ending: Ending) -> Option<&Path> {
    match files.get(ending)? {
        Content::File(path) => Some(path),
        Content::Link(target) => match files.get(target)? {
            Content::File(path) => Some(path),
            Content::Link(_) => None,
        },
    }
}

fn storage_error(source: &io::Error) -> MakeError {
    let source = io::Error::new(source.kind(), source.to_string());
    MakeError::Sandbox(SandboxError::System { doing: "storing the generated files", source })
}

fn failure_message(outcome: &Outcome, limits: &Limits) -> Option<String> {
    let what = match (outcome.crossed, outcome.ended) {
        (Some(limit), _) => format!("it used {}", limit_words(limit, limits, &outcome.usage)),
        (None, Ended::Exited(0)) => return None,
        (None, ended) => format!("it ended with {}", ending_words(ended)),
    };
    let said = printable(&outcome.stderr[..outcome.stderr.len().min(QUOTED_BYTES)]);
    let said = said.trim();
    Some(if said.is_empty() { what } else { format!("{what} and said: {said}") })
}
