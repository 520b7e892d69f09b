//! Off-by-one mistakes in indices, bounds and ends of ranges.

use super::facts::Facts;
use super::kinds;
use super::marks::Marks;
use super::offers::Offers;
use super::operator::Operator;
use super::tree::Node;
use referee_grammar::Grammar;

/// The expressions that need no parentheses when ` + 1` is appended.
const TIGHT: &[&str] = &[
    "identifier",
    "call_expression",
    "call",
    "method_invocation",
    "field_expression",
    "field_access",
    "attribute",
    "subscript_expression",
    "subscript",
    "index_expression",
    "array_access",
    "qualified_identifier",
    "parenthesized_expression",
    "scoped_identifier",
    "macro_invocation",
];

/// Offers to add one to an index, a bound or a range end, or to subtract one.
pub(super) fn offer(node: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    match node.kind() {
        "subscript_expression" | "array_access" | "index_expression" | "subscript" => subscript(node, facts, offers),
        "binary_expression" => {
            if let (Some(sign), Some(right)) = (kinds::operator(node), node.child("right")) {
                bound(sign, right, facts, offers);
            }
        }
        "comparison_operator" => python_bounds(node, facts, offers),
        "call" => python_range(node, facts, offers),
        "range_expression" => range(node, facts, offers),
        "slice" => slice(node, facts, offers),
        _ => {}
    }
}

fn subscript(node: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    let index = match node.kind() {
        "subscript_expression" => node
            .child("indices")
            .and_then(|indices| indices.named().next().filter(|_| indices.named().count() == 1))
            .or_else(|| node.child("index")),
        "array_access" => node.child("index"),
        "subscript" => node.children().find(|child| child.field() == "subscript"),
        _ => node.named().nth(1),
    };
    if let Some(index) =
        index.filter(|index| index.is(&["identifier", "field_expression", "field_access", "attribute"]))
    {
        shift(index, "+ 1", facts, offers);
    }
}

/// Offers to move the bound of a comparison by one. The module `operators` already offers a change between `<` and
/// `<=`, which moves the bound in one direction. So this function moves the bound in the other direction.
fn bound(sign: Node<'_>, right: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    let by = match sign.text() {
        "<" | ">=" => "- 1",
        "<=" | ">" => "+ 1",
        _ => return,
    };
    shift(right, by, facts, offers);
}

fn python_bounds(node: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    let mut sign = None;
    for child in node.children() {
        if child.field() == "operators" {
            sign = Some(child);
        } else if let Some(sign) = sign.take() {
            bound(sign, child, facts, offers);
        }
    }
}

/// Offers to move the end of `range(...)`.
fn python_range(call: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    if call.child("function").is_none_or(|function| function.text() != "range") {
        return;
    }
    let Some(arguments) = call.child("arguments") else { return };
    let count = arguments.named().count();
    if let Some(stop) = arguments.named().nth(usize::from(count > 1)) {
        shift(stop, "- 1", facts, offers);
        shift(stop, "+ 1", facts, offers);
    }
}

/// Offers to move the end of a Rust range, or its start if it has no end.
fn range(node: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    let Some(sign) = node.children().find(|child| ["..", "..="].contains(&child.text())) else { return };
    let end = node.named().find(|child| child.span().start >= sign.span().end);
    match (end, sign.text()) {
        (Some(end), "..") => shift(end, "- 1", facts, offers),
        (Some(end), _) => shift(end, "+ 1", facts, offers),
        (None, _) => {
            if let Some(start) = node.named().next() {
                shift(start, "+ 1", facts, offers);
            }
        }
    }
}

/// Offers to move the end of a Python slice, or its start if it has no end.
fn slice(node: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    let mut colons = 0;
    let (mut start, mut end) = (None, None);
    for child in node.children() {
        match (child.text(), colons) {
            (":", _) => colons += 1,
            (_, 0) => start = Some(child),
            (_, 1) => end = Some(child),
            _ => {}
        }
    }
    match (start, end) {
        (_, Some(end)) => shift(end, "- 1", facts, offers),
        (Some(start), None) => shift(start, "+ 1", facts, offers),
        (None, None) => {}
    }
}

/// Offers to append ` + 1` or ` - 1` to an integer expression. Skips constants, and sums and differences that end in a
/// constant (see [`ends_in_constant`]).
fn shift(of: Node<'_>, by: &str, facts: &Facts<'_>, offers: &mut Offers) {
    if of.has(Marks::TEXT) || facts.is_text(of) || facts.is_float(of) {
        return;
    }
    if of.is(TIGHT) {
        offers.insert_after(Operator::OffByOne, of, &format!(" {by}"));
    } else if of.is(kinds::BINARY) && !ends_in_constant(of) {
        let sums = ["+", "-", "*", "/", "%", "//"];
        let is_tight = kinds::operator(of).is_some_and(|sign| sums.contains(&sign.text()));
        if is_tight {
            offers.insert_after(Operator::OffByOne, of, &format!(" {by}"));
        } else if of.grammar() == Grammar::Python || !is_condition(of) {
            offers.rewrite(Operator::OffByOne, of, |text| format!("({text}) {by}"));
        }
    }
}

/// Returns whether the expression is a comparison or a logical operation, and therefore not a number.
fn is_condition(node: Node<'_>) -> bool {
    let signs = ["<", ">", "<=", ">=", "==", "!=", "&&", "||"];
    kinds::operator(node).is_some_and(|sign| signs.contains(&sign.text()))
}

/// Returns whether the expression is a sum or difference that ends in a constant, like `n - 1`. Changing that constant
/// gives the same mutants as appending ` + 1` or ` - 1`.
fn ends_in_constant(node: Node<'_>) -> bool {
    let adds = kinds::operator(node).is_some_and(|sign| ["+", "-"].contains(&sign.text()));
    let literals =
        ["number_literal", "decimal_integer_literal", "integer", "integer_literal", "float_literal", "float"];
    adds && node.child("right").is_some_and(|right| right.is(&literals))
}
