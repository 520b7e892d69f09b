//! The `referee` command.

use std::process::ExitCode;

referee_sandbox::record_closed_output!();

/// The allocator of musl unmaps and maps memory again and again, which takes a third of the time of a short run.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    referee_sandbox::init(referee_judge::SANDBOX);
    referee_language::remember_answers();
    referee::cli::main()
}
