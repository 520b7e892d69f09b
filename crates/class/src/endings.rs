//! Which files are sources: by their endings, and by what `--as-language` says.

use std::collections::BTreeSet;
use std::path::Path;

use super::kinds;
use referee_language::{Language, Table};

/// The language of files whose endings say nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsLanguage {
    /// The id of the language.
    pub language: String,
    /// The ending of these files in any case, without the dot; empty for files without an ending. `None` for every ending that no
    /// language has.
    pub ending: Option<String>,
}

/// What the name of a file says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    /// A source of the language with this ending.
    Source {
        ending: String,
    },
    /// A file that the user declared to be a source of the language, which is then called after `ending`.
    Declared {
        language: String,
        ending: String,
    },
    Other,
}

/// The endings of sources.
#[derive(Clone, Debug)]
pub struct Endings {
    known: BTreeSet<String>,
    /// The user's declarations, each with the ending that a source of the language has.
    declared: Vec<(AsLanguage, String)>,
    /// The endings to name in messages.
    examples: String,
}

impl Endings {
    /// Returns the endings of the languages, and of the declarations `declared`. Fails with a message if a declaration
    /// names an unknown language.
    pub fn new(languages: &Table, declared: &[AsLanguage]) -> Result<Endings, String> {
        let all = languages.languages.iter().flat_map(Language::all_endings);
        let known: BTreeSet<String> = all.map(str::to_owned).collect();
        let examples = ["py", "c", "cpp", "java"].into_iter().filter(|ending| known.contains(*ending));
        let examples = examples.map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ");
        let with_ending = |one: &AsLanguage| {
            let language = language(languages, &one.language)?;
            let ending = language.all_endings().next().unwrap_or_default().to_owned();
            let declared = one.ending.as_ref().map(|ending| ending.to_lowercase());
            Ok((AsLanguage { language: language.id.clone(), ending: declared }, ending))
        };
        let declared = declared.iter().map(with_ending).collect::<Result<_, String>>()?;
        Ok(Endings { known, declared, examples })
    }

    /// Returns what the file name says.
    pub(crate) fn kind_of(&self, name: &str) -> NameKind {
        let ending = ending_of(name);
        let lower = ending.to_lowercase();
        let declares = |wanted: Option<&str>| {
            self.declared
                .iter()
                .rfind(|(one, _)| one.ending.as_deref() == wanted)
                .map(|(one, ending)| NameKind::Declared { language: one.language.clone(), ending: ending.clone() })
        };
        if let Some(declared) = declares(Some(&lower)) {
            return declared;
        }
        if self.known.contains(ending) {
            return NameKind::Source { ending: ending.to_owned() };
        }
        if self.known.contains(&lower) {
            return NameKind::Source { ending: lower };
        }
        if kinds::by_ending(ending).is_some() {
            return NameKind::Other;
        }
        declares(None).unwrap_or(NameKind::Other)
    }

    /// Returns whether the user declared the language of the file at `path`.
    pub fn is_declared(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        matches!(self.kind_of(name), NameKind::Declared { .. })
    }

    /// Returns whether a language has the ending of this file name, whatever the user declared.
    pub(crate) fn is_known(&self, name: &str) -> bool {
        let ending = ending_of(name);
        self.known.contains(ending) || self.known.contains(&ending.to_lowercase())
    }

    /// Returns whether a file with this name is a source.
    pub(crate) fn is_source(&self, name: &str) -> bool {
        self.kind_of(name) != NameKind::Other
    }

    /// Describes the allowed files, for a message.
    pub(crate) fn allowed(&self) -> String {
        format!("allowed: sources, such as {}", self.examples)
    }
}

/// Returns the language with this id or display name, in any case. Fails with a message that lists the languages.
fn language<'a>(languages: &'a Table, wanted: &str) -> Result<&'a Language, String> {
    let is_meant =
        |language: &&Language| language.id.eq_ignore_ascii_case(wanted) || language.name.eq_ignore_ascii_case(wanted);
    let found = languages.languages.iter().find(is_meant);
    found.ok_or_else(|| format!("{wanted:?} is no known language; known: {}", languages.ids()))
}

/// Returns the ending of a file name without the dot; empty if it has none.
pub(crate) fn ending_of(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => ending,
        _ => "",
    }
}

/// Returns the file name without its ending and the dot.
pub(crate) fn stem_of(name: &str) -> &str {
    let ending = ending_of(name);
    if ending.is_empty() { name } else { &name[..name.len() - ending.len() - 1] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endings(declared: &[(&str, Option<&str>)]) -> Endings {
        let declared: Vec<_> = declared
            .iter()
            .map(|(language, ending)| AsLanguage {
                language: (*language).to_owned(),
                ending: ending.map(str::to_owned),
            })
            .collect();
        Endings::new(&Table::load(&[]).unwrap(), &declared).unwrap()
    }

    fn source(ending: &str) -> NameKind {
        NameKind::Source { ending: ending.to_owned() }
    }

    fn declared(language: &str, ending: &str) -> NameKind {
        NameKind::Declared { language: language.to_owned(), ending: ending.to_owned() }
    }

    #[test]
    fn endings_in_capitals_are_those_of_the_language() {
        let endings = endings(&[]);
        assert_eq!(endings.kind_of("MAIN.PY"), source("py"));
        assert_eq!(endings.kind_of("Main.JAVA"), source("java"));
        assert_eq!(endings.kind_of("main.C"), source("C"), "GCC reads it as C++");
        for other in ["essay.pdf", "main", "main.txt", ".py"] {
            assert_eq!(endings.kind_of(other), NameKind::Other, "{other}");
        }
    }

    #[test]
    fn a_declared_ending_comes_first_and_a_language_alone_is_for_endings_that_say_nothing() {
        let one = endings(&[("python3", Some("TXT")), ("cpp", Some("c")), ("ruby", Some(""))]);
        assert_eq!(one.kind_of("a.TXT"), declared("python3", "py"));
        assert_eq!(one.kind_of("a.c"), declared("cpp", "cc"));
        assert_eq!(one.kind_of("a"), declared("ruby", "rb"));
        let all = endings(&[("Python 3", None)]);
        assert_eq!((all.kind_of("a"), all.kind_of("a.txt")), (declared("python3", "py"), declared("python3", "py")));
        assert_eq!((all.kind_of("a.c"), all.kind_of("a.pdf")), (source("c"), NameKind::Other));
    }

    #[test]
    fn an_unknown_language_is_refused_with_the_known_ones() {
        let one = AsLanguage { language: "phyton".to_owned(), ending: None };
        let message = Endings::new(&Table::load(&[]).unwrap(), &[one]).unwrap_err();
        assert!(message.starts_with("\"phyton\" is no known language; known: ") && message.contains("python3"));
    }
}
