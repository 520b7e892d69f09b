//! Finds code that has no effect, so that adding such code does not hide a similarity: variables that nothing reads,
//! functions that nothing calls, branches that never run.
//!
//! All decisions depend on names alone. A name that is read anywhere in the file counts as read everywhere.

use std::collections::{HashMap, HashSet};

use tree_sitter::{Node, Tree};

use super::Extent;

/// The maximum number of nodes of a statement that is examined. Longer statements are kept.
const MOST_NODES: usize = 80;

/// Nodes that may do something besides giving a value.
const EFFECTS: [&str; 11] = [
    "call",
    "call_expression",
    "method_invocation",
    "object_creation_expression",
    "new_expression",
    "await",
    "yield",
    "update_expression",
    "lambda",
    "lambda_expression",
    "macro_invocation",
];

/// The names that a source mentions without using them.
pub(super) struct Unused<'t> {
    text: &'t str,
    /// Names that are only written.
    written: HashSet<&'t str>,
    /// Names that occur once.
    once: HashSet<&'t str>,
}

impl<'t> Unused<'t> {
    /// Finds the names that a source does not use. In a part of a program, there are none, because another part may use
    /// them.
    pub(super) fn of(text: &'t str, tree: &Tree, extent: Extent) -> Unused<'t> {
        if extent == Extent::Part {
            return Unused { text, written: HashSet::new(), once: HashSet::new() };
        }
        // For each name, the number of places and the number of those that only write it.
        let mut names: HashMap<&str, (usize, usize)> = HashMap::new();
        let mut cursor = tree.walk();
        let mut ancestors: Vec<&'static str> = Vec::new();
        'nodes: loop {
            let node = cursor.node();
            if cursor.goto_first_child() {
                ancestors.push(node.kind());
                continue;
            }
            if node.kind().contains("identifier") {
                let count = names.entry(text.get(node.byte_range()).unwrap_or_default()).or_default();
                count.0 += 1;
                count.1 += usize::from(writes(cursor.field_name(), ancestors.last().copied().unwrap_or_default()));
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'nodes;
                }
                ancestors.pop();
            }
        }
        let with = |wanted: fn(usize, usize) -> bool| {
            names.iter().filter(|(_, (all, written))| wanted(*all, *written)).map(|(&name, _)| name).collect()
        };
        Unused { text, written: with(|all, written| all == written), once: with(|all, _| all == 1) }
    }

    /// Returns whether the node has no effect. `parent` is the kind of its parent.
    pub(super) fn has_no_effect(&self, node: Node<'_>, parent: &str) -> bool {
        match node.kind() {
            "pass_statement" => true,
            "assert_statement" => is_constant(node),
            "if_statement" => {
                let condition = node.child_by_field_name("condition");
                node.child_by_field_name("alternative").is_none() && condition.is_some_and(is_constant)
            }
            "expression_statement" => {
                let assigned = node.named_child(0).filter(|_| node.named_child_count() == 1);
                assigned.and_then(|one| one.child_by_field_name("left")).is_some_and(|left| self.is_written(left))
                    && is_pure(node)
            }
            "declaration" | "local_variable_declaration" | "let_declaration" => self.declares_unused(node),
            "function_definition" => ["module", "translation_unit"].contains(&parent) && self.is_never_called(node),
            "method_declaration" => self.is_static(node) && self.is_never_called(node),
            "function_item" => parent == "source_file" && self.is_never_called(node),
            _ => false,
        }
    }

    fn text_of(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn is_written(&self, node: Node<'_>) -> bool {
        node.kind() == "identifier" && self.written.contains(self.text_of(node))
    }

    /// Returns whether the declaration has one variable, which nothing reads.
    fn declares_unused(&self, node: Node<'_>) -> bool {
        let fields = ["declarator", "pattern"];
        let mut cursor = node.walk();
        let declared: Vec<_> = fields
            .iter()
            .flat_map(|field| node.children_by_field_name(field, &mut cursor).take(2).collect::<Vec<_>>())
            .collect();
        let [only] = declared.as_slice() else { return false };
        let inner = only.child_by_field_name("declarator").or_else(|| only.child_by_field_name("name"));
        self.is_written(inner.unwrap_or(*only)) && is_pure(node)
    }

    fn is_never_called(&self, function: Node<'_>) -> bool {
        let name = function.child_by_field_name("name").or_else(|| {
            let declarator = function.child_by_field_name("declarator")?;
            declarator.child_by_field_name("declarator")
        });
        let name = name.filter(|name| name.kind() == "identifier").map(|name| self.text_of(name));
        name.is_some_and(|name| name != "main" && self.once.contains(name))
    }

    fn is_static(&self, method: Node<'_>) -> bool {
        method.child(0).is_some_and(|first| {
            first.kind() == "modifiers" && self.text_of(first).split_whitespace().any(|word| word == "static")
        })
    }
}

/// Returns whether a name in this field of such a parent is only written there.
fn writes(field: Option<&str>, parent: &str) -> bool {
    match field {
        Some("left") => ["assignment", "assignment_expression", "augmented_assignment"].contains(&parent),
        Some("declarator") => ["init_declarator", "declaration"].contains(&parent),
        Some("name") => parent == "variable_declarator",
        Some("pattern") => parent == "let_declaration",
        _ => false,
    }
}

/// Returns whether a statement is short and has no [`EFFECTS`].
fn is_pure(node: Node<'_>) -> bool {
    holds_for_all(node, |kind| !EFFECTS.contains(&kind))
}

/// Returns whether an expression is short and has no names.
fn is_constant(node: Node<'_>) -> bool {
    holds_for_all(node, |kind| !kind.contains("identifier") && !EFFECTS.contains(&kind))
}

fn holds_for_all(node: Node<'_>, is_fine: impl Fn(&str) -> bool) -> bool {
    let mut cursor = node.walk();
    for _ in 0..MOST_NODES {
        if !is_fine(cursor.node().kind()) {
            return false;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            // The parent of the cursor's first node is out of reach.
            if !cursor.goto_parent() {
                return true;
            }
        }
    }
    false
}
