//! `referee --version --verbose`: what a bug report should contain about the binary.

use std::io::{self, Write};

use clap::{Arg, ArgAction, CommandFactory};

use super::Cli;

/// Returns whether the arguments contain `--verbose` as well. clap stops at `--version`, so this parses the arguments
/// again, with a `--version` at which it does not stop.
pub(super) fn is_verbose() -> bool {
    let version = Arg::new("version").short('V').long("version").action(ArgAction::SetTrue);
    let command = Cli::command().disable_version_flag(true).subcommand_required(false).arg(version);
    command.try_get_matches().is_ok_and(|matches| matches.get_flag("verbose"))
}

/// Prints the version, and how this binary was built. Fails if the output cannot be written.
pub(super) fn print_verbose() -> io::Result<()> {
    let text = format!(
        "referee {}\ncommit: {}\ntarget: {}\nfeatures: {}\nprofile: {}\nbuild: {}\n",
        env!("CARGO_PKG_VERSION"),
        env!("REFEREE_COMMIT"),
        env!("REFEREE_TARGET"),
        env!("REFEREE_FEATURES"),
        env!("REFEREE_PROFILE"),
        env!("REFEREE_BUILD"),
    );
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
