//! Parses sources of programs with the grammars of tree-sitter. Sources are untrusted, so the caller limits the number
//! of steps that the parser may take.

use std::ops::ControlFlow;

use tree_sitter::{Language, ParseOptions, ParseState, Tree};

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

    /// Returns the grammar in the form that tree-sitter uses.
    pub fn language(self) -> Language {
        match self {
            Grammar::C => tree_sitter_c::LANGUAGE.into(),
            Grammar::Cpp => tree_sitter_cpp::LANGUAGE.into(),
            Grammar::Java => tree_sitter_java::LANGUAGE.into(),
            Grammar::Python => tree_sitter_python::LANGUAGE.into(),
            Grammar::Rust => tree_sitter_rust::LANGUAGE.into(),
        }
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
pub struct Parser(tree_sitter::Parser);

impl Parser {
    /// Creates a parser; `None` if tree-sitter does not support the version of the grammar.
    pub fn new(grammar: Grammar) -> Option<Parser> {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&grammar.language()).ok()?;
        Some(Parser(parser))
    }

    /// Parses a source. `old` is the tree of an earlier version of the source; `None` if there is none.
    ///
    /// The parser reports its progress about every hundred steps. `reports` is the number of reports that it may still
    /// make, and is reduced by those that it makes. Returns `None` if they are used up before the source is parsed.
    pub fn parse(&mut self, source: &str, old: Option<&Tree>, reports: &mut u64) -> Option<Tree> {
        let bytes = source.as_bytes();
        let mut progress = |_: &ParseState| match reports.checked_sub(1) {
            Some(fewer) => {
                *reports = fewer;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut read = |from: usize, _| bytes.get(from..).unwrap_or_default();
        let tree = self.0.parse_with_options(&mut read, old, Some(options));
        // Without this reset, the parser would resume an abandoned parse at the next call.
        self.0.reset();
        tree
    }
}

/// Returns how many reports of progress parsing a source may take ([`Parser::parse`]). Ordinary sources need one report
/// per hundred bytes, and this is ten times as many.
pub fn reports_for(source: &str) -> u64 {
    const AT_LEAST: u64 = 1000;
    const BYTES_PER_REPORT: u64 = 10;
    AT_LEAST + source.len() as u64 / BYTES_PER_REPORT
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
        let mut few = 3;
        assert!(parser.parse(&long, None, &mut few).is_none());
        assert_eq!(few, 0);
        let tree = parser.parse("int b;", None, &mut reports_for("int b;")).unwrap();
        assert_eq!(tree.root_node().end_byte(), 6);
        assert!(parser.parse(&long, None, &mut reports_for(&long)).is_some());
    }
}
