//! Finds the class with which a compiled program starts.

use std::io::Read;
use std::path::Path;

use walkdir::WalkDir;

use super::Language;
use super::class_file::{self, Class};
use referee_files::regular;
use referee_text::printable::printable;

/// The maximum number of bytes that are read from a class file. No compiler produces a larger file.
const LARGEST_CLASS_BYTES: u64 = 16 << 20;

/// The largest number of classes that a message names.
const MOST_NAMES: usize = 10;

impl Language {
    /// Returns the entry point of the classes compiled in `folder`, for a program whose package declares none. Fails if
    /// several classes are possible; the message names them.
    ///
    /// The entry point is the first of these that exists:
    /// - the class with a main method, if the table sets `entry_point_by_main` for the language
    /// - the default class
    /// - the class named after `main`, the main source file, such as `Solver` for `Solver.java`
    /// - the only class, if the table sets `entry_point_by_main`; it may lack `public static void main(String[])`,
    ///   because newer versions of Java can start it all the same
    ///
    /// If none exists, returns the name of the default class.
    pub fn entry_point_in(&self, folder: &Path, main: &Path) -> Result<String, String> {
        let default = self.entry_point();
        let ending = self.entry_point_file.as_deref().filter(|_| self.entry_point_by_main);
        if let Some(ending) = ending
            && let Some(found) = choose(classes(folder, ending, |class| class.has_main), default)?
        {
            return Ok(found);
        }
        let own = || {
            let ending = self.entry_point_file.as_deref()?;
            let is_there = |class: &str| folder.join(format!("{class}.{ending}")).is_file();
            let own = class_named_after(self.entry_point_by_file.as_deref()?, main.file_stem()?.to_str()?);
            (!is_there(default) && is_there(&own)).then_some(own)
        };
        let chosen = own().unwrap_or_else(|| default.to_owned());
        match ending {
            Some(ending) if !folder.join(format!("{chosen}.{ending}")).is_file() => {
                Ok(only_one(&classes(folder, ending, |_| true))?.unwrap_or(chosen))
            }
            _ => Ok(chosen),
        }
    }
}

/// Returns the only class of `found`; `None` if `found` is empty. Fails if there are several classes. The caller has
/// found no class with a main method, so the message asks for one.
fn only_one(found: &[Class]) -> Result<Option<String>, String> {
    match found {
        [] => Ok(None),
        [class] => Ok(Some(class.name.clone())),
        _ => Err(format!(
            "no class has a main method: {}; add public static void main(String[] args) to the class to start with",
            listed(found)
        )),
    }
}

/// Lists the names of the first classes.
fn listed(classes: &[Class]) -> String {
    let names: Vec<_> = classes.iter().take(MOST_NAMES).map(|class| printable(class.name.as_bytes())).collect();
    let more = if classes.len() > MOST_NAMES { ", ..." } else { "" };
    format!("{}{more}", names.join(", "))
}

/// Chooses the class to start with from `found`. If some classes are public, ignores the others. If several classes
/// remain, chooses the class with the default name, and fails if there is none. Returns `None` if `found` is empty.
fn choose(mut found: Vec<Class>, default: &str) -> Result<Option<String>, String> {
    if found.iter().any(|class| class.is_public) {
        found.retain(|class| class.is_public);
    }
    if found.len() > 1 && found.iter().any(|class| class.name == default) {
        found.retain(|class| class.name == default);
    }
    match found.as_slice() {
        [] => Ok(None),
        [class] => Ok(Some(class.name.clone())),
        [first, ..] => Err(format!(
            "{} {}classes have a main method: {}; make exactly one of them public",
            found.len(),
            if first.is_public { "public " } else { "" },
            listed(&found),
        )),
    }
}

/// Returns the classes below `folder` that satisfy `is_wanted`, sorted by path. Nested classes are returned only if
/// there are no others.
fn classes(folder: &Path, ending: &str, is_wanted: impl Fn(&Class) -> bool) -> Vec<Class> {
    let files = WalkDir::new(folder).min_depth(1).sort_by_file_name().into_iter().filter_map(Result::ok);
    let files = files.filter(|file| file.file_type().is_file());
    let found = files.filter_map(|file| {
        let path = file.path().strip_prefix(folder).ok()?;
        if path.extension()? != ending {
            return None;
        }
        let mut bytes = Vec::new();
        regular::open(file.path()).ok()?.take(LARGEST_CLASS_BYTES).read_to_end(&mut bytes).ok()?;
        // Java finds a class by its path, so the class counts only if its name fits the path. A class whose name begins
        // with - or @ does not count, because Java would treat the name as an option.
        let name = path.with_extension("").to_str()?.replace('/', ".");
        class_file::read(&bytes).filter(|class| is_wanted(class) && class.name == name && !name.starts_with(['-', '@']))
    });
    let all: Vec<_> = found.collect();
    let is_nested = |class: &Class| {
        let outer = class.name.rsplit_once('$').map(|(outer, _)| format!("{}.{ending}", outer.replace('.', "/")));
        outer.is_some_and(|outer| folder.join(outer).is_file())
    };
    let (nested, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_nested);
    if others.is_empty() { nested } else { others }
}

