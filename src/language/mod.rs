//! Languages: what a submission is written in, the tools it needs, how to compile it and how to run it.
//!
//! The table is in [`table`]; everything else works for any row of it. A tool that is not installed is not an error
//! of the submission: [`Unready::MissingTool`] names it and the Debian package that has it.

mod detect;
mod table;
mod tool;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use detect::{Detected, detect};
pub use table::{Language, TABLE};
pub use tool::{Tool, find as find_tool, homes as tool_homes, search_path};

/// A language's commands with the tools of this machine filled in.
#[derive(Clone, Debug)]
pub struct Commands {
    /// How to compile, if there is anything to compile.
    pub compile: Option<Vec<OsString>>,
    /// How to run what came of it.
    pub run: Vec<OsString>,
}

/// A submission cannot be prepared here, and that is not its fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unready {
    /// A tool is missing.
    #[error("{tool} is not installed; install it with: apt-get install {package}")]
    MissingTool {
        /// The command that was looked for.
        tool: &'static str,
        /// The Debian package that has it.
        package: &'static str,
    },
}

/// What the templates of a language may name.
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    /// The submission's source files, relative to the folder it is compiled in.
    pub sources: &'a [PathBuf],
    /// The file to start with, relative to the folder.
    pub main: &'a Path,
    /// The entry point: a class, for languages that have them.
    pub entry_point: &'a str,
    /// The folder, absolute.
    pub folder: &'a Path,
    /// The memory limit in MiB, for run-times that size their own heap.
    pub memory_mib: u64,
}

impl Language {
    /// Fills the templates in.
    pub fn commands(&self, parts: &Parts<'_>) -> Result<Commands, Unready> {
        let compile = self.compile.map(|template| fill(template, parts)).transpose()?;
        Ok(Commands { compile, run: fill(self.run, parts)? })
    }

    /// The tools that it needs.
    pub fn tools(&self) -> Vec<&'static Tool> {
        let words = self.compile.unwrap_or_default().iter().chain(self.run);
        let names: Vec<_> = words.filter_map(|word| word.strip_prefix("{tool:")?.strip_suffix('}')).collect();
        tool::TOOLS.iter().filter(|tool| names.contains(&tool.name)).collect()
    }

    /// The folders that its tools need to work, as far as they are installed.
    pub fn tool_homes(&self) -> Vec<PathBuf> {
        self.tools().iter().filter_map(|tool| tool::find(tool.name).ok()).flat_map(|path| tool::homes(&path)).collect()
    }

    /// The entry point of what was compiled in `folder`, where none is declared: the default if there is one of that
    /// name, else the class that is called like the file `main`, as in `Solver.java`.
    pub fn entry_point_in(&self, folder: &Path, main: &Path) -> String {
        let is_there = |ending: &str, class: &str| folder.join(class).with_extension(ending).is_file();
        let own = main.file_stem().and_then(|stem| stem.to_str());
        match (self.entry_point_file, own) {
            (Some(ending), Some(own)) if !is_there(ending, self.entry_point) && is_there(ending, own) => own.to_owned(),
            _ => self.entry_point.to_owned(),
        }
    }
}

/// The languages with their endings, for a message.
pub fn endings() -> String {
    let one = |language: &Language| format!("{} (.{})", language.name, language.endings.join(" ."));
    TABLE.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn fill(template: &[&str], parts: &Parts<'_>) -> Result<Vec<OsString>, Unready> {
    let mut command = Vec::new();
    for &word in template {
        match word {
            "{sources}" => command.extend(parts.sources.iter().map(|source| as_a_file(source))),
            "{main}" => command.push(parts.folder.join(parts.main).into_os_string()),
            "{folder}" => command.push(parts.folder.as_os_str().to_owned()),
            "{entry_point}" => command.push(parts.entry_point.into()),
            "{binary}" => command.push(parts.folder.join("program.out").into_os_string()),
            "{heap}" => command.push(format!("-Xmx{}m", parts.memory_mib).into()),
            _ => match word.strip_prefix("{tool:").and_then(|word| word.strip_suffix('}')) {
                Some(name) => command.push(tool::find(name)?.into_os_string()),
                None => command.push(word.into()),
            },
        }
    }
    Ok(command)
}

/// A relative path that no compiler takes for an option, or for a file of options.
fn as_a_file(path: &Path) -> OsString {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.".contains(byte);
    if path.as_os_str().as_encoded_bytes().first().is_some_and(is_plain) {
        return path.as_os_str().to_owned();
    }
    Path::new(".").join(path).into_os_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_with_the_submissions_own_parts() {
        let parts = Parts {
            sources: &["a.cpp".into(), "b.cpp".into()],
            main: Path::new("a.cpp"),
            entry_point: "Main",
            folder: Path::new("/build"),
            memory_mib: 64,
        };
        let command = fill(&["-o", "{binary}", "{sources}", "{heap}", "{entry_point}"], &parts).unwrap();
        assert_eq!(command, ["-o", "/build/program.out", "a.cpp", "b.cpp", "-Xmx64m", "Main"]);
    }

    #[test]
    fn a_source_whose_name_is_an_option_is_given_as_a_file() {
        for (name, given) in [("a.c", "a.c"), ("-Wl,x.c", "./-Wl,x.c"), ("@x.c", "./@x.c"), ("ä.c", "./ä.c")] {
            assert_eq!(as_a_file(Path::new(name)), given);
        }
    }

    #[test]
    fn every_tool_of_the_table_is_known() {
        for language in TABLE {
            for word in language.compile.unwrap_or_default().iter().chain(language.run) {
                if let Some(name) = word.strip_prefix("{tool:").and_then(|word| word.strip_suffix('}')) {
                    assert!(tool::TOOLS.iter().any(|tool| tool.name == name), "{}: {name}", language.id);
                }
            }
        }
    }

    #[test]
    fn no_two_languages_share_an_ending() {
        let mut endings: Vec<_> = TABLE.iter().flat_map(|language| language.endings).collect();
        let count = endings.len();
        endings.sort_unstable();
        endings.dedup();
        assert_eq!(endings.len(), count);
    }
}
