//! Detects the language of a file or folder.

use std::fs::{self};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::{Language, Table};

use referee_files::regular;

/// The kind of a submission.
#[derive(Clone, Copy, Debug)]
pub enum Detected<'a> {
    /// Source files in this language.
    Source(&'a Language),
    /// A program that runs without compiling.
    Executable,
    /// Neither source files in a language of the table nor an executable program.
    Unknown,
}

/// Whether the first line of a file may decide its language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shebangs {
    /// The first line does not count, as in packages of format 2025-09.
    #[default]
    Ignored,
    /// The first line takes precedence over the extension, as in legacy packages. It distinguishes Python 2 from
    /// Python 3.
    Considered,
}

/// The maximum number of bytes of the first line that are read.
const FIRST_LINE_BYTES: u64 = 256;

/// The maximum number of bytes of a file that are read to check that its content fits its extension.
const EXAMINED_BYTES: u64 = 1 << 18;

impl Table {
    /// Detects the kind of the submission at `path`, a file or folder. `declared` is the language that the package
    /// declares for it; `None` if it declares none.
    pub fn detect(&self, path: &Path, declared: Option<&str>, shebangs: Shebangs) -> Detected<'_> {
        if let Some(id) = declared {
            return self
                .languages
                .iter()
                .find(|language| language.id == id)
                .map_or(Detected::Unknown, Detected::Source);
        }
        if path.is_dir() {
            return self.most_frequent_language(path, shebangs).map_or(Detected::Unknown, Detected::Source);
        }
        match self.language_of(path, shebangs) {
            Some(language) => Detected::Source(language),
            None if is_executable(path) => Detected::Executable,
            None => Detected::Unknown,
        }
    }

    /// Returns the source files in the folder, each with its language. Links are left out, because their targets belong
    /// to other programs.
    pub fn sources_in(&self, folder: &Path, shebangs: Shebangs) -> Vec<(PathBuf, &Language)> {
        let known = |file: PathBuf| self.language_of(&file, shebangs).map(|language| (file, language));
        files(folder).filter_map(known).collect()
    }

    /// Returns the language with the most files in the folder, counting links to files. In a tie, the language that
    /// comes first in the table wins. `None` if no file is in a known language.
    fn most_frequent_language(&self, folder: &Path, shebangs: Shebangs) -> Option<&Language> {
        let sources: Vec<_> = files_and_links(folder).filter_map(|file| self.language_of(&file, shebangs)).collect();
        let count = |language: &Language| sources.iter().filter(|found| found.id == language.id).count();
        let counts = self.languages.iter().map(|language| (language, count(language)));
        counts.rev().max_by_key(|&(_, count)| count).filter(|&(_, count)| count > 0).map(|(language, _)| language)
    }

    /// Returns the language of a file, by its first line or its extension; `None` if no language matches.
    fn language_of(&self, path: &Path, shebangs: Shebangs) -> Option<&Language> {
        let ending = path.extension()?.to_str()?;
        let by_shebang = || self.languages.iter().find(|language| language.matches_shebang(path, ending));
        let claimed = |language: &&Language| language.endings.iter().any(|own| own == ending);
        let claims: Vec<_> =
            self.languages.iter().filter(claimed).filter(|language| !language.has_foreign_line(path)).collect();
        let loses = |language: &Language| claims.iter().any(|other| other.wins_over.contains(&language.id));
        (shebangs == Shebangs::Considered)
            .then(by_shebang)
            .flatten()
            .or_else(|| claims.iter().copied().find(|language| !loses(language)))
    }
}

impl Language {
    /// Returns the endings of the language's source files, without the dot. Those that identify the language come first.
    pub fn all_endings(&self) -> impl Iterator<Item = &str> {
        self.endings.iter().chain(&self.other_endings).map(String::as_str)
    }

