//! Reads `equivalent_mutants.yaml` beside `problem.yaml`. In this file, the package declares mutants equivalent and
//! gives a reason for each.
//!
//! ```yaml
//! accepted/a.cpp:
//!   - was: for (int i = 0; i < n; ++i)
//!     is: for (int i = 0; i <= n; ++i)
//!     because: the array has a zero behind its end
//! ```
//!
//! Sources are named as in reports. `was` is the changed line before the change, and `is` is the same line after it;
//! both with runs of whitespace reduced to single spaces. If several changes of a line have the same reason, `is` may
//! be a list. If a source has several lines equal to `was`, `line` selects one of them by its number. Declarations are
//! verified. The report names each mutant that a test kills although a declaration with `is` covers it. If all mutants
//! were run, it also names each declaration that matches no mutant.
//!
//! If all surviving changes of a line have the same reason, leave out `is`. The declaration then covers every change of
//! that line. `within` gives the first line of a function or a loop, and covers every change inside it:
//!
//! ```yaml
//! output_validator/validate.cpp:
//!   - within: std::string shown(const Token &token) {
//!     because: it only formats text for messages
//! ```

mod read;

use super::mutants::{Change, plain};

pub(super) use read::read;

/// The file's name, relative to the package.
pub(super) const FILE: &str = "equivalent_mutants.yaml";

/// All declarations of a package, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Declared {
    all: Vec<Declaration>,
}

/// A declaration about one mutant, or about several similar ones.
#[derive(Debug)]
struct Declaration {
    /// The source file, as reports name it.
    file: String,
    scope: Scope,
    /// The line of the change, counted from 1; `None` if the declaration applies to every line with the declared text.
    line: Option<usize>,
    because: String,
    /// The line and column of the declaration in `equivalent_mutants.yaml`, both counted from 1.
    place: (u64, u64),
}

/// The changes that a declaration covers. The narrower variants come first: if several declarations cover a mutant, the
/// first variant in this order applies.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// One particular change.
    Change(Change),
    /// Any change of a line with this text.
    Line(String),
    /// Any change in the block that begins with a line with this text.
    Within(String),
}

/// The declaration that covers a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    /// The index in the list of declarations. A declaration with several lines in `is` takes one index for each line.
    pub(super) declaration: usize,
    /// The reason why the mutant is equivalent.
    pub(super) because: String,
    /// The position of the declaration: the file, line and column.
    pub(super) place: String,
    /// Whether the declaration covers only this particular change. Such a declaration is wrong if a test kills the
    /// mutant.
    pub(super) is_exact: bool,
}

impl Declared {
    /// Returns the narrowest declaration that covers a mutant of `file`; `None` if there is none. `text` is the
    /// unchanged source, and `line` is the line of the change.
    pub(super) fn of(&self, file: &str, line: usize, change: &Change, text: &str) -> Option<Reason> {
        let fits = |one: &&(usize, &Declaration)| {
            let one = one.1;
            one.file == file
                && one.line.is_none_or(|declared| declared == line)
                && match &one.scope {
                    Scope::Change(declared) => declared == change,
                    Scope::Line(was) => *was == change.was,
                    Scope::Within(first) => is_within(text, first, line),
                }
        };
        let all: Vec<_> = self.all.iter().enumerate().collect();
        let (declaration, one) = all.iter().filter(fits).min_by_key(|(_, one)| &one.scope)?;
        let is_exact = matches!(one.scope, Scope::Change(_));
        Some(Reason { declaration: *declaration, because: one.because.clone(), place: one.place(), is_exact })
    }

    /// Returns a message for each declaration that matches no mutant. `is_matched` is called with the declaration's
    /// index. Declarations about files for which `is_measured` returns false are skipped.
    pub(super) fn unmatched(
        &self,
        is_matched: &dyn Fn(usize) -> bool,
        is_measured: &dyn Fn(&str) -> bool,
    ) -> Vec<String> {
        let unmatched =
            self.all.iter().enumerate().filter(|(index, one)| !is_matched(*index) && is_measured(&one.file));
        unmatched.map(|(_, one)| one.message()).collect()
    }
}

