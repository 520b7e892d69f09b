//! Command templates with placeholders, as the table of languages contains them.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::Unready;
use super::tool::Tools;

/// The values that fill the placeholders in templates.
#[derive(Clone, Debug)]
pub struct TemplateValues<'a> {
    /// The submission's source files, relative to the folder in which it is compiled.
    pub sources: &'a [PathBuf],
    /// The file with which the program starts, relative to that folder.
    pub main: &'a Path,
    /// The entry point, a class; empty for languages without entry points.
    pub entry_point: &'a str,
    /// The absolute path of the folder in which the submission is compiled.
    pub folder: &'a Path,
    /// The memory limit in MiB, for runtimes that size their own heap.
    pub memory_mib: u64,
    /// What the compiler uses to be faster; `None` if there is nothing.
    pub prepared: Option<PreparedFile<'a>>,
}

impl<'a> TemplateValues<'a> {
    /// Returns the values for a program that consists of one source, without an entry point and without a memory limit.
    pub fn of_source(source: &'a PathBuf, folder: &'a Path) -> TemplateValues<'a> {
        let sources = std::slice::from_ref(source);
        TemplateValues { sources, main: source, entry_point: "", folder, memory_mib: 0, prepared: None }
    }
}

/// A file or folder that makes a compiler faster.
#[derive(Clone, Copy, Debug)]
pub enum PreparedFile<'a> {
    /// The folder with a precompiled header.
    Headers(&'a Path),
    /// A plugin that the compiler loads to precompile a header.
    Plugin(&'a Path),
    /// An archive of the compiler's own classes.
    Archive(&'a Path),
}

/// Whether a command compiles or runs the program. This decides whether `{main}` becomes a relative or an absolute
/// path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The command runs in the submission's folder, so `{main}` becomes a relative path. Relative paths make messages
    /// readable, and the compiler's output does not depend on the folder's path.
    Compile,
    /// The command may run in another folder, so `{main}` becomes an absolute path.
    Run,
}

/// A word of a template. It becomes one argument, or a list of arguments: source files, or the words of a choice.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub(super) enum TemplateWord {
    /// All source files, each as an argument.
    Sources,
    /// All source files except the main one, each as an argument.
    Others,
    /// The words of the choice with this name, each as an argument.
    Choice(String),
    /// One argument, which is made of these pieces.
    Pieces(Vec<Piece>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Main,
    MainStem,
    Folder,
    Cache,
    Binary,
    /// The folder with the precompiled header.
    Headers,
    /// The plugin with which the compiler precompiles a header.
    Plugin,
    /// The archive of the compiler's own classes.
    Archive,
    EntryPoint,
    /// This percentage of the memory limit. The command contains the resulting number of MiB.
    MemoryMib(u64),
    /// The memory limit minus this number of MiB, but at least 1 MiB. The command contains the resulting number of MiB.
    MemoryMibWithout(u64),
    /// The path of the tool with this name.
    Tool(String),
    /// The folder above the `bin/` of the tool with this name.
    Home(String),
}

/// The name of the file that `{binary}` stands for. It is in the folder in which a program is compiled.
pub const BINARY: &str = "program.out";

/// The name of the folder that `{cache}` stands for. It is inside the folder in which a program is compiled.
pub const COMPILER_CACHE: &str = ".compiler-cache";

const ALLOWED: &str = "{main}, {main_stem}, {folder}, {cache}, {binary}, {headers}, {plugin}, {archive}, \
                       {entry_point}, {memory_mib}, {memory_mib:PERCENT}, {memory_mib-MIB}, {tool:NAME}, {home:NAME}, {{ and }}, and, as separate \
                       words, {sources}, {others} and {choice:NAME}";

impl TryFrom<String> for TemplateWord {
    type Error = String;

    fn try_from(text: String) -> Result<TemplateWord, String> {
        match text.as_str() {
            "{sources}" => Ok(TemplateWord::Sources),
            "{others}" => Ok(TemplateWord::Others),
            choice if is_choice(choice) => Ok(TemplateWord::Choice(choice[CHOICE.len()..choice.len() - 1].to_owned())),
            _ => pieces(&text).map(TemplateWord::Pieces).map_err(|found| format!("found {found}, allowed: {ALLOWED}")),
        }
    }
}

/// The beginning of a word that stands for a choice.
const CHOICE: &str = "{choice:";

/// Returns whether the word is `{choice:NAME}`.
fn is_choice(word: &str) -> bool {
    word.starts_with(CHOICE) && word.find('}') == Some(word.len() - 1) && word.len() > CHOICE.len() + 1
}

/// Splits a word into its pieces. Fails with the part of the text that is not allowed.
fn pieces(text: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if rest.starts_with("{{") || rest.starts_with("}}") {
            plain.push(letter);
            rest = &rest[2..];
        } else if letter == '{' {
            let end = rest.find('}').ok_or_else(|| format!("{rest:?} without a closing brace"))?;
            pieces.extend((!plain.is_empty()).then(|| Piece::Text(std::mem::take(&mut plain))));
            pieces.push(Piece::named(&rest[1..end]).ok_or_else(|| rest[..=end].to_owned())?);
            rest = &rest[end + 1..];
        } else if letter == '}' {
            return Err("a single }".to_owned());
        } else {
            plain.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    pieces.extend((!plain.is_empty()).then_some(Piece::Text(plain)));
    Ok(pieces)
}

impl Piece {
    fn named(name: &str) -> Option<Piece> {
        Some(match name.split_once(':') {
            Some(("tool", tool)) => Piece::Tool(tool.to_owned()),
            Some(("home", tool)) => Piece::Home(tool.to_owned()),
            Some(("memory_mib", percent)) => {
                Piece::MemoryMib(percent.parse().ok().filter(|found| (1..=100).contains(found))?)
            }
            Some(_) => return None,
            None => match name {
                reduced if reduced.starts_with("memory_mib-") => {
                    Piece::MemoryMibWithout(reduced["memory_mib-".len()..].parse().ok()?)
                }
                "main" => Piece::Main,
                "main_stem" => Piece::MainStem,
                "folder" => Piece::Folder,
                "cache" => Piece::Cache,
                "binary" => Piece::Binary,
                "headers" => Piece::Headers,
                "plugin" => Piece::Plugin,
                "archive" => Piece::Archive,
                "entry_point" => Piece::EntryPoint,
                "memory_mib" => Piece::MemoryMib(100),
                _ => return None,
            },
        })
    }

    /// Returns the path of the prepared file that this piece names; `None` if there is no such file.
    fn prepared<'a>(&self, values: &TemplateValues<'a>) -> Option<&'a OsStr> {
        match (self, values.prepared?) {
            (Piece::Headers, PreparedFile::Headers(path))
            | (Piece::Plugin, PreparedFile::Plugin(path))
            | (Piece::Archive, PreparedFile::Archive(path)) => Some(path.as_os_str()),
            _ => None,
        }
    }

    fn fill(&self, values: &TemplateValues<'_>, tools: &Tools, stage: Stage) -> Result<OsString, Unready> {
        Ok(match self {
            Piece::Text(text) => text.into(),
            Piece::Main if stage == Stage::Compile => unambiguous(values.main),
            Piece::Main => values.folder.join(values.main).into_os_string(),
            Piece::MainStem => values.main.with_extension("").into_os_string(),
            Piece::Folder => values.folder.as_os_str().to_owned(),
            Piece::Cache => values.folder.join(COMPILER_CACHE).into_os_string(),
            Piece::Binary => values.folder.join(BINARY).into_os_string(),
            Piece::Headers | Piece::Plugin | Piece::Archive => self.prepared(values).unwrap_or_default().into(),
            Piece::EntryPoint => values.entry_point.into(),
            Piece::MemoryMibWithout(reserved) => values.memory_mib.saturating_sub(*reserved).max(1).to_string().into(),
            Piece::MemoryMib(percent) => (values.memory_mib * percent / 100).to_string().into(),
            Piece::Tool(name) => tools.find(name)?.path.clone().into_os_string(),
            Piece::Home(name) => tools.find(name)?.home.clone().into_os_string(),
        })
    }
}

