//! Negates conditions.

use super::offers::Offers;
use super::operator::Operator;
use super::tree::Node;
use referee_grammar::Grammar;

/// The constructs whose condition is negated. Counting loops are left out: with the negated condition they do nothing
/// at all.
const DECIDING: &[&str] = &[
    "if_statement",
    "elif_clause",
    "while_statement",
    "do_statement",
    "conditional_expression",
    "ternary_expression",
    "if_expression",
    "while_expression",
    "match_pattern",
];

/// The expressions that need no parentheses after a negation.
const SIMPLE: &[&str] = &[
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
];

/// Offers to negate a condition.
pub(super) fn offer(node: Node<'_>, offers: &mut Offers) {
    if !is_condition(node) {
        return;
    }
    let bare = node.bare();
    if has_its_own_opposite(bare) || declares(bare) {
        return;
    }
    let negation = if node.grammar() == Grammar::Python { "not " } else { "!" };
    if bare.is(SIMPLE) {
        offers.insert_before(Operator::Negation, bare, negation);
    } else {
        offers.rewrite(Operator::Negation, bare, |text| format!("{negation}({text})"));
    }
}

fn is_condition(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    match (parent.kind(), node.field()) {
        // The grammar has no field for the condition in Python's `a if condition else b` and in the filter of a
        // comprehension.
        ("conditional_expression", "") => {
            node.is_named() && parent.named().nth(1).is_some_and(|second| second.at() == node.at())
        }
        ("if_clause", _) => node.is_named(),
        (_, "condition") => parent.is(DECIDING),
        _ => false,
    }
}

/// Returns whether the condition needs no negation here: changing or dropping its operator already negates it, or it is
/// a constant.
fn has_its_own_opposite(condition: Node<'_>) -> bool {
    let signs = ["==", "!=", "in", "not in", "is", "is not", "<>"];
    let is_comparison = condition.is(&["binary_expression", "comparison_operator"]);
    let mut operators = condition.children().filter(|child| ["operator", "operators"].contains(&child.field()));
    let is_negated = condition.is(&["unary_expression", "not_operator"])
        && condition.children().next().is_some_and(|sign| ["!", "not"].contains(&sign.text()));
    let is_constant = ["true", "false", "boolean_literal", "number_literal", "integer", "integer_literal"];
    let has_opposite = is_comparison
        && operators.next().is_some_and(|sign| signs.contains(&sign.text()) || signs.contains(&sign.kind()))
        && operators.next().is_none();
    has_opposite || is_negated || condition.is(&is_constant)
}

/// Returns whether the condition declares a variable. The code that uses the variable would not compile after a
/// negation.
fn declares(condition: Node<'_>) -> bool {
    let declaring = ["let_condition", "let_chain", "declaration", "condition_declaration", "init_statement"];
    if condition.is(&["condition_clause"]) || condition.within(200).any(|inner| inner.is(&declaring)) {
        return true;
    }
    // In Java, `x instanceof Point p` declares `p`.
    condition.within(200).any(|inner| {
        inner.is(&["instanceof_expression"]) && (inner.child("name").is_some() || inner.child("pattern").is_some())
    })
}
