//! Writes metamutants in Rust.
//!
//! The metamutant contains the program, and a copy of a function for each mutant that changes this function. A function
//! with the name of the original chooses the copy by the number of the mutant, which is in a global variable. So the
//! compiler optimises the changed functions again, and nothing else. But the metamutant is slower than the program: it
//! does not inline functions with copies.
//!
//! A mutant can only be a copy if its function is simple enough ([`mod@functions`]), and if the program cannot tell that
//! its source was changed: the lines in messages of panics change, and there is one more argument. Programs with
//! `unsafe` are left out, because optimisation could change what they do.

mod functions;
#[cfg(test)]
mod tests;

use std::ops::Range;

use tree_sitter::Node;

use super::assembly::{self, Lines};
use super::source::{Code, Source, Written, copy_name, words};
use crate::mutate::Mutation;
use functions::{Function, functions};
use referee_grammar::{Budget, Grammar, Parser};
use referee_judge::Intermediate;

/// The name of the file with the metamutant.
const MUTANTS: &str = "mutants.rs";

/// The name of the variable that contains the number of the copy.
const NUMBER: &str = "REFEREE_COPY";

/// A program with one of these texts is not contained in a metamutant: names of the metamutant, and its file.
const OWN_NAMES: [&str; 3] = ["referee_", NUMBER, MUTANTS];

/// A program with one of these words is not contained in a metamutant.
const UNFIT: [&str; 21] = [
    // What it does could depend on the optimisation, or it contains code that is not in Rust.
    "unsafe",
    "asm",
    "global_asm",
    "extern",
    "no_std",
    "no_main",
    "no_mangle",
    "export_name",
    "link_section",
    "global_allocator",
    // It could notice the additional argument, or other names and lines.
    "env",
    "cmdline",
    "type_name",
    "type_name_of_val",
    "module_path",
    "Location",
    "set_hook",
    "Backtrace",
    // It makes warnings errors, and the copies get other warnings.
    "deny",
    "forbid",
    // It is visible in other places than the program suggests.
    "macro_export",
];

/// A program that uses one of these macros, or gives it another name, is not contained in a metamutant.
const UNFIT_MACROS: [&str; 3] = ["line", "column", "file"];

/// Reads the number of the copy from the first argument.
const READ_NUMBER: &str = "\
let ::std::option::Option::Some(referee_word) = ::std::iter::Iterator::nth(&mut ::std::env::args(), 1) else {
::std::process::abort()
};
let ::std::result::Result::Ok(referee_number) =
<::std::primitive::usize as ::std::str::FromStr>::from_str(&referee_word) else {
::std::process::abort()
};
::std::sync::atomic::AtomicUsize::store(&crate::NUMBER, referee_number, ::std::sync::atomic::Ordering::Relaxed);
";

/// The number of the copy that a function chooses.
const CHOICE: &str = "::std::sync::atomic::AtomicUsize::load(&crate::NUMBER, ::std::sync::atomic::Ordering::Relaxed)";

/// A program that can be contained in a metamutant.
#[derive(Debug)]
pub(super) struct RustSource {
    text: String,
    /// The functions that can have copies, in the order of the source.
    functions: Vec<Function>,
    /// The index of `main`.
    main: usize,
}

impl RustSource {
    /// Reads the program. Returns `None` if it cannot be contained in a metamutant.
    pub(super) fn of(text: &str) -> Option<RustSource> {
        if OWN_NAMES.iter().any(|name| text.contains(name)) {
            return None;
        }
        let tree = Parser::new(Grammar::Rust)?.parse(text, None, &mut Budget::for_source(text))?;
        let root = tree.root_node();
        if root.has_error() || is_unfit(&without_comments(root, text)) {
            return None;
        }
        let functions = functions(root, text);
        let main = functions.iter().position(|function| function.is_main)?;
        Some(RustSource { text: text.to_owned(), functions, main })
    }

