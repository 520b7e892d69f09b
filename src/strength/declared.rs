//! Mutants that the package says are equivalent, with the reason: `equivalent_mutants.yaml` beside `problem.yaml`.
//!
//! ```yaml
//! accepted/a.cpp:
//!   - was: for (int i = 0; i < n; ++i)
//!     is: for (int i = 0; i <= n; ++i)
//!     because: the array has a zero behind its end
//! ```
//!
//! Sources are named as in reports. `was` and `is` are the lines that the change is in, with single blanks, and `is` may
//! be a list of several; `line` says which of several like lines is meant. Nothing is taken on trust: what is killed all the same is told, and so is
//! what no mutant is like.

use std::path::Path;

use super::mutants::{Change, plain};
use crate::package::yaml::{self, Fields, Node, Source, Value};
use crate::package::{Finding, Findings, Package};

/// The file's name.
pub(super) const FILE: &str = "equivalent_mutants.yaml";

/// What is declared, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Declared {
    all: Vec<Declaration>,
}

/// One mutant, or some that are alike.
#[derive(Debug)]
struct Declaration {
    /// The source, as reports name it.
    file: String,
    change: Change,
    line: Option<usize>,
    because: String,
    /// Where it stands.
    place: (u64, u64),
}

/// Which declaration speaks of a mutant, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    pub(super) declaration: usize,
    pub(super) because: String,
}

/// Reads the package's file, if there is one. What is wrong with it is told with its place, named `given`.
pub(super) fn read(package: &Package, given: &Path) -> Result<(Declared, Vec<Finding>), Findings> {
    let path = package.root.join(FILE);
    let mut findings = Findings::default();
    let mut declared = Declared::default();
    if path.symlink_metadata().is_ok()
        && let Some(root) = yaml::read(&path, &mut findings)
    {
        declared.all = Reader { source: Source::new(&path, &mut findings), all: Vec::new() }.read(root);
    }
    Ok((declared, findings.named(&package.root, given).into_remarks()?))
}

struct Reader<'a> {
    source: Source<'a>,
    all: Vec<Declaration>,
}

impl Reader<'_> {
    fn read(mut self, root: Node) -> Vec<Declaration> {
        let Value::Map(files) = root.value else {
            self.source.not_allowed(&root, "names of sources with lists (accepted/a.cpp: [...])");
            return self.all;
        };
        for (file, list) in files {
            let Value::List(entries) = list.value else {
                self.source.not_allowed(&list, "a list of mutants (- was: ...)");
                continue;
            };
            for entry in entries {
                if let Some(fields) = self.source.fields(entry) {
                    self.declaration(&file.text, fields);
                }
            }
        }
        self.all
    }

    fn declaration(&mut self, file: &str, mut fields: Fields) {
        let place = fields.place;
        let was = fields.take("was").and_then(|node| self.source.text(&node));
        let is = fields.take("is").and_then(|node| self.source.one_or_more(&node));
        let because = fields.take("because").and_then(|node| self.source.text(&node));
        let line = fields.take("line").and_then(|node| self.source.whole(&node, 1, 1 << 32));
        fields.finish(&mut self.source);
        let (Some(was), Some(is), Some(because)) = (was, is, because) else {
            self.source.error(place, "a mutant needs `was`, `is` and `because`, each a text");
            return;
        };
        self.all.extend(is.iter().map(|is| Declaration {
            file: file.to_owned(),
            change: Change { was: plain(&was), is: plain(is) },
            line: line.map(|line| line as usize),
            because: plain(&because),
            place,
        }));
    }
}

impl Declared {
    /// What is said of a mutant of `file`, changed in `line`.
    pub(super) fn of(&self, file: &str, line: usize, change: &Change) -> Option<Reason> {
        let fits = |one: &Declaration| {
            one.file == file && one.change == *change && one.line.is_none_or(|declared| declared == line)
        };
        let declaration = self.all.iter().position(fits)?;
        Some(Reason { declaration, because: self.all[declaration].because.clone() })
    }

    /// Those of sources for which `is_whole` holds that are not among `met`, with their places.
    pub(super) fn unmet(&self, met: &dyn Fn(usize) -> bool, is_whole: &dyn Fn(&str) -> bool) -> Vec<String> {
        let unmet = self.all.iter().enumerate().filter(|(index, one)| !met(*index) && is_whole(&one.file));
        unmet.map(|(_, one)| one.words()).collect()
    }
}

impl Declaration {
    fn words(&self) -> String {
        let ((line, column), Change { was, is }) = (self.place, &self.change);
        format!("{FILE}:{line}:{column}: no mutant of {} makes {is:?} of {was:?}", self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            declared.of(file, line, &change(was, is)).map(|reason| (reason.declaration, reason.because))
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
        let told = declared.unmet(&|index| index == 1, &|_| true);
        assert_eq!(told, [format!("{FILE}:2:3: no mutant of a.cpp makes \"y\" of \"x\"")]);
        assert_eq!(declared.unmet(&|_| false, &|file| file == "b.cpp").len(), 1);
    }

    #[test]
    fn what_is_no_declaration_is_told_with_its_place() {
        for (text, place) in [
            ("- a\n", "equivalent_mutants.yaml:1:1"),
            ("a.cpp: x\n", "equivalent_mutants.yaml:1:8"),
            ("a.cpp:\n- {was: x, is: y}\n", "`was`, `is` and `because`"),
            ("a.cpp:\n- {was: x, is: [], because: z}\n", "at least one"),
            ("a.cpp:\n- {was: x, is: y, because: z, why: w}\n", "unknown key \"why\""),
        ] {
            let told = declared(text).unwrap_err();
            assert!(told.contains(place), "{text}: {told}");
        }
    }
}
