//! Marks the nodes of a source. Some marks pass from a node to the nodes inside it, others to the node around it.

use super::kinds;
use super::tree::{Node, Nodes};
use referee_grammar::Grammar;

/// A set of marks of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks(u16);

impl Marks {
    /// Nothing in this node may be changed.
    pub(super) const NO_CODE: Marks = Marks(1);
    /// The node is in the body of a loop of the same function.
    pub(super) const LOOP: Marks = Marks(1 << 1);
    /// The node is in a function.
    pub(super) const FUNCTION: Marks = Marks(1 << 2);
    /// The node is in the program's main function.
    pub(super) const MAIN: Marks = Marks(1 << 3);
    /// The node only sets how much memory is reserved. A larger value does not change what the program does.
    pub(super) const CAPACITY: Marks = Marks(1 << 4);
    /// The node is text, as far as its syntax and the names in it show. `+` concatenates texts.
    pub(super) const TEXT: Marks = Marks(1 << 5);
    /// The node is a stream, or an expression whose value is a stream: shifts write to it or read from it.
    pub(super) const STREAM: Marks = Marks(1 << 6);
    /// The node is in a switch label or a pattern.
    pub(super) const LABEL: Marks = Marks(1 << 7);
    /// The node is part of a message, which does not affect the verdict.
    pub(super) const MESSAGE: Marks = Marks(1 << 8);
    /// The marks that children inherit from their parent.
    const INHERITED: Marks = Marks(0b1_1001_1111);

    pub(super) fn has(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }
}

impl std::ops::BitOrAssign for Marks {
    fn bitor_assign(&mut self, other: Marks) {
        self.0 |= other.0;
    }
}

/// Records for every node the function that contains it, and sets the node's marks. [`Marks::TEXT`] and
/// [`Marks::STREAM`] are not set here, because they need the facts about names.
pub(super) fn mark(nodes: &mut Nodes<'_>) {
    let mut inherited = vec![Marks::default(); nodes.len()];
    for at in 0..nodes.len() {
        let node = nodes.node(at);
        let parent = node.parent().map(Node::at);
        let mut marks = parent.map(|parent| inherited[parent]).unwrap_or_default();
        let mut function = node.parent().map_or(0, Node::function);
        if node.has(Marks::NO_CODE) || is_no_code(node) {
            marks |= Marks::NO_CODE;
        }
        if node.is(kinds::FUNCTIONS) {
            function = at;
            marks = of_function(node, marks);
        }
        if node.field() == "body" && node.is_in(kinds::LOOPS) {
            marks |= Marks::LOOP;
        }
        if is_capacity(node) {
            marks |= Marks::CAPACITY;
        }
        if is_label(node) {
            marks |= Marks::LABEL;
        }
        if is_message(node) {
            marks |= Marks::MESSAGE;
        }
        inherited[at] = Marks(marks.0 & Marks::INHERITED.0);
        nodes.mark(at, marks);
        nodes.set_function(at, function);
    }
}

fn of_function(node: Node<'_>, outer: Marks) -> Marks {
    let mut marks = Marks(outer.0 & !Marks::LOOP.0);
    if !node.is(kinds::LAMBDAS) {
        marks = Marks(marks.0 & !Marks::MAIN.0);
        let name = node.child("name").or_else(|| node.child("declarator")).map(Node::text).unwrap_or_default();
        if name == "main" || name.starts_with("main(") || name.starts_with("main (") {
            marks |= Marks::MAIN;
        }
    }
    marks |= Marks::FUNCTION;
    marks
}

/// Returns whether the node must stay unchanged, because it is not code, might not be compiled, or does not affect what
/// a correct program does.
fn is_no_code(node: Node<'_>) -> bool {
    let grammar = node.grammar();
    node.is(kinds::NO_CODE)
        || grammar == Grammar::Rust && (["type", "return_type"].contains(&node.field()) || is_under_test(node))
        || is_assertion(node)
        || is_hash(node)
        || is_logged(node)
        || grammar == Grammar::Python && is_python_no_code(node)
        || grammar.is_c() && is_c_no_code(node)
        || grammar == Grammar::Rust && node.field() == "length" && !is_free_length(node)
}