    /// Returns the index of the function whose body the mutation changes.
    fn function_of(&self, mutation: &Mutation) -> Option<usize> {
        let Range { start, end } = mutation.span;
        let is_inside = |function: &Function| function.body.start < start && end < function.body.end;
        self.functions.iter().position(|function| function.can_have_copies && is_inside(function))
    }

    /// Returns the functions that get copies, by their indices, in the order of the source.
    fn copied(&self, mutations: &[&Mutation]) -> Vec<usize> {
        let of_mutations = mutations.iter().filter_map(|mutation| self.function_of(mutation));
        let mut copied: Vec<_> = of_mutations.chain([self.main]).collect();
        copied.sort_unstable();
        copied.dedup();
        copied
    }

    /// Returns the lines of the program from which the lines of the metamutant were made.
    fn lines(&self, written: &Written, mutations: &[&Mutation]) -> Lines {
        let copied = self.copied(mutations);
        let (file, text) = &written.files[0];
        let mut of_program = vec![0; text.lines().count()];
        for (copy, lines) in written.lines.iter().enumerate().skip(1) {
            let function = match mutations.get(copy - 1) {
                Some(mutation) => self.function_of(mutation),
                None => copied.get(copy - 1 - mutations.len()).copied(),
            };
            let first = function.map_or(0, |function| self.first_line(&self.functions[function]));
            for (number, line) in lines.clone().enumerate() {
                of_program[line - 1] = first + number;
            }
        }
        Lines { file, of_program }
    }

    fn first_line(&self, function: &Function) -> usize {
        self.text[..function.whole.start].matches('\n').count() + 1
    }
}

/// Text whose lines are counted while it is written.
struct Text {
    text: String,
    /// The number of the line in which the text ends.
    line: usize,
}

impl Text {
    fn add(&mut self, parts: &[&str]) {
        for part in parts {
            self.text += part;
            self.line += part.matches('\n').count();
        }
    }
}

impl Source for RustSource {
    fn bytes_of_copy(&self, mutation: &Mutation) -> Option<usize> {
        self.function_of(mutation).map(|function| self.functions[function].whole.len())
    }

    /// Optimising a long function again takes as long as compiling a mutant alone, and all copies are optimised one after
    /// the other. The 64 copies of an ordinary program take 30 kB.
    fn most_bytes(&self) -> usize {
        128 << 10
    }

    /// Writes a copy of a function for each mutation, and then one copy of each unchanged function that has such copies.
    fn write(&self, mutations: &[&Mutation]) -> Written {
        let copied = self.copied(mutations);
        let mut lines = vec![0..0; 1 + mutations.len() + copied.len()];
        let (mut text, mut past) = (Text { text: String::new(), line: 1 }, 0);
        for (order, &index) in copied.iter().enumerate() {
            let function = &self.functions[index];
            let of_function = mutations.iter().enumerate().filter(|(_, one)| self.function_of(one) == Some(index));
            let mut copies: Vec<_> = of_function.map(|(number, one)| (number + 1, Some(*one))).collect();
            copies.push((1 + mutations.len() + order, None));
            text.add(&[&self.text[past..function.whole.start]]);
            self.choice(function, &copies, &mut text);
            for (copy, mutation) in copies {
                text.add(&["\n#[inline(never)]\n#[link_section = \".text.", &copy_name(copy), "\"]\n"]);
                let first = text.line;
                text.add(&self.copy(function, &format!("_{}", copy_name(copy)), mutation));
                lines[copy] = first..text.line + 1;
            }
            past = function.whole.end;
        }
        let atomic = "::std::sync::atomic::AtomicUsize";
        text.add(&[&self.text[past..], "\nstatic ", NUMBER, ": ", atomic, " = ", atomic, "::new(0);\n"]);
        Written { files: vec![(MUTANTS, text.text)], lines }
    }

