//! Measures the overhead of grading one program on many small cases. The grading is compared with a loop that spawns the
//! program once per case, reads its output through a pipe and compares the output with the answer.
//!
//! `cargo bench --bench grade` does this for two programs: one in C++, and one that uses no library and starts in a
//! tenth of the time. It grades the second one also with an output validator. The loop then spawns the validator for
//! each case instead of comparing the output itself.
//!
//! The benchmark prints the time of `referee grade` on one case (the start-up), and the time of each further case with
//! its ratio to one round of the loop. It also prints the time of a second run whose results are all cached. All times
//! are medians over alternating rounds. `$REFEREE` names another binary to measure, such as an earlier version. Needs
//! gcc and g++.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run must fail")]

#[path = "support/binary.rs"]
mod binary;
#[path = "support/ratios.rs"]
mod ratios;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CASES: usize = 1000;
const ROUNDS: usize = 7;

/// A program to be graded, which prints 1 on every input, or an output validator.
struct Subject {
    name: &'static str,
    /// The name of the source file.
    file: &'static str,
    compiler: &'static str,
    options: &'static [&'static str],
    source: &'static str,
}

const SUBJECTS: [Subject; 2] = [
    Subject {
        name: "C++",
        file: "one.cpp",
        compiler: "g++",
        options: &["-O2", "-static"],
        source: "#include <iostream>\nint main() { long a, b; std::cin >> a >> b; std::cout << b << \"\\n\"; }\n",
    },
    Subject {
        name: "raw static",
        file: "one.c",
        compiler: "gcc",
        options: &["-O2", "-static", "-nostdlib"],
        source: RAW,
    },
];

/// Accepts the output if its first number is that of the answer. Writes a message, as most output validators do.
const VALIDATOR: Subject = Subject {
    name: "validator",
    file: "validate.c",
    compiler: "gcc",
    options: &["-O2", "-static"],
    source: "#include <stdio.h>\n#include <string.h>\n\
             int main(int count, char **words) {\n\
             \x20   int found = 0, wanted = 0;\n\
             \x20   char message[4096];\n\
             \x20   FILE *answer = fopen(words[2], \"r\");\n\
             \x20   if (!answer || fscanf(answer, \"%d\", &wanted) != 1) return 1;\n\
             \x20   if (scanf(\"%d\", &found) != 1) return 43;\n\
             \x20   strcat(strcpy(message, words[3]), \"judgemessage.txt\");\n\
             \x20   fprintf(fopen(message, \"w\"), \"found %d\\n\", found);\n\
             \x20   return found == wanted ? 42 : 43;\n\
             }\n",
};

/// A program that uses no library. It makes two system calls: it writes, and it exits.
#[cfg(target_arch = "x86_64")]
const RAW: &str = "static long call(long n, long a, const void *b, long c) { long r; __asm__ volatile(\"syscall\" : \
                   \"=a\"(r) : \"a\"(n), \"D\"(a), \"S\"(b), \"d\"(c) : \"rcx\", \"r11\", \"memory\"); return r; }\n\
                   void _start(void) { call(1, 1, \"1\\n\", 2); call(60, 0, 0, 0); }\n";
#[cfg(target_arch = "aarch64")]
const RAW: &str = "static long call(long n, long a, const void *b, long c) { register long x8 __asm__(\"x8\") = n; \
                   register long x0 __asm__(\"x0\") = a; register const void *x1 __asm__(\"x1\") = b; register long x2 \
                   __asm__(\"x2\") = c; __asm__ volatile(\"svc #0\" : \"+r\"(x0) : \"r\"(x8), \"r\"(x1), \"r\"(x2) : \
                   \"memory\"); return x0; }\nvoid _start(void) { call(64, 1, \"1\\n\", 2); call(93, 0, 0, 0); }\n";

fn main() {
    // `cargo test --benches` only checks that the benchmark starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let [plain, validated] = [false, true].map(|has_validator| Packages::make(folder.path(), has_validator));
    for subject in &SUBJECTS {
        measure(subject.name, &subject.compile(folder.path()), &plain, &spawn_pipe_compare);
    }
    let (program, validator) = (SUBJECTS[1].compile(folder.path()), VALIDATOR.compile(folder.path()));
    measure("with a validator", &program, &validated, &|package, program| {
        spawn_both(package, program, &validator, folder.path());
    });
}

