use super::*;

const ALL: [Grammar; 5] = [Grammar::C, Grammar::Cpp, Grammar::Java, Grammar::Python, Grammar::Rust];

#[test]
fn what_does_not_parse_is_left_alone() {
    for grammar in ALL {
        assert_eq!(mutations(grammar, "").list, []);
        assert_eq!(mutations(grammar, "\0\u{1}").list, []);
    }
}

#[test]
fn parts_around_an_error_are_still_changed() {
    let source = "int f() { return a < b; }\nint g( { ) ] }\nint h() { return a == b; }\n";
    let made = made(Grammar::Cpp, source);
    assert!(made.contains(&("boundary", "<".to_owned(), "<=".to_owned())), "{made:?}");
}

#[test]
fn deep_sources_end() {
    for grammar in ALL {
        for (open, close) in
            [("(", ")"), ("f(a,", ")"), ("!", ""), ("{", "}"), ("a+", ""), ("[", "]"), ("if (a) ", ""), ("a<", "")]
        {
            let source = format!("x = {}1{};", open.repeat(1_000), close.repeat(1_000));
            let all = mutations(grammar, &source).list;
            assert!(all.len() <= MOST);
        }
    }
}

#[test]
fn a_hundred_thousand_parentheses_end() {
    for grammar in ALL {
        let source = format!("x = {}1{};", "(".repeat(100_000), ")".repeat(100_000));
        assert!(mutations(grammar, &source).list.len() <= MOST);
    }
}

#[test]
fn long_lines_end_and_give_no_more_than_are_wanted() {
    let source = format!("int a = {}0;", "b - c * 7 + ".repeat(30_000));
    let all = mutations(Grammar::Cpp, &source).list;
    assert!(all.len() <= MOST);
    let source = format!("int a[] = {{{}0}};", "123, ".repeat(60_000));
    let all = mutations(Grammar::C, &source).list;
    assert!(!all.is_empty() && all.len() <= MOST);
    assert_eq!(mutations(Grammar::C, &"a;".repeat(LONGEST_SOURCE / 2 + 1)).list, []);
}
