//! Finds the functions of a program in Rust that can have copies.

use std::ops::Range;

use tree_sitter::Node;

use crate::metamutant::source::words;

/// A function that can have copies. All positions are byte offsets in the source.
#[derive(Debug)]
pub(super) struct Function {
    /// The function with its visibility, without attributes.
    pub(super) whole: Range<usize>,
    pub(super) name: Range<usize>,
    /// The parameters with their parentheses.
    pub(super) parameters: Range<usize>,
    /// The body with its braces.
    pub(super) body: Range<usize>,
    /// The parameters with a simple name for each pattern, in parentheses.
    pub(super) new_parameters: String,
    /// These names, as the arguments of a call.
    pub(super) arguments: String,
    /// Whether the function belongs to a type.
    pub(super) is_in_impl: bool,
    /// Whether the program starts with this function.
    pub(super) is_main: bool,
    /// Whether mutants of the function can be copies. Two functions cannot both contain the same implementation.
    pub(super) can_have_copies: bool,
}

/// Returns the functions of the program that can have copies, in the order of the source: those outside of functions
/// and traits, without attributes and without type parameters. The result is incomplete in a hostile program that nests
/// modules very deeply.
pub(super) fn functions(root: Node<'_>, text: &str) -> Vec<Function> {
    let mut found = Vec::new();
    let mut open = vec![(root, false)];
    while let Some((items, is_in_impl)) = open.pop() {
        let mut has_attribute = false;
        for item in items.named_children(&mut items.walk()) {
            match item.kind() {
                "attribute_item" => has_attribute = true,
                "line_comment" | "block_comment" => {}
                kind => {
                    let body = item.child_by_field_name("body");
                    match kind {
                        "function_item" if !has_attribute => found.extend(function(item, is_in_impl, text)),
                        "mod_item" if !has_attribute => open.extend(body.map(|body| (body, false))),
                        "impl_item" if !has_attribute && is_plain(item) => open.extend(body.map(|body| (body, true))),
                        _ => {}
                    }
                    has_attribute = false;
                }
            }
        }
    }
    let is_outer =
        |function: &Function| root.children(&mut root.walk()).any(|item| item.start_byte() == function.whole.start);
    found.sort_by_key(|function| function.whole.start);
    for function in &mut found {
        function.is_main = &text[function.name.clone()] == "main" && is_outer(function);
    }
    found
}

/// Whether a node of this kind is in the node.
fn contains(node: Node<'_>, kind: &str) -> bool {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if node.kind() == kind {
            return true;
        }
        open.extend(node.named_children(&mut node.walk()));
    }
    false
}

/// Whether the item is no implementation of a trait, and has no type parameters.
fn is_plain(item: Node<'_>) -> bool {
    item.child_by_field_name("trait").is_none() && has_only_lifetimes(item)
}

fn has_only_lifetimes(item: Node<'_>) -> bool {
    let Some(parameters) = item.child_by_field_name("type_parameters") else { return true };
    parameters.named_children(&mut parameters.walk()).all(|one| one.kind() == "lifetime_parameter")
}

/// Returns the function. `None` if it cannot have copies.
fn function(item: Node<'_>, is_in_impl: bool, text: &str) -> Option<Function> {
    let field = |name: &str| item.child_by_field_name(name);
    let (name, parameters, body) = (field("name")?, field("parameters")?, field("body")?);
    let has_modifiers = item.children(&mut item.walk()).any(|child| child.kind() == "function_modifiers");
    // A type that is only known by its traits is another type in each copy, or stands for a type parameter.
    let names_unknown_type = words(&text[parameters.start_byte()..body.start_byte()]).any(|(_, word)| word == "impl");
    if has_modifiers || names_unknown_type || !has_only_lifetimes(item) || !text[name.byte_range()].is_ascii() {
        return None;
    }
    let (mut new, mut arguments) = (Vec::new(), Vec::new());
    for (number, parameter) in parameters.named_children(&mut parameters.walk()).enumerate() {
        match parameter.kind() {
            "self_parameter" => {
                new.push(text[parameter.byte_range()].to_owned());
                arguments.push("self".to_owned());
            }
            "parameter" => {
                let field = |name: &str| parameter.child_by_field_name(name).map(|field| &text[field.byte_range()]);
                let (pattern, of_type) = (field("pattern")?, field("type")?);
                if pattern == "self" {
                    return None;
                }
                new.push(format!("referee_argument_{number}: {of_type}"));
                arguments.push(format!("referee_argument_{number}"));
            }
            "line_comment" | "block_comment" => {}
            _ => return None,
        }
    }
    Some(Function {
        whole: item.byte_range(),
        name: name.byte_range(),
        parameters: parameters.byte_range(),
        body: body.byte_range(),
        new_parameters: format!("({})", new.join(", ")),
        arguments: arguments.join(", "),
        is_in_impl,
        is_main: false,
        can_have_copies: !contains(body, "impl_item"),
    })
}
