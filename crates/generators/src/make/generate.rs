//! Runs the generator of a test case in an empty folder, and collects its files without trusting them.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags};

use super::super::command::Command;
use super::super::content::{Content, Files, LARGEST_BYTES};
use super::super::ending::Ending;
use super::super::{ending, seed};
use super::{MakeError, Maker, Product, failed, failure_message, file_behind_link, storage_error};
use referee_judge::package_program::JuryProgram;

impl Maker<'_> {
    /// Runs the generator until it succeeds, at most `retries` times and each time with the next seed. A generator that
    /// exceeds a limit or writes files that are refused is not run again, because it would probably do so again.
    pub(super) fn generate(
        &self,
        command: &Command,
        generator: &JuryProgram,
        product: &mut Product,
    ) -> Result<(), MakeError> {
        let (mut last, mut tried) = (String::new(), 0);
        for tries in 0..self.case.inherited.retries {
            let seed = seed::later(command.seed, tries);
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

    /// Runs the generator once. The inner error holds a message and whether another attempt is useless. The outer error
    /// means that the test case cannot be made.
    pub(crate) fn try_once(
        &self,
        command: &Command,
        generator: &JuryProgram,
        seed: u32,
        product: &mut Product,
    ) -> Result<Result<(), (String, bool)>, MakeError> {
        let arguments = command.arguments(seed).into_iter().map(OsString::from).collect();
        let take = |folder: &OwnedFd| self.take_files(folder);
        let limits = self.limits(LARGEST_BYTES);
        let (outcome, taken) = self.package_programs.run_in_new_folder(generator, arguments, limits, take)?;
        if let Some(message) = failure_message(&outcome, &limits) {
            return Ok(Err((message, outcome.crossed.is_some())));
        }
        let files = match taken {
            Ok(files) => files,
            Err(message) => return Ok(Err((message, true))),
        };
        product.files = files;
        if product.files.contains_key("in") {
            if !outcome.stdout.is_empty() {
                product.remarks.push(
                    "the generator wrote both to testcase.in and to standard output; standard output is ignored"
                        .to_owned(),
                );
            }
        } else if outcome.stdout.is_empty() {
            return Ok(Err(("the generator wrote neither to testcase.in nor to standard output".to_owned(), false)));
        } else {
            let path = self.file("in");
            fs::write(&path, &*outcome.stdout).map_err(|error| storage_error(&error))?;
            product.files.insert("in", Content::File(path));
        }
        Ok(match link_to_nothing(&product.files) {
            Some((ending, target)) => {
                let why =
                    format!("testcase.{ending} is a link to testcase.{target}, which is no file; write a plain file");
                Err((why, false))
            }
            None => Ok(()),
        })
    }

    /// Copies the files with known names out of a generator's folder. The folder is not trusted. Links may lead only to
    /// other files of the case. Pipes and devices are not read, and the total size is bounded.
    fn take_files(&self, folder: &OwnedFd) -> Result<Files, String> {
        let mut files = Files::new();
        let mut room = LARGEST_BYTES;
        for ending in ending::all() {
            let name = format!("testcase.{ending}");
            if let Ok(target) = rustix::fs::readlinkat(folder, &name, Vec::new()) {
                let target = target.to_str().ok().and_then(|target| ending::known(target.strip_prefix("testcase.")?));
                let target = target
                    .ok_or_else(|| format!("{name} is a link that leads out of the test case; write a plain file"))?;
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
                return Err(format!("{name} is not a regular file"));
            }
            let path = self.file(ending);
            let copied = File::create(&path).and_then(|mut to| io::copy(&mut file.take(room + 1), &mut to));
            let copied = copied.map_err(|error| format!("{name} cannot be copied: {error}"))?;
            room = room
                .checked_sub(copied)
                .ok_or_else(|| format!("the generator's files have more than the {LARGEST_BYTES} bytes allowed"))?;
            files.insert(ending, Content::File(path));
        }
        Ok(files)
    }
}

/// Returns the first link that leads to no file, with its target; `None` if there is none. Two links can lead to each
/// other.
fn link_to_nothing(files: &Files) -> Option<(Ending, Ending)> {
    files.iter().find_map(|(ending, content)| match content {
        Content::Link(target) if file_behind_link(files, ending).is_none() => Some((*ending, *target)),
        _ => None,
    })
}
