//! Parses sources with a limit on the number of steps, because sources are untrusted.

use std::ops::ControlFlow;

use tree_sitter::{InputEdit, ParseOptions, ParseState, Parser, Point, Tree};

use super::grammar::Grammar;

/// The parser reports its progress about every hundred steps, and a limit on the number of reports limits its work.
/// Parsing a source may take `REPORTS_AT_LEAST` reports, and one more for every [`BYTES_PER_REPORT`] bytes. Ordinary
/// sources need one report per hundred bytes.
const REPORTS_AT_LEAST: u64 = 1000;
const BYTES_PER_REPORT: u64 = 10;
/// Parsing all changed sources together may take `CHECK_REPORTS_AT_LEAST` reports, and one more for each byte of the
/// source. Ordinary sources need one report per three bytes.
const CHECK_REPORTS_AT_LEAST: u64 = 2000;

/// A parser for one language, with a limit on its work.
pub(super) struct Bounded {
    parser: Parser,
    /// How much work may still be spent on changed sources, as a number of calls of the parser's progress callback.
    left: u64,
}

impl Bounded {
    pub(super) fn new(grammar: Grammar) -> Option<Self> {
        let mut parser = Parser::new();
        parser.set_language(&grammar.language()).ok()?;
        Some(Self { parser, left: 0 })
    }

    /// Parses a source. Returns `None` if that takes too many steps.
    pub(super) fn parse(&mut self, source: &str) -> Option<Tree> {
        let mut reports = REPORTS_AT_LEAST + source.len() as u64 / BYTES_PER_REPORT;
        self.left = CHECK_REPORTS_AT_LEAST + source.len() as u64;
        self.parse_within(source, None, &mut reports)
    }

    /// Returns whether the changed source has no more errors than the old one. Returns `None` once the steps are used
    /// up.
    pub(super) fn still_parses(&mut self, old: &OldTree<'_>, edit: &InputEdit, changed: &str) -> Option<bool> {
        let mut tree = old.tree.clone();
        tree.edit(edit);
        let mut left = self.left;
        let parsed = self.parse_within(changed, Some(&tree), &mut left);
        self.left = left;
        parsed.map(|new| errors(&new) <= old.errors)
    }

    fn parse_within(&mut self, source: &str, old: Option<&Tree>, reports: &mut u64) -> Option<Tree> {
        let bytes = source.as_bytes();
        let mut progress = |_: &ParseState| match reports.checked_sub(1) {
            Some(fewer) => {
                *reports = fewer;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut read = |from: usize, _: Point| bytes.get(from..).unwrap_or_default();
        let tree = self.parser.parse_with_options(&mut read, old, Some(options));
        // Without this reset, the parser would resume an abandoned parse at the next call.
        self.parser.reset();
        tree
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
