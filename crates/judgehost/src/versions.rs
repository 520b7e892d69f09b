//! Reports the versions of compilers, for which servers ask since version 8.3.

use referee_files::temporary;
use referee_judge::{JudgeError, Settings};
use referee_sandbox::Limits;
use referee_text::printable::printable;
use std::time::Duration;

use crate::api::{Api, ApiError};
use crate::executable::Workshop;
use crate::tasks::Id;
use crate::trouble::Trouble;

/// The limits of a command that prints a version. A Java virtual machine needs most of the time and memory.
const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(10),
    wall: Duration::from_secs(20),
    memory_bytes: 2 << 30,
    output_bytes: 1 << 20,
    until: None,
};

/// Runs the commands that the server names, and reports what they print. Does nothing if the server names none. Fails
/// with [`Trouble::Drop`] if the server does not accept the versions.
pub(crate) fn report(api: &Api<'_>, task: &Id, settings: &Settings) -> Result<(), Trouble> {
    let commands = match api.version_commands(task) {
        Ok(commands) => commands,
        // The server does not know the call.
        Err(ApiError::Refused(_)) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let printed = |command: &Option<String>| command.as_deref().map(|command| run(command, settings)).transpose();
    let (compiler, runner) = (printed(&commands.compiler_version_command)?, printed(&commands.runner_version_command)?);
    if compiler.is_none() && runner.is_none() {
        return Ok(());
    }
    api.check_versions(task, compiler.as_deref(), runner.as_deref()).map_err(|error| match error {
        ApiError::Refused(reason) => Trouble::Drop(format!("the server does not accept the versions: {reason}")),
        error => Trouble::from(error),
    })
}

/// Runs a command of the shell in the sandbox, and returns what it prints.
fn run(command: &str, settings: &Settings) -> Result<String, Trouble> {
    let making = |source| JudgeError::System { doing: "asking for a version", source };
    let folder = temporary::folder("judgehost").map_err(making)?;
    let commands = format!("{{ {command}\n}} 2>&1");
    let (outcome, _) = Workshop::open(settings)?.run(&commands, Vec::new(), LIMITS, folder.path())?;
    Ok(printable(&outcome.stdout).trim().to_owned())
}