/// Returns whether the node is a Rust test, which no submission runs.
fn is_under_test(node: Node<'_>) -> bool {
    // The grammar puts an item's attributes before the item; their text ends where the item begins.
    node.is(&["function_item", "mod_item"]) && {
        let before = node.source().get(..node.span().start).unwrap_or_default().trim_end();
        before.ends_with("#[test]") || before.ends_with("#[cfg(test)]")
    }
}

/// Returns whether the node is an assertion. A correct program does the same with and without its assertions.
fn is_assertion(node: Node<'_>) -> bool {
    node.is(&["call_expression"])
        && node.child("function").is_some_and(|function| ["assert", "static_assert"].contains(&function.text()))
}

/// Returns whether the node is a hash function for a hash table, where any function works. A hash that is part of the
/// solution is assumed to have a different name.
fn is_hash(node: Node<'_>) -> bool {
    let named = |role: &str, words: &[&str]| node.child(role).is_some_and(|name| words.contains(&name.text()));
    let is_functor = node.is(&["struct_specifier", "class_specifier"])
        && node.child("name").is_some_and(|name| name.text().to_ascii_lowercase().contains("hash"))
        && node.child("body").is_some_and(|body| body.text().contains("operator"));
    is_functor
        || node.is(&["method_declaration", "function_definition"]) && named("name", &["hashCode", "__hash__"])
        || node.is(&["impl_item"]) && named("trait", &["Hash", "Hasher", "BuildHasher"])
}

fn is_python_no_code(node: Node<'_>) -> bool {
    // A documentation string, or the comparison in `if __name__ == "__main__"`.
    let is_lone_string = node.is(&["expression_statement"]) && node.named().all(|child| child.is(&["string"]));
    let is_main =
        node.is(&["comparison_operator"]) && node.named().next().is_some_and(|left| left.text() == "__name__");
    is_lone_string || is_main
}

fn is_c_no_code(node: Node<'_>) -> bool {
    // It is unknown which branch of `#if` or `#ifdef` is compiled: a debug flag may disable one. Code inside an include
    // guard (`#ifndef`) is always compiled.
    let in_unknown_branch = node.is_in(&["preproc_ifdef", "preproc_if", "preproc_elif"])
        && !["name", "alternative"].contains(&node.field())
        && node.parent().is_some_and(|branch| !branch.text().starts_with("#ifndef"));
    // An array with initial values keeps its size: with a smaller size, it might not compile.
    let is_filled = node.field() == "size"
        && node.parent().is_some_and(|array| {
            array.parent().is_some_and(|all| all.child("value").is_some_and(|value| value.is(&["initializer_list"])))
        });
    let is_function_argument = node.is(&["template_argument_list"]) && !node.is_in(&["template_type"]);
    in_unknown_branch || is_filled || is_function_argument
}

/// Returns whether the length of a Rust array can be changed: only in a `let` without a type. Elsewhere, a declared
/// type repeats the length, so the change would not compile.
fn is_free_length(node: Node<'_>) -> bool {
    let declared = node.parent().and_then(Node::parent);
    declared.is_some_and(|parent| parent.is(&["let_declaration"]) && parent.child("type").is_none())
}

fn is_capacity(node: Node<'_>) -> bool {
    node.is(kinds::CAPACITY)
        || ["size", "length"].contains(&node.field()) && node.is_in(kinds::HAVE_CAPACITY)
        || node.parent().filter(|parent| parent.is(kinds::ARGUMENTS)).is_some_and(|all| is_size(node, all))
}

/// Returns whether an argument only sets how much memory is reserved. This is true for every argument of a call that
/// reserves memory. It is also true for the first argument of a container's constructor, unless this argument is a
/// function, a call or an iterator (`begin`).
fn is_size(argument: Node<'_>, all: Node<'_>) -> bool {
    let Some(call) = all.parent() else { return false };
    let is_first = || all.named().next().is_some_and(|first| first.at() == argument.at());
    let is_number = || {
        let other = [kinds::LAMBDAS, kinds::CALLS].concat();
        !argument.is(&other) && !argument.within(20).any(|part| part.is(kinds::CALLS) && kinds::callee(part) == "begin")
    };
    kinds::RESERVING.contains(&kinds::callee(call)) || makes_container(call) && is_first() && is_number()
}

