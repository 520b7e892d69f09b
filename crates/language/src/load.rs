//! Builds the table of languages from files. Each file overrides the files before it; then the result is checked.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::choice::Choice;
use super::schema::{ChoiceRow, File, LanguageRow, ToolRow};
use super::table::{Language, Table, is_header_name};
use super::template::{TemplateWord, tools_of};
use super::tool::{Tool, Tools};

use referee_files::regular;

/// The name of the built-in table for messages, and its text.
const BUILT_IN: (&str, &str) = ("the built-in languages.toml", include_str!("languages.toml"));

/// A judge whose commands replace ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandsOf {
    /// Kattis problemtools 1.20260907 (`problemtools/config/languages.yaml`).
    Kattis,
    /// DOMjudge 8.3 (`sql/files/defaultdata`).
    Domjudge,
}

impl CommandsOf {
    /// Returns the name (for messages) and the text of the file with this judge's commands. They override the commands
    /// in the built-in table.
    fn file(self) -> (&'static str, &'static str) {
        match self {
            CommandsOf::Kattis => ("the built-in kattis.toml", include_str!("kattis.toml")),
            CommandsOf::Domjudge => ("the built-in domjudge.toml", include_str!("domjudge.toml")),
        }
    }
}

/// The reason why a file of languages cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {message}")]
pub struct TableError {
    location: Location,
    message: String,
}

/// A position in a file. Lines and columns count from 1. They are `None` if the error is about the file as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Location {
    file: String,
    line_and_column: Option<(usize, usize)>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line_and_column {
            Some((line, column)) => write!(f, "{}:{line}:{column}", self.file),
            None => write!(f, "{}", self.file),
        }
    }
}

impl Location {
    fn new(file: &str, text: &str, span: Option<Range<usize>>) -> Location {
        let line_and_column = span.and_then(|span| text.get(..span.start)).map(|before| {
            let line = memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1;
            (line, before.rsplit('\n').next().unwrap_or("").chars().count() + 1)
        });
        Location { file: file.to_owned(), line_and_column }
    }

    fn error(&self, message: impl Into<String>) -> TableError {
        TableError { location: self.clone(), message: message.into() }
    }
}

/// The rows read so far, in the order of first appearance, each with the location of its last definition.
#[derive(Default)]
struct Draft {
    languages: Vec<(LanguageRow, Location)>,
    tools: Vec<(ToolRow, Location)>,
    choices: Vec<(ChoiceRow, Location)>,
}

impl Table {
    /// Loads the built-in languages and lets `files` override them, in order. Fails if a file is unreadable or invalid.
    pub fn load(files: &[PathBuf]) -> Result<Table, TableError> {
        Table::load_like(None, files)
    }

    /// Loads the built-in languages, lets the commands of `judge` override them, and then lets `files` override the
    /// result, in order. If `judge` is `None`, does the same as [`Table::load`].
    pub fn load_like(judge: Option<CommandsOf>, files: &[PathBuf]) -> Result<Table, TableError> {
        let mut draft = Draft::default();
        for (name, text) in std::iter::once(BUILT_IN).chain(judge.map(CommandsOf::file)) {
            draft.override_with(name, text)?;
        }
        for file in files {
            let name = file.display().to_string();
            let text = regular::read_to_string(file, MOST_BYTES)
                .map_err(|error| Location::new(&name, "", None).error(format!("cannot be read: {error}")))?;
            draft.override_with(&name, &text)?;
        }
        draft.finish()
    }
}

/// Maximum size of a file of languages, in bytes.
const MOST_BYTES: u64 = 1 << 20;

