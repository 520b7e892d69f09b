use super::*;

#[test]
fn a_boundary_moves_and_a_bound_goes_to_the_other_side() {
    makes_in_c("x = a < b;", &[("statement", "x = a < b;", ";"), ("boundary", "<", "<="), ("off-by-one", "", " - 1")]);
    makes_in_c(
        "x = a <= b;",
        &[("statement", "x = a <= b;", ";"), ("boundary", "<=", "<"), ("off-by-one", "", " + 1")],
    );
    makes_in_c("x = a > b;", &[("statement", "x = a > b;", ";"), ("boundary", ">", ">="), ("off-by-one", "", " + 1")]);
    makes_in_c(
        "x = a >= b;",
        &[("statement", "x = a >= b;", ";"), ("boundary", ">=", ">"), ("off-by-one", "", " - 1")],
    );
}

#[test]
fn a_constant_bound_goes_where_the_boundary_does_not() {
    makes_in_c("x = a < 7;", &[("statement", "x = a < 7;", ";"), ("boundary", "<", "<="), ("constant", "7", "6")]);
    makes_in_c(
        "x = 7 <= a;",
        &[
            ("statement", "x = 7 <= a;", ";"),
            ("boundary", "<=", "<"),
            ("constant", "7", "6"),
            ("off-by-one", "", " + 1"),
        ],
    );
    makes_in_c("x = a >= 7;", &[("statement", "x = a >= 7;", ";"), ("boundary", ">=", ">"), ("constant", "7", "6")]);
    makes_in_c("x = a > 7;", &[("statement", "x = a > 7;", ";"), ("boundary", ">", ">="), ("constant", "7", "8")]);
}

#[test]
fn a_loop_that_counts_is_not_sent_the_other_way() {
    makes_in_c(
        "for (i = 0; i < n; i++) k--;",
        &[
            ("constant", "0", "1"),
            ("boundary", "<", "<="),
            ("off-by-one", "", " - 1"),
            ("increment", "--", "++"),
            ("statement", "k--;", ";"),
        ],
    );
}

