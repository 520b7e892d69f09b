use super::*;

/// Wraps statements in a function without a return value.
#[track_caller]
fn rust(statements: &str, wanted: &[(&'static str, &str, &str)]) {
    makes(Grammar::Rust, &format!("fn f() {{ {statements}\n}}"), wanted);
}

#[test]
fn ranges_take_in_their_ends_or_not() {
    rust("for i in a..b {}", &[("boundary", "..", "..="), ("off-by-one", "", " - 1")]);
    rust("for i in a..=b {}", &[("boundary", "..=", ".."), ("off-by-one", "", " + 1")]);
    rust("for i in &v[a..] {}", &[("off-by-one", "", " + 1")]);
    rust("for i in &v[..] {}", &[]);
}

#[test]
fn operators_have_their_opposites() {
    rust("let x = a + b;", &[("arithmetic", "+", "-")]);
    rust("let x = a % b;", &[("arithmetic", " % b", "")]);
    rust("let x = a ^ b;", &[("bitwise", "^", "|")]);
    rust("let x = a << b;", &[("bitwise", "<<", ">>")]);
    rust("let x = -a;", &[("unary", "-", "")]);
    rust("let x = !a;", &[("unary", "!", "")]);
    rust("let x = *a;", &[]);
    rust("a <<= b;", &[("assignment", "<<=", ">>="), ("statement", "a <<= b;", ";")]);
    rust("let mut s = String::new(); s += t;", &[("statement", "s += t;", ";")]);
    makes(Grammar::Rust, "fn f<T: A + B>(x: impl C + D) -> [i32; 3] where T: E + F { g::<3>(x) }", &[]);
}

#[test]
fn conditions_are_negated_but_patterns_are_not() {
    rust("if a {}", &[("negation", "", "!")]);
    rust("if !a {}", &[("negation", "!", "")]);
    rust("if a && b {}", &[("negation", "a && b", "!(a && b)"), ("logical", "&&", "||")]);
    rust("while let Some(x) = a {}", &[]);
    rust("match x { y if z => {} true => {} _ => {} }", &[("negation", "", "!")]);
}

#[test]
fn statements_are_dropped_where_nobody_wants_their_type() {
    rust("g(a);", &[("statement", "g(a);", ";")]);
    rust("let x; x = a;", &[]);
    rust("let Some(x) = a else { return; };", &[]);
    rust(
        "for i in a { if b { continue; } c(); }",
        &[("negation", "", "!"), ("statement", "continue;", ";        "), ("statement", "c();", ";   ")],
    );
    rust("let x = match a { Some(b) => b, None => { return; } };", &[]);
    rust("loop { break; }", &[("statement", "break;", ";     ")]);
    rust("let x = a + &b;", &[]);
    rust("let x = loop { break a; };", &[]);
    rust(
        "println!(\"{}\", a + 1); assert!(a < b); eprintln!(\"x\");",
        &[("statement", "println!(\"{}\", a + 1);", ";                     ")],
    );
    makes(Grammar::Rust, "fn f() -> i32 { g() }", &[]);
}

#[test]
fn arguments_of_one_type_change_places() {
    makes(
        Grammar::Rust,
        "fn g(a: i32, b: i32, c: u8) {} fn f() -> i32 { g(x, y, z) }",
        &[("arguments", "x, y", "y, x")],
    );
    rust("let x = a.min(b) + max(c, d);", &[("arithmetic", "+", "-")]);
    rust("let x = a.fold(b, |c, d| d);", &[]);
    rust("let x = g(&a, &mut b);", &[]);
    rust("let x = P::new(a, b);", &[("arguments", "a, b", "b, a")]);
}

#[test]
fn constants_change() {
    rust("let x = 1_000u64;", &[("constant", "1_000u64", "999u64"), ("constant", "1_000u64", "1_001u64")]);
    rust("let x = 0x1F;", &[("constant", "0x1F", "0x1E"), ("constant", "0x1F", "0x20")]);
    rust("let x = b'a';", &[("constant", "a", "b")]);
    rust("let x = a.0;", &[]);
    rust("let x = \"ab\"; let y = a.expect(\"b\");", &[("constant", "ab", "")]);
    rust("let x: [u8; 4] = y; let z = [a; 5];", &[("constant", "5", "4")]);
    rust("let x = Vec::with_capacity(7);", &[("constant", "7", "6")]);
    makes(Grammar::Rust, "const N: usize = 9; static A: [u8; N] = B;", &[("constant", "9", "8")]);
}

#[test]
fn resets_are_dropped_in_loops() {
    rust(
        "for i in a { x = 0; v.clear(); y = i; }",
        &[
            ("reset", "x = 0;", ";     "),
            ("constant", "0", "1"),
            ("reset", "v.clear();", ";         "),
            ("statement", "y = i;", ";     "),
        ],
    );
}

#[test]
fn what_no_program_runs_is_left_alone() {
    makes(
        Grammar::Rust,
        "//! 1 < 2\n#[derive(A)]\nuse a::b;\n#[test]\nfn t() { f(1); }\n#[cfg(test)]\nmod tests { fn g() { f(2); } }\n\
         impl Hash for A { fn hash(&self) { f(3); } }",
        &[],
    );
}
