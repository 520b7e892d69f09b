//! `referee doctor`: reports what this machine enforces, which languages are installed, and what is missing.

use std::io::{self, Write};

use clap::Args;

use super::common::ReportArguments;
use super::judgehost::state_folder;
use super::judgehost_connection::ConnectionArguments;
use super::languages::LanguageArguments;
use super::{Exit, Failure};
use crate::doctor;
use referee_event::Event;
use referee_judgehost::Check;
use referee_language::CommandsOf;
use referee_text::columns::columns;
use referee_text::printable::printable_line;

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
  referee doctor --judgehost --secret restapi.secret

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

    /// Only check whether this machine can judge for a DOMjudge server; exits with 1 if anything is missing
    ///
    /// Checks the version and the languages of the server, the clocks, the sandbox and the disk.
    #[arg(long, conflicts_with_all = ["apparmor_profile", "json", "junit", "html", "github", "quiet", "verbose"])]
    judgehost: bool,

    #[command(flatten)]
    connection: ConnectionArguments,

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
    if arguments.judgehost {
        return check_judgehost(arguments);
    }
    if arguments.connection.is_given() {
        let failure = Failure::unusable("--url, --secret, --ca and --default-script are for --judgehost");
        return Err(failure.with_hint("add --judgehost to check this machine for a DOMjudge server"));
    }
    let languages = arguments.languages.load()?;
    let mut reports = arguments.reports.open(String::new())?;
    reports.event(&Event::DoctorFinished(doctor::examine(&languages)));
    reports.finish()?;
    Ok(Exit::AsExpected)
}

/// Prints one line for each check of this machine as a judgehost.
fn check_judgehost(arguments: &Arguments) -> Result<Exit, Failure> {
    let client = arguments.connection.client()?;
    let languages = arguments.languages.load_like(Some(CommandsOf::Domjudge))?;
    let scripts = arguments.connection.default_scripts();
    let checks = referee_judgehost::examine(&client, &languages, &scripts, &state_folder(None)?);
    let widest = checks.iter().map(|check| columns(&check.name)).max().unwrap_or_default();
    let line = |Check { name, is_fine, found }: &Check| {
        let name = printable_line(name);
        let gap = " ".repeat(widest.saturating_sub(columns(&name)));
        format!("{} {name}{gap}  {}\n", if *is_fine { "ok     " } else { "MISSING" }, printable_line(found))
    };
    super::print_text(&checks.iter().map(line).collect::<String>())?;
    Ok(if checks.iter().all(|check| check.is_fine) { Exit::AsExpected } else { Exit::NotAsExpected })
}
