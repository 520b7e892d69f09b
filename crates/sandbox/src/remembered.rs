//! Remembers between runs of the judge that this machine enforces every part of the sandbox.
//!
//! The test of the machine starts processes, which takes longer than the rest of a run in which no program has to run.
//! So a judge that has found everything enforced stores this under a question, which contains everything that the
//! judge can read about its own rights and the kernel. A later judge with the same question takes the stored answer.
//!
//! A remembered answer never replaces the isolation itself. Each zygote starts with the whole isolation, and reports the
//! parts that are in force. If a part of the answer is missing, or if there are no control groups, no program runs: the
//! run fails, and the answer is forgotten. A machine on which a part is missing is tested in every run, so nothing
//! that the user repairs stays hidden.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use super::isolation::InForce;
use super::machine::Machine;
use super::plan::{Isolation, Namespaces};
use super::{SandboxError, cgroup, init};

/// Stores answers between runs, where no other user can change them.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Returns the answer that was stored last under the question; `None` if there is none.
    pub recall: fn(question: &[&[u8]]) -> Option<String>,
    /// Stores an answer of one line.
    pub store: fn(question: &[&[u8]], answer: &str),
}

static MEMORY: OnceLock<Memory> = OnceLock::new();

/// Whether [`super::machine::capabilities`] returned a remembered answer.
static IS_IN_USE: AtomicBool = AtomicBool::new(false);

/// Whether that answer was forgotten.
static IS_FORGOTTEN: AtomicBool = AtomicBool::new(false);

/// Lets the sandbox remember between runs that this machine enforces everything. Call it after [`crate::init()`], and
/// before everything else. Without this call, each process tests the machine.
///
/// A remembered answer can only be outdated if the machine enforces less than before. A run of a program then fails,
/// and the next process tests the machine again.
pub fn remember_with(memory: Memory) {
    let _ = MEMORY.set(memory);
}

/// The part of a [`Machine`] that can differ between machines that enforce everything.
#[derive(Serialize, Deserialize)]
struct Stored {
    isolation: Isolation,
    in_force: InForce,
    first_spare_user: Option<u32>,
}

/// Returns the remembered machine; `None` if there is none.
pub(super) fn machine() -> Option<Machine> {
    let answer = recall(MEMORY.get()?)?;
    let Stored { isolation, in_force, first_spare_user } = serde_json::from_str(&answer).ok()?;
    let machine = Machine {
        isolation,
        in_force,
        no_namespaces: None,
        no_set_up: None,
        first_spare_user,
        no_groups: None,
        limits_swap: true,
    };
    enforces_everything(&machine).then_some(())?;
    IS_IN_USE.store(true, Ordering::Relaxed);
    Some(machine)
}

/// Stores a machine that was tested, if it enforces everything.
pub(super) fn store(machine: &Machine) {
    let Some(memory) = MEMORY.get().filter(|_| enforces_everything(machine)) else { return };
    let Machine { isolation, in_force, first_spare_user, .. } = *machine;
    if let Ok(answer) = serde_json::to_string(&Stored { isolation, in_force, first_spare_user }) {
        with_question(|question| (memory.store)(question, &answer));
    }
}

/// Fails if a remembered machine has control groups and this one has none, or none that limit swap space.
pub(super) fn check_groups() -> Result<(), SandboxError> {
    if !IS_IN_USE.load(Ordering::Relaxed) {
        return Ok(());
    }
    match cgroup::available() {
        Err(reason) => Err(outdated(&format!("control groups cannot be used any more: {reason}"))),
        Ok(()) if !cgroup::limits_swap() => Err(outdated("control groups do not limit swap space any more")),
        Ok(()) => Ok(()),
    }
}

/// Fails if the isolation of a zygote is weaker than that of the remembered machine.
pub(super) fn check_isolation(machine: &Machine, found: InForce) -> Result<(), SandboxError> {
    let InForce { landlock, proc, task_clock: _ } = machine.in_force;
    if !IS_IN_USE.load(Ordering::Relaxed) || (found.landlock >= landlock && found.proc >= proc) {
        return Ok(());
    }
    Err(outdated("Landlock or /proc are not as before"))
}

/// Forgets the remembered machine after a zygote could not be started. Returns what the user can do, to be appended to
/// the reason; empty if no machine was remembered.
pub(super) fn forget() -> &'static str {
    let Some(memory) = MEMORY.get().filter(|_| IS_IN_USE.load(Ordering::Relaxed)) else { return "" };
    // Another judge may have stored a new answer since, so this one forgets at most once.
    if !IS_FORGOTTEN.swap(true, Ordering::Relaxed) {
        with_question(|question| (memory.store)(question, ""));
    }
    "; run the same command again, which tests the machine"
}

fn outdated(what: &str) -> SandboxError {
    let remedy = forget();
    let reason = format!("comparing the sandbox with that of an earlier run: {what}{remedy}");
    SandboxError::Isolation { reason, source: std::io::Error::other("the machine has changed") }
}

