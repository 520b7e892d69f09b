//! Reads what a program in C++ declares, to decide whether copies of it can be in one program.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

use crate::metamutant::source::{is_of_name, words};

/// The declarations of the part of a program that is copied.
#[derive(Default)]
pub(super) struct Declarations<'t> {
    /// The position of the last brace of `main`, and whether `main` has parameters; `None` if there is no `main`.
    pub(super) main: Option<(usize, bool)>,
    /// The bodies of functions.
    pub(super) functions: Vec<Range<usize>>,
    /// The names of functions outside of classes, other than `main`.
    pub(super) function_names: HashSet<&'t str>,
    /// The names of macros.
    pub(super) defined_macros: HashSet<&'t str>,
    /// The names of functions, and of classes with constructors or destructors.
    run: HashSet<&'t str>,
    /// The names of classes and enumerations.
    own_types: HashSet<&'t str>,
    /// The names that classes, other names of types, macros and global variables consist of, apart from bodies of
    /// functions. All variables of a declaration share one list.
    parts: HashMap<&'t str, Vec<Rc<[&'t str]>>>,
    /// The position at which each word of the source occurs first, other than where a macro of this name is defined.
    first_uses: HashMap<&'t str, usize>,
    /// The names in declarations of global variables, and those in the initial values.
    of_globals: HashSet<&'t str>,
    of_values: HashSet<&'t str>,
    /// Whether a lambda or a literal with a suffix is in an initial value.
    has_unnamed_function: bool,
    tested_macros: HashSet<&'t str>,
}

impl<'t> Declarations<'t> {
    /// Reads the nodes of the source `text`, which are outside of all functions and classes. Returns `None` if one of
    /// them cannot be copied.
    pub(super) fn of(nodes: &[Node<'t>], text: &'t str) -> Option<Declarations<'t>> {
        let mut found = Declarations { first_uses: first_uses(text), ..Declarations::default() };
        nodes.iter().try_for_each(|node| found.outer(*node, text))?;
        // If a copy defines a macro that is tested above the definition, the next copy differs from it.
        found.defined_macros.is_disjoint(&found.tested_macros).then_some(found)
    }

    /// Whether functions of the program may run before `main`, to initialise global variables. All copies initialise
    /// their variables when the metamutant starts, so a mistake in one of them would stop the others. And the code for
    /// all copies is in one function, so copies could not be compared.
    pub(super) fn may_run_before_main(&self) -> bool {
        // A value can call functions of a class by its operators and conversions, too.
        let values = self.with_parts(&self.of_values);
        self.has_unnamed_function
            || !values.is_disjoint(&self.own_types)
            || !values.is_disjoint(&self.run)
            || !self.with_parts(&self.of_globals).is_disjoint(&self.run)
    }

