//! Changes of sources, each of which a programmer could have made by mistake.
//!
//! # Theory of operation
//!
//! A source is parsed, within a bounded number of steps ([`parse`]), into a flat list of nodes ([`tree`]). One walk
//! from the root tells what surrounds each node: whether it is code at all, whether a loop repeats it, whether it only
//! reserves room ([`marks`]); one walk over the names tells which of them are text, streams or broken numbers
//! ([`facts`]). Then every family of mistakes looks at every node and thinks of changes ([`offers`]). They know nothing
//! of one another. At last all are put in order, those that say the same are told once, and those that do not parse any
//! more are dropped ([`sieve`]).
//!
//! Everything is decided by the looks of the source: there are no types here. So a few changes will not compile, and a
//! few will change nothing; the families leave out what can be seen to be of either kind. Each says why where it does.
//!
//! # What is never changed
//!
//! Parts that do not parse; comments, lines of the preprocessor but for defined numbers, imports, types, annotations,
//! tests, assertions, messages of failures; branches of the preprocessor of which it is not known whether they are
//! compiled; arguments of Rust's macros, which are no expressions to the parser.
//!
//! # Bounds
//!
//! Nothing here recurses, waits or asks for the time. Sources of more than [`LONGEST_SOURCE`] bytes are left alone, as
//! are nodes nested deeper than anybody writes. Of very many changes an even selection is kept: of [`MOST`], or of
//! fewer if the steps do not last in which it is looked whether they parse. How many are left out is told.

mod bounds;
mod calls;
mod conditions;
mod facts;
mod grammar;
mod kinds;
mod literals;
mod marks;
mod numbers;
mod offers;
mod operator;
mod operators;
mod parse;
mod resets;
mod sieve;
mod statements;
#[cfg(test)]
mod tests;
mod tree;

use std::ops::Range;

pub(super) use grammar::Grammar;
pub(super) use operator::Operator;

use facts::Facts;
use marks::Marks;
use offers::Offers;
use parse::{Bounded, Old};
use tree::{Node, Nodes};

/// Longer sources are not changed, in bytes. Contests take less; what is longer is mostly a table.
pub(super) const LONGEST_SOURCE: usize = 512 << 10;
/// More changes of one source are not made.
pub(super) const MOST: usize = 4000;

/// One change of one source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mutation {
    pub(super) operator: Operator,
    /// The bytes that are replaced.
    pub(super) span: Range<usize>,
    pub(super) replacement: String,
    /// Of the first byte of the span, both counted from 1; the column in characters.
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Mutation {
    /// The source with the change. It has to be the source that the change was made for.
    pub(super) fn apply(&self, source: &str) -> String {
        let before = source.get(..self.span.start).unwrap_or_default();
        let after = source.get(self.span.end..).unwrap_or_default();
        [before, &self.replacement, after].concat()
    }
}

/// What changes of a source there are.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Mutations {
    /// In the order of their places.
    pub(super) list: Vec<Mutation>,
    /// How many others were thought of, which would be too many or take too long.
    pub(super) left_out: usize,
}

/// The changes of a source. What does not parse is left as it is: none at all if that is
/// the whole source, or if the source is too long or too involved to be parsed.
pub(super) fn mutations(grammar: Grammar, source: &str) -> Mutations {
    if source.len() > LONGEST_SOURCE {
        return Mutations::default();
    }
    let Some(mut parser) = Bounded::new(grammar) else { return Mutations::default() };
    let Some(tree) = parser.parse(source) else { return Mutations::default() };
    let mut nodes = Nodes::of(grammar, source, &tree);
    marks::mark(&mut nodes);
    let offers = offers(&mut nodes);
    sieve::keep(source, offers.list, &mut parser, &Old::new(&tree))
}

/// What all families think of.
fn offers(nodes: &mut Nodes<'_>) -> Offers {
    mark_text(nodes);
    let facts = Facts::of(nodes);
    let mut offers = Offers::default();
    for node in nodes.iter().filter(|node| !node.has(Marks::NO_CODE)) {
        literals::offer(node, &facts, &mut offers);
        if node.has(Marks::ROOM) {
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

/// What is text and what a stream is known once the names are.
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
    marks::hand_up(nodes);
}