    /// Returns the files below `folder` that can be sources of this language, as paths relative to `folder`, sorted.
    pub fn sources(&self, folder: &Path) -> Vec<PathBuf> {
        let own = |path: &PathBuf| {
            path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| self.has_extension(ending))
        };
        files(folder).filter(own).filter_map(|path| path.strip_prefix(folder).ok().map(Path::to_path_buf)).collect()
    }

    /// Returns the source files of a program whose package declares this language. They are the files that
    /// [`Language::sources`] returns, or all files if no file has an extension of the language.
    pub fn declared_sources(&self, folder: &Path) -> Vec<PathBuf> {
        let own = self.sources(folder);
        if !own.is_empty() {
            return own;
        }
        files(folder).filter_map(|path| path.strip_prefix(folder).ok().map(Path::to_path_buf)).collect()
    }

    fn has_extension(&self, ending: &str) -> bool {
        self.endings.iter().chain(&self.other_endings).any(|own| own == ending)
    }

    /// Returns whether the first line of the file is a shebang of this language.
    fn matches_shebang(&self, path: &Path, ending: &str) -> bool {
        let Some(word) = &self.shebang else { return false };
        self.other_endings.iter().any(|own| own == ending) && shebang(path).is_some_and(|line| line.contains(word))
    }

    /// Returns whether a line at the beginning of the file shows that the file is a source of another language. Such a
    /// line begins or ends with the text of this language's key `unlike` in the table.
    fn has_foreign_line(&self, path: &Path) -> bool {
        let Some(mark) = &self.unlike else { return false };
        let mut text = Vec::new();
        let read = read_beginning(path, EXAMINED_BYTES, &mut text);
        let lines = || text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let mark = mark.as_bytes();
        read.is_ok() && lines().any(|line| line.starts_with(mark) || line.ends_with(mark))
    }

    /// Returns the file with which the program starts. It is the first of these files among `sources`:
    /// - the `declared` file, if programs in this language start with a file
    /// - a main file that the table names
    /// - among the program's `own` files, the one called main, or else the first one
    /// - among all `sources`, which include files that the package added, the one called main, or else the first one
    ///
    /// Fails if the declared file is missing, or if there are no sources.
    pub fn main_of<'a>(
        &self,
        sources: &'a [PathBuf],
        own: &'a [PathBuf],
        declared: Option<&str>,
    ) -> Result<&'a Path, String> {
        let named = |wanted: &str| sources.iter().find(|source| source.as_os_str() == wanted);
        if let Some(wanted) = declared.filter(|_| self.starts_with_file()) {
            let missing =
                || format!("the declared entry point {wanted:?} is not one of the {} source files", self.name);
            return named(wanted).map(PathBuf::as_path).ok_or_else(missing);
        }
        let is_main = |path: &&PathBuf| path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("main"));
        let best_of = |files: &'a [PathBuf]| files.iter().find(is_main).or(files.first());
        let found =
            self.main_files.iter().find_map(|name| named(name)).or_else(|| best_of(own)).or_else(|| best_of(sources));
        found.map(PathBuf::as_path).ok_or_else(|| format!("the program has no source file in {}", self.name))
    }

    /// Returns whether a program in this language starts with a file, rather than with a class.
    pub fn starts_with_file(&self) -> bool {
        self.entry_point.is_none() && self.words_of_programs().any(super::template::TemplateWord::names_main)
    }
}

fn shebang(path: &Path) -> Option<String> {
    let mut line = Vec::new();
    read_beginning(path, FIRST_LINE_BYTES, &mut line).ok()?;
    let line = line.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    Some(String::from_utf8_lossy(line).into_owned())
}

/// Reads at most `bytes` bytes from the beginning of a file. Fails for anything but a plain file, because reading a
/// pipe may never end.
fn read_beginning(path: &Path, bytes: u64, text: &mut Vec<u8>) -> io::Result<usize> {
    regular::open(path)?.take(bytes).read_to_end(text)
}

/// Returns the files below the folder, down to eight levels. Leaves out links, and hidden files and folders, which
/// editors and archivers create.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    files_and_links(folder).filter(|path| !path.is_symlink())
}

/// Returns the same files as [`files`], and also links to files. Links are safe here: if a link leads out of both the
/// submission and its package, the judge refuses the submission.
fn files_and_links(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let is_hidden =
        |entry: &walkdir::DirEntry| entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
    let walk = WalkDir::new(folder).max_depth(8).sort_by_file_name().into_iter();
    let entries = walk.filter_entry(move |entry| !is_hidden(entry)).filter_map(Result::ok);
    entries.filter(|entry| entry.path().is_file()).map(walkdir::DirEntry::into_path)
}

/// Returns whether the file has an execute permission, and a format that the kernel can execute.
fn is_executable(path: &Path) -> bool {
    let may_be = fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0);
    may_be && can_be_executed(path)
}

