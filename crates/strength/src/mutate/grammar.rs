//! The languages whose sources can be mutated.

use tree_sitter::Language;

/// A language whose sources can be mutated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
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
    /// Returns the grammar for an id of the language table; `None` if sources of that language cannot be mutated.
    pub(crate) fn of(language: &str) -> Option<Grammar> {
        match language {
            "c" => Some(Grammar::C),
            "cpp" => Some(Grammar::Cpp),
            "java" => Some(Grammar::Java),
            "python3" | "pypy3" | "python2" => Some(Grammar::Python),
            "rust" => Some(Grammar::Rust),
            _ => None,
        }
    }

    pub(super) fn language(self) -> Language {
        match self {
            Grammar::C => tree_sitter_c::LANGUAGE.into(),
            Grammar::Cpp => tree_sitter_cpp::LANGUAGE.into(),
            Grammar::Java => tree_sitter_java::LANGUAGE.into(),
            Grammar::Python => tree_sitter_python::LANGUAGE.into(),
            Grammar::Rust => tree_sitter_rust::LANGUAGE.into(),
        }
    }

    /// Returns whether the language checks the types of a call's arguments.
    pub(super) fn is_typed(self) -> bool {
        self != Grammar::Python
    }

    /// Returns whether the language is C or C++.
    pub(super) fn is_c(self) -> bool {
        matches!(self, Grammar::C | Grammar::Cpp)
    }
}
