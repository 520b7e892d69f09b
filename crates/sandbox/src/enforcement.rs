//! What the sandbox enforces on this machine, as a value that every report carries.

use std::collections::BTreeMap;

use super::isolation;
use super::machine::{self, Machine, Refused};

/// What the user asked of the sandbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The strongest this machine can do, and say what that is.
    #[default]
    Auto,
    /// Everything, or refuse to run.
    Strict,
    /// Limits only; for debugging.
    Off,
}

/// How much is enforced in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overall {
    /// Everything.
    Full,
    /// Something is missing.
    Partial,
    /// The user switched the sandbox off.
    Off,
}

/// How much of one part is enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Wholly.
    Enforced,
    /// In part.
    Partial,
    /// Not at all.
    Not,
}

/// One part of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// How much of it is enforced.
    pub state: State,
    /// What that means here.
    pub why: String,
    /// What to do for more, if anything can be done.
    pub remedy: Option<String>,
}

/// What is enforced, part by part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enforcement {
    /// The sum of the parts.
    pub overall: Overall,
    /// Each part by its name.
    pub parts: BTreeMap<String, Part>,
}

impl Enforcement {
    /// What the sandbox enforces under `mode`.
    pub fn of(mode: Mode) -> Self {
        let parts = match mode {
            Mode::Off => BTreeMap::from(off()),
            Mode::Auto | Mode::Strict => BTreeMap::from(of_machine(machine::found())),
        };
        let parts: BTreeMap<_, _> = parts.into_iter().map(|(name, part)| (name.to_owned(), part)).collect();
        let overall = match mode {
            Mode::Off => Overall::Off,
            _ if parts.values().all(|part| part.state == State::Enforced) => Overall::Full,
            _ => Overall::Partial,
        };
        Enforcement { overall, parts }
    }

    /// The names of the parts that are not wholly enforced, for a message.
    pub fn missing(&self) -> Vec<&str> {
        let lacking = self.parts.iter().filter(|(_, part)| part.state != State::Enforced);
        lacking.map(|(name, _)| name.as_str()).collect()
    }
}

fn enforced(why: &str) -> Part {
    Part { state: State::Enforced, why: why.to_owned(), remedy: None }
}

fn lacking(state: State, why: impl Into<String>, remedy: Option<&str>) -> Part {
    Part { state, why: why.into(), remedy: remedy.map(str::to_owned) }
}

const WALL_TIME: &str = "the monotonic clock, watched by the judge; everything the program started is killed";
const OUTPUT: &str = "both pipes are cut at their caps and the program is killed";

/// Limits only.
fn off() -> [(&'static str, Part); 9] {
    let asked = || lacking(State::Not, "switched off by --sandbox off", Some("leave out --sandbox off"));
    [
        ("wall_time", enforced(WALL_TIME)),
        ("cpu_time", lacking(State::Partial, OF_REAPED, Some("leave out --sandbox off"))),
        ("memory", lacking(State::Partial, SAMPLED, Some("leave out --sandbox off"))),
        ("output", enforced(OUTPUT)),
        ("processes", lacking(State::Partial, ADOPTED, Some("leave out --sandbox off"))),
        ("files", asked()),
        ("network", asked()),
        ("system_calls", asked()),
        ("user", asked()),
    ]
}

const OF_REAPED: &str = "the processes that are alive when they are looked at, and those that were waited for; a child \
                         nobody waits for is not counted once it has ended";
const SAMPLED: &str = "looked at every 20 ms, and the largest process's peak at its end; not exact over many processes";
const ADOPTED: &str = "found as the judge's adopted children and killed after each run";

fn of_machine(machine: &Machine) -> [(&'static str, Part); 9] {
    let inside = machine.isolation.namespaces.is_some();
    let refused = machine.no_namespaces.as_ref();
    [
        ("wall_time", enforced(WALL_TIME)),
        (
            "cpu_time",
            counted(machine, "the clock of the program's control group: every process, orphans too", OF_REAPED),
        ),
        (
            "memory",
            counted(machine, "the limit of the program's control group, kept by the kernel: all processes", SAMPLED),
        ),
        ("output", enforced(OUTPUT)),
        ("processes", processes(machine)),
        ("files", files(machine)),
        ("network", network(machine)),
        ("system_calls", system_calls(machine)),
        (
            "user",
            match (machine.spare_users.is_some(), inside) {
                (true, _) => enforced("a user that owns nothing, without any privilege"),
                (false, true) => enforced("the judge's own user in a namespace of its own, without any privilege"),
                (false, false) => without_namespaces(State::Not, "the program runs as the judge's user", refused),
            },
        ),
    ]
}

/// What control groups count, and what is known without them.
fn counted(machine: &Machine, with: &str, without: &str) -> Part {
    match &machine.no_groups {
        None => enforced(with),
        Some(_) => lacking(State::Partial, format!("{without}; no control groups"), Some(&machine::groups_remedy())),
    }
}

fn processes(machine: &Machine) -> Part {
    let inside = machine.isolation.namespaces.is_some();
    match (inside, &machine.no_groups) {
        (true, _) => {
            enforced("at most 512 at once, in a namespace of their own, of which all are killed after each run")
        }
        (false, None) => enforced("at most 512 at once; everybody in the control group is killed after each run"),
        (false, Some(_)) => without_namespaces(State::Partial, ADOPTED, machine.no_namespaces.as_ref()),
    }
}

fn files(machine: &Machine) -> Part {
    let private = "a private root with the system's folders and the program's own, all read-only";
    match (machine.isolation.namespaces.is_some(), machine.isolation.landlock) {
        (true, true) => enforced(&format!("{private}; Landlock version {}", machine.in_force.landlock)),
        (true, false) => enforced(private),
        (false, true) => without_namespaces(
            State::Partial,
            &format!(
                "Landlock version {}: only the system's folders and the program's own can be opened; names and sizes \
                 of others can be asked for",
                machine.in_force.landlock
            ),
            machine.no_namespaces.as_ref(),
        ),
        (false, false) => without_namespaces(
            State::Not,
            "the program sees and writes what its user can",
            machine.no_namespaces.as_ref(),
        ),
    }
}

fn network(machine: &Machine) -> Part {
    match (machine.isolation.namespaces.is_some(), machine.isolation.filter) {
        (true, true) => enforced("a network of its own with nothing in it, and no sockets"),
        (true, false) => enforced("a network of its own with nothing in it"),
        (false, true) => enforced("no sockets can be made"),
        (false, false) => {
            without_namespaces(State::Not, "the program can use the network", machine.no_namespaces.as_ref())
        }
    }
}

fn system_calls(machine: &Machine) -> Part {
    let holds = machine.isolation.namespaces.is_some() || isolation::holds_signals(machine.in_force.landlock);
    match (machine.isolation.filter, holds || machine.spare_users.is_some()) {
        (true, true) => {
            enforced("a filter refuses what reaches the kernel's inside, other processes or outlives the run")
        }
        (true, false) => without_namespaces(
            State::Partial,
            "a filter is in force; signals to other processes of the same user are not held back",
            machine.no_namespaces.as_ref(),
        ),
        (false, _) => lacking(
            State::Not,
            "no filter is installed: this kernel has none, or it was left out",
            Some(&machine::remedy("seccomp", "a kernel with CONFIG_SECCOMP_FILTER")),
        ),
    }
}

fn without_namespaces(state: State, why: &str, refused: Option<&Refused>) -> Part {
    match refused {
        None => lacking(state, why, None),
        Some(Refused { reason, remedy }) => lacking(state, format!("{why}; {reason}"), Some(remedy)),
    }
}
