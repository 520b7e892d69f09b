//! Finds the file with which a program of several files starts, from the texts of the files.
//!
//! The judge starts a program with the file called main, and else with the first file by name. In a class, the first
//! file by name may be an old version or a helper, so this module looks at what the files import, and which of them
//! have a main function. If several files remain, the student's program is not judged.

use std::collections::HashMap;

use referee_language::Language;

/// A source of a student.
#[derive(Clone, Debug)]
pub(crate) struct SourceText {
    /// The names of the folders in the program, then the name of the file.
    pub(crate) path: Vec<String>,
    pub(crate) text: Vec<u8>,
}

impl SourceText {
    fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    fn stem(&self) -> &str {
        super::endings::stem_of(self.name())
    }

    pub(crate) fn shown(&self) -> String {
        self.path.join("/")
    }

    /// Whether the file is called main.
    pub(crate) fn is_main(&self) -> bool {
        self.stem().eq_ignore_ascii_case("main") || self.stem() == "__main__"
    }

    /// Returns whether the file is a test of the program, by its name or its folder.
    fn is_test(&self) -> bool {
        let stem = self.stem().to_lowercase();
        let is_test_folder = |name: &String| ["test", "tests", "__tests__"].contains(&name.to_lowercase().as_str());
        stem.starts_with("test_")
            || stem.ends_with("_test")
            || stem == "conftest"
            || self.path[..self.path.len() - 1].iter().any(is_test_folder)
    }
}

/// With which of several files a program starts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// The judge decides: nothing speaks for more than one file.
    AsJudge,
    /// The program starts with the file of this index. The files of the other indices have main functions of their own,
    /// and are left out.
    File(usize, Vec<usize>),
    /// The program starts with this class, which is in the file of this index.
    Class(usize, String),
    /// The files of these indices are programs of their own.
    Several(Vec<usize>),
}

/// Returns with which file the program of the `sources` starts.
pub(crate) fn start(language: &Language, sources: &[SourceText]) -> Start {
    if sources.len() < 2 {
        return Start::AsJudge;
    }
    if language.starts_with_file() {
        return of_script(sources);
    }
    match language.id.as_str() {
        "c" | "cpp" => match one_of(sources, &having(sources, defines_c_main)) {
            One::None => Start::AsJudge,
            One::Only(index, others) => Start::File(index, others),
            One::Several(all) => Start::Several(all),
        },
        "java" => match one_of(sources, &having(sources, defines_java_main)) {
            One::None => Start::AsJudge,
            One::Only(index, _) => Start::Class(index, class_of(&sources[index])),
            One::Several(all) => Start::Several(all),
        },
        _ => Start::AsJudge,
    }
}

/// Returns the files with which a program in this language could start. Tests of the program do not count, unless there
/// are only tests.
pub(crate) fn starts(language: &Language, sources: &[SourceText]) -> Vec<usize> {
    if language.starts_with_file() {
        return independent(sources);
    }
    match language.id.as_str() {
        "c" | "cpp" => having(sources, defines_c_main),
        "java" => having(sources, defines_java_main),
        _ => own(sources),
    }
}

enum One {
    None,
    /// One file, and the others that are left out for it.
    Only(usize, Vec<usize>),
    Several(Vec<usize>),
}

/// Chooses one of the files with these indices: the only one, or the only one called main, or the only one that is no
/// test.
fn one_of(sources: &[SourceText], all: &[usize]) -> One {
    let matching = |is_meant: &dyn Fn(&SourceText) -> bool| {
        let mut found = all.iter().copied().filter(|&index| is_meant(&sources[index]));
        found.next().filter(|_| found.next().is_none())
    };
    let only =
        matching(&|_| true).or_else(|| matching(&SourceText::is_main)).or_else(|| matching(&|one| !one.is_test()));
    match only {
        Some(only) => One::Only(only, all.iter().copied().filter(|&index| index != only).collect()),
        None if all.is_empty() => One::None,
        None => One::Several(all.to_vec()),
    }
}

fn having(sources: &[SourceText], has: impl Fn(&[u8]) -> bool) -> Vec<usize> {
    (0..sources.len()).filter(|&index| has(&without_comments(&sources[index].text))).collect()
}

/// A script starts with the file called main, or else with the only file that no other file imports. Tests of the
/// program do not count, unless there are only tests.
fn of_script(sources: &[SourceText]) -> Start {
    match one_of(sources, &independent(sources)) {
        One::Only(index, _) => Start::File(index, Vec::new()),
        One::Several(all) => Start::Several(all),
        // All files import each other.
        One::None => Start::AsJudge,
    }
}

