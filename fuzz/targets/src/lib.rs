//! What is fuzzed: functions that take any bytes, and panic if something is wrong with what is done with them.
//!
//! Each has its corpus in `fuzz/corpus/`, in a folder of its name. `cargo fuzz run NAME` (in `fuzz/`) looks for more;
//! the test here runs all that is in the corpus, and what random changes make of it.

#![allow(clippy::panic, clippy::missing_panics_doc, reason = "to panic is what they are for")]

mod boards;
mod comparison;
mod package_files;
mod reports;

pub use boards::{boards, checkers, shrinkers};
pub use comparison::comparison;
pub use package_files::{generators_yaml, package_files};
pub use reports::reports;

/// A target: its name, and what it does with bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const ALL: [Target; 7] = [
    ("boards", boards),
    ("checkers", checkers),
    ("comparison", comparison),
    ("generators_yaml", generators_yaml),
    ("package_files", package_files),
    ("reports", reports),
    ("shrinkers", shrinkers),
];
