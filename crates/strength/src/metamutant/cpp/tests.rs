//! Tests of metamutants in C++.

use super::*;
use crate::metamutant::source::read;

const PROGRAM: &str = "// Adds.\n#include <iostream>\nconst int ONE = 1;\nint add(int n) { return n + ONE; }\n\
                       int main() {\n    int n;\n    std::cin >> n;\n    std::cout << add(n);\n}\n";

fn is_fit(text: &str) -> bool {
    read(Grammar::Cpp, text).is_some()
}

/// Returns the program with this text before `main`.
fn with(before: &str) -> String {
    PROGRAM.replace("int main", &format!("{before}\nint main"))
}

#[test]
fn every_copy_of_the_body_is_in_a_namespace_of_its_own() {
    let source = CppSource::of(PROGRAM).unwrap();
    let written = source.write(&[&Mutation::replacing(PROGRAM, "n + ONE", "n - ONE")]);
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
    let at = |part: &str| Mutation::replacing(&text, part, "");
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
        &format!("#pragma GCC optimize(\"O3\")\n#define int long long\n{PROGRAM}").replace("int main", "signed main")
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
        assert!(!is_fit(&PROGRAM.replace("#include <iostream>", &format!("{head}\n#include <iostream>"))), "{head}");
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
