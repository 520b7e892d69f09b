//! Parses sources with a limit on the number of steps, because sources are untrusted.

use tree_sitter::{InputEdit, Tree};

use referee_grammar::{Budget, Grammar, Parser};

/// Parsing all changed sources together may take `CHECK_REPORTS_AT_LEAST` reports, and one more for each byte of the
/// source ([`Budget`]). Ordinary sources need one report per three bytes.
const CHECK_REPORTS_AT_LEAST: u64 = 2000;

/// A parser for one language, with a limit on its work.
pub(super) struct Bounded {
    parser: Parser,
    /// How much work may still be spent on changed sources.
    left: Budget,
}

impl Bounded {
    pub(super) fn new(grammar: Grammar) -> Option<Self> {
        Some(Self { parser: Parser::new(grammar)?, left: Budget::new(0) })
    }

    /// Parses a source. Returns `None` if that takes too many steps.
    pub(super) fn parse(&mut self, source: &str) -> Option<Tree> {
        self.left = Budget::new(CHECK_REPORTS_AT_LEAST + source.len() as u64);
        self.parser.parse(source, None, &mut Budget::for_source(source))
    }

    /// Returns whether the changed source has no more errors than the old one. Returns `None` once the steps are used
    /// up.
    pub(super) fn still_parses(&mut self, old: &OldTree<'_>, edit: &InputEdit, changed: &str) -> Option<bool> {
        let mut tree = old.tree.clone();
        tree.edit(edit);
        let parsed = self.parser.parse(changed, Some(&tree), &mut self.left);
        parsed.map(|new| errors(&new) <= old.errors)
    }
}

/// The tree of the unchanged source, and its number of errors.
pub(super) struct OldTree<'a> {
    pub(super) tree: &'a Tree,
    errors: usize,
}

impl<'a> OldTree<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        Self { tree, errors: errors(tree) }
    }
}

/// Counts the errors and missing tokens of a tree. Visits only the branches that contain errors.
fn errors(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut count = 0;
    loop {
        let node = cursor.node();
        count += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}
