//! Drops statements, as if the programmer had forgotten them.

use super::facts::Facts;
use super::kinds;
use super::marks::Marks;
use super::offers::Offers;
use super::operator::Operator;
use super::resets;
use super::tree::Node;
use referee_grammar::Grammar;

/// The kinds of expression statements that are dropped.
const DROPPED: &[&str] = &[
    "call_expression",
    "assignment_expression",
    "update_expression",
    "comma_expression",
    "method_invocation",
    "call",
    "assignment",
    "augmented_assignment",
    "compound_assignment_expr",
    "macro_invocation",
    "try_expression",
    "await",
    "binary_expression",
    "yield",
    "print_statement",
];

/// Jumps, which are statements in most languages and expressions in Rust.
const JUMPS: &[&str] = &[
    "break_statement",
    "continue_statement",
    "return_statement",
    "break_expression",
    "continue_expression",
    "return_expression",
];

/// The maximum number of nodes of a loop that are searched for `break` statements.
const FAR: usize = 500;

/// Offers to drop a statement.
pub(super) fn offer(node: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    let is_arm = node.is_in(&["match_arm"]) && node.is(&["assignment_expression", "compound_assignment_expr"]);
    let wrapped = node.is(&["expression_statement"]).then(|| node.named().next()).flatten();
    match wrapped {
        Some(inner) if inner.is(JUMPS) && node.text().ends_with(';') => jump(node, inner, offers),
        Some(inner) if inner.is(DROPPED) => expression(node, inner, facts, offers),
        None if node.is(JUMPS) && node.grammar() != Grammar::Rust => jump(node, node, offers),
        None if node.is(&["print_statement"]) => drop(Operator::Statement, node, offers),
        None if is_arm && !must_stay(node, facts) => offers.replace(resets::operator_for_dropping(node), node, "{}"),
        _ => {}
    }
}

fn expression(node: Node<'_>, inner: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    // In Rust, an expression without a semicolon is the value of its block.
    if node.grammar() == Grammar::Rust && !node.text().ends_with(';') {
        return;
    }
    if must_stay(inner, facts) {
        return;
    }
    drop(resets::operator_for_dropping(inner), node, offers);
}

/// Returns whether dropping the statement would probably break the source, change nothing, or only drop a message.
fn must_stay(inner: Node<'_>, facts: &Facts<'_>) -> bool {
    if inner.is(kinds::ASSIGNMENTS) && inner.grammar() == Grammar::Python {
        // The first assignment to a name declares the name. An assignment to an attribute in `__init__` declares the
        // attribute.
        let declares_attribute = inner.text().starts_with("self.") && is_in_init(inner);
        return facts.first_assignments.contains(&inner.at())
            || declares_attribute
            || inner.child("right").is_none()
            || resets::sets_name_in_loop(inner);
    }
    if inner.is(kinds::ASSIGNMENTS) {
        let target = inner.child("left").map(Node::text).unwrap_or_default();
        return facts.unset.contains(target.strip_prefix("this.").unwrap_or(target));
    }
    if inner.is(&["macro_invocation"]) {
        let name = inner.child("macro").map(Node::text).unwrap_or_default();
        return !["print", "println", "write", "writeln"].contains(&name);
    }
    let is_message = inner.has(Marks::NO_CODE)
        || inner.has(Marks::MESSAGE)
        || kinds::is_message(kinds::callee(inner)) && !inner.text().contains(".expect(");
    is_message || is_idle(inner) || inner.is(&["binary_expression"]) && !inner.has(Marks::STREAM)
}

/// Returns whether the node is in a Python `__init__` method.
fn is_in_init(node: Node<'_>) -> bool {
    let mut around = node;
    for _ in 0..12 {
        match around.parent() {
            Some(parent) => around = parent,
            None => return false,
        }
        if around.is(&["function_definition"]) {
            return around.child("name").is_some_and(|name| name.text() == "__init__");
        }
    }
    false
}

fn is_idle(inner: Node<'_>) -> bool {
    let call = if inner.is(&["try_expression", "await"]) { inner.named().next().unwrap_or(inner) } else { inner };
    call.is(kinds::CALLS) && (kinds::IDLE.contains(&kinds::callee(call)) || call.text().starts_with("System.err."))
}

