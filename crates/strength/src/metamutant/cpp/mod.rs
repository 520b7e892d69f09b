//! Writes metamutants in C++.
//!
//! The program is divided into its head, which ends with the last `#include` line, and its body. The metamutant
//! contains the head once, and a copy of the body in a namespace for each mutant. A second file contains `main`, which
//! calls the `main` of one copy. Macros of the body cannot change it there.
//!
//! A mutant can only be a copy if the copies cannot influence one another, and if a copy means the same in a namespace
//! as outside. Programs that a compiler rejects in a namespace need not be recognised here: if the metamutant does not
//! compile, it is not used.

mod declarations;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::path::Path;

use tree_sitter::Node;

use super::assembly;
use super::source::{Code, Source, Written, copy_name, words};
use crate::mutate::Mutation;
use declarations::Declarations;
use referee_grammar::{Budget, Grammar, Parser};
use referee_judge::Intermediate;

/// The name of the file that contains the copies.
const MUTANTS: &str = "mutants.cpp";

/// The name of the file that contains `main`.
const START: &str = "start.cpp";

/// A program that can be contained in a metamutant.
#[derive(Debug)]
pub(super) struct CppSource {
    text: String,
    /// The position at which the body begins.
    body: usize,
    /// The position of the last brace of `main`.
    end_of_main: usize,
    has_arguments: bool,
    /// The parts of the body in which a mutation can belong to a copy: its declarations, without preprocessor lines.
    declarations: Vec<Range<usize>>,
    /// The bodies of functions.
    functions: Vec<Range<usize>>,
    /// The names of the body's functions outside of classes.
    function_names: HashSet<String>,
    /// The names of the body's macros, in a fixed order.
    macros: BTreeSet<String>,
    /// Whether names of the standard library can be used without `std::`.
    uses_std: bool,
}

impl CppSource {
    /// Reads the program. Returns `None` if it cannot be contained in a metamutant.
    pub(super) fn of(text: &str) -> Option<CppSource> {
        // An attribute can make a function run before `main`.
        if text.contains("constructor") {
            return None;
        }
        let tree = Parser::new(Grammar::Cpp)?.parse(text, None, &mut Budget::for_source(text))?;
        let root = tree.root_node();
        let top: Vec<_> = root.children(&mut root.walk()).collect();
        let last_include = top.iter().rposition(|node| node.kind() == "preproc_include");
        let (head, body) = top.split_at(last_include.map_or(0, |at| at + 1));
        let found = Declarations::of(body, text)?;
        let (end_of_main, has_arguments) = found.main?;
        let is_fit = head.iter().all(|node| fits_head(*node, text)) && !found.may_run_before_main();
        is_fit.then(|| CppSource {
            text: text.to_owned(),
            body: head.last().map_or(0, Node::end_byte),
            end_of_main,
            has_arguments,
            declarations: body.iter().filter(|node| is_declaration(**node)).map(Node::byte_range).collect(),
            functions: found.functions,
            function_names: found.function_names.into_iter().map(str::to_owned).collect(),
            macros: found.defined_macros.into_iter().map(str::to_owned).collect(),
            uses_std: uses_std(text) || head.iter().any(|node| node.kind() == "using_declaration"),
        })
    }

    /// Whether the mutation changes only the body of a function.
    fn is_in_a_function(&self, mutation: &Mutation) -> bool {
        let Range { start, end } = mutation.span;
        self.functions.iter().any(|body| body.start < start && end < body.end)
    }

    /// Whether one of the program's functions may hide a function of a header, given the text after preprocessing. In a
    /// namespace, a function hides those of the same name outside. Otherwise, they would be overloads. Most names that
    /// this finds are those of members, which nothing can hide.
    fn may_hide(&self, preprocessed: &str) -> bool {
        let headers = preprocessed.split(&copy_name(0)).next().unwrap_or_default();
        let mut is_visible = true;
        headers.lines().any(|line| {
            // The compiler notes where the next lines come from: # 27 "/usr/include/stdio.h" 3 4
            if line.starts_with("# ") {
                is_visible = self.uses_std || !is_in_std(line);
            }
            is_visible
                && !line.starts_with('#')
                && declared_functions(line).any(|name| self.function_names.contains(name))
        })
    }

    /// Returns the body with the mutation. A function called `main` in a namespace does not return 0 implicitly, so a
    /// statement is added that does so.
    fn copy(&self, mutation: Option<&Mutation>) -> String {
        const RETURN: &str = " return 0; ";
        let (body, end) = (&self.text[self.body..], self.end_of_main - self.body);
        let Some(mutation) = mutation else { return [&body[..end], RETURN, &body[end..]].concat() };
        let Range { start, end: past } = mutation.span;
        let (start, past, new) = (start - self.body, past - self.body, &mutation.replacement);
        if past <= end {
            [&body[..start], new, &body[past..end], RETURN, &body[end..]].concat()
        } else {
            [&body[..end], RETURN, &body[end..start], new, &body[past..]].concat()
        }
    }

