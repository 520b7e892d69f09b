//! Keeps the secrets of this process from the programs that it runs: those of a shared cache, and the password of a
//! judgehost.
//!
//! Without namespaces, programs of an ordinary user run as the same user as the judge. Landlock then keeps them from the
//! files and from the memory of other processes. Where Landlock is missing, too, nothing hides the user's files and the
//! environment of the shell that has started the judge. So the commands with secrets refuse to run there.

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

use super::{Failure, judgehost_connection, shared_cache};
use referee_sandbox::{Enforcement, Mode, Protection};

/// Makes the memory and the environment of this process unreadable for other processes of its user, if a variable has a
/// secret.
pub(super) fn hide_those_of_environment() -> Result<(), Failure> {
    let names = [shared_cache::SECRET, shared_cache::AUTHORIZATION, judgehost_connection::PASSWORD];
    if names.iter().any(|name| std::env::var_os(name).is_some()) { hide() } else { Ok(()) }
}

/// Makes the memory and the environment of this process unreadable for other processes of its user. If the process
/// crashes, the kernel writes no core dump.
pub(super) fn hide() -> Result<(), Failure> {
    set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .map_err(|error| Failure::judge(format!("cannot make the memory of this process unreadable: {error}")))
}

/// Returns why programs could reach files or the network of the judge's user in this mode of the sandbox, and what the
/// user can do about it; `None` if they cannot.
pub(super) fn exposure(mode: Mode) -> Option<(String, Option<String>)> {
    Enforcement::of(mode).exposure().map(reason)
}

/// Returns why programs could read files of the judge's user in this mode of the sandbox, and what the user can do about
/// it; `None` if they cannot.
pub(super) fn exposure_of_files(mode: Mode) -> Option<(String, Option<String>)> {
    Enforcement::of(mode).absent("files").map(reason)
}

fn reason(part: &Protection) -> (String, Option<String>) {
    (part.why.clone(), part.remedy.clone())
}