/// Returns whether the node makes a container that can take a size: `vector<int> seen(100)`.
fn makes_container(call: Node<'_>) -> bool {
    call.is(&["init_declarator"]) && call.parent().and_then(|all| all.child("type")).is_some_and(is_container)
        || call.is(&["call_expression"]) && call.child("function").is_some_and(is_container)
        || call.is(&["object_creation_expression"]) && call.child("type").is_some_and(is_container)
}

/// Returns whether a type or constructor belongs to a container whose size can be the constructor's first argument.
pub(super) fn is_container(of: Node<'_>) -> bool {
    let text = of.text();
    let name = text.split('<').next().unwrap_or_default();
    let name = name.rsplit("::").next().unwrap_or_default();
    kinds::SIZED.contains(&name)
}

fn is_label(node: Node<'_>) -> bool {
    node.is(&["switch_label"])
        || node.field() == "value" && node.is_in(&["case_statement"])
        || node.field() == "pattern" && node.is_in(&["match_arm", "let_condition", "let_declaration"])
        || node.is(&["case_pattern", "range_pattern"])
}

fn is_message(node: Node<'_>) -> bool {
    node.is(kinds::ARGUMENTS) && node.parent().is_some_and(|call| kinds::is_message(kinds::callee(call)))
}

/// Returns whether the node writes to standard error or a log stream, which does not affect the verdict.
fn is_logged(node: Node<'_>) -> bool {
    let begins = |starts: &[&str]| starts.iter().any(|start| node.text().starts_with(start));
    let to_stderr = |list: Node<'_>| list.named().any(|argument| argument.text().replace(' ', "") == "file=sys.stderr");
    match node.kind() {
        "method_invocation" => begins(&["System.err."]),
        "macro_invocation" => begins(&["eprint!", "eprintln!"]),
        "call_expression" => begins(&["fprintf(stderr", "perror("]),
        "call" => {
            begins(&["sys.stderr.write("]) || begins(&["print("]) && node.child("arguments").is_some_and(to_stderr)
        }
        _ => is_shift_to_log(node),
    }
}

/// Returns whether the node is a chain such as `cerr << a << b`.
fn is_shift_to_log(node: Node<'_>) -> bool {
    node.is(&["binary_expression"])
        && ["std::cerr", "cerr", "std::clog", "clog"]
            .iter()
            .any(|stream| node.text().strip_prefix(stream).is_some_and(|rest| rest.trim_start().starts_with("<<")))
}

/// Propagates the marks for text and streams from the leaves to the expressions that contain them.
pub(super) fn propagate_up(nodes: &mut Nodes<'_>) {
    for at in (0..nodes.len()).rev() {
        let node = nodes.node(at);
        if let Some(parent) = node.parent() {
            let (marks, parent) = (propagated(node, parent), parent.at());
            nodes.mark(parent, marks);
        }
    }
    // In a chain such as `out << a << b`, every shift writes to the same stream.
    for at in 0..nodes.len() {
        let node = nodes.node(at);
        let is_part = is_shift(node) && node.field() == "left";
        if is_part && node.parent().is_some_and(|parent| is_shift(parent) && parent.has(Marks::STREAM)) {
            nodes.mark(at, Marks::STREAM);
        }
    }
}

fn is_shift(node: Node<'_>) -> bool {
    node.is(kinds::BINARY) && kinds::operator(node).is_some_and(|sign| ["<<", ">>"].contains(&sign.text()))
}

/// Returns the marks that a node passes on to its parent.
fn propagated(node: Node<'_>, parent: Node<'_>) -> Marks {
    let mut passed_on = Marks::default();
    let joins = parent.is(kinds::BINARY) && kinds::operator(parent).is_some_and(|sign| sign.text() == "+");
    let passes = parent.is(&["parenthesized_expression", "conditional_expression", "ternary_expression"]);
    if node.has(Marks::TEXT) && (joins || passes) {
        passed_on |= Marks::TEXT;
    }
    let shifts = is_shift(parent);
    // If the result of a shift is unused, the shift must write to a stream or read from one, because an arithmetic
    // shift would do nothing.
    let unused = shifts && parent.is_in(&["expression_statement"]);
    if node.has(Marks::STREAM) && (shifts || passes) && ["left", ""].contains(&node.field()) || unused {
        passed_on |= Marks::STREAM;
    }
    passed_on
}
