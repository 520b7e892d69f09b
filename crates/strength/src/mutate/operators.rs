//! Changes operators: boundaries, comparisons, arithmetic, bits, `and` and `or`, compound assignments, `++` and `--`,
//! signs and negations, ends of Rust ranges.

use super::facts::Facts;
use super::kinds;
use super::marks::Marks;
use super::offers::Offers;
use super::operator::Operator;
use super::tree::Node;
use referee_grammar::Grammar;

/// Each entry has an operator, the kind of mistake, and the operator that a programmer could have written by mistake.
/// No entry replaces `<` with `!=`, because a loop that counts by one does the same with both.
const OTHERS: &[(&str, Operator, &str)] = &[
    ("<", Operator::Boundary, "<="),
    ("<=", Operator::Boundary, "<"),
    (">", Operator::Boundary, ">="),
    (">=", Operator::Boundary, ">"),
    ("==", Operator::Comparison, "!="),
    ("!=", Operator::Comparison, "=="),
    ("<>", Operator::Comparison, "=="),
    ("===", Operator::Comparison, "!=="),
    ("in", Operator::Comparison, "not in"),
    ("not in", Operator::Comparison, "in"),
    ("is", Operator::Comparison, "is not"),
    ("is not", Operator::Comparison, "is"),
    ("+", Operator::Arithmetic, "-"),
    ("-", Operator::Arithmetic, "+"),
    ("*", Operator::Arithmetic, "+"),
    ("/", Operator::Arithmetic, "*"),
    ("//", Operator::Arithmetic, "*"),
    ("**", Operator::Arithmetic, "*"),
    ("&", Operator::Bitwise, "|"),
    ("|", Operator::Bitwise, "&"),
    ("^", Operator::Bitwise, "|"),
    ("<<", Operator::Bitwise, ">>"),
    (">>", Operator::Bitwise, "<<"),
    (">>>", Operator::Bitwise, "<<"),
    ("&&", Operator::Logical, "||"),
    ("||", Operator::Logical, "&&"),
    ("and", Operator::Logical, "or"),
    ("or", Operator::Logical, "and"),
    ("+=", Operator::Assignment, "-="),
    ("-=", Operator::Assignment, "+="),
    ("*=", Operator::Assignment, "+="),
    ("/=", Operator::Assignment, "*="),
    ("//=", Operator::Assignment, "*="),
    ("**=", Operator::Assignment, "*="),
    ("&=", Operator::Assignment, "|="),
    ("|=", Operator::Assignment, "&="),
    ("^=", Operator::Assignment, "|="),
    ("<<=", Operator::Assignment, ">>="),
    (">>=", Operator::Assignment, "<<="),
    (">>>=", Operator::Assignment, "<<="),
];

/// Offers to change the operator of a node that has one.
pub(super) fn offer(node: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    if node.is(kinds::BINARY) {
        binary(node, offers);
    } else if node.is(&["comparison_operator"]) {
        for sign in node.children().filter(|child| child.field() == "operators") {
            replace(sign, offers);
        }
    } else if node.is(kinds::COMPOUND) {
        compound(node, facts, offers);
    } else if node.is(&["update_expression"]) {
        update(node, offers);
    } else if node.is(&["unary_expression", "unary_operator", "not_operator"]) {
        unary(node, offers);
    } else if node.is(&["range_expression"]) {
        range(node, offers);
    }
}

fn replace(sign: Node<'_>, offers: &mut Offers) {
    if let Some((_, operator, other)) = OTHERS.iter().find(|(one, ..)| *one == sign.kind() || *one == sign.text()) {
        offers.replace(*operator, sign, *other);
    }
}

fn binary(node: Node<'_>, offers: &mut Offers) {
    let Some(sign) = kinds::operator(node) else { return };
    let (Some(left), Some(right)) = (node.child("left"), node.child("right")) else { return };
    let text = sign.text();
    let joins_text = ["+", "*", "%"].contains(&text) && [node, left, right].iter().any(|part| part.has(Marks::TEXT));
    let is_stream = ["<<", ">>"].contains(&text) && [node, left].iter().any(|part| part.has(Marks::STREAM));
    // In Rust, `+ &x` usually appends `x` to a text, or adds numbers of a type that is not primitive. Such a `+` is not
    // changed, like a `+` between texts.
    let joins_text = joins_text || text == "+" && right.is(&["reference_expression"]);
    // With 0 on the right, these operators have no effect. Most of their replacements have no effect either.
    let has_no_effect = right.text() == "0" && ["+", "-", "|", "^", "<<", ">>"].contains(&text);
    if joins_text || is_stream || has_no_effect {
        return;
    }
    if text == "%" {
        // Drops the operator and the modulus, as if the programmer had forgotten them. The line breaks stay, so the
        // code after them keeps its line number.
        let forgotten = left.span().end..node.span().end;
        let lines = node.source().get(forgotten.clone()).unwrap_or_default().matches('\n').count();
        offers.replace_span(Operator::Arithmetic, forgotten, "\n".repeat(lines));
    } else {
        replace(sign, offers);
    }
}

fn compound(node: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    let Some(sign) = kinds::operator(node) else { return };
    let is_text = |role| node.child(role).is_some_and(|part| part.has(Marks::TEXT) || facts.is_text(part));
    let appends = node.child("right").is_some_and(|right| right.is(&["reference_expression"]));
    if sign.text() == "+=" && (is_text("left") || is_text("right") || appends) {
        return;
    }
    replace(sign, offers);
}

/// Offers to replace `++` with `--`, or the reverse, except in the update of a counting loop, which would then run
/// until the time limit.
fn update(node: Node<'_>, offers: &mut Offers) {
    let mut whole = node;
    while let Some(parent) = whole.parent().filter(|parent| parent.is(&["comma_expression"])) {
        whole = parent;
    }
    if whole.field() == "update" {
        return;
    }
    for sign in node.children() {
        match sign.text() {
            "++" => offers.replace(Operator::Increment, sign, "--"),
            "--" => offers.replace(Operator::Increment, sign, "++"),
            _ => {}
        }
    }
}

fn unary(node: Node<'_>, offers: &mut Offers) {
    let Some(sign) = node.children().next() else { return };
    let Some(argument) = node.named().last() else { return };
    let operator = match sign.text() {
        "!" | "not" if node.grammar() != Grammar::Rust || node.field() == "condition" => Operator::Negation,
        "!" | "-" | "~" => Operator::Unary,
        _ => return,
    };
    // `-0` is 0.
    if argument.text() != "0" {
        offers.replace_span(operator, sign.span().start..argument.span().start, "");
    }
}

/// Offers to include or exclude the end of a Rust range.
fn range(node: Node<'_>, offers: &mut Offers) {
    let mut children = node.children();
    let Some(sign) = children.find(|child| ["..", "..="].contains(&child.text())) else { return };
    if children.next().is_none() {
        return;
    }
    let other = if sign.text() == ".." { "..=" } else { ".." };
    offers.replace(Operator::Boundary, sign, other);
}
