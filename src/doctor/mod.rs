//! Reports what this machine can do: the mechanisms of the sandbox, the languages, and the cost of a run.

mod apparmor;
mod cost;
mod languages;

use std::ffi::OsString;
use std::path::PathBuf;

pub use apparmor::profile as apparmor_profile;
use referee_event::DoctorFinished;
use referee_judge::{enforced_part, enforcement};
use referee_language::Table;
use referee_sandbox::{self as sandbox, Mode, Program, Sandbox};

/// Examines the sandbox, the languages in `known`, and the cost of a run. Takes some seconds.
pub fn examine(known: &Table) -> DoctorFinished {
    let mechanisms = sandbox::mechanisms().into_iter().map(|(name, part)| (name.to_owned(), enforced_part(part)));
    DoctorFinished {
        sandbox: enforcement(Mode::Auto),
        mechanisms: mechanisms.collect(),
        languages: languages::find_all(known),
        cost: cost::measure(),
    }
}

/// Returns a sandbox for a command that is installed on this machine.
fn sandbox_for(command: Vec<OsString>, readable: Vec<PathBuf>) -> Sandbox {
    Sandbox::open(Program { readable, ..Program::new(command, "/") }, Mode::Auto)
}
