//! `referee completions`: prints completion scripts for shells.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, Exit, Failure};

/// Print the completion script of a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  referee completions bash > ~/.local/share/bash-completion/completions/referee
  referee completions zsh > ~/.zfunc/_referee        (a folder of your $fpath)
  referee completions fish > ~/.config/fish/completions/referee.fish")]
pub(super) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    // The generator panics if it cannot write, for example to a closed pipe. Therefore it writes to memory first.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "referee", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::AsExpected)
}
