//! Measures the comparison on a class of generated solutions with planted copies.

mod behaviour;
mod copies;
mod habits;
mod honest;

use std::path::{Path, PathBuf};

use copies::{Disguise, copy};
use honest::{Draft, Written, named, solution};
use referee_random::Random;

use crate::{Comparison, Pair, Program, Similar, SourceFile, THRESHOLD};

const SEED: u64 = 20_261_126;

/// A class: 100 honest programs, and ten copies of some of them.
struct Class {
    programs: Vec<(String, Written, String)>,
    /// The pairs of an original and its copy.
    planted: Vec<(String, String)>,
}

fn names(seed: u64, number: u64) -> Random {
    Random::new(seed, 1_000_000 + number)
}

fn class(seed: u64, honest: u64) -> Class {
    let mut random = Random::new(seed, 0);
    let written = [Written::Python, Written::Cpp, Written::Java];
    let drafts: Vec<Draft> = (0..honest).map(|number| solution(written[number as usize % 3], &mut random)).collect();
    let name = |number: u64| format!("honest-{number:03}");
    let mut class = Class { programs: Vec::new(), planted: Vec::new() };
    for (number, draft) in drafts.iter().enumerate() {
        let text = named(draft, &mut names(seed, number as u64));
        class.programs.push((name(number as u64), draft.written, text));
    }
    let of = |renamed, reformatted, reordered, padded| Disguise { renamed, reformatted, reordered, padded };
    let disguises = [
        of(true, false, false, false),
        of(false, true, false, false),
        of(false, false, true, false),
        of(false, false, false, true),
        of(true, true, false, false),
        of(true, false, true, false),
        of(true, true, false, true),
        of(true, true, true, true),
        of(true, true, true, true),
        of(true, true, true, true),
    ];
    for (number, disguise) in disguises.iter().enumerate() {
        let original = number as u64 * 7 + 2;
        let draft = &drafts[original as usize];
        let text = copy(draft, *disguise, &mut names(seed, original), &mut random);
        let copied = format!("copy-{number}");
        class.programs.push((copied.clone(), draft.written, text));
        class.planted.push((name(original), copied));
    }
    class
}

fn compared(class: &Class) -> Similar {
    let mut comparison = Comparison::default();
    for (name, written, text) in &class.programs {
        let file = SourceFile { name: "", bytes: text.as_bytes() };
        comparison.add(&Program { name, author: None, language: written.id(), files: vec![file] });
    }
    comparison.finish(500, THRESHOLD)
}

/// Sorts the similarities of the planted pairs and of the pairs of honest programs, the highest first.
fn planted_and_honest(class: &Class, similar: &Similar) -> (Vec<f64>, Vec<f64>) {
    let is_planted = |pair: &Pair| class.planted.iter().any(|(a, b)| *a == pair.a && *b == pair.b);
    // A copy is as similar to the other programs as its original is.
    let is_honest = |pair: &Pair| !pair.a.starts_with("copy") && !pair.b.starts_with("copy");
    let of = |wanted: &dyn Fn(&Pair) -> bool| {
        similar.pairs.iter().filter(|pair| wanted(pair)).map(|pair| pair.similarity).collect()
    };
    (of(&is_planted), of(&is_honest))
}

#[test]
fn planted_copies_are_on_top_and_honest_pairs_clearly_below() {
    let mut gaps = Vec::new();
    for seed in SEED..SEED + 2 {
        let class = class(seed, 100);
        let similar = compared(&class);
        assert_eq!((similar.compared, similar.skipped.len()), (110, 0));
        let (planted, honest) = planted_and_honest(&class, &similar);
        println!("seed {seed}: planted {planted:.2?}, honest {:.2?}", &honest[..5]);
        let top: Vec<_> = similar.pairs.iter().take(10).map(|pair| (pair.a.clone(), pair.b.clone())).collect();
        assert!(class.planted.iter().all(|pair| top.contains(pair)), "{top:?}");
        gaps.push(planted[9] - honest[0]);
    }
    assert!(gaps.iter().all(|gap| *gap > 0.1), "{gaps:?}");
}

