//! The `referee` command: parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    referee::cli::main()
}
