//! The `referee` command.

use std::process::ExitCode;

referee_sandbox::record_closed_output!();

fn main() -> ExitCode {
    referee_sandbox::init(referee_judge::SANDBOX);
    referee_language::remember_answers();
    referee::cli::main()
}
