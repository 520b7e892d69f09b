//! Tests of the parts: tokens, fingerprints, regions, and what is not compared.

use proptest::prelude::*;

use crate::family::Family;
use crate::grams;
use crate::tokens::{Extent, Token, tokens};
use crate::{Comparison, GUARANTEE, MOST_BYTES, Pair, Program, Similar, SourceFile, THRESHOLD, Unfit};

/// Returns the codes of the tokens of a part of a program.
fn codes(language: &str, text: &str) -> Vec<u32> {
    codes_of(language, text, Extent::Part)
}

fn codes_of(language: &str, text: &str, extent: Extent) -> Vec<u32> {
    tokens(&Family::of(language), text, extent).unwrap().iter().map(|token| token.code).collect()
}

#[test]
fn names_literals_types_comments_and_layout_do_not_matter() {
    let same = [
        ("cpp", "int f(int a) { return a + 1; }", "long long  g ( unsigned b )\n{ // no\n  return (b+22);\n}"),
        ("cpp", "for (int i = 0; i < n; i++) s += \"x\";", "for(long k=7;k<m;k++){ t += 'y'; }"),
        ("java", "class A { int f(int a) { return a; } }", "/** doc */ class B{long g(long b){return b;}}"),
        ("python3", "def f(a):\n    return a + 1\n", "# x\ndef g(b):\n  '''doc'''\n\n  return (b + 2)\n"),
        ("rust", "fn f(a: u32) -> u32 { a + 1 }", "fn g(b: u64)->u64{b+2 /* c */}"),
        ("go", "func f(a int) int { return a + 1 }", "func g(bb int) int { // no\n return bb + 23 }"),
        ("haskell", "f x = x + 1 -- one", "g yy = yy + 2"),
        ("pascal", "Begin x := 'a'; End.", "{ no } begin\n  y := 'bcd';\nend."),
    ];
    for (language, one, other) in same {
        assert_eq!(codes(language, one), codes(language, other), "{one} and {other}");
        assert!(codes(language, one).len() >= 4, "{one}");
    }
}

#[test]
fn operators_keywords_and_library_functions_matter() {
    let different = [
        ("cpp", "int a = b + c;", "int a = b - c;"),
        ("cpp", "void f() { sort(a, b); }", "void f() { reverse(a, b); }"),
        ("python3", "for x in y:\n    z(x)\n", "while x in y:\n    z(x)\n"),
        ("java", "class A { void f() { x.add(y); } }", "class A { void f() { x.remove(y); } }"),
        ("ruby", "if a then b end", "while a do b end"),
    ];
    for (language, one, other) in different {
        assert_ne!(codes(language, one), codes(language, other), "{one} and {other}");
    }
    // A function of the program itself can be renamed.
    let own = |name: &str| format!("def {name}(a):\n    return a\nprint({name}(1))\n");
    assert_eq!(codes("python3", &own("f")), codes("python3", &own("some_name")));
}

#[test]
fn code_without_effect_has_no_tokens() {
    let padded = [
        ("python3", "print(f(x))\n", "unused = 3\nprint(f(x))\n"),
        ("python3", "print(f(x))\n", "def never(a):\n    return a\nif 1 > 2:\n    print(x)\nprint(f(x))\n"),
        ("cpp", "int main() { f(x); }", "int never(int a) { return a; }\nint main() { int b = 3; f(x); b = 4; }"),
        (
            "java",
            "class A { void f() { g(x); } }",
            "class A { static int h() { return 1; } void f() { int b = 2; g(x); } }",
        ),
    ];
    for (language, plain, padded) in padded {
        assert_eq!(codes_of(language, plain, Extent::Whole), codes_of(language, padded, Extent::Whole), "{padded}");
    }
    let whole = |language, text| codes_of(language, text, Extent::Whole);
    // Reading input has an effect, and so has a variable that is read.
    assert_ne!(whole("python3", "a = input()\nprint(1)\n"), whole("python3", "print(1)\n"));
    assert_ne!(whole("python3", "a = 3\nprint(a)\n"), whole("python3", "print(a)\n"));
    // Another file of the program may use what this file does not use.
    assert_ne!(codes("python3", "a = 3\n"), codes("python3", "\n"));
}

