//! Finds the command that a benchmark measures.

use std::process::Command;

/// Returns the command that `$REFEREE` names, such as an earlier version, or else the one that Cargo has built.
pub(crate) fn referee() -> Command {
    Command::new(std::env::var_os("REFEREE").unwrap_or_else(|| env!("CARGO_BIN_EXE_referee").into()))
}
