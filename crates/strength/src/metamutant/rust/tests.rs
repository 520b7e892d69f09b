//! Tests of metamutants in Rust.

use super::*;
use crate::metamutant::source::read;

const PROGRAM: &str = "//! Adds.
use std::io::{self, Read as _};

const ONE: i64 = 1;

struct Sum(i64);

impl Sum {
    // Adds to the sum.
    pub fn add(&mut self, (one, mut other): (i64, i64)) -> i64
    where
        i64: Copy,
    {
        other += ONE;
        self.0 += one + other;
        self.0
    }
}

fn twice(n: i64) -> i64 { 2 * n }

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    println!(\"{}\", twice(Sum(0).add((1, text.trim().parse().unwrap()))));
}
";

fn is_fit(text: &str) -> bool {
    read(Grammar::Rust, text).is_some()
}

/// Returns the program with another function before the first one.
fn with(before: &str) -> String {
    PROGRAM.replace("fn twice", &format!("{before}\n\nfn twice"))
}

#[test]
fn a_function_chooses_between_copies_with_one_mutation_each() {
    let source = RustSource::of(PROGRAM).unwrap();
    let mutations = [
        Mutation::replacing(PROGRAM, "one + other", "one - other"),
        Mutation::replacing(PROGRAM, "ONE;\n", "ONE + 1;\n"),
    ];
    let written = source.write(&mutations.iter().collect::<Vec<_>>());
    let (_, text) = &written.files[0];
    let head = "\nfn add_referee_copy_0000";
    let choice = "\
    // Adds to the sum.
    #[inline(never)]
pub fn add(&mut self, referee_argument_1: (i64, i64)) -> i64
    where
        i64: Copy,
    {
let referee_copy = match ::std::sync::atomic::AtomicUsize::load(&crate::REFEREE_COPY, \
::std::sync::atomic::Ordering::Relaxed) {
1 => Self::add_referee_copy_00001,
2 => Self::add_referee_copy_00002,
_ => Self::add_referee_copy_00003,
};
::std::hint::black_box(referee_copy)(self, referee_argument_1)
}
#[inline(never)]
#[link_section = \".text.referee_copy_00001\"]
pub fn add_referee_copy_00001(&mut self, (one, mut other): (i64, i64)) -> i64
    where
        i64: Copy,
    {
        other += ONE;
        self.0 += one - other;
        self.0
    }
";
    assert!(text.contains(choice), "{text}");
    assert!(text.contains("other += ONE + 1;") && !text.contains(head), "{text}");
    assert!(text.contains("fn twice(n: i64) -> i64 { 2 * n }"), "a function without mutants is unchanged");
    let start = "AtomicUsize::store(&crate::REFEREE_COPY, referee_number,";
    assert!(text.contains(start) && text.contains("_ => main_referee_copy_00004,\n"), "{text}");
    let lines: Vec<_> = text.lines().collect();
    for (copy, range) in written.lines.iter().enumerate().skip(1) {
        assert!(lines[range.start - 1].contains(&copy_name(copy)), "{copy}: {range:?}");
        assert_eq!(lines[range.end - 2].trim(), "}");
    }
}

#[test]
fn lines_of_copies_are_those_of_the_program() {
    let source = RustSource::of(PROGRAM).unwrap();
    let mutation = Mutation::replacing(PROGRAM, "one + other", "one - other");
    let written = source.write(&[&mutation]);
    let lines = source.lines(&written, &[&mutation]);
    let (program, text): (Vec<_>, Vec<_>) = (PROGRAM.lines().collect(), written.files[0].1.lines().collect());
    for copy in [1, 2] {
        let of_copy = written.lines[copy].clone();
        let same = of_copy.skip(1).filter(|line| program[lines.of_program[line - 1] - 1] == text[line - 1]).count();
        assert_eq!(same, if copy == 1 { 6 } else { 7 }, "all lines but the first and the changed one");
    }
}

/// Returns a function in assembly language.
fn assembled(name: &str, add: usize) -> String {
    let symbol = format!("_RNvCs1_7mutants{}{name}", name.len());
    format!("{symbol}:\n\taddl\t${add}, %eax\n\t.size\t{symbol}, 9\n")
}

#[test]
fn a_copy_without_code_is_the_program_if_the_function_has_none_either() {
    let source = RustSource::of(PROGRAM).unwrap();
    let mutations =
        [Mutation::replacing(PROGRAM, "one + other", "one - other"), Mutation::replacing(PROGRAM, "2 * n", "3 * n")];
    let mutations: Vec<_> = mutations.iter().collect();
    let written = source.write(&mutations);
    let codes = |functions: &[(&str, usize)]| {
        let text: String = functions.iter().map(|(name, add)| assembled(name, *add)).collect();
        source.codes(&written, &Intermediate { assembly: vec![text], ..Intermediate::default() }, &mutations)
    };
    // Copies 3, 4 and 5 are those of the unchanged functions: add, twice and main.
    let main = ("main_referee_copy_00005", 0);
    let twice = [("twice_referee_copy_00002", 7), ("twice_referee_copy_00004", 8), main];
    let found = codes(&twice).unwrap();
    assert_eq!(found[0], Some(Code::OfTheProgram), "nothing calls add");
    assert!(matches!(found[1], Some(Code::Other(_))));
    assert_eq!(codes(&[("twice_referee_copy_00002", 7), main]).unwrap()[1], None, "only the copy has code");
    assert_eq!(codes(&twice[..2]), None, "the code of main is missing");
    assert_eq!(codes(&[]), None);
    assert_eq!(source.codes(&written, &Intermediate::default(), &mutations), None);
}