    /// Returns these names, and all that they consist of.
    fn with_parts(&self, names: &HashSet<&'t str>) -> HashSet<&'t str> {
        let (mut open, mut all) = (names.iter().copied().collect::<Vec<_>>(), names.clone());
        let mut read = HashSet::new();
        while let Some(name) = open.pop() {
            let lists = self.parts.get(name).into_iter().flatten();
            for list in lists.filter(|list| read.insert(list.as_ptr())) {
                open.extend(list.iter().copied().filter(|part| all.insert(part)));
            }
        }
        all
    }

    /// Reads a node outside of all functions and classes.
    fn outer(&mut self, node: Node<'t>, text: &'t str) -> Option<()> {
        let is_readable = !node.has_error() || node.kind() == "function_definition" || is_group(node);
        if node.is_error() || !is_readable {
            return None;
        }
        match node.kind() {
            // Functions with C linkage are the same function in all namespaces.
            "linkage_specification" => return None,
            _ if is_group(node) => {
                self.directive(node, text)?;
                return node.named_children(&mut node.walk()).try_for_each(|child| self.outer(child, text));
            }
            "function_definition" => self.function(node, text),
            "declaration" => self.global(node, text),
            _ => {}
        }
        self.inner(node, text)
    }

    /// Reads a function that is not in a class.
    fn function(&mut self, node: Node<'t>, text: &'t str) {
        let Some(declarator) = node.child_by_field_name("declarator").and_then(function_declarator) else { return };
        let Some(name) = name_in(declarator, "declarator", text) else { return };
        let unqualified = name.rsplit("::").next().unwrap_or(name);
        self.run.insert(unqualified);
        if name != "main" {
            self.function_names.insert(unqualified);
        } else if let Some(body) = node.child_by_field_name("body")
            && let Some(has_arguments) = name_in(declarator, "parameters", text).and_then(has_arguments)
        {
            self.main = Some((body.end_byte() - 1, has_arguments));
        }
    }

    /// Reads the declaration of a global variable. The compiler evaluates a constant expression, so nothing runs for it
    /// when the program starts.
    fn global(&mut self, node: Node<'t>, text: &'t str) {
        if has_specifier(node, "constexpr", text) {
            return;
        }
        let (names, _) = names(node, text);
        let parts: Rc<[_]> = names.as_slice().into();
        for declarator in node.children_by_field_name("declarator", &mut node.walk()) {
            self.initial_value(declarator.child_by_field_name("value"), text);
            if let Some(name) = declared_name(declarator, text) {
                self.parts.entry(name).or_default().push(Rc::clone(&parts));
            }
        }
        self.of_globals.extend(names);
    }

    /// Reads a member of a class. A static member with an initial value is a global variable.
    fn member(&mut self, node: Node<'t>, text: &'t str) {
        if has_specifier(node, "static", text) {
            self.initial_value(node.child_by_field_name("default_value"), text);
        }
    }

    /// Reads the initial value of a global variable.
    fn initial_value(&mut self, value: Option<Node<'t>>, text: &'t str) {
        if let Some(value) = value {
            let (names, has_unnamed_function) = names(value, text);
            self.of_values.extend(names);
            self.has_unnamed_function |= has_unnamed_function;
        }
    }

    /// Reads the classes, the bodies of functions and the directives in the node.
    fn inner(&mut self, node: Node<'t>, text: &'t str) -> Option<()> {
        let mut cursor = node.walk();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            match node.kind() {
                "class_specifier" | "struct_specifier" | "union_specifier" => self.class(node, text),
                "enum_specifier" => self.enumeration(node, text),
                "field_declaration" => self.member(node, text),
                "alias_declaration" => self.add_parts(name_in(node, "name", text), node, text),
                "type_definition" => self.add_parts(name_in(node, "declarator", text), node, text),
                "function_definition" => {
                    self.functions.extend(node.child_by_field_name("body").map(|body| body.byte_range()));
                }
                _ => self.directive(node, text)?,
            }
            open.extend(node.named_children(&mut cursor));
        }
        Some(())
    }

    fn class(&mut self, node: Node<'t>, text: &'t str) {
        let name = name_in(node, "name", text);
        if let Some((name, body)) = name.zip(name_in(node, "body", text))
            && has_constructor(body, name)
        {
            self.run.insert(name);
        }
        self.own_types.extend(name);
        self.add_parts(name, node, text);
    }

    /// Reads an enumeration. Its values can have operators of the program.
    fn enumeration(&mut self, node: Node<'t>, text: &'t str) {
        self.own_types.extend(name_in(node, "name", text));
        if let Some(list) = node.child_by_field_name("body") {
            let values = list.named_children(&mut list.walk()).collect::<Vec<_>>();
            self.own_types.extend(values.into_iter().filter_map(|value| name_in(value, "name", text)));
        }
    }

    fn add_parts(&mut self, name: Option<&'t str>, node: Node<'t>, text: &'t str) {
        if let Some(name) = name {
            self.parts.entry(name).or_default().push(names(node, text).0.into());
        }
    }