/// Returns the class that a compiler names after a file. In `pattern`, `{stem}` becomes the name of the file. `{Stem}`
/// becomes the name that Kotlin makes of it: with a capital first letter, and with underscores in place of characters
/// that a class name may not have.
fn class_named_after(pattern: &str, stem: &str) -> String {
    let mut letters = stem.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' });
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    pattern.replace("{stem}", stem).replace("{Stem}", &capital)
}

#[cfg(test)]
mod tests {
    use super::super::Table;
    use super::super::class_file::tests::class_file;
    use super::*;

    /// Returns the entry point for these compiled classes. Each tuple has a class's name, whether it is public, and
    /// whether it has a main method.
    fn chosen(classes: &[(&str, bool, bool)]) -> Result<String, String> {
        let table = Table::load(&[]).unwrap();
        let java = table.languages.iter().find(|language| language.id == "java").unwrap();
        let folder = tempfile::tempdir().unwrap();
        for &(name, is_public, has_main) in classes {
            let path = folder.path().join(format!("{name}.class"));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let bytes = class_file(name, 0x20 | u16::from(is_public), if has_main { 9 } else { 0 });
            std::fs::write(path, bytes).unwrap();
        }
        java.entry_point_in(folder.path(), Path::new("Solver.java"))
    }

    #[test]
    fn classes_are_called_like_their_files() {
        assert_eq!(class_named_after("{stem}", "Solver"), "Solver");
        assert_eq!(class_named_after("{Stem}Kt", "my-sum"), "My_sumKt");
    }

    #[test]
    fn the_entry_point_is_the_public_class_with_a_main_method_or_the_only_one() {
        assert_eq!(chosen(&[("a/b/Start", true, true), ("a/Other", false, false)]).unwrap(), "a.b.Start");
        assert_eq!(chosen(&[("A", false, true), ("B", true, true), ("C", true, false)]).unwrap(), "B");
        assert_eq!(chosen(&[("A", false, false), ("B", false, true)]).unwrap(), "B");
        assert_eq!(chosen(&[("A", false, true), ("Main", false, true)]).unwrap(), "Main");
        assert_eq!(chosen(&[("A", true, true), ("A$B", true, true)]).unwrap(), "A", "nested classes come last");
        assert_eq!(chosen(&[("A", true, false), ("A$B", true, true)]).unwrap(), "A$B");
        assert_eq!(chosen(&[("A$B", true, true)]).unwrap(), "A$B", "a dollar may be part of a name");
    }

    #[test]
    fn several_that_could_be_meant_are_named() {
        let error = chosen(&[("a/A", false, true), ("B", false, true)]).unwrap_err();
        assert!(error.starts_with("2 classes have a main method: B, a.A; make exactly one"), "{error}");
        let error = chosen(&[("A", true, true), ("B", true, true)]).unwrap_err();
        assert!(error.starts_with("2 public classes have a main method: A, B; make exactly one"), "{error}");
    }

    #[test]
    fn without_a_main_method_it_is_the_default_if_it_was_made_and_else_the_class_of_the_file() {
        assert_eq!(chosen(&[("Solver", false, false)]).unwrap(), "Solver");
        assert_eq!(chosen(&[("Other", false, false)]).unwrap(), "Other", "Java says what is wrong with it");
        assert_eq!(chosen(&[("Other", false, false), ("Other$1", false, false)]).unwrap(), "Other");
        let error = chosen(&[("One", false, false), ("Two", true, false)]).unwrap_err();
        assert!(error.starts_with("no class has a main method: One, Two; add public static"), "{error}");
        assert_eq!(chosen(&[("Main", false, false), ("Solver", false, false)]).unwrap(), "Main");
    }

    #[test]
    fn a_class_that_java_would_not_find_by_its_name_does_not_count() {
        let table = Table::load(&[]).unwrap();
        let java = table.languages.iter().find(|language| language.id == "java").unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("A.class"), class_file("B", 0x21, 9)).unwrap();
        std::fs::write(folder.path().join("-jar.class"), class_file("-jar", 0x21, 9)).unwrap();
        std::os::unix::fs::symlink("A.class", folder.path().join("B.class")).unwrap();
        assert_eq!(java.entry_point_in(folder.path(), Path::new("Solver.java")).unwrap(), "Main");
    }
}
