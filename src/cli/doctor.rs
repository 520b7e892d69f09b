//! `referee doctor`: reports what this machine enforces, which languages are installed, and what is missing.

use std::io::{self, Write};

use clap::Args;

use super::common::ReportArguments;
use super::languages::LanguageArguments;
use super::{Exit, Failure};
use crate::doctor;
use referee_event::Event;

/// Report which limits this machine enforces, which languages it has, and how to get what is missing
///
/// Tries each mechanism of the sandbox, asks the tools of each language for their version, and compares the cost of one
/// run with that of the same program started without a sandbox.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  referee doctor
  referee doctor --json - | jq .sandbox.overall
  referee doctor --apparmor-profile | sudo tee /etc/apparmor.d/referee

REFEREE_SANDBOX_WITHOUT=namespaces,landlock,seccomp,cgroups turns mechanisms
off, to show what a machine without them would enforce. With `systemd` in this
list, systemd is not asked for a control group.")]
pub(super) struct Arguments {
    /// Only print an AppArmor profile that allows user namespaces for this program
    ///
    /// Ubuntu denies user namespaces to programs without such a profile. To install it, write it to
    /// /etc/apparmor.d/referee and run: apparmor_parser -r /etc/apparmor.d/referee
    #[arg(long)]
    apparmor_profile: bool,

    #[command(flatten)]
    languages: LanguageArguments,

    #[command(flatten)]
    reports: ReportArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if arguments.apparmor_profile {
        io::stdout().write_all(doctor::apparmor_profile()?.as_bytes())?;
        return Ok(Exit::AsExpected);
    }
    let languages = arguments.languages.load()?;
    let mut reports = arguments.reports.open(String::new())?;
    reports.event(&Event::DoctorFinished(doctor::examine(&languages)));
    reports.finish()?;
    Ok(Exit::AsExpected)
}