fn jump(node: Node<'_>, inner: Node<'_>, offers: &mut Offers) {
    // A jump with a value is not dropped. A label is not a value.
    let is_label =
        |child: Node<'_>| child.is(&["label"]) || child.is(&["identifier"]) && child.grammar() == Grammar::Java;
    if inner.named().any(|child| !is_label(child)) {
        return;
    }
    let returns = inner.is(&["return_statement", "return_expression"]);
    if returns && inner.named().next().is_some() || is_last(node, inner) {
        return;
    }
    let would_not_compile = match inner.grammar() {
        Grammar::Rust => !is_unused(node),
        Grammar::Java => inner.is(&["break_statement"]) && ends_an_endless_loop(node),
        _ => false,
    };
    if !would_not_compile {
        drop(Operator::Statement, node, offers);
    }
}

/// Returns whether execution would reach the jump's target anyway, because the jump is the last statement of a loop
/// body, a function or a switch.
fn is_last(node: Node<'_>, inner: Node<'_>) -> bool {
    let Some(block) = node.parent() else { return false };
    let is_end = block.named().last().is_some_and(|last| last.at() == node.at());
    let around = block.parent();
    match inner.kind() {
        "continue_statement" | "continue_expression" => {
            is_end && around.is_some_and(|around| around.is(kinds::LOOPS)) || block.is(kinds::LOOPS)
        }
        "return_statement" | "return_expression" => is_end && around.is_some_and(|around| around.is(kinds::FUNCTIONS)),
        _ => {
            let groups = ["case_statement", "switch_block_statement_group"];
            let is_last_group =
                around.is_some_and(|all| all.named().last().is_some_and(|last| last.at() == block.at()));
            block.is(&groups) && is_end && is_last_group
        }
    }
}

/// Returns whether nothing uses the value of the Rust block that ends with the jump. A block that ends with a jump fits
/// any type. Without the jump, the block has type `()`, so code that uses its value might not compile.
fn is_unused(statement: Node<'_>) -> bool {
    let mut node = statement;
    for _ in 0..30 {
        let Some(parent) = node.parent() else { return true };
        let is_last = parent.named().last().is_some_and(|last| last.at() == node.at());
        match parent.kind() {
            "block" if !is_last => return true,
            "let_declaration" | "closure_expression" | "async_block" => return false,
            "function_item" => return parent.child("return_type").is_none(),
            "expression_statement" if parent.text().ends_with(';') => return true,
            kind if kinds::LOOPS.contains(&kind) => return true,
            "block"
            | "expression_statement"
            | "if_expression"
            | "else_clause"
            | "match_arm"
            | "match_block"
            | "match_expression"
            | "unsafe_block" => node = parent,
            _ => return false,
        }
    }
    false
}

/// Returns whether the node is the only `break` of an endless Java loop. Without it, the code after the loop would be
/// unreachable, which is a compile error.
fn ends_an_endless_loop(node: Node<'_>) -> bool {
    let mut around = node;
    for _ in 0..30 {
        let Some(parent) = around.parent() else { return false };
        around = parent;
        if around.is(&["switch_expression", "switch_statement"]) {
            return false;
        }
        if around.is(kinds::LOOPS) {
            let condition = around.child("condition").map(|condition| condition.bare().text());
            let is_endless = condition == Some("true") || condition.is_none() && around.is(&["for_statement"]);
            let exits = around.within(FAR).filter(|inner| inner.is(&["break_statement"])).count();
            return is_endless && exits < 2;
        }
    }
    false
}

/// Offers to replace a statement with an empty one. Its line breaks stay. If code follows on its last line, blanks keep
/// that code in the same column.
pub(super) fn drop(operator: Operator, node: Node<'_>, offers: &mut Offers) {
    let nothing = match node.grammar() {
        Grammar::Python => "pass",
        _ if node.is_in(&["switch_rule"]) => "{}",
        _ => ";",
    };
    let after = node.source().get(node.span().end..).unwrap_or_default();
    let has_code_after =
        after.chars().take(200).take_while(|&letter| letter != '\n').any(|letter| !letter.is_whitespace());
    let is_python = node.grammar() == Grammar::Python;
    offers.rewrite(operator, node, |text| {
        let (lines, last) = (text.matches('\n').count(), text.rsplit('\n').next().unwrap_or_default());
        let first = text.len() == last.len();
        let width = last.chars().count().saturating_sub(if first { nothing.len() } else { 0 });
        let spaces = if has_code_after { width } else { 0 };
        // A Python statement in parentheses may take several lines; its further lines become empty.
        if is_python && !first {
            return format!("{nothing}{}", "\n".repeat(lines));
        }
        format!("{nothing}{}{}", "\n".repeat(lines), " ".repeat(spaces))
    });
}
