//! The table of languages. Its rows are in `languages.toml`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Unready;
use super::first_include::{first_include, leading_includes};
use super::public_type::public_types;
use super::template::{Stage, TemplateValues, TemplateWord, tools_of};
use super::tool::{Tool, Tools};

/// A language. `languages.toml` documents the columns.
#[derive(Clone, Debug)]
pub struct Language {
    /// The name of the language in the package format.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The extensions of its source files, without the dot.
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
    pub(super) compile: Option<Vec<TemplateWord>>,
    pub(super) headers: Vec<String>,
    pub(super) precompile: Option<Vec<TemplateWord>>,
    pub(super) precompile_plugin: Option<Vec<TemplateWord>>,
    pub(super) compiler_archive: Option<Vec<TemplateWord>>,
    pub(super) compile_together: Option<Vec<TemplateWord>>,
    pub(super) compile_metamutant: Option<Vec<TemplateWord>>,
    pub(super) run: Vec<TemplateWord>,
    pub(super) warm_until: Option<TemplateWord>,
    pub(super) environment: BTreeMap<String, TemplateWord>,
    /// The tools that its commands name.
    pub(super) tools: Tools,
    /// The id of the language whose commands Kattis and DOMjudge use for programs in this language; `None` if they use
    /// the commands of this language itself.
    pub(super) substitute_id: Option<String>,
    /// This language with the commands of its substitute; `None` if it has no substitute.
    pub(super) substitute: Option<Box<Language>>,
}

/// All languages, in order of preference. The order decides when a folder has equally many files of two languages.
#[derive(Clone, Debug)]
pub struct Table {
    /// The languages, one per id.
    pub languages: Vec<Language>,
    /// All tools, also those that no language uses.
    pub(super) tools: Tools,
}

/// A language's commands, with the paths of this machine's tools filled in.
#[derive(Clone, Debug)]
pub struct Commands {
    /// The command that compiles; `None` if the language needs no compiler.
    pub compile: Option<Vec<OsString>>,
    /// The command that runs the program.
    pub run: Vec<OsString>,
    /// Environment variables for both commands.
    pub environment: Vec<(OsString, OsString)>,
    /// The file whose opening ends the start of the interpreter; `None` if there is no such file.
    pub warm_until: Option<PathBuf>,
}

impl Table {
    /// Lists the languages that have extensions, each with its extensions, for a message.
    pub fn endings(&self) -> String {
        let shown = self.languages.iter().filter(|language| !language.endings.is_empty());
        let one = |language: &Language| format!("{} (.{})", language.name, language.endings.join(" ."));
        shown.map(one).collect::<Vec<_>>().join(", ")
    }

