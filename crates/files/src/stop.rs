//! Asks the program whether the user wants it to stop. Long work on files asks between two files.
//!
//! The signal handlers are in a crate that the readers of packages do not know. So the program registers a function.

use std::sync::OnceLock;

static ASKED: OnceLock<fn() -> bool> = OnceLock::new();

/// Registers the function that says whether the user wants the program to stop. Later calls change nothing.
pub fn ask(function: fn() -> bool) {
    let _ = ASKED.set(function);
}

/// Whether the user wants the program to stop; `false` if the program registers no function.
pub fn is_wanted() -> bool {
    ASKED.get().is_some_and(|asked| asked())
}
