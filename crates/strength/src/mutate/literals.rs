//! Changes constants.

use super::facts::Facts;
use super::kinds;
use super::marks::Marks;
use super::numbers;
use super::offers::Offers;
use super::operator::Operator;
use super::tree::Node;
use referee_grammar::Grammar;

/// Integer literals; in C and C++, `number_literal` covers all numbers.
const INTEGERS: &[&str] = &[
    "number_literal",
    "decimal_integer_literal",
    "hex_integer_literal",
    "octal_integer_literal",
    "binary_integer_literal",
    "integer",
    "integer_literal",
];
/// Floating-point literals.
const FLOATS: &[&str] = &["float_literal", "float", "decimal_floating_point_literal"];

/// Offers to change a constant.
pub(super) fn offer(node: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    match node.kind() {
        "preproc_arg" => defined(node, facts, offers),
        "true" | "false" | "boolean_literal" => truth(node, offers),
        "char_literal" | "character_literal" => character(node, offers),
        "string_literal" | "string" => text(node, offers),
        _ if node.is(INTEGERS) || node.is(FLOATS) => number(node, facts, offers),
        _ => {}
    }
}

/// Offers to change the value of a definition such as `#define N 100`.
fn defined(node: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    let name = node.parent().and_then(|define| define.child("name"));
    let code = node.text().split("//").next().unwrap_or_default().split("/*").next().unwrap_or_default();
    let number = code.trim();
    let start = node.span().start + (code.len() - code.trim_start().len());
    let is_capacity = name.is_some_and(|name| facts.capacities.contains(name.text()));
    let style = numbers::Style::of(node.grammar());
    for other in numbers::others(number, style, is_capacity) {
        offers.replace_span(Operator::Constant, start..start + number.len(), other);
    }
}

fn number(node: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    // These are not changed: a tuple index; the condition of an endless loop; a switch label, because the next number
    // may be another label; a random-looking constant, because any other value works as well; a number compared with a
    // single bit (see [`is_compared_with_bit`]).
    let is_irrelevant = is_endless(node)
        || is_in_switch_label(node)
        || numbers::looks_random(node.text())
        || is_compared_with_bit(node);
    if node.field() == "field" || is_irrelevant {
        return;
    }
    let is_capacity = node.has(Marks::CAPACITY) || declares_capacity(node, facts);
    let style = numbers::Style::of(node.grammar());
    let others = numbers::others(node.text(), style, is_capacity);
    let boundary = boundary_step(node);
    for other in others {
        // A bound that is moved by one may mean the same as a changed comparison, which `operators` already offers.
        if !boundary.is_some_and(|more| numbers::is_next(node.text(), &other, style, more)) {
            offers.replace(Operator::Constant, node, other);
        }
    }
}

/// Compares a change of the number by one with a change of the comparison operator beside the number. Returns
/// `Some(true)` if adding one to the number gives the same mutant as changing the operator, `Some(false)` if
/// subtracting one does, and `None` if neither does.
fn boundary_step(node: Node<'_>) -> Option<bool> {
    let (sign, is_left) = comparison(node)?;
    match (sign, is_left) {
        // `x < 3` changed to `x <= 3` equals `x < 4`; `x >= 3` changed to `x > 3` equals `x >= 4`; `3 <= x` changed to
        // `3 < x` equals `4 <= x`.
        ("<" | ">=", false) | ("<=" | ">", true) => Some(true),
        ("<=" | ">", false) | ("<" | ">=", true) => Some(false),
        _ => None,
    }
}

/// Returns the operator beside a node, and whether the node is the operator's left operand. If the node lies between
/// two operators, returns the left one. Returns `None` outside binary expressions and comparisons.
fn comparison(node: Node<'_>) -> Option<(&str, bool)> {
    let parent = node.parent().filter(|parent| parent.is(&["binary_expression", "comparison_operator"]))?;
    let mut before = None;
    for child in parent.children().take(64) {
        let is_sign = ["operator", "operators"].contains(&child.field());
        if is_sign && child.span().start > node.span().start {
            return Some(before.map_or((child.text(), true), |sign| (sign, false)));
        }
        if is_sign {
            before = Some(child.text());
        }
    }
    before.map(|sign| (sign, false))
}

/// Returns whether a number is compared with a single bit, as in `x & 1 == 0` or `x % 2 == 0`. The number 1 instead of
/// 0 gives the same mutant as `!=` instead of `==`, and no other number makes sense.
fn is_compared_with_bit(node: Node<'_>) -> bool {
    let Some(parent) = node.parent().filter(|_| comparison(node).is_some_and(|(sign, _)| ["==", "!="].contains(&sign)))
    else {
        return false;
    };
    parent.named().any(|side| {
        let bit = side.bare();
        let last = bit.named().last().map(Node::text);
        let sign = kinds::operator(bit).map(Node::text);
        bit.is(kinds::BINARY) && matches!((sign, last), (Some("&"), Some("1")) | (Some("%"), Some("2")))
    })
}

fn is_in_switch_label(node: Node<'_>) -> bool {
    node.has(Marks::LABEL) && matches!(node.grammar(), Grammar::C | Grammar::Cpp | Grammar::Java)
}

/// Returns whether the number is the value of a constant that only sets how much memory is reserved.
fn declares_capacity(node: Node<'_>, facts: &Facts<'_>) -> bool {
    node.parent().is_some_and(|parent| {
        parent.is(&["init_declarator", "variable_declarator", "const_item"])
            && ["declarator", "name"]
                .iter()
                .filter_map(|role| parent.child(role))
                .any(|name| facts.capacities.contains(name.text()))
    })
}

