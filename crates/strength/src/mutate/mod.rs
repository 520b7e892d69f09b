//! Generates mutations: changes of a source that a programmer could have made by mistake.
//!
//! # Theory of operation
//!
//! [`parse`] parses a source within a bounded number of steps, and [`tree`] turns the result into a flat list of nodes.
//! One walk from the root marks each node by the nodes around it: whether it is code at all, whether a loop repeats it,
//! whether it only sets how much memory is reserved ([`marks`]). Another walk finds which names stand for text, streams
//! or floating-point numbers ([`facts`]). Then every family of mistakes inspects every node and offers changes
//! ([`mod@offers`]). The families do not depend on one another. Finally, [`dedup`] sorts the changes, removes
//! duplicates, and drops changes after which the source no longer parses or has a different number of lines.
//!
//! All decisions depend on syntax; there is no type information. So a few mutants do not compile, and a few change
//! nothing. A family leaves out changes that it can recognise as not compiling or as changing nothing; a comment in its
//! code then gives the reason.
//!
//! # Parts that are never changed
//!
//! Parts that do not parse; comments; preprocessor lines, except for defined numbers; imports, types, annotations,
//! tests, assertions, failure messages; preprocessor branches that might not be compiled; arguments of Rust macros,
//! which the parser does not parse as expressions.
//!
//! # Bounds
//!
//! Nothing here recurses, waits or reads the clock. Sources of more than [`LONGEST_SOURCE`] bytes and extremely deep
//! nodes are left alone. At most [`MOST`] changes of a source are kept, evenly spread over it. If the parser reaches
//! its step limit while it checks that the changes still parse, the unchecked ones are dropped. The number of changes
//! left out is reported.

mod bounds;
mod calls;
mod conditions;
mod dedup;
mod facts;
mod kinds;
mod literals;
mod marks;
mod numbers;
mod offers;
mod operator;
mod operators;
mod parse;
mod resets;
mod statements;
#[cfg(test)]
mod tests;
mod tree;

use std::ops::Range;

pub(super) use operator::Operator;
pub(super) use referee_grammar::Grammar;

use facts::Facts;
use marks::Marks;
use offers::Offers;
use parse::{Bounded, OldTree};
use tree::{Node, Nodes};

/// The maximum length of a source, in bytes. Contests usually accept only shorter sources, and longer ones are mostly
/// tables.
pub(super) const LONGEST_SOURCE: usize = 512 << 10;
/// The maximum number of changes of one source.
pub(super) const MOST: usize = 4000;

/// One change of one source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mutation {
    pub(super) operator: Operator,
    /// The bytes of the source that the change replaces.
    pub(super) span: Range<usize>,
    pub(super) replacement: String,
    /// The line and column of the first byte of the span, both counted from 1; the column counts characters.
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Mutation {
    /// Returns the changed source. `source` must be the source that the change was made for.
    pub(super) fn apply(&self, source: &str) -> String {
        let before = source.get(..self.span.start).unwrap_or_default();
        let after = source.get(self.span.end..).unwrap_or_default();
        [before, &self.replacement, after].concat()
    }

    /// Returns the change that replaces the first occurrence of `old`.
    #[cfg(test)]
    pub(super) fn replacing(text: &str, old: &str, new: &str) -> Mutation {
        let start = text.find(old).unwrap();
        let span = start..start + old.len();
        Mutation { operator: Operator::Boundary, span, replacement: new.to_owned(), line: 1, column: 1 }
    }
}

/// The changes of a source.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Mutations {
    /// The changes, ordered by position.
    pub(super) list: Vec<Mutation>,
    /// The number of offered changes that were left out, because there were too many or the step limit was reached.
    pub(super) left_out: usize,
}

/// Returns the changes of a source, outside the parts that do not parse. Returns no changes if the source is too long
/// or takes too many steps to parse.
pub(super) fn mutations(grammar: Grammar, source: &str) -> Mutations {
    if source.len() > LONGEST_SOURCE {
        return Mutations::default();
    }
    let Some(mut parser) = Bounded::new(grammar) else { return Mutations::default() };
    let Some(tree) = parser.parse(source) else { return Mutations::default() };
    let mut nodes = Nodes::of(grammar, source, &tree);
    marks::mark(&mut nodes);
    let offers = offers(&mut nodes);
    dedup::select(source, offers.list, &mut parser, &OldTree::new(&tree))
}

/// Collects the offers of all families.
fn offers(nodes: &mut Nodes<'_>) -> Offers {
    mark_text(nodes);
    let facts = Facts::of(nodes);
    let mut offers = Offers::default();
    for node in nodes.iter().filter(|node| !node.has(Marks::NO_CODE)) {
        literals::offer(node, &facts, &mut offers);
        if node.has(Marks::CAPACITY) {
            continue;
        }
        operators::offer(node, &facts, &mut offers);
        conditions::offer(node, &mut offers);
        bounds::offer(node, &facts, &mut offers);
        statements::offer(node, &facts, &mut offers);
        resets::offer(node, &mut offers);
        calls::offer(node, &facts, &mut offers);
    }
    offers
}

/// Marks text and streams. This is a separate pass, because it needs the facts about names.
fn mark_text(nodes: &mut Nodes<'_>) {
    let (texts, streams) = {
        let facts = Facts::of(nodes);
        let at =
            |is: &dyn Fn(Node<'_>) -> bool| nodes.iter().filter(|&node| is(node)).map(Node::at).collect::<Vec<_>>();
        (at(&|node| facts.is_text(node)), at(&|node| facts.is_stream(node)))
    };
    for (marks, list) in [(Marks::TEXT, texts), (Marks::STREAM, streams)] {
        for at in list {
            nodes.mark(at, marks);
        }
    }
    marks::propagate_up(nodes);
}