/// Returns whether the file begins like an ELF program or with `#!`.
pub fn can_be_executed(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = read_beginning(path, 4, &mut start);
    read.is_ok() && (start.starts_with(b"#!") || start == b"\x7fELF")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_of(table: &Table, path: &Path, shebangs: Shebangs) -> String {
        match table.detect(path, None, shebangs) {
            Detected::Source(language) => language.id.clone(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_program_in_prolog_is_not_taken_for_perl() {
        let folder = tempfile::tempdir().unwrap();
        let table = Table::load(&[]).unwrap();
        for (name, text, expected) in [
            ("a.pl", "print $x ? 1 :-1;\n", "perl"),
            ("b.pl", "main :-\n    write(1).\n", "Unknown"),
            ("c.pl", ":- initialization(main).\n", "Unknown"),
        ] {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            assert_eq!(id_of(&table, &path, Shebangs::Ignored), expected, "{name}");
        }
    }

    #[test]
    fn a_shebang_tells_python_2_in_legacy_packages_alone() {
        let table = Table::load(&[]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.py");
        for (line, legacy) in [
            ("#!/usr/bin/env python2", "python2"),
            ("#!/usr/bin/python2.7 -O", "python2"),
            ("#!/usr/bin/python3", "python3"),
            ("# python2", "python3"),
            ("", "python3"),
        ] {
            fs::write(&file, format!("{line}\nprint(1)\n")).unwrap();
            assert_eq!(id_of(&table, &file, Shebangs::Considered), legacy, "{line}");
            assert_eq!(id_of(&table, &file, Shebangs::Ignored), "python3", "{line}");
            assert_eq!(id_of(&table, folder.path(), Shebangs::Considered), legacy, "{line}");
        }
    }

    #[test]
    fn a_folder_is_in_the_language_of_most_of_its_files_and_of_two_in_the_first() {
        let table = Table::load(&[]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.py", "b.sh", "notes.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(id_of(&table, folder.path(), Shebangs::Ignored), "python3");
        fs::write(folder.path().join("c.sh"), "").unwrap();
        assert_eq!(id_of(&table, folder.path(), Shebangs::Ignored), "bash");
    }

    #[test]
    fn a_link_in_a_folder_counts_as_the_file_that_it_leads_to() {
        let table = Table::load(&[]).unwrap();
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("program");
        fs::create_dir(&folder).unwrap();
        fs::write(around.path().join("shared.py"), "").unwrap();
        std::os::unix::fs::symlink("../shared.py", folder.join("main.py")).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.join("gone.c")).unwrap();
        assert_eq!(id_of(&table, &folder, Shebangs::Ignored), "python3");
    }

    #[test]
    fn the_main_file_is_the_declared_one_or_the_tables_or_called_main_or_the_first() {
        let table = Table::load(&[]).unwrap();
        let language = |id: &str| table.languages.iter().find(|language| language.id == id).unwrap();
        let sources = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let all = sources(&["MAIN.py", "__main__.py", "a.py"]);
        assert_eq!(language("python3").main_of(&all, &all, Some("a.py")), Ok(Path::new("a.py")));
        assert_eq!(language("python3").main_of(&all, &all, None), Ok(Path::new("__main__.py")));
        assert_eq!(
            language("python3").main_of(&sources(&["A.py", "Main.py"]), &sources(&["A.py", "Main.py"]), None),
            Ok(Path::new("Main.py"))
        );
        assert_eq!(
            language("ruby").main_of(&sources(&["a.rb", "b.rb"]), &sources(&["a.rb", "b.rb"]), None),
            Ok(Path::new("a.rb"))
        );
        assert!(language("php").main_of(&sources(&["a.php"]), &sources(&["a.php"]), Some("b.php")).is_err());
        // A declared entry point does not change the main file in Java, where it is a class, or in C and C++, which have
        // no entry points.
        assert_eq!(
            language("java").main_of(&sources(&["A.java"]), &sources(&["A.java"]), Some("B")),
            Ok(Path::new("A.java"))
        );
        assert_eq!(language("c").main_of(&sources(&["a.c"]), &sources(&["a.c"]), Some("start")), Ok(Path::new("a.c")));
        let sum = sources(&["a.cpp"]);
        assert_eq!(language("cpp").main_of(&sum, &sum, Some("start")), Ok(Path::new("a.cpp")));
        assert!(language("c").main_of(&[], &[], None).is_err());
        let (all, own) = (sources(&["lib.py", "solve.py"]), sources(&["solve.py"]));
        assert_eq!(language("python3").main_of(&all, &own, None), Ok(Path::new("solve.py")), "not what was included");
    }
}