#[test]
fn arithmetic_bits_and_logic_have_their_opposites() {
    let of = |expression: &str, wanted: &[(&'static str, &str, &str)]| {
        makes_in_c(&format!("return {expression};"), wanted);
        makes(Grammar::Java, &format!("class A {{ int f() {{ return {expression}; }} }}"), wanted);
    };
    of("a + b", &[("arithmetic", "+", "-")]);
    of("a - b", &[("arithmetic", "-", "+")]);
    of("a * b", &[("arithmetic", "*", "+")]);
    of("a / b", &[("arithmetic", "/", "*")]);
    of("a % b", &[("arithmetic", " % b", "")]);
    of("a & b", &[("bitwise", "&", "|")]);
    of("a | b", &[("bitwise", "|", "&")]);
    of("a ^ b", &[("bitwise", "^", "|")]);
    of("a << b", &[("bitwise", "<<", ">>")]);
    of("a >> b", &[("bitwise", ">>", "<<")]);
    of("a && b", &[("logical", "&&", "||")]);
    of("a || b", &[("logical", "||", "&&")]);
    of("a == b", &[("comparison", "==", "!=")]);
    of("a != b", &[("comparison", "!=", "==")]);
    of("-a", &[("unary", "-", "")]);
    of("~a", &[("unary", "~", "")]);
    of("!a", &[("negation", "!", "")]);
    makes(Grammar::Java, "class A { int f() { return a >>> b; } }", &[("bitwise", ">>>", "<<")]);
}

#[test]
fn compound_assignments_have_their_opposites() {
    let of = |sign: &str, other: &str| {
        let text = format!("a {sign} b;");
        makes_in_c(&text, &[("assignment", sign, other), ("statement", &text, ";")]);
    };
    for (sign, other) in [("+=", "-="), ("-=", "+="), ("*=", "+="), ("/=", "*="), ("&=", "|="), ("|=", "&=")] {
        of(sign, other);
    }
    for (sign, other) in [("^=", "|="), ("<<=", ">>="), (">>=", "<<=")] {
        of(sign, other);
    }
}

#[test]
fn text_is_not_subtracted_and_streams_are_not_shifted() {
    makes(Grammar::Cpp, "std::string f(std::string s, std::string t) { return s + t + \"\\n\"; }", &[]);
    makes(Grammar::Java, "class A { String f(String s) { return s + n + \" \"; } }", &[]);
    makes(
        Grammar::Cpp,
        "void f(std::istream& in) { std::cout << a << '\\n';\n while (in >> a) g << (a << 1) << b;\n }",
        &[
            ("statement", "std::cout << a << '\\n';", ";"),
            ("negation", "in >> a", "!(in >> a)"),
            ("statement", "g << (a << 1) << b;", ";"),
            ("bitwise", "<<", ">>"),
            ("constant", "1", "0"),
            ("constant", "1", "2"),
        ],
    );
}

#[test]
fn conditions_are_negated_where_no_operator_says_the_same() {
    let branch = |condition: &str, wanted: &[(&'static str, &str, &str)]| {
        makes_in_c(&format!("if ({condition}) {{ }}"), wanted);
        makes(Grammar::Java, &format!("class A {{ void f() {{ if ({condition}) {{ }} }} }}"), wanted);
    };
    branch("a", &[("negation", "", "!")]);
    branch("!a", &[("negation", "!", "")]);
    branch("a == b", &[("comparison", "==", "!=")]);
    branch("f(a)", &[("negation", "", "!")]);
    branch("a && b", &[("negation", "a && b", "!(a && b)"), ("logical", "&&", "||")]);
    makes_in_c("return a ? b : c;", &[("negation", "", "!")]);
    makes_in_c("while (true) { }", &[]);
    makes_in_c("do { } while (1);", &[]);
    makes(Grammar::Cpp, "void f() { if (int k = g(); k) { } }", &[]);
    makes(Grammar::Java, "class A { void f() { if (o instanceof P p) { } } }", &[]);
}

#[test]
fn statements_are_dropped_but_what_changes_nothing_is_kept() {
    makes_in_c("f(a);", &[("statement", "f(a);", ";")]);
    makes_in_c("a = b; g();", &[("statement", "a = b;", ";     "), ("statement", "g();", ";")]);
    makes_in_c(
        "a(\nb,\nc); d();",
        &[("statement", "a(\nb,\nc);", ";\n\n   "), ("arguments", "b,\nc", "c,\nb"), ("statement", "d();", ";")],
    );
    makes_in_c(
        "while (g()) { if (a) break; if (b) continue; continue; }",
        &[
            ("negation", "", "!"),
            ("negation", "", "!"),
            ("negation", "", "!"),
            ("statement", "break;", ";     "),
            ("statement", "continue;", ";        "),
        ],
    );
    makes_in_c("if (a) return; return;", &[("negation", "", "!"), ("statement", "return;", ";      ")]);
    makes_in_c("assert(a < 3); free(a);", &[]);
    makes(
        Grammar::Cpp,
        "int main() { std::cin.tie(nullptr); v.reserve(7); std::cerr << a + 1; }",
        &[("constant", "7", "6")],
    );
}

#[test]
fn what_java_would_not_compile_is_kept() {
    let java = |body: &str, wanted: &[(&'static str, &str, &str)]| {
        makes(
            Grammar::Java,
            &format!(
                "class A {{ void f() {{ {body}
}} }}"
            ),
            wanted,
        );
    };
    java("int x; x = y;", &[]);
    java("while (true) { if (a) break; }", &[("negation", "", "!")]);
    java(
        "switch (x) { case 1 -> f();\n default -> g();\n }",
        &[("statement", "f();", "{}"), ("statement", "g();", "{}")],
    );
    makes(Grammar::Java, "class A { final int x; A(int y) { this.x = y; } }", &[]);
}

#[test]
fn the_last_jump_of_a_switch_is_kept() {
    makes_in_c(
        "switch (x) { case 1: f(); break; default: g(); break; }",
        &[("statement", "f();", ";   "), ("statement", "break;", ";     "), ("statement", "g();", ";   ")],
    );
}

#[test]
fn arguments_change_places_if_they_could_be_taken_for_one_another() {
    makes_in_c("return f(a, b, b);", &[("arguments", "a, b", "b, a")]);
    makes_in_c("return max(a, b);", &[]);
    makes_in_c("return f(\"x\", b);", &[("constant", "x", "")]);
    makes(
        Grammar::Cpp,
        "int g(int a, char* b); int f() { return g(a, b) & h(c, d); }",
        &[("bitwise", "&", "|"), ("arguments", "c, d", "d, c")],
    );
    makes(
        Grammar::Cpp,
        "void f() { std::vector<int> v(n, x); P q{n, x}; }",
        &[("arguments", "n, x", "x, n"), ("reset", "", "static ")],
    );
    makes(Grammar::Java, "class A { A f() { return new A(x, y); } }", &[("arguments", "x, y", "y, x")]);
}

#[test]
fn constants_change_as_they_are_written() {
    let of = |constant: &str, others: &[(&str, &str)]| {
        let wanted: Vec<_> = others.iter().map(|(old, new)| ("constant", *old, *new)).collect();
        makes(Grammar::Cpp, &format!("auto x = {constant};"), &wanted);
    };
    of("0", &[("0", "1")]);
    of("1", &[("1", "0"), ("1", "2")]);
    of("9u", &[("9u", "8u"), ("9u", "10u")]);
    of("0xff", &[("0xff", "0xfe"), ("0xff", "0x100")]);
    of("0x0Full", &[("0x0Full", "0x0Eull"), ("0x0Full", "0x10ull")]);
    of("0b101", &[("0b101", "0b100"), ("0b101", "0b110")]);
    of("010", &[("010", "011"), ("010", "007")]);
    of("1'000'007", &[("1'000'007", "1'000'006"), ("1'000'007", "500'003")]);
    of("1e9", &[("1e9", "5e8")]);
    of("1e-9", &[("1e-9", "1e-6")]);
    of("0.0", &[("0.0", "1.0")]);
    of("2.5f", &[("2.5f", "1.25f")]);
    of("true", &[("true", "false")]);
    of("'a'", &[("a", "b")]);
    of("'&'", &[("&", "(")]);
    of("'\\n'", &[]);
    of("\"ab\"", &[("ab", "")]);
    of("\"\\n\"", &[]);
    of("0x9E3779B97F4A7C15ull", &[]);
}