impl Declaration {
    /// Returns the position of the declaration: the file, line and column.
    fn place(&self) -> String {
        let (line, column) = self.place;
        format!("{FILE}:{line}:{column}")
    }

    /// Returns the message that no mutant matches the declaration.
    fn message(&self) -> String {
        let what = match &self.scope {
            Scope::Change(Change { was, is }) => format!("changes {was:?} to {is:?}"),
            Scope::Line(was) => format!("changes {was:?}"),
            Scope::Within(first) => format!("is in the block that begins with {first:?}"),
        };
        format!("{}: no mutant of {} {what}", self.place(), self.file)
    }
}

/// Returns whether `line`, counted from 1, is in a block that begins with the line `first`.
///
/// The block ends before the next line of code that is not indented deeper than `first`. Empty lines, preprocessor
/// lines, labels, and lines that begin with an opening brace or consist of `where` may have any indentation.
fn is_within(text: &str, first: &str, line: usize) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let begins = lines.iter().enumerate().filter(|(_, one)| plain(one) == first);
    begins.map(|(start, one)| (start, indent(one))).any(|(start, left)| {
        let is_word = |text: &str| text.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        let is_label = |one: &str| one.strip_suffix(':').is_some_and(is_word);
        let has_any_indent =
            |one: &str| one.is_empty() || one.starts_with(['{', '#']) || is_label(one) || one == "where";
        let is_inside = |one: &&&str| indent(one) > left || has_any_indent(one.trim());
        let inside = lines[start + 1..].iter().take_while(is_inside).count();
        (start + 1..=start + 1 + inside).contains(&line)
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::read::Reader;
    use super::*;
    use referee_package::Findings;
    use referee_package::yaml::{self, Source};

    fn declared(text: &str) -> Result<Declared, String> {
        let path = Path::new(FILE);
        let mut findings = Findings::default();
        let root = yaml::parse(text, path, &mut findings);
        let all = root.map(|root| Reader { source: Source::new(path, &mut findings), all: Vec::new() }.read(root));
        match findings.into_remarks() {
            Ok(_) => Ok(Declared { all: all.unwrap_or_default() }),
            Err(findings) => Err(findings.to_string()),
        }
    }

    fn change(was: &str, is: &str) -> Change {
        Change { was: was.to_owned(), is: is.to_owned() }
    }

    #[test]
    fn a_mutant_is_known_by_its_file_and_its_lines_and_by_the_line_if_that_is_given() {
        let text = "a.cpp:\n- was: x  = 1;\n  is: [x = 2;, 'x =   0;']\n  because: never\n    read\n\
                    - {was: y, is: z, because: other, line: 7}\n";
        let declared = declared(text).unwrap();
        let because = |file, line, was, is| {
            declared.of(file, line, &change(was, is), "").map(|reason| (reason.declaration, reason.because))
        };
        assert_eq!(because("a.cpp", 3, "x = 1;", "x = 2;"), Some((0, "never read".to_owned())));
        assert_eq!(because("a.cpp", 9, "x = 1;", "x = 0;"), Some((1, "never read".to_owned())));
        assert_eq!(because("b.cpp", 3, "x = 1;", "x = 2;"), None);
        assert_eq!(because("a.cpp", 3, "x = 1;", "x = 3;"), None);
        assert_eq!(because("a.cpp", 7, "y", "z"), Some((2, "other".to_owned())));
        assert_eq!(because("a.cpp", 8, "y", "z"), None);
    }

    #[test]
    fn what_no_mutant_is_like_is_told_with_its_place() {
        let declared =
            declared("a.cpp:\n- {was: x, is: y, because: z}\nb.cpp:\n- {was: x, is: y, because: z}\n").unwrap();
        let told = declared.unmatched(&|index| index == 1, &|_| true);
        assert_eq!(told, [format!("{FILE}:2:3: no mutant of a.cpp changes \"x\" to \"y\"")]);
        assert_eq!(declared.unmatched(&|_| false, &|file| file == "b.cpp").len(), 1);
    }

    #[test]
    fn what_is_no_declaration_is_told_with_its_place() {
        for (text, place) in [
            ("- a\n", "equivalent_mutants.yaml:1:1"),
            ("a.cpp: x\n", "equivalent_mutants.yaml:1:8"),
            ("a.cpp:\n- {was: x, is: y}\n", "`was` + `is` + `because`"),
            ("a.cpp:\n- {within: x, is: y, because: z}\n", "`was` + `is` + `because`"),
            ("a.cpp:\n- {was: x, is: [], because: z}\n", "at least one"),
            ("a.cpp:\n- {was: x, is: y, because: z, why: w}\n", "unknown key \"why\""),
        ] {
            let told = declared(text).unwrap_err();
            assert!(told.contains(place), "{text}: {told}");
        }
    }

    #[test]
    fn a_wrong_value_or_key_is_told_once() {
        for (text, what) in [
            ("a.cpp:\n- {was: [x], because: z}\n", "2:9: found a list"),
            ("a.cpp:\n- {was: x, is: [[y]], because: z}\n", "2:17: found a list"),
            ("a.cpp:\n- {within: {x: y}, because: z}\n", "2:12: found keys with values"),
            ("a.cpp:\n- {was: x, because: [z]}\n", "2:21: found a list"),
            ("a.cpp:\n- {was: x, because: z, line: y}\n", "2:30: found \"y\""),
            ("a.cpp:\n- {was: x, becuase: z}\n", "did you mean because?"),
            ("a.cpp:\n- {was: x, is: , because: z}\n", "cannot be combined"),
        ] {
            let told = declared(text).unwrap_err();
            assert!(told.contains(what) && told.trim().lines().count() == 1, "{text}: {told}");
        }
    }

    const SOURCE: &str = "int f() {\n    a = 1;\n\n    if (b) {\n        c = 1;\n    }\n}\nint g() {\n    a = 1;\n}\n";

    #[test]
    fn a_function_goes_on_behind_its_brace_labels_and_the_preprocessor() {
        let text = "void f()\n{\n    a();\n#ifdef B\n    b();\n#endif\nagain:\n    c();\n}\nvoid g()\n{\n    d();\n}\n";
        let inside: Vec<_> = (1..=13).filter(|line| is_within(text, "void f()", *line)).collect();
        assert_eq!(inside, [1, 2, 3, 4, 5, 6, 7, 8]);
        let text = "def f(a):\n    if a:\n        b()\n    else:\n        c()\ndef g(a):\n    d()\n";
        let inside: Vec<_> = (1..=7).filter(|line| is_within(text, "def f(a):", *line)).collect();
        assert_eq!(inside, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_line_and_all_within_a_function_may_be_meant_and_the_narrower_word_counts() {
        let text = "a.cpp:\n- {within: 'int  f() {', because: whole}\n- {was: c = 1;, because: line}\n\
                    - {was: c = 1;, is: c = 2;, because: change}\n";
        let declared = declared(text).unwrap();
        let said = |line, was, is| {
            let reason = declared.of("a.cpp", line, &change(was, is), SOURCE)?;
            Some((reason.because, reason.is_exact))
        };
        let words = |because: &str, is_exact| Some((because.to_owned(), is_exact));
        assert_eq!(said(2, "a = 1;", "a = 2;"), words("whole", false));
        assert_eq!(said(1, "int f() {", "int f(int) {"), words("whole", false));
        assert_eq!(said(6, "}", ";}"), words("whole", false));
        assert_eq!(said(8, "int g() {", "int g(int) {"), None);
        assert_eq!(said(9, "a = 1;", "a = 2;"), None);
        assert_eq!(said(5, "c = 1;", "c = 0;"), words("line", false));
        assert_eq!(said(5, "c = 1;", "c = 2;"), words("change", true));
        assert_eq!(
            declared.unmatched(&|index| index != 0, &|_| true),
            [format!("{FILE}:2:3: no mutant of a.cpp is in the block that begins with \"int f() {{\"")]
        );
    }
}