/// Returns whether the constant is the whole condition of a loop. With another value, the loop would not begin.
fn is_endless(node: Node<'_>) -> bool {
    node.field() == "condition" && node.is_in(kinds::LOOPS)
        || node.is_in(&["parenthesized_expression", "condition_clause"])
            && node.parent().is_some_and(|parent| parent.field() == "condition" && parent.is_in(kinds::LOOPS))
}

fn truth(node: Node<'_>, offers: &mut Offers) {
    // A pattern is not changed, because the other truth value usually has its own pattern. Settings of streams, such as
    // `sync_with_stdio(false)`, do not affect the verdict.
    let is_tuning = node.is_in(&["argument_list"])
        && node.parent().and_then(Node::parent).is_some_and(|call| kinds::IDLE.contains(&kinds::callee(call)));
    if is_endless(node) || is_tuning || node.has(Marks::LABEL) {
        return;
    }
    let other = match node.text() {
        "true" => "false",
        "false" => "true",
        "True" => "False",
        "False" => "True",
        _ => return,
    };
    offers.replace(Operator::Constant, node, other);
}

/// Offers to replace a character with the next one. A blank or a line feed is replaced only where the program compares
/// it, because validators ignore the whitespace that a program writes.
fn character(node: Node<'_>, offers: &mut Offers) {
    if is_in_switch_label(node) {
        return;
    }
    let text = node.text();
    let Some(open) = text.find('\'') else { return };
    let inside = text.get(open + 1..text.len() - 1).unwrap_or_default();
    let is_compared = comparison(node).is_some_and(|(sign, _)| ["==", "!=", "<", ">", "<=", ">="].contains(&sign));
    let other = match inside.as_bytes() {
        b" " if is_compared => "_".to_owned(),
        b"\\n" if is_compared => " ".to_owned(),
        [letter @ 0x21..=0x7d] if *letter != b'\\' && *letter != b'\'' => {
            let next = (letter + 1..=0x7e).find(|next| !b"'\\".contains(next)).unwrap_or(b'!');
            char::from(next).to_string()
        }
        _ => return,
    };
    let start = node.span().start + open + 1;
    offers.replace_span(Operator::Constant, start..start + inside.len(), other);
}

/// Offers to replace a text with the empty text. Skips messages, names of variables, labels and formats. Also skips
/// whitespace, except a separator as in `" ".join(words)`.
fn text(node: Node<'_>, offers: &mut Offers) {
    let is_irrelevant = node.has(Marks::MESSAGE)
        || is_name_of_variable(node)
        || node.has(Marks::LABEL)
        || node.is_in(&["linkage_specification", "expression_statement", "concatenated_string"])
        || is_format(node)
        || node.named().any(|part| part.is(&["interpolation"]));
    let Some(inside) = inside(node) else { return };
    let blank = node.source().get(inside.clone()).unwrap_or_default().replace("\\n", "").replace("\\t", "");
    let separates = node.is_in(&["attribute"]);
    if is_irrelevant || inside.is_empty() || blank.trim().is_empty() && !separates {
        return;
    }
    offers.replace_span(Operator::Constant, inside, "");
}

/// Returns whether the text is the name that a reading function of testlib (`readInt(1, 100, "n")`) or BAPCtools
/// (`read_integer("n", 1, 100)`) puts into its messages. A pattern, as in `readToken("[a-z]+", "s")`, is no name.
fn is_name_of_variable(node: Node<'_>) -> bool {
    let Some(list) = node.parent().filter(|list| list.is(kinds::ARGUMENTS)) else { return false };
    let name = list.parent().map(kinds::callee).unwrap_or_default();
    if !name.starts_with("read") {
        return false;
    }
    let lower = name.to_ascii_lowercase();
    if ["int", "long", "double", "real", "float"].iter().any(|number| lower.contains(number)) {
        return true;
    }
    let is_first = list.named().next().is_some_and(|first| first.at() == node.at());
    let is_last = list.named().last().is_some_and(|last| last.at() == node.at());
    // testlib puts the name at the end, BAPCtools at the beginning. A single argument is a pattern in testlib.
    if name.contains('_') { is_first } else { is_last && !is_first }
}

/// Returns the span between the quotes. If nothing is between them, the span is empty in Python, and `None` in the
/// other languages.
fn inside(node: Node<'_>) -> Option<std::ops::Range<usize>> {
    if node.is(&["string"]) {
        let start = node.children().find(|part| part.is(&["string_start"]))?;
        let end = node.children().find(|part| part.is(&["string_end"]))?;
        return Some(start.span().end..end.span().start);
    }
    let quotes = if node.text().ends_with("\"\"\"") { 3 } else { 1 };
    let open = node.text().find('"')?;
    let (start, end) = (node.span().start + open + quotes, node.span().end.checked_sub(quotes)?);
    (start < end).then_some(start..end)
}

/// Returns whether the text is a format for printing or reading other arguments.
fn is_format(node: Node<'_>) -> bool {
    let call = node.parent().filter(|list| list.is(kinds::ARGUMENTS)).and_then(Node::parent);
    let formatted = call.is_some_and(|call| kinds::FORMATTED.contains(&kinds::callee(call)));
    let percent = node.is_in(&["binary_operator"]) && node.text().contains('%');
    let braces = node.is_in(&["attribute"]) && node.parent().is_some_and(|parent| parent.text().ends_with(".format"));
    formatted || percent || braces
}
