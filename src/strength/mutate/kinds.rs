//! The grammars' words for what the changes are about. Most are the same in several languages; none means two things.

use super::tree::Node;

/// Nothing below these is ever changed: types, imports, annotations, tests of the compiler, messages of failures.
pub(super) const NO_CODE: &[&str] = &[
    // C and C++.
    "preproc_include",
    "preproc_call",
    "preproc_directive",
    "preproc_function_def",
    "type_descriptor",
    "template_parameter_list",
    "attribute_declaration",
    "attribute_specifier",
    "attributed_declarator",
    "static_assert_declaration",
    "sizeof_expression",
    "alignof_expression",
    "decltype",
    "using_declaration",
    "alias_declaration",
    "type_definition",
    "requires_clause",
    "concept_definition",
    "lambda_capture_specifier",
    "bitfield_clause",
    "noexcept",
    "gnu_asm_expression",
    "raw_string_literal",
    "linkage_specification_string",
    // Several.
    "throw_statement",
    "assert_statement",
    "type_arguments",
    "type_parameters",
    "import_declaration",
    // Java.
    "marker_annotation",
    "annotation",
    "package_declaration",
    "throws",
    "modifiers",
    "superclass",
    "super_interfaces",
    // Python.
    "import_statement",
    "import_from_statement",
    "future_import_statement",
    "type",
    "decorator",
    "global_statement",
    "nonlocal_statement",
    "raise_statement",
    "type_alias_statement",
    "delete_statement",
    // Rust.
    "attribute_item",
    "inner_attribute_item",
    "use_declaration",
    "where_clause",
    "trait_bounds",
    "token_tree",
    "macro_definition",
    "extern_crate_declaration",
    "visibility_modifier",
    "array_type",
    "reference_type",
];

/// Functions, in which names are their own.
pub(super) const FUNCTIONS: &[&str] = &[
    "function_definition",
    "lambda_expression",
    "method_declaration",
    "constructor_declaration",
    "function_item",
    "closure_expression",
    "lambda",
];

/// Functions without a name.
pub(super) const LAMBDAS: &[&str] = &["lambda_expression", "closure_expression", "lambda"];

/// Loops; what they repeat is their `body`.
pub(super) const LOOPS: &[&str] = &[
    "for_statement",
    "while_statement",
    "do_statement",
    "for_range_loop",
    "enhanced_for_statement",
    "for_expression",
    "while_expression",
    "loop_expression",
];

/// Two operands and an operator.
pub(super) const BINARY: &[&str] = &["binary_expression", "binary_operator", "boolean_operator"];

/// Assignments with an operator of their own.
pub(super) const COMPOUND: &[&str] = &["assignment_expression", "augmented_assignment", "compound_assignment_expr"];

/// Plain assignments; for C and Java, those with `=`.
pub(super) const ASSIGNMENTS: &[&str] = &["assignment_expression", "assignment"];

/// Calls, and what else has arguments.
pub(super) const CALLS: &[&str] = &[
    "call_expression",
    "call",
    "method_invocation",
    "object_creation_expression",
    "init_declarator",
    "compound_literal_expression",
    "field_initializer",
    "new_expression",
];

/// Arguments of calls.
pub(super) const ARGUMENTS: &[&str] = &["argument_list", "arguments"];

/// Places that only reserve room.
pub(super) const ROOM: &[&str] = &["template_argument_list", "dimensions_expr"];

/// What has a size or a length that only reserves room.
pub(super) const HAVE_ROOM: &[&str] = &["array_declarator", "new_declarator", "array_expression", "array_type"];

/// Calls whose numbers only reserve room.
pub(super) const RESERVING: &[&str] =
    &["reserve", "with_capacity", "malloc", "calloc", "realloc", "ensureCapacity", "setrecursionlimit", "stack_size"];

/// Containers that are made with a size.
pub(super) const SIZED: &[&str] = &[
    "vector",
    "string",
    "deque",
    "bitset",
    "valarray",
    "ArrayList",
    "HashMap",
    "HashSet",
    "LinkedHashMap",
    "ArrayDeque",
    "PriorityQueue",
    "StringBuilder",
    "BufferedReader",
    "BufferedOutputStream",
    "BufferedInputStream",
    "Vector",
];

