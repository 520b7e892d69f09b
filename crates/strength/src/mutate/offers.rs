//! The offers: changes that the families of mistakes propose, before [`dedup`](super::dedup) sorts and filters them.

use std::ops::Range;

use super::operator::Operator;
use super::tree::Node;

/// The maximum length of a replaced part, in bytes. Without this maximum, the changes of nested parts would take
/// quadratic space.
const LONGEST: usize = 2000;
/// The maximum number of offers for one source.
const MOST: usize = 600_000;

/// A proposed replacement.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub(super) operator: Operator,
    pub(super) span: Range<usize>,
    pub(super) replacement: String,
}

/// All offers so far.
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

    /// Offers to replace a node by the text that `new` makes from the node's text. Skips the node if it is too long.
    pub(super) fn rewrite(&mut self, operator: Operator, node: Node<'_>, new: impl FnOnce(&str) -> String) {
        if node.span().len() <= LONGEST {
            self.replace(operator, node, new(node.text()));
        }
    }
}