#[test]
fn tokens_know_their_lines() {
    for language in ["cpp", "go"] {
        let found = tokens(&Family::of(language), "\n\nif (a)\n\n  b = 1;\n", Extent::Part).unwrap();
        let lines: Vec<_> = found.iter().map(|token| token.line).collect();
        assert_eq!((lines[0], lines.last()), (3, Some(&5)), "{language}");
    }
}

const PYTHON: &str = "\
def largest(values):
    best = values[0]
    for value in values:
        if value > best:
            best = value
    return best

def smallest(values):
    position = len(values)
    result = None
    while position > 0:
        position -= 1
        if result is None or values[position] < result:
            result = values[position]
    return result

numbers = [int(word) for word in input().split()]
print(largest(numbers) - smallest(numbers))
";

fn compare(programs: &[(&str, Option<&str>, &str, &str)]) -> Similar {
    let mut comparison = Comparison::default();
    for &(name, author, language, text) in programs {
        let files = vec![SourceFile { name: "", bytes: text.as_bytes() }];
        comparison.add(&Program { name, author, language, files });
    }
    comparison.finish(100, THRESHOLD)
}

fn names(pairs: &[Pair]) -> Vec<(&str, &str)> {
    pairs.iter().map(|pair| (pair.a.as_str(), pair.b.as_str())).collect()
}

#[test]
fn regions_lead_to_functions_that_were_moved() {
    let (before, rest) = PYTHON.split_at(PYTHON.find("def smallest").unwrap());
    let (smallest, end) = rest.split_at(rest.find("numbers =").unwrap());
    let moved = format!("\n\n{smallest}{before}{end}");
    let similar = compare(&[("a", None, "python3", PYTHON), ("b", None, "python3", &moved)]);
    let pair = &similar.pairs[0];
    assert!(pair.share_of_a > 0.9 && pair.share_of_b > 0.9, "{pair:?}");
    let regions: Vec<_> = pair.regions.iter().map(|region| (region.a.first_line, region.b.first_line)).collect();
    // The function `smallest` begins in line 8 of the first program and in line 3 of the second one.
    assert!(regions.iter().any(|&(a, b)| (8..=10).contains(&a) && b + 5 == a), "{regions:?}");
    assert!(regions.iter().any(|&(a, b)| a <= 3 && b == a + 11), "{regions:?}");
    assert!(pair.lines_a >= 14 && pair.lines_a <= 18, "{pair:?}");
}

#[test]
fn programs_of_one_author_and_of_different_languages_are_not_compared() {
    let c = "int main(void) { int i, s = 0; for (i = 0; i < 10; i++) if (i % 3 == 1) s += i * i - 2; while (s > 9) s /= 3; return s & 1; }";
    let similar = compare(&[
        ("first", Some("anna"), "python3", PYTHON),
        ("second", Some("anna"), "pypy3", PYTHON),
        ("third", Some("ben"), "python2", PYTHON),
        ("c", None, "c", c),
        ("cpp", None, "cpp", c),
        ("java", None, "java", c),
        ("go", None, "go", c),
        ("kotlin", None, "kotlin", c),
    ]);
    let mut found = names(&similar.pairs);
    found.sort_unstable();
    assert_eq!(found, [("c", "cpp"), ("first", "third"), ("second", "third")]);
    assert_eq!((similar.similar, similar.compared), (3, 8));
}

#[test]
fn what_cannot_be_compared_is_named() {
    let long = format!("{PYTHON}{}", "x = [1, 2]\n".repeat(MOST_BYTES / 5));
    let similar = compare(&[
        ("good", None, "python3", PYTHON),
        ("binary", None, "python3", "print(1)\0"),
        ("short", None, "python3", "print(1)\n"),
        ("empty", None, "cpp", ""),
        ("long", None, "python3", &long),
    ]);
    let mut skipped = similar.skipped.clone();
    skipped.sort_by(|one, other| one.0.cmp(&other.0));
    let wanted = [("binary", Unfit::Binary), ("empty", Unfit::TooShort), ("short", Unfit::TooShort)];
    assert_eq!(skipped, wanted.map(|(name, unfit)| (name.to_owned(), unfit)));
    assert_eq!((similar.cut, similar.compared), (vec!["long".to_owned()], 2));
    assert!(similar.pairs[0].share_of_a > 0.9, "the beginning of the long program is compared");
}

