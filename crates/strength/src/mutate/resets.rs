//! Removes resets, so a variable that should start afresh keeps its previous value.

use super::kinds;
use super::marks::{self, Marks};
use super::offers::Offers;
use super::operator::Operator;
use super::tree::Node;
use referee_grammar::Grammar;

/// Nodes whose value is the same at every evaluation.
const CONSTANTS: &[&str] = &[
    "number_literal",
    "decimal_integer_literal",
    "hex_integer_literal",
    "decimal_floating_point_literal",
    "integer",
    "integer_literal",
    "float_literal",
    "float",
    "true",
    "false",
    "boolean_literal",
    "null",
    "none",
    "nullptr",
    "char_literal",
    "character_literal",
    "string_literal",
    "string",
];

/// Lists and other collections of values.
const LISTS: &[&str] =
    &["list", "dictionary", "set", "tuple", "array_expression", "initializer_list", "array_initializer"];

/// Returns the mutation operator for dropping this statement: a forgotten reset, or just a forgotten statement.
pub(super) fn operator_for_dropping(inner: Node<'_>) -> Operator {
    let resets = inner.has(Marks::LOOP) && (sets_to_constant(inner) || is_resetting(inner));
    if resets { Operator::Reset } else { Operator::Statement }
}

fn is_resetting(call: Node<'_>) -> bool {
    call.is(kinds::CALLS) && kinds::RESETTING.contains(&kinds::callee(call))
}

fn sets_to_constant(node: Node<'_>) -> bool {
    node.is(kinds::ASSIGNMENTS)
        && kinds::operator(node).is_some_and(|sign| sign.text() == "=")
        && node.child("right").is_some_and(is_constant)
}

/// Returns whether a value is the same at every evaluation: a literal, a list of literals, a name in capitals, a new
/// array, or a new container.
fn is_constant(value: Node<'_>) -> bool {
    match value.kind() {
        "unary_expression" | "unary_operator" => value.named().last().is_some_and(|inner| inner.is(CONSTANTS)),
        _ if value.is(LISTS) => value.within(20).all(is_constant_part),
        "identifier" => value.text().len() > 1 && !value.text().contains(|letter: char| letter.is_lowercase()),
        "call_expression" | "call" | "object_creation_expression" => makes_collection(value),
        "array_creation_expression" => true,
        _ => value.is(CONSTANTS),
    }
}

fn is_constant_part(part: Node<'_>) -> bool {
    let quotes = ["string_start", "string_content", "string_end", "character", "escape_sequence", "string_fragment"];
    !part.is_named() || part.is(CONSTANTS) || part.is(LISTS) || part.is(&quotes)
}

/// Returns whether a call makes an empty collection, or is a constructor of a Java container.
fn makes_collection(call: Node<'_>) -> bool {
    let function = ["function", "type"].iter().find_map(|role| call.child(role));
    let makers = [
        "set",
        "dict",
        "list",
        "deque",
        "defaultdict",
        "Counter",
        "Vec::new",
        "String::new",
        "HashMap::new",
        "HashSet::new",
        "VecDeque::new",
    ];
    let is_maker = function.is_some_and(|function| makers.contains(&function.text()) || marks::is_container(function));
    is_maker && call.child("arguments").is_none_or(|arguments| arguments.named().next().is_none())
        || call.is(&["object_creation_expression"]) && function.is_some_and(marks::is_container)
}

/// Offers to let a variable keep its value from the previous execution of its declaration or its assignment.
pub(super) fn offer(node: Node<'_>, offers: &mut Offers) {
    match node.grammar() {
        Grammar::C | Grammar::Cpp if node.is(&["declaration"]) => make_static(node, offers),
        Grammar::Python if node.is(&["assignment"]) && sets_name_in_loop(node) => keep_python_value(node, offers),
        _ => {}
    }
}

/// Returns whether the node is a Python assignment of a constant to a name in a loop.
pub(super) fn sets_name_in_loop(node: Node<'_>) -> bool {
    let is_name = node.child("left").is_some_and(|left| left.is(&["identifier"])) && node.child("type").is_none();
    node.has(Marks::LOOP) && is_name && node.is_in(&["expression_statement"]) && sets_to_constant(node)
}

/// Offers to keep the previous value of the name, if it has one. The assignment is not simply dropped, because the name
/// might then have no value at all.
fn keep_python_value(node: Node<'_>, offers: &mut Offers) {
    let (Some(left), Some(right)) = (node.child("left"), node.child("right")) else { return };
    let name = left.text();
    // In the body of a module, `globals()` and `locals()` are the same, so `locals` also works there for a global name.
    let names = if is_global(node, name) { "globals" } else { "locals" };
    offers.rewrite(Operator::Reset, right, |value| format!("{names}().get(\"{name}\", {value})"));
}

/// Returns whether the Python function around a node declares a name global.
fn is_global(node: Node<'_>, name: &str) -> bool {
    let mut around = node;
    while let Some(parent) = around.parent() {
        if parent.is(kinds::FUNCTIONS) {
            let mut statements = parent.within(FAR).filter(|inner| inner.is(&["global_statement"]));
            return statements.any(|statement| statement.named().any(|one| one.text() == name));
        }
        around = parent;
    }
    false
}

/// The maximum number of nodes of a function that are searched for a `global` statement.
const FAR: usize = 2000;

/// Offers to insert `static` before a local declaration of C or C++ that is executed several times and always gives the
/// same initial values.
fn make_static(node: Node<'_>, offers: &mut Offers) {
    let in_block = node.is_in(&["compound_statement", "case_statement"]);
    let is_short_lived = node.has(Marks::LOOP) || node.has(Marks::FUNCTION) && !node.has(Marks::MAIN);
    let is_special = node.named().any(|child| child.is(&["storage_class_specifier", "type_qualifier"]));
    if !in_block || !is_short_lived || is_special {
        return;
    }
    let declarators = || node.children().filter(|child| child.field() == "declarator").take(32);
    let is_class = node
        .child("type")
        .is_some_and(|declared| declared.is(&["template_type", "qualified_identifier", "type_identifier"]))
        && node.grammar() == Grammar::Cpp;
    // `vector<int> seen(n)` parses as a function declaration; inside a function it seldom is one.
    let is_container = node.child("type").is_some_and(marks::is_container);
    let has_start =
        |one: Node<'_>| has_constant_start(one, is_class) || is_container && one.is(&["function_declarator"]);
    if declarators().all(has_start) && declarators().next().is_some() {
        offers.insert_before(Operator::Reset, node, "static ");
    }
}

/// Returns whether a declared variable has the same initial value every time. Returns false for a variable of a
/// primitive type without an initial value, because it starts with an arbitrary value. The arguments of a constructor
/// are not inspected.
fn has_constant_start(declarator: Node<'_>, is_class: bool) -> bool {
    match declarator.kind() {
        "identifier" => is_class,
        "init_declarator" => declarator.child("value").is_some_and(|value| {
            let in_c = declarator.grammar() == Grammar::C;
            is_constant(value) || !in_c && value.is(&["argument_list"]) || !in_c && is_made_container(value)
        }),
        _ => false,
    }
}

/// Returns whether the value is a constructed container: `vector<int>(n, 0)`.
fn is_made_container(value: Node<'_>) -> bool {
    value.is(&["call_expression"]) && value.child("function").is_some_and(marks::is_container)
}