    /// Returns the text of the file with `main`. It takes the number of the copy from the first argument and hides that
    /// argument. It names each copy's `main` as the compiler does (Itanium C++ ABI, section 5.1).
    fn start(&self, copies: usize) -> String {
        let parameters = if self.has_arguments { "iPPc" } else { "v" };
        let names: Vec<_> = (0..copies).map(copy_name).collect();
        let declaration = |name: &String| {
            let length = name.len();
            format!("int {name}(int, char**) __asm__(\"_ZN{length}{name}4mainE{parameters}\");\n")
        };
        let declarations: String = names.iter().map(declaration).collect();
        let names = names.join(",\n");
        format!(
            "extern \"C\" {{\n{declarations}}}\n\
             static int (*const copies[])(int, char**) = {{\n{names}\n}};\n\
             int main(int count, char** arguments) {{\n\
             \x20   unsigned number = 0;\n\
             \x20   for (const char* digit = arguments[1]; *digit; ++digit) number = 10 * number + (*digit - '0');\n\
             \x20   arguments[1] = arguments[0];\n\
             \x20   return copies[number](count - 1, arguments + 1);\n\
             }}\n"
        )
    }
}

impl Source for CppSource {
    fn bytes_of_copy(&self, mutation: &Mutation) -> Option<usize> {
        let Range { start, end } = mutation.span;
        let is_inside = self.declarations.iter().any(|part| part.start <= start && end <= part.end);
        (is_inside && (end <= self.end_of_main || start > self.end_of_main)).then_some(self.text.len())
    }

    /// The compiler needs memory for all copies at once. Ordinary programs are so short that their groups of mutants take
    /// less.
    fn most_bytes(&self) -> usize {
        1 << 20
    }

    /// Writes a copy of the body for the unchanged program, and one for each mutation.
    fn write(&self, mutations: &[&Mutation]) -> Written {
        let mut text = format!("{}\n", self.text[..self.body].trim_end());
        let (mut lines, mut line) = (Vec::new(), text.lines().count() + 1);
        let macros: String = self.macros.iter().flat_map(|name| ["#undef ", name, "\n"]).collect();
        for copy in 0..=mutations.len() {
            let body = self.copy(copy.checked_sub(1).map(|index| mutations[index]));
            let added = format!("namespace {} {{\n{body}\n}}\n{macros}", copy_name(copy));
            let next = line + added.lines().count();
            lines.push(line..next);
            (text, line) = (text + &added, next);
        }
        Written { files: vec![(MUTANTS, text), (START, self.start(mutations.len() + 1))], lines }
    }

    /// Leaves out mutants whose code is not known: if code runs before `main`, it cannot be told which copy a change
    /// outside of all functions belongs to.
    fn codes(&self, written: &Written, made: &Intermediate, mutations: &[&Mutation]) -> Option<Vec<Option<Code>>> {
        // Every text belongs to one of the two files, and only one of these names the headers.
        if made.preprocessed.is_empty() || made.preprocessed.iter().any(|text| self.may_hide(text)) {
            return None;
        }
        let codes = assembly::of_programs(&made.assembly, written.lines.len())?;
        let original = codes.digests.first().copied().flatten()?;
        let is_known = |mutation: &Mutation| !codes.runs_before_main || self.is_in_a_function(mutation);
        let code = |(copy, mutation): (usize, &&Mutation)| {
            codes.digests[copy].filter(|_| is_known(mutation)).map(|digest| Code::of(digest, original))
        };
        Some((1..).zip(mutations).map(code).collect())
    }

    /// Every copy is a whole program, with the same optimisation.
    fn is_slower(&self) -> bool {
        false
    }
}

/// Whether the program names a namespace whose names it uses.
fn uses_std(text: &str) -> bool {
    let mut before = "";
    words(text).any(|(_, word)| std::mem::replace(&mut before, word) == "using" && word == "namespace")
}

/// Whether the lines after this line of the preprocessor come from a header whose names are in `std`. The headers of C
/// that are in the folder of the C++ library have names outside, too: `/usr/include/c++/12/math.h`.
fn is_in_std(line: &str) -> bool {
    let path = line.split('"').nth(1).unwrap_or_default();
    let Some((_, below)) = path.split_once("/c++/") else { return false };
    below.matches('/').count() > 1 || Path::new(below).extension().is_none_or(|ending| ending != "h")
}

/// Returns the names in the line of a header that can be those of functions: a parenthesis follows, or the end of the
/// line, or the line begins with `using`.
fn declared_functions(line: &str) -> impl Iterator<Item = &str> {
    let is_using = line.trim_start().starts_with("using ");
    let names = words(line).filter(move |(at, word)| {
        let after = line[at + word.len()..].trim_start();
        is_using || after.is_empty() || after.starts_with('(')
    });
    names.map(|(_, word)| word)
}

/// Whether the node can be in the head. The head is not copied, so it may only contain what has the same meaning for
/// all copies.
fn fits_head(node: Node<'_>, text: &str) -> bool {
    match node.kind() {
        "preproc_include" => is_of_the_system(node, text),
        "preproc_def" | "preproc_function_def" | "preproc_call" | "comment" | "using_declaration" => true,
        _ => false,
    }
}

fn is_of_the_system(include: Node<'_>, text: &str) -> bool {
    include.child_by_field_name("path").is_some_and(|path| text[path.byte_range()].starts_with('<'))
}

fn is_declaration(node: Node<'_>) -> bool {
    !node.kind().starts_with("preproc") && node.kind() != "comment"
}