#[test]
fn a_program_in_several_files_is_found_in_one_file() {
    let at = PYTHON.find("def smallest").unwrap();
    let mut comparison = Comparison::default();
    let files = vec![
        SourceFile { name: "one.py", bytes: &PYTHON.as_bytes()[at..] },
        SourceFile { name: "two.py", bytes: &PYTHON.as_bytes()[..at] },
    ];
    comparison.add(&Program { name: "split", author: None, language: "python3", files });
    let files = vec![SourceFile { name: "", bytes: PYTHON.as_bytes() }];
    comparison.add(&Program { name: "whole", author: None, language: "python3", files });
    let similar = comparison.finish(1, THRESHOLD);
    let pair = &similar.pairs[0];
    assert!(pair.share_of_a > 0.9, "{pair:?}");
    let files: Vec<_> = pair.regions.iter().map(|region| region.a.file.as_str()).collect();
    assert!(files.contains(&"one.py") && files.contains(&"two.py"), "{pair:?}");
}

#[test]
fn hostile_sources_end_soon() {
    let repeated = |text: &str| text.repeat((1 << 14) / text.len());
    let sources = ["(", "{", "a(", "[[", "\"", "/*", "x=1;", "if(1)", "\u{1}", "é", "\r", "a<b<", "-"].map(repeated);
    let mut comparison = Comparison::default();
    for (number, text) in sources.iter().enumerate() {
        for language in ["cpp", "python3", "java", "rust", "go"] {
            let name = format!("{language}-{number}");
            let files = vec![SourceFile { name: "", bytes: text.as_bytes() }];
            comparison.add(&Program { name: &name, author: None, language, files });
        }
    }
    let similar = comparison.finish(10, THRESHOLD);
    assert!(similar.pairs.iter().all(|pair| pair.regions.len() <= 100));
}

#[test]
fn a_program_that_would_keep_its_parser_busy_is_not_compared() {
    let (lines, texts, types) = ("\\\n".repeat(60_000), "r#\"".repeat(15_000), "List<".repeat(16_000));
    let similar = compare(&[
        ("lines", None, "python3", &lines),
        ("texts", None, "rust", &texts),
        ("types", None, "java", &types),
    ]);
    assert_eq!(similar.skipped, ["lines", "texts", "types"].map(|name| (name.to_owned(), Unfit::Unparsable)));
}

proptest! {
    #[test]
    fn any_text_has_tokens_in_order(text in "[a-z(){}\\[\\];:#/*'\"\\\\ \n0-9=<>é]{0,300}", which in 0usize..7) {
        let language = ["cpp", "python3", "java", "rust", "go", "ruby", "pascal"][which];
        let found = tokens(&Family::of(language), &text, Extent::Whole).unwrap_or_default();
        let lines = text.matches('\n').count() as u32 + 1;
        prop_assert!(found.is_sorted_by_key(|token| token.line));
        prop_assert!(found.iter().all(|token| (1..=lines).contains(&token.line)));
    }

    #[test]
    fn a_common_run_has_a_common_fingerprint(
        common in prop::collection::vec(0u32..40, GUARANTEE..30),
        before in prop::collection::vec(0u32..40, 0..20),
        after in prop::collection::vec(0u32..40, 0..20),
    ) {
        let prints = |parts: &[&[u32]]| {
            let tokens: Vec<_> = parts.concat().iter().map(|&code| Token { code, line: 1 }).collect();
            let mut prints = Vec::new();
            grams::winnow(&grams::hashes(&tokens).collect::<Vec<_>>(), &mut prints);
            prints
        };
        let (one, other) = (prints(&[&before, &common, &after]), prints(&[&after, &common, &before]));
        prop_assert!(one.iter().any(|print| other.contains(print)));
    }
}