fn enforces_everything(machine: &Machine) -> bool {
    let Isolation { namespaces, landlock, filter } = machine.isolation;
    let has_own_user = machine.first_spare_user.is_some() || namespaces == Some(Namespaces::ByUser);
    let is_isolated = namespaces.is_some()
        && has_own_user
        && landlock
        && filter
        && machine.in_force.landlock > 0
        && machine.in_force.proc;
    let lacks = machine.no_namespaces.is_some() || machine.no_set_up.is_some() || machine.no_groups.is_some();
    is_isolated && !lacks && machine.limits_swap
}

fn recall(memory: &Memory) -> Option<String> {
    let mut answer = None;
    with_question(|question| answer = (memory.recall)(question));
    answer
}

/// Files about the rights of this process and about what the kernel allows. A file that is missing counts as empty.
const FILES: [&str; 8] = [
    "/proc/sys/kernel/random/boot_id",
    "/proc/self/attr/current",
    "/proc/self/mountinfo",
    "/proc/self/setgroups",
    "/proc/self/uid_map",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/user/max_user_namespaces",
];

/// Lines of `/proc/self/status` about the rights of this process.
const STATUS: [&str; 7] = ["Uid:", "Gid:", "CapEff:", "CapBnd:", "NoNewPrivs:", "Seccomp:", "Seccomp_filters:"];

/// Links that name the namespaces of this process.
const NAMESPACES: [&str; 4] = ["user", "mnt", "pid", "cgroup"];

/// Calls `use_question` with everything that the answer depends on.
fn with_question(use_question: impl FnOnce(&[&[u8]])) {
    static QUESTION: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let question = QUESTION.get_or_init(|| {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let status = status.lines().filter(|line| STATUS.iter().any(|start| line.starts_with(start)));
        let namespaces = NAMESPACES.map(|name| fs::read_link(PathBuf::from("/proc/self/ns").join(name)).ok());
        let judge = fs::metadata("/proc/self/exe")
            .map(|found| (found.dev(), found.ino(), found.len(), found.mtime(), found.mtime_nsec(), found.ctime()));
        let disabled = init::without().map(|variable| std::env::var(variable).unwrap_or_default());
        let swap = rustix::system::sysinfo().totalswap;
        let groups = without_scope_names(&fs::read_to_string("/proc/self/cgroup").unwrap_or_default());
        // The judge finds systemd with this variable when it asks for a control group.
        let runtime = std::env::var_os("XDG_RUNTIME_DIR");
        let groups = (groups, runtime, swap);
        let own = format!("{:?}", (env!("CARGO_PKG_VERSION"), judge.ok(), disabled, groups, namespaces, init::name()));
        let files = FILES.map(|path| fs::read(path).unwrap_or_default());
        [own.into_bytes(), status.collect::<Vec<_>>().join("\n").into_bytes()].into_iter().chain(files).collect()
    });
    use_question(&question.iter().map(Vec::as_slice).collect::<Vec<_>>());
}

/// Returns the control groups without the names that `systemd-run --scope` invents for each command. Otherwise each of
/// these commands would ask another question.
fn without_scope_names(groups: &str) -> String {
    let name = |part: &str| {
        let is_invented = part.strip_prefix("run-").is_some_and(|rest| rest.strip_suffix(".scope").is_some());
        if is_invented { "run.scope".to_owned() } else { part.to_owned() }
    };
    let line = |line: &str| line.split('/').map(name).collect::<Vec<_>>().join("/");
    groups.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Refused;

    #[test]
    fn commands_in_scopes_of_systemd_run_ask_the_same_question() {
        let groups = |scope: &str| without_scope_names(&format!("1:cpu:/\n0::/user.slice/{scope}\n"));
        assert_eq!(groups("run-r12ab.scope"), groups("run-r34cd.scope"));
        assert_ne!(groups("run-r12ab.scope"), groups("session-1.scope"));
        assert_ne!(groups("session-1.scope"), groups("session-2.scope"));
    }

    fn full() -> Machine {
        Machine {
            isolation: Isolation { namespaces: Some(Namespaces::ByUser), landlock: true, filter: true },
            in_force: InForce { landlock: 4, proc: true, task_clock: false },
            no_namespaces: None,
            no_set_up: None,
            first_spare_user: None,
            no_groups: None,
            limits_swap: true,
        }
    }

    #[test]
    fn a_machine_on_which_anything_is_missing_is_not_remembered() {
        assert!(enforces_everything(&full()));
        let isolation = full().isolation;
        let refused = Refused { reason: String::new(), remedy: String::new() };
        let lacking = [
            Machine { isolation: Isolation { namespaces: None, ..isolation }, ..full() },
            Machine { isolation: Isolation { namespaces: Some(Namespaces::ByRoot), ..isolation }, ..full() },
            Machine { isolation: Isolation { landlock: false, ..isolation }, ..full() },
            Machine { isolation: Isolation { filter: false, ..isolation }, ..full() },
            Machine { in_force: InForce { landlock: 0, ..full().in_force }, ..full() },
            Machine { in_force: InForce { proc: false, ..full().in_force }, ..full() },
            Machine { no_namespaces: Some(refused), ..full() },
            Machine { no_set_up: Some(String::new()), ..full() },
            Machine { no_groups: Some(String::new()), ..full() },
            Machine { limits_swap: false, ..full() },
        ];
        for machine in lacking {
            assert!(!enforces_everything(&machine), "{machine:?}");
        }
    }
}
