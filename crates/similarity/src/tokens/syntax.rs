//! Tokens of languages that have a grammar.
//!
//! A name becomes [`NAME`], or [`CALL`] where it is called. A called function or a named type that the program does not
//! declare comes from a library and cannot be renamed, so it keeps its text. Code without effect has no tokens.

use std::collections::HashSet;

use referee_grammar::{Budget, Grammar, Parser};
use tree_sitter::Tree;

use super::unused::Unused;
use super::{CALL, Collector, Extent, NAME, NUMBER, TEXT, Token};

/// Parsing a source may take `REPORTS_AT_LEAST` reports of progress, and one more for every [`BYTES_PER_REPORT`] bytes
/// ([`Budget`]). Ordinary sources need one report per hundred bytes. Hostile ones need more, and each report may
/// take a millisecond.
const REPORTS_AT_LEAST: u64 = 300;
const BYTES_PER_REPORT: u64 = 30;

/// Nodes that are no code, or that every program has: comments, imports, attributes.
const SKIPPED: [&str; 14] = [
    "comment",
    "line_comment",
    "block_comment",
    "preproc_include",
    "using_declaration",
    "import_statement",
    "import_from_statement",
    "future_import_statement",
    "import_declaration",
    "package_declaration",
    "use_declaration",
    "attribute_item",
    "inner_attribute_item",
    "marker_annotation",
];

const TEXTS: [&str; 8] = [
    "string",
    "string_literal",
    "raw_string_literal",
    "char_literal",
    "character_literal",
    "concatenated_string",
    "system_lib_string",
    "multiline_string_fragment",
];

const NUMBERS: [&str; 12] = [
    "number_literal",
    "integer",
    "float",
    "integer_literal",
    "float_literal",
    "decimal_integer_literal",
    "hex_integer_literal",
    "octal_integer_literal",
    "binary_integer_literal",
    "decimal_floating_point_literal",
    "hex_floating_point_literal",
    "user_defined_literal",
];

/// Nodes of types that the language has. They can be exchanged as easily as names: `int` for `long`.
const TYPES: [&str; 9] = [
    "primitive_type",
    "sized_type_specifier",
    "integral_type",
    "floating_point_type",
    "boolean_type",
    "void_type",
    "auto",
    "placeholder_type_specifier",
    "type_qualifier",
];

/// Fields that hold the name that a node declares.
const DECLARING: [&str; 5] = ["declarator", "name", "left", "pattern", "parameters"];

/// Nodes whose children with such a field are not declared there.
const NOT_DECLARING: [&str; 11] = [
    "qualified_identifier",
    "scoped_identifier",
    "scoped_type_identifier",
    "method_invocation",
    "keyword_argument",
    "template_function",
    "template_type",
    "template_method",
    "binary_operator",
    "binary_expression",
    "assignment_expression",
];

/// Lists in which every name is declared.
const LISTS: [&str; 7] = [
    "parameters",
    "lambda_parameters",
    "pattern_list",
    "tuple_pattern",
    "typed_parameter",
    "closure_parameters",
    "inferred_parameters",
];

/// A leaf of the tree.
struct Leaf<'t> {
    kind: Kind,
    text: &'t str,
    start: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A name. `called` if a list of arguments follows.
    Name {
        is_type: bool,
        called: bool,
    },
    Number,
    Text,
    Type,
    /// A keyword, an operator or punctuation.
    Other,
}

/// Returns the tokens of a source; `None` if parsing it would take too much work.
pub(super) fn tokens(grammar: Grammar, text: &str, extent: Extent) -> Option<Vec<Token>> {
    let mut budget = Budget::new(REPORTS_AT_LEAST + text.len() as u64 / BYTES_PER_REPORT);
    let tree = Parser::new(grammar)?.parse(text, None, &mut budget)?;
    let (leaves, declared) = leaves(text, &tree, extent);
    let mut found = Collector::new(text);
    let mut was_type = false;
    for leaf in &leaves {
        // `unsigned long long` and `const int` count as one type.
        let repeats = was_type && leaf.kind == Kind::Type;
        was_type = leaf.kind == Kind::Type;
        if !repeats {
            found.push(normalised(leaf, &declared), leaf.start);
        }
    }
    Some(found.list)
}

fn normalised<'t>(leaf: &Leaf<'t>, declared: &HashSet<&str>) -> &'t str {
    match leaf.kind {
        Kind::Number => NUMBER,
        Kind::Text => TEXT,
        Kind::Type => NAME,
        Kind::Other => leaf.text,
        Kind::Name { is_type, called } => match (is_type || called, declared.contains(leaf.text)) {
            (true, false) => leaf.text,
            _ if called => CALL,
            _ => NAME,
        },
    }
}

/// Returns the leaves of the tree in the order of the text, and the names that the program declares.
fn leaves<'t>(text: &'t str, tree: &Tree, extent: Extent) -> (Vec<Leaf<'t>>, HashSet<&'t str>) {
    let (mut leaves, mut declared) = (Vec::<Leaf<'t>>::new(), HashSet::new());
    let mut cursor = tree.walk();
    let mut ancestors: Vec<&'static str> = Vec::new();
    let unused = Unused::of(text, tree, extent);
    loop {
        let node = cursor.node();
        let (kind, parent) = (node.kind(), ancestors.last().copied().unwrap_or_default());
        let is_docstring = kind == "string" && parent == "expression_statement";
        let is_skipped = SKIPPED.contains(&kind) || is_docstring || unused.has_no_effect(node, parent);
        let atom = atom(kind);
        if !is_skipped && atom.is_none() && cursor.goto_first_child() {
            ancestors.push(kind);
            continue;
        }
        let own = text.get(node.byte_range()).unwrap_or_default();
        if !is_skipped && !own.is_empty() {
            let kind = atom.unwrap_or_else(|| kind_of(kind, node.is_named()));
            if matches!(kind, Kind::Name { .. }) && declares(cursor.field_name(), parent) {
                declared.insert(own);
            }
            let opens_arguments = own == "(" && ["argument_list", "arguments"].contains(&parent);
            if let Some(Leaf { kind: Kind::Name { called, .. }, .. }) = leaves.last_mut() {
                *called |= opens_arguments || own == "!" && parent == "macro_invocation";
            }
            leaves.push(Leaf { kind, text: own, start: node.start_byte() });
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return (leaves, declared);
            }
            ancestors.pop();
        }
    }
}

/// Returns the kind of a node that counts as one token although it may have children; `None` for other nodes.
fn atom(kind: &str) -> Option<Kind> {
    if TEXTS.contains(&kind) {
        Some(Kind::Text)
    } else if NUMBERS.contains(&kind) {
        Some(Kind::Number)
    } else {
        TYPES.contains(&kind).then_some(Kind::Type)
    }
}

fn kind_of(kind: &str, is_named: bool) -> Kind {
    match kind {
        _ if kind.contains("identifier") => Kind::Name { is_type: kind == "type_identifier", called: false },
        // Other named leaves are `true`, `null`, `this` and the like, and texts of macros.
        "preproc_arg" => Kind::Text,
        _ if is_named && !kind.is_ascii() => Kind::Text,
        _ => Kind::Other,
    }
}

/// Returns whether a name in this field of such a parent is declared there.
fn declares(field: Option<&str>, parent: &str) -> bool {
    LISTS.contains(&parent)
        || !NOT_DECLARING.contains(&parent) && field.is_some_and(|field| DECLARING.contains(&field))
        || parent == "parameter_declaration"
}
