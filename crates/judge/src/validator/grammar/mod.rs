//! Runs input and answer validators that are not programs but grammars: files in a language that describes inputs.

mod checktestdata;
mod find_viva;
mod viva;

use std::fs;
use std::path::PathBuf;

use crate::build::{Source, folder, sources};
use crate::workspace::copy::CopyError;
use crate::workspace::folder::Folder;
use crate::workspace::site::Site;
use crate::{JudgeError, Settings};
use referee_files::regular;
use referee_package::{Package, PackageProgram};
use referee_sandbox::{Input, Limits, interrupt};

use super::input_validator::InputVerdict;
use checktestdata::Checktestdata;
use viva::Viva;

/// Maximum size of a checked input or answer, in bytes, as for inputs of programs.
const LARGEST_INPUT_BYTES: u64 = 1 << 30;

/// A validator that is a grammar.
pub(super) enum Grammar {
    Checktestdata(Checktestdata),
    Viva(Box<Viva>),
}

impl Grammar {
    /// Checks an input, or an answer. Fails if the file cannot be read, or if the judge is interrupted.
    pub(super) fn judge(&self, checked: Input<'_>) -> Result<InputVerdict, JudgeError> {
        match self {
            Grammar::Viva(viva) => viva.judge(checked),
            Grammar::Checktestdata(program) => match checked {
                Input::Empty => program.judge(&[]),
                Input::Captured(bytes) => program.judge(bytes),
                Input::File(path) => match regular::read(path, LARGEST_INPUT_BYTES) {
                    Ok(bytes) => program.judge(&bytes),
                    Err(_) if interrupt::happened() => Err(JudgeError::Interrupted),
                    Err(source) => Err(JudgeError::System { doing: "reading a test case", source }),
                },
            },
        }
    }
}

/// The reason why a grammar cannot be used.
pub(super) enum NotUsable {
    /// The grammar itself is at fault.
    Grammar(String),
    /// This machine lacks the program that checks inputs by the grammar, or the program does not work.
    Machine(String),
}

/// The languages of grammars.
#[derive(Clone, Copy)]
pub(super) enum GrammarLanguage {
    Checktestdata,
    Viva,
}

impl GrammarLanguage {
    /// Returns the language of the validator; `None` if the validator is a program.
    pub(super) fn of(program: &PackageProgram) -> Option<GrammarLanguage> {
        match program.path.extension()?.to_str()? {
            "ctd" => Some(GrammarLanguage::Checktestdata),
            "viva" => Some(GrammarLanguage::Viva),
            _ => None,
        }
    }

    /// Reads the grammar. The inner error says why it cannot be used.
    pub(super) fn open(
        self,
        program: &PackageProgram,
        package: &Package,
        (settings, limits): (&Settings, Limits),
        site: Site<'_>,
    ) -> Result<Result<Grammar, NotUsable>, JudgeError> {
        let (folder, path) = match gather(program, package, site)? {
            Ok(gathered) => gathered,
            Err(reason) => return Ok(Err(NotUsable::Grammar(reason))),
        };
        match self {
            GrammarLanguage::Checktestdata => {
                let opened = Checktestdata::open(&path, settings);
                Ok(opened.map(Grammar::Checktestdata).map_err(NotUsable::Grammar))
            }
            GrammarLanguage::Viva => {
                let opened = Viva::open(folder, &path, (settings, limits), site)?;
                Ok(opened.map(|viva| Grammar::Viva(Box::new(viva))))
            }
        }
    }
}

/// The name of the copy of a grammar. The name has no space, because the script that starts VIVA does not quote its
/// arguments.
const COPY: &str = "grammar";

/// Copies the grammar into a new folder and replaces the package's constants. Returns the folder and the path of the
/// copy. The inner error says why the grammar cannot be copied.
fn gather(
    program: &PackageProgram,
    package: &Package,
    site: Site<'_>,
) -> Result<Result<(Folder, PathBuf), String>, JudgeError> {
    let system = |source| JudgeError::System { doing: "copying a grammar", source };
    let source = Source::of_package(&program.path, package, &[]);
    let folder = folder(&source, site)?;
    match sources::gather(&source, folder.path()) {
        Ok(()) => {}
        Err(CopyError::Unfit(reason)) => return Ok(Err(reason)),
        Err(CopyError::System(source)) => return Err(system(source)),
    }
    let (gathered, copy) = (folder.path().join(program.path.file_name().unwrap_or_default()), folder.path().join(COPY));
    match fs::rename(gathered, &copy) {
        Ok(()) => Ok(Ok((folder, copy))),
        Err(error) => Ok(Err(format!("it cannot be copied: {error}"))),
    }
}
