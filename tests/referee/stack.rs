//! The stack: a program can use nearly its whole memory limit as stack, and endless recursion is a run-time error.

use serde_json::Value;

use super::support::command::{json, of_type, referee, write};
use super::support::long_limits::sum_with_long_limits;
use super::support::program::temporary_folder;

/// A program that uses 700 MB of stack with four million frames.
const DEEP: &str = "#include <cstdio>
__attribute__((noinline)) static long down(volatile int n) {
    volatile long a[20]; a[n % 20] = n; return n ? down(n - 1) + a[n % 20] : 0;
}
int main() { int a, b; scanf(\"%d %d\", &a, &b); volatile long s = down(4000000); printf(\"%d\\n\", s ? a + b : 0); }
";

/// A program that recurses endlessly. Besides its stack, it uses `HEAP` MiB of memory.
const ENDLESS: &str = "#include <cstdio>
#include <vector>
static long down(volatile long n) { return down(n + 1) + n; }
int main() { std::vector<char> heap(HEAP << 20, 1); printf(\"%ld\\n\", down(0) + heap[5]); }
";

const ENDLESS_IN_RUST: &str = "fn down(n: u64) -> u64 {
    let a = std::hint::black_box([n; 20]);
    if a[3] == u64::MAX { 0 } else { down(n + 1) + std::hint::black_box(a)[7] }
}
fn main() { println!(\"{}\", down(0)); }
";

/// A program that never ends: it repeatedly fills 280 MB of stack and empties it again.
const SLOW: &str = "#include <cstdio>
__attribute__((noinline)) static long down(volatile int n) {
    volatile long a[20]; a[n % 20] = n; return n ? down(n - 1) + a[n % 20] : 0;
}
int main() { volatile long s = 0; for (;;) s += down(1600000); }
";

const THREADS: &str = "#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>
int main() {
    int a, b; scanf(\"%d %d\", &a, &b);
    std::atomic<int> count{0}; std::vector<std::thread> threads;
    for (int i = 0; i < 20; i++) threads.emplace_back([&] { count++; });
    for (auto &thread : threads) thread.join();
    printf(\"%d\\n\", count == 20 ? a + b : 0);
}
";

/// Returns the result of the program with a memory limit of `mib` MiB and a time limit of `seconds`.
fn judged(text: &str, mib: u32, seconds: &str) -> Value {
    judged_as("program.cpp", text, mib, seconds)
}

/// Returns the result of a program in a file called `name`; otherwise like [`judged`].
fn judged_as(name: &str, text: &str, mib: u32, seconds: &str) -> Value {
    let folder = temporary_folder();
    let program = write(folder.path(), name, text);
    let mut command = referee(["grade", "--cases", "secret/1", "--no-cache", "--time-limit", seconds]);
    command.args(["--memory", &mib.to_string()]).arg(sum_with_long_limits(folder.path())).arg(program);
    let (_, lines) = json(command);
    of_type(&lines, "case_finished")[0].clone()
}

fn overflows(text: &str, mib: u32, seconds: &str) {
    let case = judged(text, mib, seconds);
    let told = case["message"].as_str().unwrap_or_default();
    assert!(case["verdict"] == "RTE" && told.contains("stack overflow"), "{mib} MiB, {seconds} s: {case}");
}

#[test]
fn a_recursion_of_four_million_frames_is_right_where_the_memory_limit_allows_it() {
    needs!("g++");
    assert_eq!(judged(DEEP, 2048, "20")["verdict"], "AC");
    overflows(DEEP, 512, "20");
}

#[test]
fn endless_recursion_is_a_run_time_error_under_every_memory_limit() {
    needs!("g++");
    for mib in [32, 64, 256, 1024] {
        overflows(&ENDLESS.replace("HEAP", "1"), mib, "20");
    }
}

#[test]
fn endless_recursion_is_a_run_time_error_where_another_limit_is_reached_first() {
    needs!("g++");
    // A stack of 4 GiB takes more than two seconds to fill. The 256 MiB from which on a stack counts as deep take a
    // tenth of a second, and half a second on a busy machine.
    let time_comes_first = ENDLESS.replace("HEAP", "1");
    overflows(&time_comes_first, 4096, "0.8");
    // From half of the memory limit on, a growing stack counts. The program needs a third of a second for the rest, in
    // which even a busy machine lets the judge read the size of the stack.
    let memory_comes_first = ENDLESS.replace("HEAP", "400");
    overflows(&memory_comes_first, 2048, "20");
}

#[test]
fn endless_recursion_in_rust_which_aborts_is_a_stack_overflow_too() {
    needs!("rustc", "g++");
    for (mib, seconds) in [(256, "10"), (2048, "10"), (2048, "1")] {
        let case = judged_as("program.rs", ENDLESS_IN_RUST, mib, seconds);
        let told = case["message"].as_str().unwrap_or_default();
        assert!(case["verdict"] == "RTE" && told.contains("stack overflow"), "{mib} MiB, {seconds} s: {case}");
    }
}

/// On a busy machine the judge may not see how the stack of a Rust program grows. Then full memory and the message of
/// Rust's runtime together show the overflow, and neither of them alone does.
#[test]
fn a_program_that_aborts_has_overflowed_its_stack_if_its_memory_is_full_and_rust_says_so() {
    needs!("g++");
    for (mib, message, expected) in [
        (230, "\nthread 'main' (1) has overflowed its stack\n", "stack overflow"),
        (230, "", "SIGABRT"),
        (10, "\nthread 'main' (1) has overflowed its stack\n", "SIGABRT"),
    ] {
        let aborts = format!(
            "#include <cstdio>\n#include <cstdlib>\n#include <vector>\n\
             int main() {{ std::vector<char> heap({mib} << 20, 1); fputs({message:?}, stderr); abort(); }}\n"
        );
        let case = judged(&aborts, 256, "10");
        let told = case["message"].as_str().unwrap_or_default();
        assert!(case["verdict"] == "RTE" && told.contains(expected), "{mib} MiB, {message:?}: {case}");
    }
}

#[test]
fn a_slow_program_with_a_deep_stack_is_too_slow_and_no_stack_overflow() {
    needs!("g++");
    assert_eq!(judged(SLOW, 1024, "1")["verdict"], "TLE");
}

#[test]
fn threads_start_under_a_large_memory_limit() {
    needs!("g++");
    assert_eq!(judged(THREADS, 2048, "20")["verdict"], "AC");
}

#[test]
fn an_input_validator_may_recurse_over_a_megabyte() {
    needs!("g++");
    let folder = temporary_folder();
    let package = sum_with_long_limits(folder.path());
    let validator = "#include <iostream>\n#include <iterator>\n#include <regex>\n#include <string>\nint main() {\n\
                     std::string all(std::istreambuf_iterator<char>(std::cin), {});\n\
                     return std::regex_match(all, std::regex(\"[0-9 -]+\\n\")) ? 42 : 43;\n}\n";
    write(&package, "input_validators/matches.cpp", validator);
    write(&package, "data/secret/1.in", &format!("3 {}4\n", "0".repeat(1_000_000)));
    let mut command = referee(["verify", "--only", "inputs"]);
    command.arg(&package);
    let (code, lines) = json(command);
    let findings: Vec<_> =
        of_type(&lines, "verify_finding").into_iter().filter(|line| line["severity"] != "note").collect();
    assert!(code == 0 && findings.is_empty(), "exit code {code}: {lines:?}");
}
