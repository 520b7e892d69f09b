//! The names of node kinds in the grammars, grouped by their meaning. Several languages share most names; no name has
//! two meanings.

use super::tree::Node;

/// Nodes whose contents are never changed: types, imports, annotations, compile-time checks, failure messages.
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
    // Several languages.
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

/// Functions, each with a scope of its own.
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

/// Loops; the repeated part is their `body`.
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

/// Expressions with two operands and an operator.
pub(super) const BINARY: &[&str] = &["binary_expression", "binary_operator", "boolean_operator"];

/// Compound assignments, such as `+=`. In C and Java, plain assignments have the same kind.
pub(super) const COMPOUND: &[&str] = &["assignment_expression", "augmented_assignment", "compound_assignment_expr"];

/// Plain assignments; in C and Java, compound ones have the same kind.
pub(super) const ASSIGNMENTS: &[&str] = &["assignment_expression", "assignment"];

/// Calls, and other constructs with arguments.
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

/// Argument lists of calls.
pub(super) const ARGUMENTS: &[&str] = &["argument_list", "arguments"];

/// Nodes whose contents only set how much memory is reserved.
pub(super) const CAPACITY: &[&str] = &["template_argument_list", "dimensions_expr"];

/// Nodes whose `size` or `length` field only sets how much memory is reserved.
pub(super) const HAVE_CAPACITY: &[&str] = &["array_declarator", "new_declarator", "array_expression", "array_type"];

/// Calls whose numeric arguments only set how much memory or stack is reserved.
pub(super) const RESERVING: &[&str] =
    &["reserve", "with_capacity", "malloc", "calloc", "realloc", "ensureCapacity", "setrecursionlimit", "stack_size"];

/// Containers whose constructor can take a size.
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

/// Calls for which swapped arguments usually make no difference, or make no sense.
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

/// Calls that do not affect the output of a correct program, for example those that only make it faster.
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

/// Calls that clear or fill the object that they are called on.
pub(super) const RESETTING: &[&str] = &["clear", "fill", "memset", "assign", "fill_n", "reset", "resize", "bzero"];

/// Calls with a format string.
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

/// Words in the name of a function that show that the function reports a failure.
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

/// The maximum length of a name, in bytes; longer text is not a name.
const LONGEST_NAME: usize = 200;

/// Returns whether the words in the name of a call show that the call only reports a message. Messages do not affect
/// the verdict.
pub(super) fn is_message(name: &str) -> bool {
    words(name).any(|word| MESSAGES.iter().any(|message| word.eq_ignore_ascii_case(message)))
}

/// Splits a name such as `wrong_answer`, `wrongAnswer` or `WrongAnswer` into its words. A name in capitals is one word.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let parts = name.split(|letter: char| !letter.is_alphanumeric());
    parts.flat_map(|part| {
        let bytes = part.as_bytes();
        let is_start = move |at: usize| bytes[at].is_ascii_uppercase() && !bytes[at - 1].is_ascii_uppercase();
        let ends = (1..bytes.len()).filter(move |at| is_start(*at)).chain([bytes.len()]);
        ends.scan(0, move |start, end| Some(&part[std::mem::replace(start, end)..end]))
    })
}

/// Returns the last part of the called name: `clear` for `seen.clear()`, `max` for `std::max<int>(a, b)`.
pub(super) fn callee(call: Node<'_>) -> &str {
    let Some(function) = ["function", "name", "type"].iter().find_map(|role| call.child(role)) else { return "" };
    // In a chain of calls, only the name of the last call matters. The text of the whole chain is not read, because it
    // may be as long as the source.
    let last =
        ["name", "field", "attribute", "function"].iter().find_map(|role| function.child(role)).unwrap_or(function);
    let last = last.child("name").unwrap_or(last);
    let text = if last.span().len() < LONGEST_NAME { last.text() } else { "" };
    text.rsplit([':', '.']).next().unwrap_or_default()
}

/// Returns the operator of a node; `None` if it has none.
pub(super) fn operator(node: Node<'_>) -> Option<Node<'_>> {
    node.child("operator").or_else(|| {
        // If the grammar gives the operator no field, the operator is the only anonymous child.
        node.children().take(3).find(|child| !child.is_named() && child.field().is_empty())
    })
}