    fn codes(&self, written: &Written, made: &Intermediate, mutations: &[&Mutation]) -> Option<Vec<Option<Code>>> {
        let copied = self.copied(mutations);
        let lines = self.lines(written, mutations);
        let digests = assembly::of_functions(&made.assembly, written.lines.len(), &lines)?;
        // Every program contains `main`. Where it is missing, so may be the code of other functions.
        let main = copied.binary_search(&self.main).ok()?;
        digests[1 + mutations.len() + main]?;
        let code = |(index, mutation): (usize, &&Mutation)| {
            let order = copied.binary_search(&self.function_of(mutation)?).ok()?;
            match (digests[1 + index], digests[1 + mutations.len() + order]) {
                (Some(digest), Some(original)) => Some(Code::of(digest, original)),
                // Nothing calls the function, so neither it nor its copies are in the program.
                (None, None) => Some(Code::OfTheProgram),
                _ => None,
            }
        };
        Some(mutations.iter().enumerate().map(code).collect())
    }

    fn is_slower(&self) -> bool {
        true
    }
}

impl RustSource {
    /// Writes the function that calls one of the copies. The last copy is that of the unchanged function. The call goes
    /// through a pointer that the compiler knows nothing about: otherwise, it could move code from a copy to this
    /// function, such as a constant result. All names are whole paths, because the program can define names and methods.
    fn choice(&self, function: &Function, copies: &[(usize, Option<&Mutation>)], text: &mut Text) {
        let before = &self.text[function.whole.start..function.parameters.start];
        let after = &self.text[function.parameters.end..function.body.start];
        text.add(&["#[inline(never)]\n", before, &function.new_parameters, after, "{\n"]);
        if function.is_main {
            text.add(&[&READ_NUMBER.replace("NUMBER", NUMBER)]);
        }
        text.add(&["let referee_copy = match ", &CHOICE.replace("NUMBER", NUMBER), " {\n"]);
        let (owner, name) = (if function.is_in_impl { "Self::" } else { "" }, &self.text[function.name.clone()]);
        for (number, (copy, _)) in copies.iter().enumerate() {
            let pattern = if number + 1 < copies.len() { copy.to_string() } else { "_".to_owned() };
            text.add(&[&pattern, " => ", owner, name, "_", &copy_name(*copy), ",\n"]);
        }
        text.add(&["};\n::std::hint::black_box(referee_copy)(", &function.arguments, ")\n}"]);
    }

    /// Returns the parts of the function's text, with another name and with the mutation.
    fn copy<'t>(&'t self, function: &Function, suffix: &'t str, mutation: Option<&'t Mutation>) -> [&'t str; 5] {
        let (before, end) = (&self.text[function.whole.start..function.name.end], function.whole.end);
        match mutation {
            Some(Mutation { span, replacement, .. }) => {
                let until = &self.text[function.name.end..span.start];
                [before, suffix, until, replacement, &self.text[span.end..end]]
            }
            None => [before, suffix, &self.text[function.name.end..end], "", ""],
        }
    }
}

/// Returns the program with blanks instead of comments.
fn without_comments(root: Node<'_>, text: &str) -> String {
    let (mut kept, mut past, mut open) = (String::new(), 0, vec![root]);
    while let Some(node) = open.pop() {
        if matches!(node.kind(), "line_comment" | "block_comment") {
            kept += &text[past..node.start_byte()];
            kept.push(' ');
            past = node.end_byte();
        } else {
            let first = open.len();
            open.extend(node.children(&mut node.walk()));
            open[first..].reverse();
        }
    }
    kept + &text[past..]
}

fn is_unfit(text: &str) -> bool {
    words(text).any(|(at, word)| {
        let after = || text[at + word.len()..].trim_start();
        let is_macro = || after().starts_with("as ") || after().starts_with('!') && !after().starts_with("!=");
        UNFIT.contains(&word) || (UNFIT_MACROS.contains(&word) && is_macro())
    })
}