#[test]
fn long_functions_have_few_copies() {
    let long = PROGRAM.replace("2 * n", &format!("2 * n{}", " + n".repeat(20_000)));
    let source = RustSource::of(&long).unwrap();
    let copies = source.most_bytes() / source.bytes_of_copy(&Mutation::replacing(&long, "2 * n", "3 * n")).unwrap();
    assert_eq!(copies, 1);
}

#[test]
fn a_change_outside_of_functions_is_no_copy() {
    let text = &with("trait Half { fn half(&self) -> i64; }\nimpl Half for i64 { fn half(&self) -> i64 { self / 2 } }");
    let source = RustSource::of(text).unwrap();
    let can_contain = |part: &str| source.bytes_of_copy(&Mutation::replacing(text, part, "")).is_some();
    assert!(can_contain("one + other") && can_contain("2 * n") && can_contain("twice(Sum"));
    assert!(!can_contain("1;") && !can_contain("self / 2") && !can_contain("{ 2 * n }"));
}

#[test]
fn a_function_that_contains_an_implementation_has_one_copy() {
    let inner = "struct Two; impl From<Two> for i64 { fn from(_: Two) -> i64 { 2 } }";
    let text =
        &PROGRAM.replace("let mut text = String::new();", &format!("{inner}\n    let mut text = String::new();"));
    let source = RustSource::of(text).unwrap();
    let can_contain = |part: &str| source.bytes_of_copy(&Mutation::replacing(text, part, "")).is_some();
    assert!(can_contain("one + other") && !can_contain("twice(Sum"));
    assert_eq!(source.write(&[]).files[0].1.matches("impl From<Two>").count(), 1);
}

#[test]
fn functions_that_are_not_simple_have_no_copies() {
    let names = |before: &str| {
        let text = with(before);
        let source = RustSource::of(&text).unwrap();
        source.functions.iter().map(|function| text[function.name.clone()].to_owned()).collect::<Vec<_>>()
    };
    let simple = [
        ("fn f<'a>(a: &'a [i64], [b, c]: [i64; 2]) -> &'a i64 { &a[(b + c) as usize] }", "f"),
        ("mod inner { pub(super) fn f() {} }", "f"),
        ("impl Sum { fn f(mut self) -> Self { self.0 += 1; self } }", "f"),
        (
            "// Text.\n/// Text.\nfn f(g: &dyn Fn(i64) -> i64) -> Box<dyn Fn()> { let n = g(1); Box::new(move || drop(n)) }",
            "f",
        ),
    ];
    for (before, name) in simple {
        assert_eq!(names(before), ["add", name, "twice", "main"], "{before}");
    }
    let others = [
        "fn f<T: Copy>(a: T) -> T { a }",
        "fn f<const N: usize>() -> usize { N }",
        "fn f(a: impl Copy) {}",
        "fn f() -> impl Fn() { || () }",
        "const fn f() -> i64 { 1 }",
        "#[inline]\n// Text.\nfn f() {}",
        "#[cfg(test)]\nmod tests { fn f() {} }",
        "impl<T> Other<T> { fn f(&self) {} } struct Other<T>(T);",
        "impl Clone for Sum { fn clone(&self) -> Self { Sum(self.0) } }",
        "impl Sum { fn f(self: &Self) {} }",
        "fn größe() {}",
        "macro_rules! f { () => { fn f() {} } }",
    ];
    for before in others {
        assert_eq!(names(before), ["add", "twice", "main"], "{before}");
    }
}

#[test]
fn programs_that_could_notice_the_copies_are_not_fit() {
    let fit = [
        "fn file(line: i64, column: i64) -> bool { line != column }",
        "/* Not unsafe. */ fn f(args: i64, location: i64) -> i64 { args // deny\n + location }",
    ];
    assert!(is_fit(PROGRAM) && fit.iter().all(|before| is_fit(&with(before))));
    let unfit = [
        "fn f() { unsafe { std::hint::unreachable_unchecked() } }",
        "fn f() -> usize { std::env::args().count() }",
        "fn f() -> u32 { line!() }",
        "fn f() -> u32 { column ! () }",
        "use std::{line as place}; fn f() -> u32 { place!() }",
        "fn f() -> &'static str { std::any::type_name::<Sum>() }",
        "#[no_mangle] pub fn f() {}",
        "extern \"C\" fn f() {}",
        "fn f() { std::panic::set_hook(Box::new(|_| ())) }",
        "fn f() -> bool { std::fs::read(\"/proc/self/cmdline\").is_ok() }",
        "fn referee_copy_00001() {}",
        "fn f(referee_argument_0: i64) {}",
        "const PLACE: (&str, u32, u32) = (\"mutants.rs\", 1, 1);",
        "static REFEREE_COPY: i64 = 1;",
        "fn f( {}",
    ];
    for before in unfit {
        assert!(!is_fit(&with(before)), "{before}");
    }
    assert!(!is_fit(&format!("#![deny(warnings)]\n{PROGRAM}")));
    assert!(!is_fit(&PROGRAM.replace("fn main", "#[cold]\nfn main")));
    assert!(!is_fit(&PROGRAM.replace("fn main() {", "mod inner { fn main() {").replace("\n}\n", "\n}}\n")), "no main");
}

#[test]
fn hostile_sources_are_read_in_time_that_grows_with_their_length() {
    let many = "fn f() {}\n".repeat(20_000);
    let nested = format!("{}{}", "mod inner { ".repeat(5000), "}".repeat(5000));
    for hostile in [many, nested] {
        let _ = is_fit(&with(&hostile));
    }
}
