//! One test case: its generator, copied files, texts, links and the solution, in this order.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};

use super::command::Command;
use super::content::{Content, Files, LARGEST_BYTES};
use super::ending::{self, Ending, PICTURES};
use super::rules::Case;
use super::{copy, seed, solution};
use crate::judge::jury::{JuryProgram, Workshop, ending_words, limit_words};
use crate::package::Package;
use crate::printable::printable;
use crate::sandbox::{Ended, Input, Limits, Outcome, Run, SandboxError};

/// What is kept of a program's own words when it fails, in bytes.
const SAID_BYTES: usize = 500;

/// Why there is no test case.
pub(super) enum Trouble {
    /// The package's rule or program failed.
    Failed(String),
    /// The judge did.
    Sandbox(SandboxError),
}

impl From<SandboxError> for Trouble {
    fn from(error: SandboxError) -> Self {
        match error {
            // Its file cannot be executed, which is what its sources or its maker made of it.
            SandboxError::Start { .. } => Trouble::Failed(error.to_string()),
            error => Trouble::Sandbox(error),
        }
    }
}

fn failed(message: impl Into<String>) -> Trouble {
    Trouble::Failed(message.into())
}

/// What is needed to make a case.
pub(super) struct Maker<'a> {
    pub(super) package: &'a Package,
    pub(super) workshop: &'a Workshop<'a>,
    pub(super) case: &'a Case,
    /// Where its files go.
    pub(super) folder: PathBuf,
    pub(super) generator: Option<&'a JuryProgram>,
    pub(super) solution: Option<&'a JuryProgram>,
}

/// What came of it.
#[derive(Default)]
pub(super) struct Product {
    pub(super) files: Files,
    /// The seed of the try that went well, where the command has one.
    pub(super) seed: Option<u32>,
    /// What is odd.
    pub(super) remarks: Vec<String>,
    /// The patterns that were not found.
    pub(super) unmatched: Vec<String>,
}