#[test]
fn what_only_reserves_room_gets_less() {
    makes(
        Grammar::C,
        "#define N 100005 // places\nint a[N], b[10], c[2] = {4};",
        &[("constant", "100005", "50002"), ("constant", "10", "9"), ("constant", "4", "3"), ("constant", "4", "5")],
    );
    makes(
        Grammar::Cpp,
        "const int N = 50; std::array<int, 8> a; int b[N + 1];",
        &[("constant", "50", "49"), ("constant", "8", "7"), ("constant", "1", "0")],
    );
    makes(Grammar::Java, "class A { int[] a = new int[26]; }", &[("constant", "26", "25")]);
}

#[test]
fn what_should_begin_anew_goes_on() {
    makes(
        Grammar::Cpp,
        "int main() { int a = 0; while (f()) { int b = 5; const int c = 5; int d = b; int& e = b; string s; } }",
        &[
            ("constant", "0", "1"),
            ("negation", "", "!"),
            ("reset", "", "static "),
            ("constant", "5", "4"),
            ("constant", "5", "6"),
            ("constant", "5", "4"),
            ("constant", "5", "6"),
            ("reset", "", "static "),
        ],
    );
    makes_in_c(
        "int a = b; static int c = a; for (;;) { x = 0; v.clear(); y = x; }",
        &[
            ("reset", "x = 0;", ";     "),
            ("constant", "0", "1"),
            ("reset", "v.clear();", ";         "),
            ("statement", "y = x;", ";     "),
        ],
    );
    makes(Grammar::C, "void f(void) { vec v; int n = g(); }", &[]);
}

#[test]
fn what_is_no_code_is_left_alone() {
    makes(
        Grammar::Cpp,
        "#include \"a.h\"\n#pragma GCC optimize(\"O3\")\n#ifdef LOCAL\nint a = 1;\n#endif\n// a < b\n\
         template <int N = 3> struct A { int x : 4; };\nusing B = A<2>;\nstatic_assert(1 < 2);\nint c = sizeof(int[3]);\n\
         struct Hash { int operator()(int x) const { return x * 31; } };",
        &[],
    );
    makes(
        Grammar::Java,
        "package a; import b.c; @A(1) class D { void f() { throw new E(\"x\" + 1); } int hashCode() { return 3; } }",
        &[],
    );
    makes(
        Grammar::C,
        "int f() { printf(\"%d\\n\"); return scanf(\"%d %d\", &a, &b); }",
        &[("statement", "printf(\"%d\\n\");", ";              "), ("arguments", "&a, &b", "&b, &a")],
    );
}

#[test]
fn indices_are_one_off_unless_a_constant_is_in_them() {
    makes_in_c("return a[i];", &[("off-by-one", "", " + 1")]);
    makes_in_c("return a[i - 1];", &[("arithmetic", "-", "+"), ("constant", "1", "0"), ("constant", "1", "2")]);
    makes(Grammar::Java, "class A { int f() { return a[i]; } }", &[("off-by-one", "", " + 1")]);
}

/// Returns the texts that are replaced with the empty text.
fn emptied(grammar: Grammar, source: &str) -> Vec<&str> {
    let all = mutations(grammar, source).list.into_iter();
    all.filter(|one| one.replacement.is_empty() && one.operator == Operator::Constant)
        .map(|one| &source[one.span])
        .collect()
}

#[test]
fn names_and_messages_that_only_people_read_are_not_changed() {
    let validator = "int main() { int n = inf.readInt(1, 100, \"count\"); inf.readToken(\"[a-z]+\", \"word\"); \
                     inf.readWord(\"[0-9]+\"); ensuref(n > 1, \"too small\"); fprintf(stderr, \"no\"); return f(\"kept\"); }";
    assert_eq!(emptied(Grammar::Cpp, validator), ["[a-z]+", "[0-9]+", "kept"]);
    let python = "v.read_integer('count', 1, 100)\nw = v.read_string('word', 'abc')\nprint('no', file=sys.stderr)\n\
                  x = f('kept')\n";
    assert_eq!(emptied(Grammar::Python, python), ["abc", "kept"]);
    let java = "class A { void f() { System.err.println(\"no\"); g(\"kept\"); } }";
    assert_eq!(emptied(Grammar::Java, java), ["kept"]);
}
