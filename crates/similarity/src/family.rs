//! Families of languages: programs are compared only within a family.

use referee_grammar::Grammar;

/// Languages whose programs have comparable tokens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    /// C and C++. The grammar of C++ also parses C, so that a renamed file does not hide a copy.
    Cpp,
    Java,
    /// Python, of any version and for any interpreter.
    Python,
    Rust,
    /// JavaScript and TypeScript, by the plain lexer.
    Script,
    /// Any other language, by its id and the plain lexer.
    Plain(String),
}

impl Family {
    /// Returns the family of a language, by its id in the language table.
    pub(crate) fn of(language: &str) -> Family {
        match (Grammar::of(language), language) {
            (Some(Grammar::C | Grammar::Cpp), _) => Family::Cpp,
            (Some(Grammar::Java), _) => Family::Java,
            (Some(Grammar::Python), _) => Family::Python,
            (Some(Grammar::Rust), _) => Family::Rust,
            (None, "javascript" | "typescript") => Family::Script,
            (None, other) => Family::Plain(other.to_owned()),
        }
    }

    /// Returns the grammar that parses the family's programs; `None` for the plain lexer.
    pub(crate) fn grammar(&self) -> Option<Grammar> {
        match self {
            Family::Cpp => Some(Grammar::Cpp),
            Family::Java => Some(Grammar::Java),
            Family::Python => Some(Grammar::Python),
            Family::Rust => Some(Grammar::Rust),
            Family::Script | Family::Plain(_) => None,
        }
    }
}
