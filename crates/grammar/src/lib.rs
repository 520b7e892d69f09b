//! Parses sources of programs with the grammars of tree-sitter. Sources are untrusted, so the caller limits the work of
//! the parser with a [`Budget`].

mod budget;
#[cfg(any(test, packed_grammars))]
mod packed;

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{Language, ParseOptions, ParseState, Tree};

pub use budget::Budget;

/// A language whose sources can be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Java.
    Java,
    /// Python, for any interpreter. The grammar accepts `print` and `exec` of version 2, too.
    Python,
    /// Rust.
    Rust,
}

impl Grammar {
    /// Returns the grammar for an id of the language table; `None` if there is no grammar for that language.
    pub fn of(language: &str) -> Option<Grammar> {
        match language {
            "c" => Some(Grammar::C),
            "cpp" => Some(Grammar::Cpp),
            "java" => Some(Grammar::Java),
            "python3" | "pypy3" | "python2" => Some(Grammar::Python),
            "rust" => Some(Grammar::Rust),
            _ => None,
        }
    }

    /// Returns the grammar in the form that tree-sitter uses; `None` if its compressed tables are damaged.
    pub fn language(self) -> Option<Language> {
        // The parser of a release cannot read its tables before they are unpacked.
        #[cfg(packed_grammars)]
        if !packed::is_ready(self) {
            return None;
        }
        Some(match self {
            Grammar::C => tree_sitter_c::LANGUAGE.into(),
            Grammar::Cpp => tree_sitter_cpp::LANGUAGE.into(),
            Grammar::Java => tree_sitter_java::LANGUAGE.into(),
            Grammar::Python => tree_sitter_python::LANGUAGE.into(),
            Grammar::Rust => tree_sitter_rust::LANGUAGE.into(),
        })
    }

    /// Returns whether the language checks the types of a call's arguments.
    pub fn is_typed(self) -> bool {
        self != Grammar::Python
    }

    /// Returns whether the language is C or C++.
    pub fn is_c(self) -> bool {
        matches!(self, Grammar::C | Grammar::Cpp)
    }
}

/// A parser for one language, with a limit on its work.
pub struct Parser {
    grammar: Grammar,
    parser: tree_sitter::Parser,
}

impl Parser {
    /// Creates a parser; `None` if tree-sitter does not support the version of the grammar, or if the grammar is damaged.
    pub fn new(grammar: Grammar) -> Option<Parser> {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&grammar.language()?).ok()?;
        Some(Parser { grammar, parser })
    }

    /// Parses a source. `old` is the tree of an earlier version of the source; `None` if there is none.
    ///
    /// Reduces the budget by the work that is done. Returns `None` if the budget is used up before the source is parsed.
    pub fn parse(&mut self, source: &str, old: Option<&Tree>, budget: &mut Budget) -> Option<Tree> {
        if self.grammar == Grammar::Java && has_too_many_angles(source) {
            budget.end();
            return None;
        }
        let budget = RefCell::new(budget);
        let mut progress = |_: &ParseState| {
            if budget.borrow_mut().report() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        // To the parser, an empty chunk is the end of the source. So a lexer that scans far ahead stops there, and the
        // next report of progress ends the parse.
        let mut read = |from: usize, _| {
            Some(chunk(source, from)).filter(|chunk| budget.borrow_mut().read(chunk)).unwrap_or_default()
        };
        let tree = self.parser.parse_with_options(&mut read, old, Some(options));
        // Without this reset, the parser would resume an abandoned parse at the next call.
        self.parser.reset();
        // A parse may end without another report, so that its tree lacks the rest of the source.
        tree.filter(|_| !budget.borrow().is_over())
    }
}

/// Returns whether a source in Java has so many characters `<` that its parser may not end soon.
///
/// Each `<` may begin a list of types or compare numbers. If they are nested, the parser follows both readings, and its
/// last step takes the square of their number. It does not report its progress there. In the sources of this project,
/// one byte in 180 is a `<`, so 128 KiB have 700.
fn has_too_many_angles(source: &str) -> bool {
    const MOST_ANGLES: usize = 4000;
    source.bytes().filter(|&byte| byte == b'<').count() > MOST_ANGLES
}

/// Returns the part of the source that the lexer gets at once. The part ends between two characters, because the lexer
/// asks for the rest of a character again, and must not get an empty chunk then.
fn chunk(source: &str, from: usize) -> &[u8] {
    const CHUNK_BYTES: usize = 64;
    let mut end = source.len().min(from.saturating_add(CHUNK_BYTES));
    while !source.is_char_boundary(end) {
        end += 1;
    }
    source.as_bytes().get(from..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_grammars_by_their_ids() {
        let known = [("c", Grammar::C), ("cpp", Grammar::Cpp), ("java", Grammar::Java), ("rust", Grammar::Rust)];
        assert!(known.iter().all(|(id, grammar)| Grammar::of(id) == Some(*grammar)));
        assert!(["python3", "pypy3", "python2"].iter().all(|id| Grammar::of(id) == Some(Grammar::Python)));
        assert!(["haskell", "C", "", "kotlin"].iter().all(|id| Grammar::of(id).is_none()));
    }

    #[test]
    fn a_parse_ends_when_its_steps_are_used_up_and_the_next_one_starts_afresh() {
        let long = "int a;\n".repeat(10_000);
        let mut parser = Parser::new(Grammar::Cpp).unwrap();
        let mut few = Budget::new(3);
        assert!(parser.parse(&long, None, &mut few).is_none());
        assert!(few.is_over());
        let tree = parser.parse("int b;", None, &mut Budget::for_source("int b;")).unwrap();
        assert_eq!(tree.root_node().end_byte(), 6);
        assert!(parser.parse(&long, None, &mut Budget::for_source(&long)).is_some());
    }

    #[test]
    fn a_parse_ends_when_its_lexer_reads_the_source_again_and_again() {
        for (grammar, hostile) in [(Grammar::Python, "\\\n".repeat(60_000)), (Grammar::Rust, "r#\"".repeat(15_000))] {
            let mut budget = Budget::for_source(&hostile);
            assert!(Parser::new(grammar).unwrap().parse(&hostile, None, &mut budget).is_none(), "{grammar:?}");
            assert!(budget.is_over());
        }
    }

    #[test]
    fn a_source_in_java_with_thousands_of_nested_types_is_not_parsed() {
        let mut parser = Parser::new(Grammar::Java).unwrap();
        for hostile in ["List<".repeat(16_000), "List</*>;*/".repeat(10_000)] {
            let mut budget = Budget::for_source(&hostile);
            assert!(parser.parse(&hostile, None, &mut budget).is_none());
            assert!(budget.is_over());
        }
        let few = "class A { List<List<Integer>> a; boolean b = 1 < 2; }\n".repeat(1000);
        assert!(parser.parse(&few, None, &mut Budget::for_source(&few)).is_some());
    }

    #[test]
    fn long_blocks_of_comments_and_characters_of_several_bytes_stay_within_the_budget() {
        let commented =
            format!("def f(a):\n    return a\n{}print(f(1))\n", "#     printed = f(printed) + 'ä€😀'\n".repeat(600));
        let mut parser = Parser::new(Grammar::Python).unwrap();
        let tree = parser.parse(&commented, None, &mut Budget::for_source(&commented)).unwrap();
        assert_eq!((tree.root_node().end_byte(), tree.root_node().has_error()), (commented.len(), false));
    }
}