fn measure(name: &str, program: &Path, Packages { many, one }: &Packages, loop_over: &dyn Fn(&Path, &Path)) {
    let mut rounds: Vec<[Duration; 6]> = Vec::new();
    for _ in 0..ROUNDS {
        let looped = timed(|| loop_over(many, program));
        let graded = timed(|| grade(many, program, "1", None));
        let parallel = timed(|| grade(many, program, "2", None));
        let started = timed(|| grade(one, program, "1", None));
        let cache = tempfile::tempdir().expect("a temporary folder can be made");
        let first = timed(|| grade(many, program, "1", Some(cache.path())));
        let second = timed(|| grade(many, program, "1", Some(cache.path())));
        rounds.push([looped, graded, parallel, started, first, second]);
    }
    let median = |index: usize| {
        let mut times: Vec<_> = rounds.iter().map(|round| round[index]).collect();
        times.sort();
        times[ROUNDS / 2].as_secs_f64()
    };
    let (looped, graded, parallel, started) = (median(0), median(1), median(2), median(3));
    let (first, second) = (median(4), median(5));
    let each = |time: f64| (time - started).max(0.0) / (CASES - 1) as f64;
    let of_loop = looped / CASES as f64;
    println!("{name}: medians of {ROUNDS} rounds, {CASES} cases");
    println!("one round of the loop          {:>9.1} us", of_loop * 1e6);
    println!("each further case, grade -j 1  {:>9.1} us {:>6.2}x", each(graded) * 1e6, each(graded) / of_loop);
    println!("each further case, grade -j 2  {:>9.1} us {:>6.2}x", each(parallel) * 1e6, each(parallel) / of_loop);
    println!("grade of {CASES} cases, -j 1      {:>9.1} ms {:>6.2}x", graded * 1e3, graded / looped);
    println!("grade of one case              {:>9.1} ms", started * 1e3);
    println!("first grade with a cache       {:>9.1} ms {:>6.2}x of one without a cache", first * 1e3, first / graded);
    println!("second grade, all cached       {:>9.1} ms {:>6.3}x of the first", second * 1e3, second / first);
    for (what, ratio) in [
        ("each case, -j 1", each(graded) / of_loop),
        ("each case, -j 2", each(parallel) / of_loop),
        ("all cases", graded / looped),
        ("start-up, in rounds of the loop", started / of_loop),
        ("all cached", second / first),
    ] {
        ratios::record(&format!("grade: {name}, {what}"), ratio);
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed()
}

impl Subject {
    fn compile(&self, folder: &Path) -> PathBuf {
        let (program, text) = (folder.join(self.name), folder.join(self.file));
        fs::write(&text, self.source).expect("a source can be written");
        let status = Command::new(self.compiler).args(self.options).arg("-o").args([&program, &text]).status();
        assert!(status.expect("the compiler is installed").success(), "the program compiles");
        program
    }
}

/// Two packages that differ in the number of test cases.
struct Packages {
    many: PathBuf,
    one: PathBuf,
}

impl Packages {
    fn make(folder: &Path, has_validator: bool) -> Packages {
        let make = |name: &str, cases: usize| {
            let root = package(&folder.join(if has_validator { "validated" } else { "plain" }), name, cases);
            if has_validator {
                fs::create_dir(root.join("output_validator")).expect("a folder can be made");
                let source = root.join("output_validator").join(VALIDATOR.file);
                fs::write(source, VALIDATOR.source).expect("a source can be written");
            }
            root
        };
        Packages { many: make("many", CASES), one: make("one", 1) }
    }
}

fn package(folder: &Path, name: &str, cases: usize) -> PathBuf {
    let root = folder.join(name);
    let secret = root.join("data/secret");
    fs::create_dir_all(&secret).expect("a folder can be made");
    let problem = "problem_format_version: 2025-09\nname: Sum\nuuid: 1\nlimits:\n  time_limit: 2\n";
    fs::write(root.join("problem.yaml"), problem).expect("a file can be written");
    for case in 0..cases {
        fs::write(secret.join(format!("{case:04}.in")), format!("{case} 1\n")).expect("a file can be written");
        fs::write(secret.join(format!("{case:04}.ans")), "1\n").expect("a file can be written");
    }
    root
}

/// Spawns the program on every input, one after the other and without a sandbox, and compares its output with the
/// answer.
fn spawn_pipe_compare(package: &Path, program: &Path) {
    for case in 0..CASES {
        let input = File::open(package.join(format!("data/secret/{case:04}.in"))).expect("an input can be read");
        let output = Command::new(program).stdin(input).stdout(Stdio::piped()).output().expect("the program starts");
        let answer = fs::read(package.join(format!("data/secret/{case:04}.ans"))).expect("an answer can be read");
        assert!(output.status.success() && output.stdout == answer);
    }
}

/// Spawns the program on every input, and the output validator on its output, without a sandbox. The output goes
/// through a pipe, and the validator's folder is emptied.
fn spawn_both(package: &Path, program: &Path, validator: &Path, above: &Path) {
    let feedback = above.join("feedback");
    fs::create_dir_all(&feedback).expect("a folder can be made");
    for case in 0..CASES {
        let name = |ending: &str| package.join(format!("data/secret/{case:04}.{ending}"));
        let input = File::open(name("in")).expect("an input can be read");
        let run = Command::new(program).stdin(input).stdout(Stdio::piped()).output().expect("the program starts");
        assert!(run.status.success());
        let mut validate = Command::new(validator);
        validate.args([&name("in"), &name("ans")]).arg(format!("{}/", feedback.display()));
        let mut running = validate.stdin(Stdio::piped()).spawn().expect("the validator starts");
        let mut stdin = running.stdin.take().expect("it is piped");
        stdin.write_all(&run.stdout).expect("the validator reads");
        drop(stdin);
        assert_eq!(running.wait().expect("it ends").code(), Some(42));
        let message = feedback.join("judgemessage.txt");
        assert_eq!(fs::read(&message).expect("there is a message"), b"found 1\n");
        fs::remove_file(message).expect("it can be removed");
    }
}

/// Grades with the cache folder `cache`, or without a cache if it is `None`.
fn grade(package: &Path, program: &Path, jobs: &str, cache: Option<&Path>) {
    let mut command = binary::referee();
    command.arg("grade").arg(package).arg(program).args(["-q", "-j", jobs]);
    match cache {
        Some(folder) => command.env("XDG_CACHE_HOME", folder),
        None => command.arg("--no-cache"),
    };
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.expect("referee starts").success(), "the program is accepted");
}