/// Calls that take their arguments in any order, or in the other order not at all.
pub(super) const SYMMETRIC: &[&str] = &[
    "min",
    "max",
    "swap",
    "gcd",
    "lcm",
    "hypot",
    "isclose",
    "__gcd",
    "abs_diff",
    "iter_swap",
    "equals",
    "fmin",
    "fmax",
    "copyOf",
    "copyOfRange",
    "fill",
    "minmax",
    "mul",
    "add",
    "addExact",
    "multiplyExact",
    "unite",
    "union",
    "merge",
    "join",
    "near",
    "dist",
    "distance",
];

/// Calls without which a right program does the same.
pub(super) const IDLE: &[&str] = &[
    "assert",
    "static_assert",
    "reserve",
    "sync_with_stdio",
    "tie",
    "shrink_to_fit",
    "setrecursionlimit",
    "stack_size",
    "srand",
    "free",
    "fclose",
    "close",
    "setbuf",
    "setvbuf",
    "drop",
    "ensureCapacity",
    "ensure_ascii",
    "precision_hint",
    "main",
    "perror",
    "freopen",
    "collect_garbage",
];

/// Calls that empty or fill what they are called on.
pub(super) const RESETTING: &[&str] = &["clear", "fill", "memset", "assign", "fill_n", "reset", "resize", "bzero"];

/// Calls whose first text is a format.
pub(super) const FORMATTED: &[&str] = &[
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "scanf",
    "fscanf",
    "sscanf",
    "printf_s",
    "scanf_s",
    "format",
    "String.format",
];

/// Words in the names of calls that say why something failed.
const MESSAGES: &[&str] = &[
    "expect",
    "error",
    "fail",
    "wrong",
    "reject",
    "judge",
    "quit",
    "quitf",
    "ensure",
    "ensuref",
    "abort",
    "die",
    "debug",
    "warn",
    "warning",
    "perror",
    "fatal",
    "log",
    "throw",
    "exception",
];

/// What is longer is no name.
const LONGEST_NAME: usize = 200;

/// Whether what a call says has no influence on a verdict.
pub(super) fn is_message(name: &str) -> bool {
    words(name).any(|word| MESSAGES.iter().any(|message| word.eq_ignore_ascii_case(message)))
}

/// The words of a name: `wrong_answer`, `wrongAnswer`, `WrongAnswer`. A name of capitals is one word.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let parts = name.split(|letter: char| !letter.is_alphanumeric());
    parts.flat_map(|part| {
        let bytes = part.as_bytes();
        let is_start = move |at: usize| bytes[at].is_ascii_uppercase() && !bytes[at - 1].is_ascii_uppercase();
        let ends = (1..bytes.len()).filter(move |at| is_start(*at)).chain([bytes.len()]);
        ends.scan(0, move |start, end| Some(&part[std::mem::replace(start, end)..end]))
    })
}

/// The last word of what is called: `clear` of `seen.clear()`, `max` of `std::max<int>(a, b)`.
pub(super) fn callee(call: Node<'_>) -> &str {
    let Some(function) = ["function", "name", "type"].iter().find_map(|role| call.child(role)) else { return "" };
    // Of a chain of calls only the last is of interest; the text before it may be as long as the source.
    let last =
        ["name", "field", "attribute", "function"].iter().find_map(|role| function.child(role)).unwrap_or(function);
    let last = last.child("name").unwrap_or(last);
    let text = if last.span().len() < LONGEST_NAME { last.text() } else { "" };
    text.rsplit([':', '.']).next().unwrap_or_default()
}

/// The operator of a node.
pub(super) fn operator(node: Node<'_>) -> Option<Node<'_>> {
    node.child("operator").or_else(|| {
        // Where the grammar gives it no role, it is the one child that is not named.
        node.children().take(3).find(|child| !child.is_named() && child.field().is_empty())
    })
}