/// Code that a teacher hands out.
const SKELETON: &str = "\
class Reader:
    def __init__(self, source):
        self.words = []
        self.position = 0
        for line in source:
            self.words.extend(line.split())

    def next_number(self):
        word = self.words[self.position]
        self.position += 1
        return int(word) if word.isdigit() or word[0] == '-' else None

    def next_list(self, length):
        return [self.next_number() for _ in range(length)]


def check(numbers, least, most):
    for index, number in enumerate(numbers):
        if not least <= number <= most:
            raise ValueError('number %d is %d' % (index, number))
    return len(numbers) > 0

";

#[test]
fn a_template_makes_honest_programs_similar_unless_it_is_named() {
    let mut random = Random::new(SEED, 0);
    let texts: Vec<_> =
        (0..6).map(|number| named(&solution(Written::Python, &mut random), &mut names(SEED, number))).collect();
    let mean = |skeleton: &str, template: bool| {
        let mut comparison = Comparison::default();
        if template {
            comparison.add_template("python3", SKELETON.as_bytes()).unwrap();
        }
        for (number, text) in texts.iter().enumerate() {
            let (name, text) = (number.to_string(), format!("{skeleton}check([1], 0, 2)\nReader([])\n{text}"));
            let files = vec![SourceFile { name: "", bytes: text.as_bytes() }];
            comparison.add(&Program { name: &name, author: None, language: "python3", files });
        }
        let pairs = comparison.finish(100, THRESHOLD).pairs;
        assert_eq!(pairs.len(), 15);
        pairs.iter().map(|pair| pair.similarity).sum::<f64>() / 15.0
    };
    let (without, with, named) = (mean("", false), mean(SKELETON, false), mean(SKELETON, true));
    assert!(with > without + 0.1, "{without} {with}");
    assert!((named - without).abs() < 0.03, "{without} {named}");
}

/// The accepted submissions of a package of this repository are independent of one another. Most wrong ones are copies
/// of an accepted one with one mistake.
#[test]
fn accepted_submissions_of_a_package_are_not_similar_but_their_wrong_copies_are() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    for package in ["flipgame", "swapgame", "solitaire", "coins"] {
        let mut comparison = Comparison::default();
        for (path, language) in submissions(&cases.join(package).join("submissions")) {
            let (name, bytes) = (path.display().to_string(), std::fs::read(&path).unwrap());
            let files = vec![SourceFile { name: "", bytes: &bytes }];
            comparison.add(&Program { name: &name, author: None, language, files });
        }
        let pairs = comparison.finish(500, THRESHOLD).pairs;
        let is_accepted = |name: &str| name.contains("/accepted/");
        let similarity = |are_fine: &dyn Fn(&Pair) -> bool| {
            pairs.iter().filter(|pair| are_fine(pair)).map(|pair| pair.similarity).fold(0.0, f64::max)
        };
        let honest = similarity(&|pair| is_accepted(&pair.a) && is_accepted(&pair.b));
        let derived = similarity(&|_| true);
        println!("{package}: accepted {honest:.2}, all {derived:.2}");
        assert!(honest < THRESHOLD && derived > 0.8, "{package}: {honest} {derived}");
    }
}

/// Returns the submissions in a language with a grammar, each with the id of its language.
fn submissions(folder: &Path) -> Vec<(PathBuf, &'static str)> {
    let language = |path: &Path| match path.extension()?.to_str()? {
        "py" => Some("python3"),
        "c" | "cpp" => Some("cpp"),
        "java" => Some("java"),
        "rs" => Some("rust"),
        _ => None,
    };
    let folders = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    let mut found: Vec<_> = files.filter_map(|path| language(&path).map(|language| (path, language))).collect();
    found.sort();
    found
}

/// Prints how long a large class takes. Run it with `cargo test --release -p referee-similarity -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn the_cpu_time_of_a_thousand_programs() {
    let class = class(SEED, 1000);
    let lines: usize = class.programs.iter().map(|(_, _, text)| text.lines().count()).sum();
    let cpu_seconds = || {
        let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        statistics.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
    };
    let before = cpu_seconds();
    let similar = compared(&class);
    println!("{} programs with {lines} lines: {:.2} s", similar.compared, cpu_seconds() - before);
    let (planted, honest) = planted_and_honest(&class, &similar);
    println!("planted {planted:.2?}, honest {:.2?}, above the threshold: {}", &honest[..5], similar.similar);
}
