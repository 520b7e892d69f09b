//! The changes that are thought of, before they are looked at together.

use std::ops::Range;

use super::operator::Operator;
use super::tree::Node;

/// Longer parts of a source are not replaced: all changes of nested parts together would be quadratic in length.
const LONGEST: usize = 2000;
/// More are not thought of.
const MOST: usize = 600_000;

/// One replacement.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub(super) operator: Operator,
    pub(super) span: Range<usize>,
    pub(super) replacement: String,
}

/// All that were thought of so far.
#[derive(Default)]
pub(super) struct Offers {
    pub(super) list: Vec<Offer>,
}

impl Offers {
    pub(super) fn replace(&mut self, operator: Operator, node: Node<'_>, replacement: impl Into<String>) {
        self.replace_span(operator, node.span(), replacement);
    }

    pub(super) fn replace_span(&mut self, operator: Operator, span: Range<usize>, replacement: impl Into<String>) {
        if span.len() <= LONGEST && self.list.len() < MOST {
            self.list.push(Offer { operator, span, replacement: replacement.into() });
        }
    }

    pub(super) fn insert_before(&mut self, operator: Operator, node: Node<'_>, text: &str) {
        let at = node.span().start;
        self.replace_span(operator, at..at, text);
    }

    pub(super) fn insert_after(&mut self, operator: Operator, node: Node<'_>, text: &str) {
        let at = node.span().end;
        self.replace_span(operator, at..at, text);
    }

    /// Replaces a node by something made of its text, if it is not too long for that.
    pub(super) fn rewrite(&mut self, operator: Operator, node: Node<'_>, new: impl FnOnce(&str) -> String) {
        if node.span().len() <= LONGEST {
            self.replace(operator, node, new(node.text()));
        }
    }
}