/// Returns the files of a program that are no tests; all files if there are only tests.
fn own(sources: &[SourceText]) -> Vec<usize> {
    let all: Vec<usize> = (0..sources.len()).filter(|&index| sources[index].stem() != "__init__").collect();
    let own: Vec<usize> = all.iter().copied().filter(|&index| !sources[index].is_test()).collect();
    if own.is_empty() { all } else { own }
}

/// Returns the file called main, or else the files that no other file imports.
fn independent(sources: &[SourceText]) -> Vec<usize> {
    let own = own(sources);
    let is_top_main = |index: &&usize| sources[**index].path.len() == 1 && sources[**index].is_main();
    if let Some(top) = own.iter().find(is_top_main) {
        return vec![*top];
    }
    let importers = importers(sources, &own);
    let is_imported = |index: &usize| {
        importers.get(sources[*index].stem().as_bytes()).is_some_and(|others| others.iter().any(|other| other != index))
    };
    own.iter().copied().filter(|index| !is_imported(index)).collect()
}

/// Words that begin the import of another file in the languages that start with a file.
const IMPORTS: [&str; 9] =
    ["import", "from", "require", "require_relative", "require_once", "include", "load", "use", "source"];

/// Returns which of the files with the indices `own` import each stem of one of them: at most two, which suffice to tell
/// whether another file does.
fn importers<'a>(sources: &'a [SourceText], own: &[usize]) -> HashMap<&'a [u8], Vec<usize>> {
    let mut found: HashMap<&[u8], Vec<usize>> =
        own.iter().map(|&index| (sources[index].stem().as_bytes(), Vec::new())).collect();
    for &index in own {
        for word in imported_words(&sources[index].text) {
            if let Some(others) = found.get_mut(word).filter(|others| others.len() < 2 && !others.contains(&index)) {
                others.push(index);
            }
        }
    }
    found
}

/// Returns the words in the lines that import something, without the first word of each line.
fn imported_words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n').flat_map(|line| {
        let mut words = line.split(|&byte| !is_word(byte)).filter(|word| !word.is_empty()).peekable();
        let starts = words.peek().is_some_and(|first| {
            IMPORTS.iter().any(|word| word.as_bytes() == *first) || [&b"const"[..], b"let", b"var"].contains(first)
        });
        words.skip(1).filter(move |_| starts)
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Returns whether a C or C++ source without comments defines the function `main`.
fn defines_c_main(text: &[u8]) -> bool {
    mains(text).any(|(_, after)| {
        let Some(parameters) = after.trim_ascii_start().strip_prefix(b"(") else { return false };
        // Ending at an opening parenthesis, too, the search takes linear time.
        let Some(end) = parameters.iter().position(|&byte| matches!(byte, b'(' | b')')) else { return false };
        if parameters[end] == b'(' {
            return false;
        }
        let body = parameters[end + 1..].trim_ascii_start();
        // The type may be left out in old C, and C++ allows a return type after the parameters.
        body.starts_with(b"{") || body.starts_with(b"->") || body.starts_with(b"try")
    })
}

/// Returns whether a Java source without comments has a main method.
fn defines_java_main(text: &[u8]) -> bool {
    mains(text)
        .any(|(before, after)| before.trim_ascii_end().ends_with(b"void") && after.trim_ascii_start().starts_with(b"("))
}

/// Returns the texts before and after each word `main`.
fn mains(text: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let starts = text.windows(4).enumerate().filter(|(_, word)| word == b"main").map(|(at, _)| at);
    let is_whole = |at: &usize| {
        let before = at.checked_sub(1).map(|before| text[before]);
        let after = text.get(at + 4).copied();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    };
    starts.filter(is_whole).map(|at| (&text[..at], &text[at + 4..]))
}

/// Returns the class of a Java source: its package, and the name of the file.
fn class_of(source: &SourceText) -> String {
    let text = without_comments(&source.text);
    let mut statements = text.split(|&byte| byte == b';');
    let package = statements.next().and_then(|first| first.trim_ascii_start().strip_prefix(b"package"));
    let package: String =
        package.map(|name| String::from_utf8_lossy(name).split_whitespace().collect()).unwrap_or_default();
    let stem = source.stem();
    if package.is_empty() { stem.to_owned() } else { format!("{package}.{stem}") }
}