impl TemplateWord {
    /// Whether the word is the empty text.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, TemplateWord::Pieces(pieces) if pieces.is_empty())
    }

    /// Returns the arguments that this word becomes. Fails if a tool is missing.
    pub(super) fn fill(
        &self,
        values: &TemplateValues<'_>,
        tools: &Tools,
        stage: Stage,
    ) -> Result<Vec<OsString>, Unready> {
        let files = |wanted: &dyn Fn(&PathBuf) -> bool| {
            values.sources.iter().filter(|source| wanted(source)).map(|source| unambiguous(source)).collect()
        };
        match self {
            TemplateWord::Sources => Ok(files(&|_| true)),
            TemplateWord::Others => Ok(files(&|source| source != values.main)),
            TemplateWord::Choice(name) => match tools.choices.get(name) {
                Some(choice) => Ok(choice.words()?.iter().map(OsString::from).collect()),
                None => Ok(Vec::new()),
            },
            TemplateWord::Pieces(_) if self.is_left_out(values) => Ok(Vec::new()),
            TemplateWord::Pieces(_) => Ok(vec![self.fill_one(values, tools, stage)?]),
        }
    }

    /// Fills in a word that becomes one text, such as the value of a variable. Fails if a tool is missing.
    pub(super) fn fill_one(
        &self,
        values: &TemplateValues<'_>,
        tools: &Tools,
        stage: Stage,
    ) -> Result<OsString, Unready> {
        let TemplateWord::Pieces(pieces) = self else { return Ok(OsString::new()) };
        let filled = pieces.iter().map(|piece| piece.fill(values, tools, stage));
        filled.collect()
    }

    fn pieces(&self) -> &[Piece] {
        if let TemplateWord::Pieces(pieces) = self { pieces } else { &[] }
    }

    /// Returns the names of the tools in this word.
    pub(super) fn tools(&self) -> impl Iterator<Item = &str> {
        self.pieces().iter().filter_map(|piece| match piece {
            Piece::Tool(name) | Piece::Home(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns the name of the choice that this word stands for; `None` if it stands for no choice.
    pub(super) fn choice(&self) -> Option<&str> {
        if let TemplateWord::Choice(name) = self { Some(name) } else { None }
    }

    /// Returns whether the word names the folder of the precompiled header.
    pub(super) fn names_headers(&self) -> bool {
        self.pieces().contains(&Piece::Headers)
    }

    /// Returns whether the word names the plugin of the compiler.
    pub(super) fn names_plugin(&self) -> bool {
        self.pieces().contains(&Piece::Plugin)
    }

    /// Returns whether the word names the archive of the compiler's own classes.
    pub(super) fn names_archive(&self) -> bool {
        self.pieces().contains(&Piece::Archive)
    }

    /// Returns whether the word names a prepared file that there is not. Such a word is left out of the command.
    fn is_left_out(&self, values: &TemplateValues<'_>) -> bool {
        let is_prepared = |piece: &&Piece| matches!(piece, Piece::Headers | Piece::Plugin | Piece::Archive);
        self.pieces().iter().filter(is_prepared).any(|piece| piece.prepared(values).is_none())
    }

    /// Returns whether the arguments that this word becomes depend on which source file is the main one.
    pub(super) fn names_main(&self) -> bool {
        self == &TemplateWord::Others
            || self.pieces().iter().any(|piece| matches!(piece, Piece::Main | Piece::MainStem))
    }
}

/// Returns the tools that the words name, each once.
pub(super) fn tools_of<'a>(words: impl Iterator<Item = &'a TemplateWord>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    words.flat_map(TemplateWord::tools).filter(|name| seen.insert(*name)).collect()
}

/// Returns a relative path that no compiler mistakes for an option or for a file of options (`@file`).
fn unambiguous(path: &Path) -> OsString {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.".contains(byte);
    if path.as_os_str().as_encoded_bytes().first().is_some_and(is_plain) {
        return path.as_os_str().to_owned();
    }
    Path::new(".").join(path).into_os_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(words: &[&str], stage: Stage) -> Vec<OsString> {
        filled_with(None, words, stage)
    }

    fn filled_with(prepared: Option<PreparedFile<'_>>, words: &[&str], stage: Stage) -> Vec<OsString> {
        let values = TemplateValues {
            sources: &["a.cpp".into(), "b.cpp".into()],
            main: Path::new("b.cpp"),
            entry_point: "Main",
            folder: Path::new("/build"),
            memory_mib: 64,
            prepared,
        };
        let words = words.iter().map(|word| TemplateWord::try_from((*word).to_owned()).unwrap());
        words.flat_map(|word| word.fill(&values, &Tools::default(), stage).unwrap()).collect()
    }

    #[test]
    fn templates_are_filled_with_the_submissions_own_parts() {
        let command = filled(&["-o{binary}", "{sources}", "-Xmx{memory_mib}m", "{entry_point}"], Stage::Compile);
        assert_eq!(command, ["-o/build/program.out", "a.cpp", "b.cpp", "-Xmx64m", "Main"]);
        let command = filled(&["{others}", "{main}", "{folder}/{main_stem}.js", "{memory_mib:50}"], Stage::Compile);
        assert_eq!(command, ["a.cpp", "b.cpp", "/build/b.js", "32"]);
        assert_eq!(filled(&["-Xmx{memory_mib-24}m", "{memory_mib-128}"], Stage::Run), ["-Xmx40m", "1"]);
    }

    #[test]
    fn the_main_file_is_named_in_full_where_the_program_may_run_elsewhere() {
        assert_eq!(filled(&["{main}"], Stage::Compile), ["b.cpp"]);
        assert_eq!(filled(&["{main}"], Stage::Run), ["/build/b.cpp"]);
    }

    #[test]
    fn a_word_that_names_a_prepared_file_is_left_out_if_there_is_another_or_none() {
        let file = Path::new("/file");
        let all = [PreparedFile::Headers(file), PreparedFile::Plugin(file), PreparedFile::Archive(file)];
        for (own, word) in ["-X{headers}", "-X{plugin}", "-X{archive}"].into_iter().enumerate() {
            for (number, prepared) in all.into_iter().enumerate() {
                let found = filled_with(Some(prepared), &[word, "{main}"], Stage::Compile);
                assert_eq!(found.first().is_some_and(|first| first == "-X/file"), number == own, "{word}");
                assert_eq!(found.last().unwrap(), "b.cpp");
            }
            assert_eq!(filled(&[word, "{main}"], Stage::Compile), ["b.cpp"]);
        }
    }

    #[test]
    fn doubled_braces_are_braces() {
        assert_eq!(filled(&["BEGIN {{ print {memory_mib} }}"], Stage::Run), ["BEGIN { print 64 }"]);
    }

    #[test]
    fn what_a_template_may_not_name_is_refused_with_what_it_may() {
        for (word, found) in [
            ("{sorces}", "{sorces}"),
            ("-o{binary", "\"{binary\" without a closing brace"),
            ("a}", "a single }"),
            ("x{sources}", "{sources}"),
            ("{memory_mib:0}", "{memory_mib:0}"),
            ("{memory_mib-x}", "{memory_mib-x}"),
            ("{tol:gcc}", "{tol:gcc}"),
        ] {
            let error = TemplateWord::try_from(word.to_owned()).unwrap_err();
            assert!(error.starts_with(&format!("found {found}, allowed: {{main}}")), "{error}");
        }
    }

    #[test]
    fn a_source_whose_name_is_an_option_is_given_as_a_file() {
        for (name, given) in [("a.c", "a.c"), ("-Wl,x.c", "./-Wl,x.c"), ("@x.c", "./@x.c"), ("ä.c", "./ä.c")] {
            assert_eq!(unambiguous(Path::new(name)), given);
        }
    }
}
