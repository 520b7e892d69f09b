//! The syntax tree of a source as a flat list, in the order of the text.
//!
//! A tree-sitter node finds its parent by a search from the root, which is quadratic on deep sources. Here a node is an
//! index into the list. The list stores each node's parent, and a node's children follow it. Nodes deeper than
//! [`DEEPEST`] levels are left out; sources written by people have no such nodes.

use std::ops::Range;

use tree_sitter::TreeCursor;

use super::marks::Marks;
use referee_grammar::Grammar;

/// The maximum depth of nodes that are read, in levels.
const DEEPEST: usize = 300;
/// The maximum number of children that are searched for a field. In the grammars, children with fields come before long
/// lists of children.
const SEARCHED: usize = 64;

/// All nodes of a source.
pub(super) struct Nodes<'s> {
    pub(super) grammar: Grammar,
    pub(super) source: &'s str,
    list: Vec<Entry>,
}

struct Entry {
    kind: &'static str,
    /// The name of the node's field in the parent, in the grammar's terms; empty if the node has none.
    field: &'static str,
    start: usize,
    end: usize,
    parent: usize,
    /// The index of the first node after the node's descendants.
    past: usize,
    is_named: bool,
    marks: Marks,
    /// The index of the function that contains the node; the root's index if no function does.
    function: usize,
}

impl<'s> Nodes<'s> {
    pub(super) fn of(grammar: Grammar, source: &'s str, tree: &tree_sitter::Tree) -> Self {
        let mut nodes = Self { grammar, source, list: Vec::new() };
        let mut cursor = tree.walk();
        // The indices of the ancestors of the current node, outermost first.
        let mut ancestors: Vec<usize> = Vec::new();
        loop {
            let at = nodes.push(&cursor, ancestors.last().copied());
            if ancestors.len() < DEEPEST && cursor.goto_first_child() {
                ancestors.push(at);
                continue;
            }
            nodes.close(at);
            while !cursor.goto_next_sibling() {
                let Some(parent) = ancestors.pop().filter(|_| cursor.goto_parent()) else { return nodes };
                nodes.close(parent);
            }
        }
    }

    fn push(&mut self, cursor: &TreeCursor<'_>, parent: Option<usize>) -> usize {
        let at = self.list.len();
        let node = cursor.node();
        let field = cursor.field_name().unwrap_or_default();
        self.list.push(Entry {
            kind: node.kind(),
            field,
            start: node.start_byte(),
            end: node.end_byte(),
            parent: parent.unwrap_or(at),
            past: at + 1,
            is_named: node.is_named(),
            marks: if node.is_error() || node.is_missing() { Marks::NO_CODE } else { Marks::default() },
            function: 0,
        });
        at
    }

    fn close(&mut self, at: usize) {
        self.list[at].past = self.list.len();
    }

    /// Iterates over all nodes, each before its children.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Node<'_>> {
        (0..self.list.len()).map(|at| self.node(at))
    }

    pub(super) fn node(&self, at: usize) -> Node<'_> {
        Node { nodes: self, at }
    }

    pub(super) fn mark(&mut self, at: usize, marks: Marks) {
        self.list[at].marks |= marks;
    }

    pub(super) fn set_function(&mut self, at: usize, function: usize) {
        self.list[at].function = function;
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}

/// A node of a source.
#[derive(Clone, Copy)]
pub(super) struct Node<'t> {
    nodes: &'t Nodes<'t>,
    at: usize,
}

impl<'t> Node<'t> {
    fn entry(self) -> &'t Entry {
        &self.nodes.list[self.at]
    }

    pub(super) fn at(self) -> usize {
        self.at
    }

    pub(super) fn grammar(self) -> Grammar {
        self.nodes.grammar
    }

    pub(super) fn source(self) -> &'t str {
        self.nodes.source
    }

    pub(super) fn kind(self) -> &'static str {
        self.entry().kind
    }

    /// Returns the name of the node's field in the parent, in the grammar's terms; empty if the node has none.
    pub(super) fn field(self) -> &'static str {
        self.entry().field
    }

    pub(super) fn span(self) -> Range<usize> {
        self.entry().start..self.entry().end
    }

    pub(super) fn text(self) -> &'t str {
        self.nodes.source.get(self.span()).unwrap_or_default()
    }

    pub(super) fn has(self, marks: Marks) -> bool {
        self.entry().marks.has(marks)
    }

    pub(super) fn is(self, kinds: &[&str]) -> bool {
        kinds.contains(&self.kind())
    }

    pub(super) fn is_named(self) -> bool {
        self.entry().is_named
    }

    pub(super) fn function(self) -> usize {
        self.entry().function
    }

    pub(super) fn parent(self) -> Option<Node<'t>> {
        (self.entry().parent != self.at).then(|| self.nodes.node(self.entry().parent))
    }

    /// Returns whether the node's parent has one of these kinds.
    pub(super) fn is_in(self, kinds: &[&str]) -> bool {
        self.parent().is_some_and(|parent| parent.is(kinds))
    }

    pub(super) fn children(self) -> impl Iterator<Item = Node<'t>> {
        let mut next = self.at + 1;
        std::iter::from_fn(move || {
            let child = (next < self.entry().past).then(|| self.nodes.node(next))?;
            next = child.entry().past;
            Some(child)
        })
    }

    /// Iterates over the node's children, without punctuation and comments.
    pub(super) fn named(self) -> impl Iterator<Item = Node<'t>> {
        self.children().filter(|child| child.is_named() && !child.kind().contains("comment"))
    }

    /// Returns the first child with this field; `None` if there is none among the first [`SEARCHED`] children.
    pub(super) fn child(self, field: &str) -> Option<Node<'t>> {
        self.children().take(SEARCHED).find(|child| child.field() == field)
    }

    /// Iterates over the node and its descendants, at most `most` nodes in total.
    pub(super) fn within(self, most: usize) -> impl Iterator<Item = Node<'t>> {
        (self.at..self.entry().past.min(self.at + most)).map(|at| self.nodes.node(at))
    }

    /// Returns the expression inside the node's parentheses; the node itself if it has none.
    pub(super) fn bare(self) -> Node<'t> {
        let mut node = self;
        while node.is(&["parenthesized_expression", "condition_clause"]) {
            let mut inner = node.named();
            match (inner.next(), inner.next()) {
                (Some(only), None) => node = only,
                _ => break,
            }
        }
        node
    }
}