/// Removes comments of C, C++ and Java, and the contents of strings.
fn without_comments(text: &[u8]) -> Vec<u8> {
    let mut left = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, after)) = rest.split_first() {
        let end = |mark: &[u8]| after.windows(mark.len()).position(|at| at == mark).map(|at| at + mark.len());
        rest = match first {
            b'/' if after.starts_with(b"/") => &after[end(b"\n").map_or(after.len(), |end| end - 1)..],
            b'/' if after.starts_with(b"*") => {
                left.push(b' ');
                &after[1..][after[1..].windows(2).position(|at| at == b"*/").map_or(after.len() - 1, |at| at + 2)..]
            }
            b'"' | b'\'' => {
                left.extend([first, first]);
                &after[literal_length(after, first)..]
            }
            _ => {
                left.push(first);
                after
            }
        };
    }
    left
}

/// Returns the length of a literal up to and including its closing `quote`, or up to the end of the line.
fn literal_length(text: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_language::Table;

    fn of(id: &str, files: &[(&str, &str)]) -> Start {
        let table = Table::load(&[]).unwrap();
        let language = table.languages.iter().find(|language| language.id == id).unwrap();
        let source = |(path, text): &(&str, &str)| SourceText {
            path: path.split('/').map(str::to_owned).collect(),
            text: text.as_bytes().to_vec(),
        };
        start(language, &files.iter().map(source).collect::<Vec<_>>())
    }

    #[test]
    fn a_script_starts_with_main_or_with_the_file_that_no_other_imports() {
        assert_eq!(of("python3", &[("a.py", ""), ("Main.py", "")]), Start::File(1, vec![]));
        assert_eq!(of("python3", &[("helper.py", ""), ("solve.py", "from helper import f")]), Start::File(1, vec![]));
        assert_eq!(
            of("python3", &[("a.py", "import os, b"), ("b.py", "import c"), ("c.py", "")]),
            Start::File(0, vec![])
        );
        assert_eq!(of("python3", &[("a.py", "# b"), ("b.py", "")]), Start::Several(vec![0, 1]));
        assert_eq!(of("python3", &[("solve.py", ""), ("test_solve.py", "")]), Start::File(0, vec![]));
        assert_eq!(of("python3", &[("a.py", "import b"), ("b.py", "import a")]), Start::AsJudge);
        assert_eq!(of("ruby", &[("a.rb", ""), ("z.rb", "require_relative 'a'")]), Start::File(1, vec![]));
        assert_eq!(of("python3", &[("a.py", "")]), Start::AsJudge);
        assert_eq!(
            of("python3", &[("src/main.py", ""), ("tests/test_main.py", "import main")]),
            Start::File(0, vec![])
        );
        assert_eq!(of("python3", &[("p/__init__.py", ""), ("run.py", "import p")]), Start::File(1, vec![]));
    }

    #[test]
    fn of_several_main_functions_the_one_in_main_counts() {
        let main = "int main(void) {}";
        assert_eq!(of("c", &[("a.c", main), ("b.c", "int f();")]), Start::File(0, vec![]));
        assert_eq!(of("c", &[("a.c", main), ("main.c", main), ("u.c", "")]), Start::File(1, vec![0]));
        assert_eq!(of("c", &[("a.c", main), ("b.c", main)]), Start::Several(vec![0, 1]));
        assert_eq!(
            of("cpp", &[("a.cpp", "/* int main() { */"), ("b.cpp", "auto main() -> int {")]),
            Start::File(1, vec![])
        );
        assert_eq!(
            of("cpp", &[("a.cpp", "int main();"), ("b.cpp", "// int main() {\nchar*s=\"main(){\";")]),
            Start::AsJudge
        );
        assert_eq!(of("c", &[("a.c", main), ("tests/t.c", main)]), Start::File(0, vec![1]));
    }

    #[test]
    fn java_starts_with_the_class_of_the_file_with_its_package() {
        let main = "public static void main(String[] a) {}";
        let with_package = format!("/* me */ package x . y;\nclass Main {{ {main} }}");
        assert_eq!(of("java", &[("Main.java", &with_package), ("Old.java", main)]), Start::Class(0, "x.y.Main".into()));
        assert_eq!(of("java", &[("A.java", ""), ("B.java", main)]), Start::Class(1, "B".into()));
        assert_eq!(of("java", &[("A.java", main), ("B.java", main)]), Start::Several(vec![0, 1]));
    }

    #[test]
    fn unfinished_texts_come_to_an_end() {
        for text in ["/*", "/*/", "//", "\"", "'\\", "main", "main(", "int main)", "/", "package"] {
            without_comments(text.as_bytes());
            assert_eq!(of("c", &[("a.c", text), ("b.c", "")]), Start::AsJudge, "{text}");
            of("java", &[("a.java", text), ("b.java", "void main(")]);
        }
    }
}
