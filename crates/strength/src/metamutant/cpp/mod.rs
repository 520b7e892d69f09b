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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metamutant::source::read;
    use crate::mutate::Operator;

    const PROGRAM: &str = "// Adds.\n#include <iostream>\nconst int ONE = 1;\nint add(int n) { return n + ONE; }\n\
                           int main() {\n    int n;\n    std::cin >> n;\n    std::cout << add(n);\n}\n";

    fn is_fit(text: &str) -> bool {
        read(Grammar::Cpp, text).is_some()
    }

    /// Returns the program with this text before `main`.
    fn with(before: &str) -> String {
        PROGRAM.replace("int main", &format!("{before}\nint main"))
    }

    fn mutation(text: &str, of: &str, replacement: &str) -> Mutation {
        let start = text.find(of).unwrap();
        let (span, replacement) = (start..start + of.len(), replacement.to_owned());
        Mutation { operator: Operator::Boundary, span, replacement, line: 1, column: 1 }
    }

    #[test]
    fn every_copy_of_the_body_is_in_a_namespace_of_its_own() {
        let source = CppSource::of(PROGRAM).unwrap();
        let written = source.write(&[&mutation(PROGRAM, "n + ONE", "n - ONE")]);
        let body = |operator: &str| {
            format!(
                "\nconst int ONE = 1;\nint add(int n) {{ return n {operator} ONE; }}\nint main() {{\n    int n;\n    \
                 std::cin >> n;\n    std::cout << add(n);\n return 0; }}\n"
            )
        };
        let expected = format!(
            "// Adds.\n#include <iostream>\nnamespace referee_copy_00000 {{{}\n}}\nnamespace referee_copy_00001 {{{}\n}}\n",
            body("+"),
            body("-")
        );
        let [(_, mutants), (_, start)] = &written.files[..] else { panic!("there are two files") };
        assert_eq!(*mutants, expected);
        let lines: Vec<_> = mutants.lines().collect();
        for (copy, range) in written.lines.iter().enumerate() {
            assert_eq!(lines[range.start - 1], format!("namespace referee_copy_0000{copy} {{"));
            assert_eq!(lines[range.end - 2], "}");
        }
        assert!(start.contains("int referee_copy_00001(int, char**) __asm__(\"_ZN18referee_copy_000014mainEv\");"));
        let with_arguments = PROGRAM.replace("main()", "main(int count, char* list[])");
        let written = CppSource::of(&with_arguments).unwrap().write(&[]);
        let start = &written.files[1].1;
        assert!(start.contains("4mainEiPPc\");") && !start.contains("referee_copy_00001"));
    }

    #[test]
    fn a_change_of_the_head_or_of_a_directive_is_no_copy() {
        let text = with("#define TWO 2");
        let source = CppSource::of(&text).unwrap();
        let at = |part: &str| mutation(&text, part, "");
        let can_contain = |part: &str| source.bytes_of_copy(&at(part)).is_some();
        assert!(can_contain("1;") && can_contain("n + ONE") && can_contain("std::cout << add(n);"));
        assert!(!can_contain("iostream") && !can_contain("2") && !can_contain("Adds"));
        assert!(!can_contain("add(n);\n}"), "the end of main");
        assert!(source.is_in_a_function(&at("n + ONE")) && !source.is_in_a_function(&at("1;")));
    }

    #[test]
    fn ordinary_programs_are_fit() {
        assert!(is_fit(PROGRAM));
        let fit = [
            "#ifdef LOCAL\n#define debug(x) std::cerr << x\n#else\n#define debug(x)\n#endif",
            "std::vector<int> graph[1000]; int seen[1000], count = 0; const double PI = acos(-1);",
            "struct Edge { int to; int cost = 1; bool operator<(const Edge& b) const { return to < b.to; } }; Edge edges[9];",
            "constexpr int half(int n) { return n / 2; } constexpr int TEN = half(20);",
            "namespace tree { int size; void add(int n) { size += n; } }",
            "template <class T> T least(T a, T b) { return a < b ? a : b; }",
            "int helper(int); extern int total;",
            "struct Sum { int n; Sum() : n(0) {} }; void f() { static Sum sum; Sum other; }",
        ];
        for before in fit {
            assert!(is_fit(&with(before)), "{before}");
        }
        assert!(is_fit(
            &format!("#pragma GCC optimize(\"O3\")\n#define int long long\n{PROGRAM}")
                .replace("int main", "signed main")
        ));
        assert!(is_fit(
            &PROGRAM.replace("#include <iostream>", "#include <iostream>\nusing namespace std;\n#include <map>")
        ));
    }

    #[test]
    fn programs_whose_copies_could_disturb_one_another_are_not_fit() {
        let unfit = [
            "int table = add(2);",
            "int first = [] { return 1; }();",
            "struct Sum { int n; Sum() : n(add(1)) {} }; Sum sum;",
            "struct Sum { ~Sum() { add(1); } }; std::vector<Sum> sums(3);",
            "struct Sum { Sum(); }; struct Pair { Sum sum; }; Pair pair;",
            "struct Sum { Sum(); }; struct Other : Sum {}; Other other;",
            "struct Sum { Sum(); }; using Other = Sum; Other other;",
            "struct Sum { Sum(); }; typedef Sum Other; namespace inner { Other other; }",
            "struct Sum { int n = add(1); }; static Sum sum;",
            "#define START add(1)\nint start = START;",
            "#pragma GCC target(\"avx2\")",
            "#if defined(LOCAL)\nint debug;\n#endif",
            "#ifdef SEEN\nint twice;\n#endif\n#define SEEN",
            "#undef ONE",
            "extern \"C\" int twice(int n) { return 2 * n; }",
            "int broken = = 1;",
            "int twice() { return more(2); }\n#define more(n) n",
            "struct Sum { static int first() { return 1; } }; int sum = Sum::first();",
            "struct Sum { static inline int first = add(1); };",
            "struct Sum { int n; operator int() const { return n; } }; int sum = Sum{1};",
            "struct Sum { int n; operator int() const { return n; } }; Sum sum; int other = sum;",
            "enum Sum { ONE, TWO }; int operator|(Sum, Sum) { return 3; } int both = ONE | TWO;",
            "int operator\"\"_times(unsigned long long n) { return n; } int three = 3_times;",
            "__attribute__((constructor)) void early() {}",
            "int referee_copy_00001;",
        ];
        for before in unfit {
            assert!(!is_fit(&with(before)), "{before}");
        }
        let heads = ["#include \"header.h\"", "int early;\n#include <map>", "#ifdef LOCAL\n#include <map>\n#endif"];
        for head in heads {
            assert!(
                !is_fit(&PROGRAM.replace("#include <iostream>", &format!("{head}\n#include <iostream>"))),
                "{head}"
            );
        }
        assert!(!is_fit(&PROGRAM.replace("main()", "main(int count, const char** list)")));
        assert!(!is_fit(&PROGRAM.replace("main", "other")));
        assert!(read(Grammar::C, PROGRAM).is_none());
    }

    #[test]
    fn functions_that_could_hide_those_of_headers_are_noticed() {
        let preprocessed =
            |file: &str, line: &str| format!("# 1 \"{file}\"\n{line}\n# 3 \"mutants.cpp\"\n{}", copy_name(0));
        let may_hide = |program: &str, file, line| CppSource::of(program).unwrap().may_hide(&preprocessed(file, line));
        let (c, cpp) = ("/usr/include/math.h", "/usr/include/c++/12/algorithm");
        let (add, other) = ("int add(int, int);", "int address(int);");
        assert!(may_hide(PROGRAM, c, add) && !may_hide(PROGRAM, c, other));
        assert!(!may_hide(PROGRAM, cpp, add), "its name is std::add");
        let with_std = PROGRAM.replace("const int", "using namespace\nstd;\nconst int");
        let with_head = PROGRAM.replace("#include", "using std::add;\n#include");
        assert!(may_hide(&with_std, cpp, add) && may_hide(&with_head, cpp, add));
        let (bits, wrapper) = ("/usr/include/c++/12/bits/stl_algo.h", "/usr/include/c++/12/math.h");
        assert!(!may_hide(PROGRAM, bits, add) && may_hide(PROGRAM, wrapper, "using std::add;"));
        // Lines of directives say nothing about where the next lines come from.
        assert!(!may_hide(PROGRAM, cpp, "#pragma GCC visibility push(default)\nint add(int, int);"));
        assert!(may_hide(PROGRAM, c, "extern int add\n (int, int);") && may_hide(PROGRAM, c, "int add (int);"));
        assert!(!may_hide(PROGRAM, c, "  int (*add) (int);") && !may_hide(PROGRAM, c, "  read_function *add;"));
    }

    #[test]
    fn hostile_sources_are_read_in_time_that_grows_with_their_length() {
        let many = |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<String>();
        let variables = format!("int first{};", many(40_000, &|number| format!(", v{number}")));
        let macros = many(15_000, &|number| format!("#define M{number} M{}\n", number + 1));
        let members = format!("struct Many {{ {} }} a, b, c;", many(20_000, &|number| format!("int m{number};")));
        let nested = format!("{}int inner;{}", "struct In { ".repeat(2000), "};".repeat(2000));
        for hostile in [variables, macros, members, nested] {
            let _ = is_fit(&with(&hostile));
        }
    }
}