impl Maker<'_> {
    pub(super) fn make(&self) -> Result<Product, Trouble> {
        fs::create_dir_all(&self.folder).map_err(|error| no_room(&error))?;
        let mut product = Product::default();
        if let (Some(command), Some(generator)) = (&self.case.command, self.generator) {
            self.generate(command, generator, &mut product)?;
        }
        if let Some(base) = &self.case.copy {
            let found = copy::files(self.package, base).map_err(Trouble::Failed)?;
            if found.is_empty() {
                product.remarks.push(format!("there is nothing to copy: no file {base}.in or of another ending"));
            }
            product.files.extend(found);
        }
        for (ending, text) in &self.case.literals {
            let path = self.file(ending);
            fs::write(&path, text).map_err(|error| no_room(&error))?;
            product.files.insert(ending, Content::File(path));
        }
        self.link("in", &mut product.files)?;
        self.check_input(&product.files)?;
        if product.files.contains_key("in") {
            self.check("in", &mut product)?;
            self.answer(&mut product)?;
        }
        self.link("ans", &mut product.files)?;
        self.check_answer(&product)?;
        self.check("ans", &mut product)?;
        self.drop_pictures(&mut product.files);
        Ok(product)
    }

    fn file(&self, ending: Ending) -> PathBuf {
        self.folder.join(format!("testcase.{ending}"))
    }

    /// Tries the generator until it succeeds, each time with the next seed. One that takes too long does so again.
    fn generate(&self, command: &Command, generator: &JuryProgram, product: &mut Product) -> Result<(), Trouble> {
        let (mut last, mut tried) = (String::new(), 0);
        for tries in 0..self.case.inherited.retries {
            let seed = seed::later(command.seed, tries);
            product.files.clear();
            tried += 1;
            match self.try_once(command, generator, seed, product)? {
                Ok(()) => {
                    product.seed = command.uses_seed.then_some(seed);
                    return Ok(());
                }
                Err((message, is_final)) => {
                    last = format!("{}: {message}", command.shown(seed));
                    if is_final {
                        break;
                    }
                }
            }
        }
        let times = if tried > 1 { format!(" (tried {tried} times)") } else { String::new() };
        Err(failed(format!("{last}{times}")))
    }

    /// The inner error says whether trying again is of no use.
    pub(super) fn try_once(
        &self,
        command: &Command,
        generator: &JuryProgram,
        seed: u32,
        product: &mut Product,
    ) -> Result<Result<(), (String, bool)>, Trouble> {
        let arguments = command.arguments(seed).into_iter().map(OsString::from).collect();
        let look = |folder: &OwnedFd| self.take_files(folder);
        let (outcome, taken) =
            self.workshop.run_in_new_folder(generator, arguments, self.limits(LARGEST_BYTES), look)?;
        if let Some(message) = ended_badly(&outcome) {
            return Ok(Err((message, outcome.crossed.is_some())));
        }
        let files = match taken {
            Ok(files) => files,
            Err(message) => return Ok(Err((message, true))),
        };
        product.files = files;
        if product.files.contains_key("in") {
            if !outcome.stdout.is_empty() {
                product
                    .remarks
                    .push("the generator wrote testcase.in and to standard output, which is ignored".to_owned());
            }
        } else if outcome.stdout.is_empty() {
            return Ok(Err(("it wrote neither to standard output nor testcase.in".to_owned(), false)));
        } else {
            let path = self.file("in");
            fs::write(&path, &*outcome.stdout).map_err(|error| no_room(&error))?;
            product.files.insert("in", Content::File(path));
        }
        Ok(Ok(()))
    }

    /// Takes the files of known names out of a generator's folder. Nothing there is trusted: links are followed to
    /// other files of the case alone, pipes and devices are not read, and nothing is read without a bound.
    fn take_files(&self, folder: &OwnedFd) -> Result<Files, String> {
        let mut files = Files::new();
        let mut room = LARGEST_BYTES;
        for ending in ending::all() {
            let name = format!("testcase.{ending}");
            if let Ok(target) = rustix::fs::readlinkat(folder, &name, Vec::new()) {
                let target = target.to_str().ok().and_then(|target| ending::known(target.strip_prefix("testcase.")?));
                let target = target.ok_or_else(|| format!("{name} is a link that leads away; write a plain file"))?;
                files.insert(ending, Content::Link(target));
                continue;
            }
            let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
            let file = match rustix::fs::openat(folder, &name, flags, Mode::empty()) {
                Err(rustix::io::Errno::NOENT) => continue,
                Err(error) => return Err(format!("{name} cannot be read: {error}")),
                Ok(file) => File::from(file),
            };
            if !file.metadata().is_ok_and(|found| found.is_file()) {
                return Err(format!("{name} is no plain file"));
            }
            let path = self.file(ending);
            let copied = File::create(&path).and_then(|mut to| io::copy(&mut file.take(room + 1), &mut to));
            let copied = copied.map_err(|error| format!("{name} cannot be copied: {error}"))?;
            room = room.checked_sub(copied).ok_or_else(|| format!("its files have more than {LARGEST_BYTES} bytes"))?;
            files.insert(ending, Content::File(path));
        }
        Ok(files)
    }

    fn limits(&self, output_bytes: u64) -> Limits {
        let limits = &self.package.limits;
        Limits {
            cpu: limits.generation_time,
            wall: limits.generation_time * 2 + Duration::from_secs(1),
            memory_bytes: limits.validation_memory_bytes.max(limits.memory_bytes),
            output_bytes,
        }
    }

    /// Makes the links of one kind, whose targets must be there by now.
    fn link(&self, kind: &str, files: &mut Files) -> Result<(), Trouble> {
        for &(ending, target) in self.case.links.iter().filter(|(ending, _)| ending.split('.').next() == Some(kind)) {
            if !files.contains_key(target) {
                return Err(failed(format!("'{ending}' is a link to '{target}', which there is not")));
            }
            files.insert(ending, Content::Link(target));
        }
        Ok(())
    }

    /// There has to be an input; for a sample, what is shown and handed out serves as well.
    fn check_input(&self, files: &Files) -> Result<(), Trouble> {
        let has = |ending: Ending| files.contains_key(ending);
        let talks = !solution::is_printed(self.package);
        let shown = has("in.statement") || talks && has("interaction");
        if has("in") || self.case.part() == "sample" && has("in.download") && shown {
            return Ok(());
        }
        Err(failed("there is no input: no file .in was generated, copied or given"))
    }

    fn answer(&self, product: &mut Product) -> Result<(), Trouble> {
        if product.files.contains_key("ans") || !solution::is_asked(self.case) {
            return Ok(());
        }
        let path = self.file("ans");
        if !solution::is_printed(self.package) {
            File::create(&path).map_err(|error| no_room(&error))?;
        } else if let Some(program) = self.solution {
            let Some(Content::File(input)) = product.files.get("in") else {
                return Err(failed("the input is a link, and the solution is not asked"));
            };
            let outcome = self.workshop.run(
                program,
                &Run { arguments: Vec::new(), input: Input::File(input), limits: self.limits(LARGEST_BYTES) },
            )?;
            if let Some(message) = ended_badly(&outcome) {
                return Err(failed(format!("the solution: {message}")));
            }
            fs::write(&path, &*outcome.stdout).map_err(|error| no_room(&error))?;
        } else {
            return Err(failed("there is no answer: no .ans was generated, copied or given, and there is no solution"));
        }
        product.files.insert("ans", Content::File(path));
        Ok(())
    }

    fn check_answer(&self, product: &Product) -> Result<(), Trouble> {
        let part = self.case.part();
        if !product.files.contains_key("in") || ["invalid_input", "testing_tool_test"].contains(&part) {
            return Ok(());
        }
        if !product.files.contains_key("ans") {
            return Err(failed("there is no answer: no file .ans was generated, copied or given"));
        }
        if ["invalid_output", "valid_output"].contains(&part) && !product.files.contains_key("out") {
            return Err(failed("there is no output: no file .out was generated, copied or given"));
        }
        Ok(())
    }

    /// Looks for the patterns of one file.
    fn check(&self, ending: Ending, product: &mut Product) -> Result<(), Trouble> {
        let patterns: Vec<_> = self.case.patterns.iter().filter(|pattern| pattern.ending == ending).collect();
        if patterns.is_empty() {
            return Ok(());
        }
        let Some(path) = followed(&product.files, ending) else {
            return Err(failed(format!("'match' looks into the .{ending}, which there is not")));
        };
        let text = fs::read(path).map_err(|error| no_room(&error))?;
        for pattern in patterns {
            if !pattern.is_in(&text).map_err(Trouble::Failed)? {
                product.unmatched.push(format!("{} not found in the .{ending}", pattern.written));
            }
        }
        Ok(())
    }

    /// Pictures are what visualizers draw. Where there are none, BAPCtools takes away those that came otherwise.
    fn drop_pictures(&self, files: &mut Files) {
        let is_looked_at = files.contains_key("in") && !self.case.part().starts_with("invalid_");
        if is_looked_at && self.case.part() != "testing_tool_test" {
            files.retain(|ending, _| !PICTURES.contains(ending));
        }
    }
}

/// The file that holds the bytes.
fn followed(files: &Files, ending: Ending) -> Option<&Path> {
    match files.get(ending)? {
        Content::File(path) => Some(path),
        Content::Link(target) => match files.get(target)? {
            Content::File(path) => Some(path),
            Content::Link(_) => None,
        },
    }
}

fn no_room(source: &io::Error) -> Trouble {
    let source = io::Error::new(source.kind(), source.to_string());
    Trouble::Sandbox(SandboxError::System { doing: "keeping what was generated", source })
}

fn ended_badly(outcome: &Outcome) -> Option<String> {
    let what = match (outcome.crossed, outcome.ended) {
        (Some(limit), _) => format!("it used {}", limit_words(limit)),
        (None, Ended::Exited(0)) => return None,
        (None, ended) => format!("it ended with {}", ending_words(ended)),
    };
    let said = printable(&outcome.stderr[..outcome.stderr.len().min(SAID_BYTES)]);
    let said = said.trim();
    Some(if said.is_empty() { what } else { format!("{what} and said: {said}") })
}