impl Draft {
    /// Adds the rows of a file, and overrides rows with the same id or name.
    fn override_with(&mut self, file: &str, text: &str) -> Result<(), TableError> {
        let rows: File = toml::from_str(text)
            .map_err(|error| Location::new(file, text, error.span()).error(error.message().replace('\n', "; ")))?;
        let mut seen = BTreeMap::new();
        for row in rows.language {
            let location = Location::new(file, text, Some(row.id.span()));
            first_in_file(&mut seen, "language", row.id.get_ref(), &location)?;
            match self.languages.iter_mut().find(|(own, _)| own.id.get_ref() == row.id.get_ref()) {
                Some((own, last)) => {
                    // The commands of an earlier file would compile in another way than this file's command.
                    if row.compile.is_some() {
                        (own.compile_together, own.compile_metamutant) = (None, None);
                    }
                    (*last, ()) = (location, own.override_with(row));
                }
                None => self.languages.push((row, location)),
            }
        }
        for row in rows.tool {
            let location = Location::new(file, text, Some(row.name.span()));
            first_in_file(&mut seen, "tool", row.name.get_ref(), &location)?;
            match self.tools.iter_mut().find(|(own, _)| own.name.get_ref() == row.name.get_ref()) {
                Some((own, last)) => (*last, ()) = (location, own.override_with(row)),
                None => self.tools.push((row, location)),
            }
        }
        for row in rows.choice {
            let location = Location::new(file, text, Some(row.name.span()));
            first_in_file(&mut seen, "choice", row.name.get_ref(), &location)?;
            match self.choices.iter_mut().find(|(own, _)| own.name.get_ref() == row.name.get_ref()) {
                Some((own, last)) => (*last, ()) = (location, own.override_with(row)),
                None => self.choices.push((row, location)),
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Table, TableError> {
        let tools = self.tools.into_iter().map(|(row, location)| tool(row, &location));
        let by_name: BTreeMap<_, _> = tools.collect::<Result<_, _>>()?;
        let choices = self.choices.into_iter().map(|(row, location)| choice(row, &location, &by_name));
        let choices = choices.collect::<Result<_, _>>()?;
        let tools = Tools { by_name, choices };
        let mut languages = Vec::new();
        let mut locations = Vec::new();
        for (row, location) in self.languages {
            languages.push(language(row, &location, &tools)?);
            locations.push(location);
        }
        let mut table = Table { languages, tools };
        for (language, location) in table.languages.iter().zip(&locations) {
            table.check_claims(language).map_err(|message| location.error(message))?;
        }
        table.add_substitutes(&locations)?;
        Ok(table)
    }
}

impl Table {
    /// Gives each language its substitute. Fails if a substitute is not a language of the table. `locations` has the
    /// location of each language, in the order of the table.
    fn add_substitutes(&mut self, locations: &[Location]) -> Result<(), TableError> {
        for (index, location) in locations.iter().enumerate() {
            let language = &self.languages[index];
            let Some(wanted) = &language.substitute_id else { continue };
            let other = self.languages.iter().find(|other| other.id == *wanted).ok_or_else(|| {
                let known = self.ids();
                location.error(format!("the substitute {wanted:?} is not a known language; known: {known}"))
            })?;
            let substitute = language.with_commands_of(other);
            self.languages[index].substitute = Some(Box::new(substitute));
        }
        Ok(())
    }
}

/// Records the row in `seen`. Fails if the file has already defined a row of this kind with this name.
fn first_in_file(
    seen: &mut BTreeMap<(&'static str, String), Location>,
    kind: &'static str,
    name: &str,
    location: &Location,
) -> Result<(), TableError> {
    match seen.insert((kind, name.to_owned()), location.clone()) {
        None => Ok(()),
        Some(first) => {
            Err(location
                .error(format!("the {kind} {name:?} is defined twice, first at {first}; remove one of the two")))
        }
    }
}

fn tool(row: ToolRow, location: &Location) -> Result<(String, Arc<Tool>), TableError> {
    let name = row.name.into_inner();
    let Some(install) = row.install else {
        return Err(location.error(format!("the tool {name:?} is new, and needs the key 'install'")));
    };
    if row.commands.as_ref().is_some_and(Vec::is_empty) {
        let message = format!("the tool {name:?} has an empty list as 'commands'; allowed: names of executable files");
        return Err(location.error(message));
    }
    let tool = Tool {
        commands: row.commands.unwrap_or_else(|| vec![name.clone()]),
        install,
        version: row.version.unwrap_or_else(|| vec!["--version".to_owned()]),
        real: row.real,
        readable: row.readable.unwrap_or_default(),
        needs: row.needs.unwrap_or_default(),
        name: name.clone(),
        ..Tool::default()
    };
    Ok((name, Arc::new(tool)))
}

fn language(row: LanguageRow, location: &Location, tools: &Tools) -> Result<Language, TableError> {
    let id = row.id.into_inner();
    let is_legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if id.is_empty() || !id.bytes().all(is_legal) {
        return Err(location.error(format!("found the id {id:?}, allowed: lower case letters and digits")));
    }
    let missing = |key: &str| location.error(format!("the language {id:?} is new, and needs the key {key:?}"));
    if row.run.as_ref().is_some_and(Vec::is_empty) {
        let message =
            format!("the language {id:?} has an empty list as 'run'; allowed: the command that runs a program");
        return Err(location.error(message));
    }
    let language = Language {
        name: row.name.ok_or_else(|| missing("name"))?,
        run: row.run.ok_or_else(|| missing("run"))?,
        endings: row.endings.unwrap_or_default(),
        other_endings: row.other_endings.unwrap_or_default(),
        wins_over: row.wins_over.unwrap_or_default(),
        shebang: row.shebang,
        unlike: row.unlike,
        main_files: row.main_files.unwrap_or_default(),
        entry_point: row.entry_point,
        entry_point_file: row.entry_point_file,
        entry_point_by_file: row.entry_point_by_file,
        entry_point_by_main: row.entry_point_by_main.unwrap_or(false),
        file_by_public_type: row.file_by_public_type.unwrap_or(false),
        compile: row.compile.filter(|compile| !compile.is_empty()),
        headers: row.headers.unwrap_or_default(),
        warm_until: row.warm_until.filter(|word| !word.is_empty()),
        precompile: row.precompile.filter(|precompile| !precompile.is_empty()),
        precompile_plugin: row.precompile_plugin.filter(|words| !words.is_empty()),
        compiler_archive: row.compiler_archive.filter(|words| !words.is_empty()),
        compile_together: row.compile_together.filter(|words| !words.is_empty()),
        compile_metamutant: row.compile_metamutant.filter(|words| !words.is_empty()),
        environment: row.environment.unwrap_or_default(),
        tools: Tools::default(),
        substitute_id: row.substitute.filter(|substitute| !substitute.is_empty()),
        substitute: None,
        id,
    };
    check(&language).map_err(|message| location.error(message))?;
    let mut used = Tools::default();
    for name in tools_of(language.words()) {
        used.by_name.insert(name.to_owned(), known_tool(name, location, &tools.by_name)?);
    }
    for name in language.words().filter_map(TemplateWord::choice) {
        let choice = tools.choices.get(name).ok_or_else(|| {
            let known = listed(&tools.choices);
            location.error(format!("there is no choice {name:?}; add a [[choice]], or use one of {known}"))
        })?;
        used.choices.insert(name.to_owned(), Arc::clone(choice));
    }
    Ok(Language { tools: used, ..language })
}

/// Returns the tool with this name. Fails if it is not in the table.
fn known_tool(name: &str, location: &Location, tools: &BTreeMap<String, Arc<Tool>>) -> Result<Arc<Tool>, TableError> {
    tools.get(name).cloned().ok_or_else(|| {
        let known = listed(tools);
        location.error(format!("there is no tool {name:?}; add a [[tool]], or use one of {known}"))
    })
}

/// Lists the names of the rows, for a message.
fn listed<T>(rows: &BTreeMap<String, T>) -> String {
    rows.keys().cloned().collect::<Vec<_>>().join(", ")
}

fn choice(
    row: ChoiceRow,
    location: &Location,
    tools: &BTreeMap<String, Arc<Tool>>,
) -> Result<(String, Arc<Choice>), TableError> {
    let name = row.name.into_inner();
    let missing = |key: &str| location.error(format!("the choice {name:?} is new, and needs the key {key:?}"));
    let choice = Choice {
        tool: known_tool(&row.tool.ok_or_else(|| missing("tool"))?, location, tools)?,
        alternatives: row.alternatives.ok_or_else(|| missing("alternatives"))?,
        trial: row.trial.ok_or_else(|| missing("trial"))?,
        source: row.source.unwrap_or_default(),
        remark: row.remark.filter(|remark| !remark.is_empty()),
        chosen: OnceLock::new(),
    };
    if choice.alternatives.is_empty() {
        let message = format!("the choice {name:?} has an empty list as 'alternatives'; allowed: lists of words");
        return Err(location.error(message));
    }
    Ok((name, Arc::new(choice)))
}

/// Checks the keys of one language that do not depend on other languages or on tools.
fn check(language: &Language) -> Result<(), String> {
    for ending in language.endings.iter().chain(&language.other_endings) {
        if ending.is_empty() || ending.contains(['.', '/']) {
            return Err(format!("found the ending {ending:?}, allowed: the text after the last dot, such as \"py\""));
        }
    }
    for header in &language.headers {
        if !is_header_name(header) {
            return Err(format!(
                "found the header {header:?}, allowed: the name in an #include line, such as \"vector\""
            ));
        }
    }
    for (name, value) in &language.environment {
        if !matches!(value, TemplateWord::Pieces(_)) || name.is_empty() || name.contains(['=', '\0']) {
            return Err(format!(
                "the environment variable {name:?} is invalid; use a name without '=', and one word as its value"
            ));
        }
    }
    Ok(())
}

/// Returns the user's own file of languages: `referee/languages.toml` in `$XDG_CONFIG_HOME`, or in `$HOME/.config` if
/// `XDG_CONFIG_HOME` is not an absolute path. `None` if the file does not exist, or if neither variable is an absolute
/// path.
pub fn users_file() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let settings = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    let file = settings.join(Path::new("referee/languages.toml"));
    file.exists().then_some(file)
}

#[cfg(test)]
mod tests;