    /// Returns the tool with this name, which may be one that no language uses; `None` if no file of languages defines
    /// the tool.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.by_name.get(name).map(AsRef::as_ref)
    }

    /// Lists the ids of all languages, for a message.
    pub fn ids(&self) -> String {
        self.languages.iter().map(|language| language.id.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Returns whether files may be prepared for the compiler of the program in this file, judged by the file's ending
    /// alone: a precompiled header, or an archive of the compiler's classes.
    pub fn prepares_for(&self, path: &Path) -> bool {
        let ending = path.extension().and_then(OsStr::to_str);
        let prepares = |language: &Language| {
            language.compiler_archive.is_some() || (language.precompile.is_some() && !language.headers.is_empty())
        };
        let mut languages = self.languages.iter().filter(|language| prepares(language));
        languages.any(|language| language.endings.iter().any(|known| Some(known.as_str()) == ending))
    }

    /// Checks that `wins_over` of the language names only known languages. If another language has the same ending,
    /// checks that the key `wins_over` of exactly one of these two languages contains the other language. Fails with a
    /// message otherwise.
    pub(super) fn check_claims(&self, language: &Language) -> Result<(), String> {
        let id = &language.id;
        for lost in &language.wins_over {
            if self.languages.iter().all(|other| other.id != *lost) {
                return Err(format!(
                    "wins_over of {id:?} names {lost:?}, which is not a known language; known: {}",
                    self.ids()
                ));
            }
        }
        for ending in &language.endings {
            let rivals = self.languages.iter().filter(|other| other.id != *id && other.endings.contains(ending));
            for other in rivals {
                if language.wins_over.contains(&other.id) == other.wins_over.contains(id) {
                    return Err(format!(
                        "{id:?} and {:?} both claim the ending {ending:?}; decide with wins_over = [{:?}] in \
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
    /// Returns all words of the language's commands and environment.
    pub(super) fn words(&self) -> impl Iterator<Item = &TemplateWord> {
        let others = [
            &self.precompile,
            &self.precompile_plugin,
            &self.compiler_archive,
            &self.compile_together,
            &self.compile_metamutant,
        ];
        self.words_of_programs().chain(others.into_iter().flatten().flatten())
    }

    /// Returns the words of the commands that compile and run programs, and of the environment.
    pub(super) fn words_of_programs(&self) -> impl Iterator<Item = &TemplateWord> {
        self.compile.iter().flatten().chain(&self.run).chain(self.environment.values())
    }

    /// Fills in the templates. Fails if a tool is missing.
    pub fn commands(&self, values: &TemplateValues<'_>) -> Result<Commands, Unready> {
        let compile = self.compile.as_ref().map(|words| self.fill(words, values, Stage::Compile)).transpose()?;
        let run = self.fill(&self.run, values, Stage::Run)?;
        let variable = |(name, value): (&String, &TemplateWord)| {
            Ok((name.into(), value.fill_one(values, &self.tools, Stage::Run)?))
        };
        let environment = self.environment.iter().map(variable).collect::<Result<_, _>>()?;
        let warm_until =
            self.warm_until.as_ref().map(|word| word.fill_one(values, &self.tools, Stage::Run)).transpose()?;
        Ok(Commands { compile, run, environment, warm_until: warm_until.map(PathBuf::from) })
    }

    /// Returns the command that precompiles the header which the file `values.main` includes. Fails if a tool is
    /// missing. `None` if the language precompiles no headers.
    pub fn precompile(&self, values: &TemplateValues<'_>) -> Option<Result<Vec<OsString>, Unready>> {
        self.precompile.as_ref().map(|words| self.fill(words, values, Stage::Compile))
    }

    /// Whether the compiler loads a plugin to precompile headers.
    pub fn has_precompile_plugin(&self) -> bool {
        self.precompile_plugin.is_some() && self.precompile.iter().flatten().any(TemplateWord::names_plugin)
    }

    /// Returns the command that compiles the plugin with which [`Language::precompile`] instantiates templates. Fails if
    /// a tool is missing. `None` if the language has no plugin.
    pub fn precompile_plugin(&self, values: &TemplateValues<'_>) -> Option<Result<Vec<OsString>, Unready>> {
        let words = self.precompile_plugin.as_ref().filter(|_| self.has_precompile_plugin());
        words.map(|words| self.fill(words, values, Stage::Compile))
    }

    /// Returns the command that makes an archive of the compiler's own classes. Fails if a tool is missing. `None` if the
    /// language has no such command, or if its compiler does not use the archive.
    pub fn compiler_archive(&self, values: &TemplateValues<'_>) -> Option<Result<Vec<OsString>, Unready>> {
        self.compile.iter().flatten().find(|word| word.names_archive())?;
        self.compiler_archive.as_ref().map(|words| self.fill(words, values, Stage::Compile))
    }

    /// Returns the command that compiles several programs in one process. Fails if a tool is missing. `None` if the
    /// language's programs can only be compiled one by one.
    pub fn compile_together(&self, values: &TemplateValues<'_>) -> Option<Result<Vec<OsString>, Unready>> {
        self.compile_together.as_ref().map(|words| self.fill(words, values, Stage::Compile))
    }

    /// Returns the command that compiles a program which contains several mutants. It also writes the sources after
    /// preprocessing, and the program in assembly language. Fails if a tool is missing. `None` if the language has no such command.
    pub fn compile_metamutant(&self, values: &TemplateValues<'_>) -> Option<Result<Vec<OsString>, Unready>> {
        self.compile_metamutant.as_ref().map(|words| self.fill(words, values, Stage::Compile))
    }

    /// Returns the header that may be precompiled for a program with these source texts: all of them begin with an
    /// `#include` line for the same header, and the table names this header. `None` if there is no such header.
    pub fn header_of<'t>(&self, mut texts: impl Iterator<Item = &'t [u8]>) -> Option<&str> {
        let is_used = self.compile.iter().flatten().any(TemplateWord::names_headers);
        self.precompile.as_ref().filter(|_| is_used)?;
        let first = first_include(texts.next()?)?;
        let header = self.headers.iter().find(|header| *header == first)?;
        texts.all(|text| first_include(text) == Some(first)).then_some(header)
    }

    /// Returns the headers with which all of these source texts begin, in order, if the language precompiles headers.
    /// These headers may be precompiled together, because one header with these `#include` lines has the same meaning.
    pub fn leading_headers<'t>(&self, mut texts: impl Iterator<Item = &'t [u8]>) -> Vec<&'t str> {
        let is_used = self.compile.iter().flatten().any(TemplateWord::names_headers);
        if self.precompile.is_none() || self.headers.is_empty() || !is_used {
            return Vec::new();
        }
        let Some(first) = texts.next() else { return Vec::new() };
        let legal = leading_includes(first).into_iter().take_while(|name| is_header_name(name)).collect();
        texts.fold(legal, |common: Vec<_>, text| {
            let same = common.iter().zip(leading_includes(text)).take_while(|(one, other)| **one == *other).count();
            common.into_iter().take(same).collect()
        })
    }

    fn fill(
        &self,
        words: &[TemplateWord],
        values: &TemplateValues<'_>,
        stage: Stage,
    ) -> Result<Vec<OsString>, Unready> {
        let filled = words.iter().map(|word| word.fill(values, &self.tools, stage));
        Ok(filled.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Returns this language with the commands and the display name of its substitute; `None` if it has no substitute.
    /// The substitute is the language whose tools Kattis and DOMjudge use for programs in this language.
    pub fn substitute(&self) -> Option<&Language> {
        self.substitute.as_deref()
    }

    /// Returns why the language cannot be used on this machine; `None` if all its tools are installed.
    pub fn unready(&self) -> Option<Unready> {
        self.tools().iter().find_map(|tool| tool.find().err())
    }

    /// Returns what the user should know about the compile command: for each choice whose first alternative the compiler
    /// rejects, the remark of that choice.
    pub fn remarks(&self) -> Vec<&str> {
        let choices = self.compile.iter().flatten().filter_map(TemplateWord::choice);
        choices.filter_map(|name| self.tools.choices.get(name)?.remark()).collect()
    }

    /// Returns this language with the commands and the display name of `other`. The result keeps the id of this
    /// language, and therefore its rules in the package format.
    pub(super) fn with_commands_of(&self, other: &Language) -> Language {
        Language {
            name: other.name.clone(),
            compile: other.compile.clone(),
            headers: other.headers.clone(),
            precompile: other.precompile.clone(),
            precompile_plugin: other.precompile_plugin.clone(),
            compiler_archive: other.compiler_archive.clone(),
            compile_together: other.compile_together.clone(),
            compile_metamutant: other.compile_metamutant.clone(),
            run: other.run.clone(),
            warm_until: other.warm_until.clone(),
            environment: other.environment.clone(),
            tools: other.tools.clone(),
            substitute_id: None,
            substitute: None,
            ..self.clone()
        }
    }

    /// Returns the tools that the language needs, in the order in which its commands name them.
    pub fn tools(&self) -> Vec<&Arc<Tool>> {
        tools_of(self.words()).into_iter().filter_map(|name| self.tools.by_name.get(name)).collect()
    }

    /// Returns the folders that the installed tools of this language need to work. Leaves out tools that are missing.
    pub fn tool_folders(&self) -> Vec<PathBuf> {
        self.tools().iter().filter_map(|tool| tool.find().ok()).flat_map(|found| found.folders.clone()).collect()
    }

    /// Returns the default entry point, for programs whose package declares none. It is empty if the language has none.
    pub fn entry_point(&self) -> &str {
        self.entry_point.as_deref().unwrap_or("")
    }

    /// Returns whether the compiler accepts a source file only if the file is named after the public type in it, as
    /// javac requires.
    pub fn names_files_by_type(&self) -> bool {
        self.file_by_public_type
    }

    /// Returns the name, without extension, that the compiler requires for a source file with this `text`; `None` if it
    /// accepts the present name, `stem`.
    pub fn file_stem_for<'t>(&self, text: &'t [u8], stem: &str) -> Option<&'t str> {
        let types = public_types(text);
        if !self.file_by_public_type || types.contains(&stem) { None } else { types.first().copied() }
    }
}

/// Returns whether the text is the plain name of a header, such as `bits/stdc++.h`.
pub(super) fn is_header_name(name: &str) -> bool {
    let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte);
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && part.bytes().all(is_legal);
    name.split('/').all(is_part)
}