    /// Reads the node if it is a preprocessor directive. Returns `None` if the directive could give the next copies
    /// another meaning.
    fn directive(&mut self, node: Node<'t>, text: &'t str) -> Option<()> {
        let name = name_in(node, "name", text);
        match node.kind() {
            "preproc_def" | "preproc_function_def" => {
                let name = name?;
                // The next copy would expand the macro in what stands above its definition.
                if self.first_uses.get(name).is_some_and(|&at| at < node.start_byte()) {
                    return None;
                }
                self.defined_macros.insert(name);
                let words = words(name_in(node, "value", text).unwrap_or_default());
                self.parts.entry(name).or_default().push(words.map(|(_, word)| word).collect());
            }
            "preproc_ifdef" => self.tested_macros.extend(name),
            "preproc_else" | "preproc_params" | "preproc_arg" | "preproc_directive" => {}
            kind if kind.starts_with("preproc") => return None,
            _ => {}
        }
        Some(())
    }
}

/// Whether the node only contains declarations.
fn is_group(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "preproc_ifdef" | "preproc_else" | "namespace_definition" | "declaration_list" | "template_declaration"
    )
}

/// Returns the text of the node's child in this field.
fn name_in<'t>(node: Node<'t>, field: &str, text: &'t str) -> Option<&'t str> {
    node.child_by_field_name(field).map(|child| &text[child.byte_range()])
}

/// Returns the names in the node, apart from those in functions, and whether it contains a lambda or a literal with a
/// suffix, which call a function.
fn names<'t>(node: Node<'t>, text: &'t str) -> (Vec<&'t str>, bool) {
    let (mut names, mut has_unnamed_function, mut cursor) = (Vec::new(), false, node.walk());
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match node.kind() {
            "identifier" | "type_identifier" | "field_identifier" | "namespace_identifier" => {
                names.push(&text[node.byte_range()]);
            }
            "lambda_expression" | "user_defined_literal" => has_unnamed_function = true,
            "function_definition" | "function_declarator" => continue,
            _ => {}
        }
        open.extend(node.named_children(&mut cursor));
    }
    (names, has_unnamed_function)
}

/// Returns the name that a declarator declares.
fn declared_name<'t>(mut node: Node<'t>, text: &'t str) -> Option<&'t str> {
    while node.kind() != "identifier" {
        node = node.child_by_field_name("declarator")?;
    }
    Some(&text[node.byte_range()])
}

/// Whether the declaration has this word among its specifiers.
fn has_specifier(declaration: Node<'_>, word: &str, text: &str) -> bool {
    declaration.children(&mut declaration.walk()).any(|child| &text[child.byte_range()] == word)
}

/// Returns the position of each word where it occurs first, other than directly after `define`.
fn first_uses(text: &str) -> HashMap<&str, usize> {
    let (mut first, mut before) = (HashMap::new(), "");
    for (at, word) in words(text) {
        if before != "define" {
            first.entry(word).or_insert(at);
        }
        before = word;
    }
    first
}

/// Returns the declarator of a function, which can be below pointers and references to the function's result.
fn function_declarator(mut node: Node<'_>) -> Option<Node<'_>> {
    while node.kind() != "function_declarator" {
        node = node.child_by_field_name("declarator").or_else(|| node.named_child(0))?;
    }
    Some(node)
}

/// Whether `main` has arguments, given its parameters with their parentheses. `None` if they are unusual.
fn has_arguments(parameters: &str) -> Option<bool> {
    let inside = parameters.trim_start_matches('(').trim_end_matches(')').trim();
    if inside.is_empty() || inside == "void" {
        return Some(false);
    }
    let (count, list) = inside.split_once(',')?;
    let is_list = list.trim().strip_prefix("char").is_some_and(|list| {
        let pointers = list.matches('*').count() + list.matches("[]").count();
        pointers == 2 && !list.contains("const")
    });
    (count.trim().starts_with("int ") && is_list).then_some(true)
}

/// Whether the body of a class seems to contain a constructor or destructor of this name.
fn has_constructor(body: &str, name: &str) -> bool {
    body.match_indices(name).any(|(at, _)| {
        let is_end_of_name = body[..at].chars().next_back().is_some_and(is_of_name);
        !is_end_of_name && body[at + name.len()..].trim_start().starts_with('(')
    })
}
