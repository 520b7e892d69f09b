use super::*;

#[track_caller]
fn python(source: &str, wanted: &[(&'static str, &str, &str)]) {
    makes(Grammar::Python, source, wanted);
}

#[test]
fn comparisons_and_memberships_are_turned_round() {
    python("x = a == b", &[("comparison", "==", "!=")]);
    python("x = a in b", &[("comparison", "in", "not in")]);
    python("x = a not in b", &[("comparison", "not in", "in")]);
    python("x = a is b", &[("comparison", "is", "is not")]);
    python("x = a is not b", &[("comparison", "is not", "is")]);
    python("x = a and b or c", &[("logical", "and", "or"), ("logical", "or", "and")]);
    python("x = not a", &[("negation", "not ", "")]);
}

#[test]
fn chains_of_comparisons_have_a_bound_on_each_side() {
    python(
        "x = 0 <= a < 8",
        &[("boundary", "<=", "<"), ("boundary", "<", "<="), ("off-by-one", "", " + 1"), ("constant", "8", "7")],
    );
}

#[test]
fn arithmetic_has_its_opposites() {
    python("x = a + b", &[("arithmetic", "+", "-")]);
    python("x = a // b", &[("arithmetic", "//", "*")]);
    python("x = a ** b", &[("arithmetic", "**", "*")]);
    python("x = a % b", &[("arithmetic", " % b", "")]);
    python("x = a ^ b", &[("bitwise", "^", "|")]);
    python("x = 'n' + b; y = '%d' % c", &[("constant", "n", "")]);
}

#[test]
fn conditions_are_negated_in_statements_expressions_and_filters() {
    python("while f(a): pass", &[("negation", "", "not ")]);
    python("while True: pass", &[]);
    python(
        "if a < b: pass",
        &[("negation", "a < b", "not (a < b)"), ("boundary", "<", "<="), ("off-by-one", "", " - 1")],
    );
    python("if a: pass\nelif b: pass", &[("negation", "", "not "), ("negation", "", "not ")]);
    python("x = a if b else c", &[("negation", "", "not ")]);
    python("x = [y for y in z if y]", &[("negation", "", "not ")]);
    python("if a == b: pass\nif not a: pass", &[("comparison", "==", "!="), ("negation", "not ", "")]);
    python("if __name__ == '__main__': main()", &[]);
}

#[test]
fn ranges_indices_and_slices_are_one_off() {
    python("x = range(n)", &[("off-by-one", "", " - 1"), ("off-by-one", "", " + 1")]);
    python(
        "x = range(a, n, c)",
        &[
            ("off-by-one", "", " - 1"),
            ("off-by-one", "", " + 1"),
            ("arguments", "a, n", "n, a"),
            ("arguments", "n, c", "c, n"),
        ],
    );
    python("x = range(n + 1)", &[("arithmetic", "+", "-"), ("constant", "1", "0"), ("constant", "1", "2")]);
    python("x = a[i]", &[("off-by-one", "", " + 1")]);
    python("x = a[i:j]", &[("off-by-one", "", " - 1")]);
    python("x = a[i:]", &[("off-by-one", "", " + 1")]);
    python("x = a[:]", &[]);
}

#[test]
fn a_first_value_is_a_declaration_and_stays() {
    python("x = f()\nx = g()", &[("statement", "x = g()", "pass")]);
    python("def f():\n    x = a\nx = b", &[]);
    python(
        "class A:\n    def __init__(self):\n        self.x = a\n    def g(self):\n        self.x = b",
        &[("statement", "self.x = b", "pass")],
    );
    python("a.append(b)", &[("statement", "a.append(b)", "pass")]);
    python("f(a\n )", &[("statement", "f(a\n )", "pass\n")]);
    python(
        "for i in a:\n  if i: continue\n  if b: break\n  continue",
        &[
            ("negation", "", "not "),
            ("negation", "", "not "),
            ("statement", "continue", "pass"),
            ("statement", "break", "pass"),
        ],
    );
}

#[test]
fn a_value_given_in_a_loop_stays_from_the_time_before() {
    python(
        "for i in a:\n  x = []\n  y = 0\n  z = i\n  b[i] = 0\n  c.clear()",
        &[
            ("reset", "[]", "locals().get(\"x\", [])"),
            ("reset", "0", "locals().get(\"y\", 0)"),
            ("constant", "0", "1"),
            ("reset", "b[i] = 0", "pass"),
            ("off-by-one", "", " + 1"),
            ("constant", "0", "1"),
            ("reset", "c.clear()", "pass"),
        ],
    );
}

#[test]
fn constants_change() {
    python("x = 1_000_007", &[("constant", "1_000_007", "1_000_006"), ("constant", "1_000_007", "500_003")]);
    python("x = 0o17", &[("constant", "0o17", "0o16"), ("constant", "0o17", "0o20")]);
    python("x = True", &[("constant", "True", "False")]);
    python("x = 1.5", &[("constant", "1.5", "0.75")]);
    python("x = b'ab'", &[("constant", "ab", "")]);
    python("x = f'a{b}'; y = ' '; z = ', '.join(c)", &[("constant", ", ", "")]);
}

#[test]
fn what_is_no_code_is_left_alone() {
    python(
        "'''Doc 1 < 2.'''\nimport sys\nfrom a import b\n@c(3)\ndef f(x: 'T', y: list[int]) -> dict[4]:\n    'Doc'\n    assert x < 1\n    \
         raise X('a' + 1)\nsys.setrecursionlimit(f)\n",
        &[],
    );
}

#[test]
fn sources_of_version_2_are_read_too() {
    python(
        "print a < b\nprint 'x', c",
        &[
            ("statement", "print a < b", "pass"),
            ("boundary", "<", "<="),
            ("off-by-one", "", " - 1"),
            ("statement", "print 'x', c", "pass"),
            ("constant", "x", ""),
        ],
    );
}
