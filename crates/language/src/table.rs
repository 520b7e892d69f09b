//! The table of languages. Its rows are in `languages.toml`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use super::Unready;
use super::public_type::public_types;
use super::template::{Parts, Stage, Word, tools_of};
use super::tool::{Tool, Tools};

/// A language. What the columns mean is said in `languages.toml`.
#[derive(Clone, Debug)]
pub struct Language {
    /// The format's name for it.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Endings of its source files, without the dot.
    pub endings: Vec<String>,
    pub(super) other_endings: Vec<String>,
    pub(super) wins_over: Vec<String>,
    pub(super) shebang: Option<String>,
    pub(super) unlike: Option<String>,
    pub(super) main_files: Vec<String>,
    pub(super) entry_point: Option<String>,
    pub(super) entry_point_file: Option<String>,
    pub(super) entry_point_by_file: Option<String>,
    pub(super) entry_point_by_main: bool,
    pub(super) file_by_public_type: bool,
    pub(super) compile: Option<Vec<Word>>,
    pub(super) run: Vec<Word>,
    pub(super) environment: BTreeMap<String, Word>,
    /// Those that its words name.
    pub(super) tools: Tools,
}

/// All languages, in the order in which they are preferred where a folder has as many files of each.
#[derive(Clone, Debug)]
pub struct Table {
    /// One per id.
    pub languages: Vec<Language>,
}

/// A language's commands with the tools of this machine filled in.
#[derive(Clone, Debug)]
pub struct Commands {
    /// How to compile, if there is anything to compile.
    pub compile: Option<Vec<OsString>>,
    /// How to run what came of it.
    pub run: Vec<OsString>,
    /// Variables for both.
    pub environment: Vec<(OsString, OsString)>,
}

impl Table {
    /// The languages with their endings, for a message.
    pub fn endings(&self) -> String {
        let told = self.languages.iter().filter(|language| !language.endings.is_empty());
        let one = |language: &Language| format!("{} (.{})", language.name, language.endings.join(" ."));
        told.map(one).collect::<Vec<_>>().join(", ")
    }

    /// The ids of all languages, for a message.
    pub fn ids(&self) -> String {
        self.languages.iter().map(|language| language.id.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Whether it is clear which files are in this language.
    pub(super) fn check_claims(&self, language: &Language) -> Result<(), String> {
        let id = &language.id;
        for lost in &language.wins_over {
            if self.languages.iter().all(|other| other.id != *lost) {
                return Err(format!("{id:?} wins over {lost:?}, which is no language here; known: {}", self.ids()));
            }
        }
        for ending in &language.endings {
            let rivals = self.languages.iter().filter(|other| other.id != *id && other.endings.contains(ending));
            for other in rivals {
                if language.wins_over.contains(&other.id) == other.wins_over.contains(id) {
                    return Err(format!(
                        "{id:?} and {:?} both claim the ending {ending:?}; say which has it, by wins_over = [{:?}] in \
                         the row of {id:?}, or the other way round",
                        other.id, other.id
                    ));
                }
            }
        }
        Ok(())
    }
}

impl Language {
    /// All words of its commands.
    pub(super) fn words(&self) -> impl Iterator<Item = &Word> {
        self.compile.iter().flatten().chain(&self.run).chain(self.environment.values())
    }

    /// Fills the templates in.
    pub fn commands(&self, parts: &Parts<'_>) -> Result<Commands, Unready> {
        let compile = self.compile.as_ref().map(|words| self.fill(words, parts, Stage::Compile)).transpose()?;
        let run = self.fill(&self.run, parts, Stage::Run)?;
        let variable =
            |(name, value): (&String, &Word)| Ok((name.into(), value.fill_one(parts, &self.tools, Stage::Run)?));
        let environment = self.environment.iter().map(variable).collect::<Result<_, _>>()?;
        Ok(Commands { compile, run, environment })
    }

    fn fill(&self, words: &[Word], parts: &Parts<'_>, stage: Stage) -> Result<Vec<OsString>, Unready> {
        let filled = words.iter().map(|word| word.fill(parts, &self.tools, stage));
        Ok(filled.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// The tools that it needs, in the order in which it names them.
    pub fn tools(&self) -> Vec<&Arc<Tool>> {
        tools_of(self.words()).into_iter().filter_map(|name| self.tools.0.get(name)).collect()
    }

    /// The folders that its tools need to work, as far as they are installed.
    pub fn tool_folders(&self) -> Vec<PathBuf> {
        self.tools().iter().filter_map(|tool| tool.find().ok()).flat_map(|found| found.folders.clone()).collect()
    }

    /// The entry point, unless the package names another.
    pub fn entry_point(&self) -> &str {
        self.entry_point.as_deref().unwrap_or("")
    }

    /// Whether the compiler takes a source file only under the name of a type in it.
    pub fn names_files_by_type(&self) -> bool {
        self.file_by_public_type
    }

    /// The name, without its ending, under which the compiler takes a source file with this `text`; `None` if it takes
    /// the file under its present name, `stem`.
    pub fn file_stem_for<'t>(&self, text: &'t [u8], stem: &str) -> Option<&'t str> {
        let types = public_types(text);
        if !self.file_by_public_type || types.contains(&stem) { None } else { types.first().copied() }
    }
}
