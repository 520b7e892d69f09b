//! Tests the mutations of small sources against lists written by hand, and properties of all mutations.

mod c_like;
mod hostile;
mod properties;
mod python;
mod rust;

use super::*;

/// Returns all changes of a source: the operator, the replaced text and its replacement.
fn made(grammar: Grammar, source: &str) -> Vec<(&'static str, String, String)> {
    let told = |change: Mutation| (change.operator.name(), source[change.span].to_owned(), change.replacement);
    mutations(grammar, source).list.into_iter().map(told).collect()
}

/// Asserts that the changes of a source are exactly these, in any order.
#[track_caller]
fn makes(grammar: Grammar, source: &str, wanted: &[(&'static str, &str, &str)]) {
    let mut made = made(grammar, source);
    let mut wanted: Vec<_> =
        wanted.iter().map(|(word, old, new)| (*word, (*old).to_owned(), (*new).to_owned())).collect();
    made.sort();
    wanted.sort();
    assert_eq!(made, wanted, "{source}");
}

/// Asserts that the changes of these statements are exactly the wanted ones, in a C and a C++ function other than
/// `main`.
#[track_caller]
fn makes_in_c(statements: &str, wanted: &[(&'static str, &str, &str)]) {
    let source = format!("void f() {{ {statements}\n}}");
    makes(Grammar::C, &source, wanted);
    makes(Grammar::Cpp, &source, wanted);
}

#[test]
fn every_operator_has_a_word_of_its_own() {
    let words: std::collections::BTreeSet<_> = Operator::ALL.map(Operator::name).into();
    assert_eq!(words.len(), Operator::ALL.len());
    assert!(Operator::ALL.is_sorted());
    assert_eq!(format!("{:>11}", Operator::OffByOne), " off-by-one");
}

#[test]
fn languages_are_known_by_the_ids_of_the_table() {
    let known = [
        ("c", Grammar::C),
        ("cpp", Grammar::Cpp),
        ("java", Grammar::Java),
        ("python3", Grammar::Python),
        ("pypy3", Grammar::Python),
        ("python2", Grammar::Python),
        ("rust", Grammar::Rust),
    ];
    assert!(known.iter().all(|(id, grammar)| Grammar::of(id) == Some(*grammar)));
    assert!(["haskell", "C", "", "kotlin"].iter().all(|id| Grammar::of(id).is_none()));
}

#[test]
fn a_change_knows_its_place_in_characters() {
    let source = "s = 'é'; é = a < b\n\nif é: ü = a == c\n";
    let all = mutations(Grammar::Python, source).list;
    let place = |operator| all.iter().find(|change| change.operator == operator).map(|one| (one.line, one.column));
    assert_eq!(place(Operator::Boundary), Some((1, 16)));
    assert_eq!(place(Operator::Comparison), Some((3, 13)));
}
