//! The fuzz targets: functions that accept any bytes, and panic if the tested code misbehaves.
//!
//! Each target has its corpus in `fuzz/corpus/NAME`. `cargo fuzz run NAME` (in `fuzz/`) searches for more inputs. The
//! test in this crate runs every target on its corpus and on randomly changed texts from it.

#![allow(clippy::panic, clippy::missing_panics_doc, reason = "a target panics if it finds a bug")]

mod boards;
mod comparison;
mod package_files;
mod reports;

pub use boards::{boards, checkers, shrinkers};
pub use comparison::comparison;
pub use package_files::{generators_yaml, package_files};
pub use reports::reports;

/// A target: its name and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: [Target; 7] = [
    ("boards", boards),
    ("checkers", checkers),
    ("comparison", comparison),
    ("generators_yaml", generators_yaml),
    ("package_files", package_files),
    ("reports", reports),
    ("shrinkers", shrinkers),
];
