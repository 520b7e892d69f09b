//! Swaps arguments, as if the programmer had written them in the wrong order.

use super::facts::{Facts, Type};
use super::kinds;
use super::marks::{self, Marks};
use super::offers::Offers;
use super::operator::Operator;
use super::tree::Node;
use referee_grammar::Grammar;

/// The numeric types of C and C++, which convert to one another implicitly.
const NUMBERS: &[&str] = &[
    "int",
    "long",
    "long long",
    "unsigned",
    "short",
    "char",
    "bool",
    "double",
    "float",
    "size_t",
    "ll",
    "unsigned long long",
    "int64_t",
    "uint64_t",
    "int32_t",
    "uint32_t",
    "uint8_t",
    "long double",
    "ull",
    "lint",
];
/// The maximum number of arguments of a call that is changed; longer lists are usually tables.
const MOST: usize = 12;

/// Offers to swap neighbouring arguments of a call.
pub(super) fn offer(list: Node<'_>, facts: &Facts<'_>, offers: &mut Offers) {
    let Some(call) = list.parent().filter(|call| list.is(kinds::ARGUMENTS) || makes_object(list, *call)) else {
        return;
    };
    let name = kinds::callee(call);
    let is_sized = call.is(&["init_declarator"])
        && call.parent().and_then(|all| all.child("type")).is_some_and(marks::is_container)
        || call.child("function").or_else(|| call.child("type")).is_some_and(marks::is_container);
    if !call.is(kinds::CALLS) || is_sized || kinds::SYMMETRIC.contains(&name) || kinds::IDLE.contains(&name) {
        return;
    }
    if list.has(Marks::MESSAGE) || list.named().count() > MOST {
        return;
    }
    let arguments: Vec<Node<'_>> = list.named().collect();
    let types = facts.parameters.get(name).map(Option::as_deref);
    for (at, pair) in arguments.windows(2).enumerate() {
        let [first, second] = pair else { continue };
        let fit = match types {
            Some(Some(types)) if types.len() == arguments.len() => {
                !list.grammar().is_typed() || are_compatible(types[at], types[at + 1], list.grammar())
            }
            // Either the types are unknown, or the call does not have as many arguments as the function has parameters.
            // So any pair may fit.
            _ => true,
        };
        let is_format = at == 0 && kinds::FORMATTED.contains(&name)
            || second.is(&["string_literal"]) && kinds::FORMATTED.contains(&name);
        if fit && !is_format && are_confusable(*first, *second) {
            swap(*first, *second, offers);
        }
    }
}

/// Returns whether values in braces initialise an object's fields rather than a list.
fn makes_object(list: Node<'_>, of: Node<'_>) -> bool {
    let made =
        if of.is(&["init_declarator"]) { of.parent().and_then(|all| all.child("type")) } else { of.child("type") };
    list.is(&["initializer_list"])
        && of.is(&["init_declarator", "compound_literal_expression"])
        && made.is_some_and(|made| made.is(&["type_identifier"]))
}

/// Returns whether each of two parameter types accepts an argument of the other type.
fn are_compatible(first: Type<'_>, second: Type<'_>, grammar: Grammar) -> bool {
    let are_numbers = [first, second].iter().all(|(name, points)| !points && NUMBERS.contains(name));
    first == second || grammar.is_c() && are_numbers
}

/// Returns whether a programmer could confuse the two arguments.
fn are_confusable(first: Node<'_>, second: Node<'_>) -> bool {
    let named = ["keyword_argument", "list_splat", "dictionary_splat", "pair", "comment"];
    let is_range = first.text().contains("begin") && second.text().contains("end");
    first.text() != second.text()
        && !first.is(&named)
        && !second.is(&named)
        && rough_type(first) == rough_type(second)
        && !is_range
}

/// Returns a rough type of an argument, judged by its syntax alone.
fn rough_type(argument: Node<'_>) -> &'static str {
    match argument.kind() {
        "closure_expression" | "lambda_expression" | "lambda" => "function",
        "reference_expression" if argument.text().starts_with("&mut") => "mutable reference",
        "reference_expression" => "reference",
        "pointer_expression" if argument.text().starts_with('&') => "reference",
        "string_literal" | "string" => "text",
        "initializer_list"
        | "list"
        | "dictionary"
        | "set"
        | "array_expression"
        | "generator_expression"
        | "list_comprehension" => "list",
        "char_literal" | "character_literal" if argument.grammar() == Grammar::Rust => "character",
        "float_literal" if argument.grammar() == Grammar::Rust => "float",
        _ if argument.has(Marks::TEXT) && argument.grammar() != Grammar::Python => "text",
        _ => "value",
    }
}

fn swap(first: Node<'_>, second: Node<'_>, offers: &mut Offers) {
    let span = first.span().start..second.span().end;
    if span.len() <= 500 {
        let between = first.source().get(first.span().end..second.span().start).unwrap_or_default();
        offers.replace_span(Operator::Arguments, span, format!("{}{between}{}", second.text(), first.text()));
    }
}
