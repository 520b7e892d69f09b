//! The languages whose sources can be changed.

use tree_sitter::Language;

/// A language whose sources can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::strength) enum Grammar {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Java.
    Java,
    /// Python, whatever runs it. The grammar takes version 2's `print` and `exec`, too.
    Python,
    /// Rust.
    Rust,
}

impl Grammar {
    /// By the id of the language table.
    pub(in crate::strength) fn of(language: &str) -> Option<Grammar> {
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

    /// Whether the order of a call's arguments is checked by their types.
    pub(super) fn is_typed(self) -> bool {
        self != Grammar::Python
    }

    /// Whether it is C or C++.
    pub(super) fn is_c(self) -> bool {
        matches!(self, Grammar::C | Grammar::Cpp)
    }
}
