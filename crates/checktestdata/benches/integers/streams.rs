//! The C++ program with which the validator is compared. It reads the integers with streams.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use crate::cases::Case;

/// With the task `bounds`, the program reads integers up to the end of the input and checks their bounds. With the task
/// `array`, the first integer is a count; the program reads this number of further integers, checks their bounds and
/// stores them. With the task `unique`, the program also checks that the stored integers are different.
const READER: &str = r#"
#include <cstdlib>
#include <iostream>
#include <string>
#include <unordered_set>
#include <vector>

int main(int, char **arguments) {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    const long long low = std::atoll(arguments[1]), high = std::atoll(arguments[2]);
    const std::string task = arguments[3];
    long long x;
    if (task == "bounds") {
        while (std::cin >> x)
            if (x < low || x > high) return 1;
        return !std::cin.eof();
    }
    std::size_t count;
    std::cin >> count;
    std::vector<long long> values(count);
    std::unordered_set<long long> seen;
    for (long long &value : values) {
        std::cin >> value;
        if (!std::cin || value < low || value > high) return 1;
        if (task == "unique" && !seen.insert(value).second) return 1;
    }
}
"#;

/// Compiles the reader into `folder`.
pub(crate) fn compile(folder: &Path) {
    std::fs::write(folder.join("reader.cpp"), READER).expect("the source can be written");
    let mut compiler = Command::new("g++");
    compiler.args(["-O2", "-o", "reader", "reader.cpp"]).current_dir(folder);
    assert!(compiler.status().expect("g++ starts").success());
}

/// Returns the command that runs the reader with `task` on the file `input`.
pub(crate) fn reader(folder: &Path, input: &Path, case: &Case, task: &str) -> Command {
    let mut command = Command::new(folder.join("reader"));
    command.args([case.low.to_string(), case.high.to_string(), task.to_owned()]);
    command.stdin(File::open(input).expect("the input is there"));
    command
}
