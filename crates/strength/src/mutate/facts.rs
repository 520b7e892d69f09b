//! Facts about the names in a source. There is no scope analysis as in a compiler: a name is assumed to have one
//! meaning in the whole source.

use std::collections::{HashMap, HashSet};

use super::kinds;
use super::marks::Marks;
use super::tree::{Node, Nodes};
use referee_grammar::Grammar;

/// The type of a parameter: the name of the type, and whether the parameter is a pointer, an array or a function
/// according to its declarator.
pub(super) type Type<'t> = (&'t str, bool);

/// The facts about the names of a source.
#[derive(Default)]
pub(super) struct Facts<'t> {
    /// Variables whose value is text.
    pub(super) texts: HashSet<&'t str>,
    /// Variables that are streams.
    pub(super) streams: HashSet<&'t str>,
    /// Floating-point variables.
    pub(super) floats: HashSet<&'t str>,
    /// Variables declared without a value; the compiler requires an assignment to them.
    pub(super) unset: HashSet<&'t str>,
    /// Constants that only set how much memory is reserved, for example array sizes.
    pub(super) capacities: HashSet<&'t str>,
    /// The parameter types of each function; `None` if functions of the same name have different parameter types.
    pub(super) parameters: HashMap<&'t str, Option<Vec<Type<'t>>>>,
    /// The indices of the nodes that assign to a Python name for the first time. Such an assignment declares the name.
    pub(super) first_assignments: HashSet<usize>,
}

impl<'t> Facts<'t> {
    pub(super) fn of(nodes: &'t Nodes<'t>) -> Self {
        let mut facts = Self::default();
        let mut seen = HashSet::new();
        for node in nodes.iter() {
            if let Some(declared) =
                node.child("type").filter(|_| !node.is(&["type_cast_expression", "cast_expression"]))
            {
                facts.declare(node, declared);
            }
            if node.is(&["let_declaration", "local_variable_declaration", "field_declaration"]) {
                facts.note_unset(node);
            }
            if node.is(&["let_declaration", "assignment"]) {
                facts.infer(node);
            }
            if node.has(Marks::CAPACITY) && node.is(&["identifier", "type_identifier"]) {
                facts.capacities.insert(node.text());
            }
            facts.note_parameters(node);
            if nodes.grammar == Grammar::Python && node.is(&["assignment"]) && is_new(node, &mut seen) {
                facts.first_assignments.insert(node.at());
            }
        }
        facts
    }

    fn declare(&mut self, node: Node<'t>, declared: Node<'t>) {
        let declared = if declared.span().len() < 100 { declared.text() } else { "" };
        let bare =
            declared.trim_start_matches(['&', ' ']).trim_start_matches("mut ").rsplit("::").next().unwrap_or_default();
        let into = match bare {
            "string" | "String" | "str" => &mut self.texts,
            "double" | "float" | "long double" | "f64" | "f32" => &mut self.floats,
            stream if stream.ends_with("stream") => &mut self.streams,
            _ => return,
        };
        let roles = ["declarator", "name", "pattern"];
        into.extend(node.children().filter(|child| roles.contains(&child.field())).take(32).filter_map(declared_name));
    }

    fn note_unset(&mut self, node: Node<'t>) {
        let is_final =
            node.children().next().is_some_and(|first| first.is(&["modifiers"]) && first.text().contains("final"));
        match node.kind() {
            "let_declaration" if node.child("value").is_none() => {
                self.unset.extend(node.child("pattern").and_then(declared_name));
            }
            "local_variable_declaration" | "field_declaration" => {
                let without_value = |child: &Node<'_>| child.field() == "declarator" && child.child("value").is_none();
                let is_local = node.is(&["local_variable_declaration"]);
                if node.grammar() == Grammar::Java && (is_local || is_final) {
                    self.unset.extend(node.children().filter(without_value).filter_map(declared_name));
                }
            }
            _ => {}
        }
    }

