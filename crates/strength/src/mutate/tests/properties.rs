use proptest::prelude::*;

use super::*;

/// Realistic sources, from which the tests make other sources by cutting and joining.
const SOURCES: [(Grammar, &str); 5] = [
    (
        Grammar::C,
        "#define N 100\nint a[N];\nint f(int n) { for (int i = 0; i < n; i++) { a[i] += 1; if (!a[i]) break; } return 0; }\n",
    ),
    (
        Grammar::Cpp,
        "struct P { int x = 0; };\nint main() { std::vector<int> v; while (std::cin >> n) { int é = 0; v.push_back(n % 7); } }\n",
    ),
    (
        Grammar::Java,
        "class Main { static int f(int a, int b) { boolean ok = a < b && b != 3; return ok ? f(b, a) : -1; } }\n",
    ),
    (
        Grammar::Python,
        "def f(n):\n    for i in range(n):\n        x = []\n        if i in x and not n: continue\n        print(f'{i}', \"é\")\n",
    ),
    (
        Grammar::Rust,
        "fn f(n: usize) -> u32 { let mut x = 0; for i in 0..n { if i > 3 { continue; } x ^= 1 << i; } x }\n",
    ),
];

/// Asserts the properties that every change of a source must have.
fn hold(grammar: Grammar, source: &str) {
    let all = mutations(grammar, source).list;
    let mut texts = std::collections::HashSet::new();
    for change in &all {
        let (start, end) = (change.span.start, change.span.end);
        assert!(source.is_char_boundary(start) && source.is_char_boundary(end), "{change:?}");
        let text = change.apply(source);
        assert_eq!(text, format!("{}{}{}", &source[..start], change.replacement, &source[end..]));
        assert_ne!(text, source);
        assert!(texts.insert(text.clone()), "twice: {change:?}");
        assert_eq!(change.line, source[..start].split('\n').count());
        assert_eq!(change.column, source[..start].rsplit('\n').next().unwrap().chars().count() + 1);
        assert_eq!(text.matches('\n').count(), source.matches('\n').count(), "{change:?}");
        assert!(errors(grammar, &text) <= errors(grammar, source), "{change:?}");
    }
    assert!(all.is_sorted_by_key(|change| change.span.start));
    assert_eq!(all, mutations(grammar, source).list);
}

/// Counts the errors of a source in a fresh, complete parse.
fn errors(grammar: Grammar, source: &str) -> usize {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&grammar.language().unwrap()).unwrap();
    let tree = parser.parse(source, None).unwrap();
    let mut nodes = vec![tree.root_node()];
    let mut count = 0;
    while let Some(node) = nodes.pop() {
        count += usize::from(node.is_error() || node.is_missing());
        nodes.extend(node.children(&mut tree.walk()));
    }
    count
}

#[test]
fn sources_of_all_languages_hold() {
    for (grammar, source) in SOURCES {
        hold(grammar, source);
        assert!(mutations(grammar, source).list.len() >= 8, "{grammar:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn whatever_is_cut_out_and_put_in_holds(
        which in 0..5_usize,
        from in 0.0..1.0_f64,
        length in 0..12_usize,
        new in "[a-z0-9 ()\\[\\]{};:'\"#,<=+é\n]{0,6}",
    ) {
        let (grammar, source) = SOURCES[which];
        let letters: Vec<char> = source.chars().collect();
        let from = (from * letters.len() as f64) as usize;
        let past = (from + length).min(letters.len());
        let source: String = letters[..from].iter().copied().chain(new.chars()).chain(letters[past..].iter().copied()).collect();
        hold(grammar, &source);
    }
}