    /// Infers the type of a variable from the value assigned to it.
    fn infer(&mut self, node: Node<'t>) {
        let name = node.child("pattern").or_else(|| node.child("left")).and_then(declared_name);
        let value = node.child("value").or_else(|| node.child("right"));
        let (Some(name), Some(value)) = (name, value) else { return };
        if value.is(&["string", "string_literal"]) || value.text().starts_with("String::") {
            self.texts.insert(name);
        } else if value.is(&["float_literal", "float"]) {
            self.floats.insert(name);
        }
    }

    fn note_parameters(&mut self, node: Node<'t>) {
        if !node.is(&["function_declarator", "method_declaration", "constructor_declaration", "function_item"]) {
            return;
        }
        let Some(name) = node.child("name").or_else(|| node.child("declarator")) else { return };
        let name = name.text().rsplit("::").next().unwrap_or_default();
        let types = node.child("parameters").into_iter().flat_map(Node::named);
        let types: Vec<Type<'_>> = types.filter_map(parameter_type).take(32).collect();
        self.parameters
            .entry(name)
            .and_modify(|known| {
                if known.as_ref() != Some(&types) {
                    *known = None;
                }
            })
            .or_insert(Some(types));
    }

    pub(super) fn is_text(&self, node: Node<'_>) -> bool {
        let kinds = ["string_literal", "string", "concatenated_string", "raw_string_literal"];
        let makes_text = [
            "to_string",
            "String",
            "string",
            "valueOf",
            "format",
            "str",
            "join",
            "substr",
            "substring",
            "toString",
            "replace",
            "trim",
        ];
        node.is(&kinds)
            || node.is(&["identifier"]) && self.texts.contains(node.text())
            || node.is(kinds::CALLS) && makes_text.contains(&kinds::callee(node))
            || node.is(&["macro_invocation"]) && node.text().starts_with("format!")
    }

    pub(super) fn is_stream(&self, node: Node<'_>) -> bool {
        let known = ["cin", "cout", "cerr", "clog", "std::cin", "std::cout", "std::cerr", "std::clog"];
        let is_known = known.contains(&node.text()) || self.streams.contains(node.text());
        node.is(&["identifier", "qualified_identifier"]) && is_known
            || node.is(&["call_expression"]) && kinds::callee(node).ends_with("stream")
    }

    /// Returns whether the node is certainly a floating-point number.
    pub(super) fn is_float(&self, node: Node<'_>) -> bool {
        let literal = ["float_literal", "float", "decimal_floating_point_literal"];
        node.is(&literal) || node.is(&["identifier"]) && self.floats.contains(node.text())
    }
}

fn parameter_type(parameter: Node<'_>) -> Option<Type<'_>> {
    let points = ["pointer_declarator", "array_declarator", "function_declarator"];
    let points = parameter.child("declarator").is_some_and(|declarator| declarator.is(&points));
    parameter.child("type").map(|declared| (declared.text(), points))
}

/// Returns the name that a declarator, a pattern or an assignment target declares; `None` if it declares something
/// other than a plain name.
fn declared_name(declarator: Node<'_>) -> Option<&str> {
    let mut node = declarator;
    for _ in 0..8 {
        if node.is(&["identifier", "field_identifier"]) {
            return Some(node.text());
        }
        let inner = node.child("declarator").or_else(|| node.child("name"));
        node = match inner {
            Some(inner) => inner,
            None if node.is(&["reference_declarator", "mut_pattern"]) => node.named().last()?,
            None => return None,
        };
    }
    None
}

/// Returns whether an assignment gives a value to a name for the first time in its function.
fn is_new<'t>(assignment: Node<'t>, seen: &mut HashSet<(usize, &'t str)>) -> bool {
    let Some(left) = assignment.child("left") else { return false };
    let targets = ["identifier", "pattern_list", "tuple_pattern", "list_pattern"];
    if !left.is(&targets) {
        return false;
    }
    let names = left.within(64).filter(|node| node.is(&["identifier"]));
    // `count` is used instead of `any`, because it visits every name, so that all of them are marked as seen.
    names.filter(|name| seen.insert((assignment.function(), name.text()))).count() > 0
}
