//! Reports which parts of the sandbox are enforced on this machine. Every report of the judge contains an
//! [`Enforcement`].

use std::collections::BTreeMap;

use super::isolation;
use super::machine::{self, Machine, Refused};
use super::mechanism::NO_FILTER;

/// The sandbox mode that the user requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Isolates programs as strongly as the machine allows. [`Enforcement`] lists which parts are enforced.
    #[default]
    Auto,
    /// Isolates programs like [`Mode::Auto`]. The caller refuses to run programs unless [`Enforcement::overall`] is
    /// [`Overall::Full`].
    Strict,
    /// Sets limits, but does not isolate programs. This is for debugging.
    Off,
}

/// The combined state of all parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overall {
    /// All parts are enforced.
    Full,
    /// At least one part is missing or partial.
    Partial,
    /// The user has switched the sandbox off.
    Off,
}

/// The state of one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The part is enforced.
    Enforced,
    /// The part is enforced with gaps.
    Partial,
    /// The part is not enforced.
    Not,
}

/// One part of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protection {
    /// The state of the part.
    pub state: State,
    /// How the part is enforced on this machine, or why it is not.
    pub why: String,
    /// What the user can do to enforce the part; `None` if nothing helps or nothing is needed.
    pub remedy: Option<String>,
}

/// The parts of the sandbox and whether each is enforced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enforcement {
    /// The combined state of all parts.
    pub overall: Overall,
    /// Each part by its name.
    pub parts: BTreeMap<String, Protection>,
}

impl Enforcement {
    /// Returns the parts of the sandbox, and whether each is enforced under `mode`. Call [`crate::init()`] first.
    pub fn of(mode: Mode) -> Self {
        let parts = match mode {
            Mode::Off => BTreeMap::from(off()),
            Mode::Auto | Mode::Strict => BTreeMap::from(of_machine(machine::capabilities())),
        };
        let parts: BTreeMap<_, _> = parts.into_iter().map(|(name, part)| (name.to_owned(), part)).collect();
        let overall = match mode {
            Mode::Off => Overall::Off,
            _ if parts.values().all(|part| part.state == State::Enforced) => Overall::Full,
            _ => Overall::Partial,
        };
        Enforcement { overall, parts }
    }

    /// Returns the part with this name if it is not enforced at all; otherwise `None`.
    pub fn absent(&self, name: &str) -> Option<&Protection> {
        self.parts.get(name).filter(|part| part.state == State::Not)
    }

    /// Returns the part that lets programs reach what belongs to the judge's user, because it is not enforced at all:
    /// `files`, which also protects other processes, or `network`. `None` if both are enforced, if only partially.
    pub fn exposure(&self) -> Option<&Protection> {
        self.absent("files").or_else(|| self.absent("network"))
    }

    /// Returns the names of the parts that are missing or partial.
    pub fn missing(&self) -> Vec<&str> {
        let lacking = self.parts.iter().filter(|(_, part)| part.state != State::Enforced);
        lacking.map(|(name, _)| name.as_str()).collect()
    }
}

fn enforced(why: &str) -> Protection {
    Protection { state: State::Enforced, why: why.to_owned(), remedy: None }
}

fn lacking(state: State, why: impl Into<String>, remedy: Option<&str>) -> Protection {
    Protection { state, why: why.into(), remedy: remedy.map(str::to_owned) }
}

const WALL_TIME: &str = "the judge checks the monotonic clock, and kills every process of the program at the limit";
const OUTPUT: &str = "the judge counts standard output and standard error together, and kills the program at the limit";

/// The parts under [`Mode::Off`].
fn off() -> [(&'static str, Protection); 9] {
    let switched_off = || lacking(State::Not, "switched off by --sandbox off", Some("leave out --sandbox off"));
    [
        ("wall_time", enforced(WALL_TIME)),
        ("cpu_time", lacking(State::Partial, OF_SAMPLES, Some("leave out --sandbox off"))),
        ("memory", lacking(State::Partial, SAMPLED, Some("leave out --sandbox off"))),
        ("output", enforced(OUTPUT)),
        ("processes", lacking(State::Partial, ADOPTED, Some("leave out --sandbox off"))),
        ("files", switched_off()),
        ("network", switched_off()),
        ("system_calls", switched_off()),
        ("user", switched_off()),
    ]
}

const OF_SAMPLES: &str = "every 5 to 20 ms, the judge adds up the CPU time of all processes; if a process ends and no \
                          parent waits for it, only its last sample counts";
const BY_TASK_CLOCK: &str = "a counter of the kernel (perf) adds up the CPU time of all processes; it does not count a \
                             process that executes a file which its user cannot read; the judge samples such a process";
const SAMPLED: &str = "every 5 to 20 ms, the judge adds up the memory of all processes, and counts shared memory once; it \
                       also reads the peak of the largest process; a short peak of several processes together, or of \
                       memory that no process maps, can be missed";
const ADOPTED: &str = "the judge adopts orphaned processes, and kills them after each run";

fn of_machine(machine: &Machine) -> [(&'static str, Protection); 9] {
    let inside = machine.isolation.namespaces.is_some();
    let refused = machine.no_namespaces.as_ref();
    [
        ("wall_time", enforced(WALL_TIME)),
        (
            "cpu_time",
            counted(
                machine,
                "the program's control group counts the CPU time of every process, including orphans",
                if machine.in_force.task_clock { BY_TASK_CLOCK } else { OF_SAMPLES },
            ),
        ),
        ("memory", memory(machine)),
        ("output", enforced(OUTPUT)),
        ("processes", processes(machine)),
        ("files", files(machine)),
        ("network", network(machine)),
        ("system_calls", system_calls(machine)),
        (
            "user",
            match (machine.first_spare_user.is_some(), inside) {
                (true, _) => enforced("the program runs as a user that owns no file and has no privilege"),
                (false, true) => {
                    enforced("the program runs as the judge's user in its own user namespace, without any privilege")
                }
                (false, false) => without_namespaces(State::Not, "the program runs as the judge's user", refused),
            },
        ),
    ]
}

fn memory(machine: &Machine) -> Protection {
    if machine.no_groups.is_none() && !machine.limits_swap {
        return lacking(
            State::Partial,
            "the kernel enforces one limit for all processes in the program's control group, but the limit does not \
             include swap space",
            Some("run swapoff -a as root, or boot with swapaccount=1"),
        );
    }
    counted(machine, "the kernel enforces one limit for all processes in the program's control group", SAMPLED)
}

/// Returns a part that is enforced if there are control groups, and partially enforced otherwise. The text `with` or
/// `without` explains the state.
fn counted(machine: &Machine, with: &str, without: &str) -> Protection {
    match &machine.no_groups {
        None => enforced(with),
        Some(_) => lacking(
            State::Partial,
            format!("{without}; the judge cannot use control groups"),
            Some(&machine::groups_remedy()),
        ),
    }
}

fn processes(machine: &Machine) -> Protection {
    let inside = machine.isolation.namespaces.is_some();
    match (inside, &machine.no_groups) {
        (true, _) => {
            enforced("at most 512 processes at once, in a PID namespace; the judge kills all of them after each run")
        }
        (false, None) => {
            enforced("at most 512 processes at once; the judge kills every process in the control group after each run")
        }
        (false, Some(_)) => without_namespaces(State::Partial, ADOPTED, machine.no_namespaces.as_ref()),
    }
}

fn files(machine: &Machine) -> Protection {
    let private = "a private root with the system's folders and the program's own, all read-only";
    match (machine.isolation.namespaces.is_some(), machine.isolation.landlock) {
        (true, true) => enforced(&format!("{private}; Landlock version {}", machine.in_force.landlock)),
        (true, false) => enforced(private),
        (false, true) => without_namespaces(
            State::Partial,
            &format!(
                "Landlock version {}: the program can open only the system's folders and its own; names and sizes of \
                 other files are visible",
                machine.in_force.landlock
            ),
            machine.no_namespaces.as_ref(),
        ),
        (false, false) => without_namespaces(
            State::Not,
            "the program can read and write every file that its user can",
            machine.no_namespaces.as_ref(),
        ),
    }
}

fn network(machine: &Machine) -> Protection {
    match (machine.isolation.namespaces.is_some(), machine.isolation.filter) {
        (true, true) => enforced("the program has an empty network namespace, and cannot create sockets"),
        // Sockets of AF_VSOCK reach the host of a virtual machine from every network namespace.
        (true, false) => {
            let Refused { remedy, .. } = machine.absence("seccomp", isolation::has_filter(), NO_FILTER);
            let why = "the program has an empty network namespace, but it can create sockets that no namespace isolates, \
                       such as those to the host of a virtual machine (AF_VSOCK)";
            lacking(State::Partial, why, Some(&remedy))
        }
        (false, true) => enforced("the program cannot create sockets"),
        (false, false) => {
            without_namespaces(State::Not, "the program can use the network", machine.no_namespaces.as_ref())
        }
    }
}

fn system_calls(machine: &Machine) -> Protection {
    let blocks_signals = machine.isolation.namespaces.is_some() || isolation::blocks_signals(machine.in_force.landlock);
    match (machine.isolation.filter, blocks_signals || machine.first_spare_user.is_some()) {
        (true, true) => enforced(
            "a filter refuses system calls that reach kernel internals or other processes, or whose effects outlast the run",
        ),
        (true, false) => without_namespaces(
            State::Partial,
            "a filter refuses dangerous system calls, but the program can send signals to other processes of the same \
             user",
            machine.no_namespaces.as_ref(),
        ),
        (false, _) => {
            let Refused { reason, remedy } = machine.absence("seccomp", isolation::has_filter(), NO_FILTER);
            lacking(State::Not, reason, Some(&remedy))
        }
    }
}

fn without_namespaces(state: State, why: &str, refused: Option<&Refused>) -> Protection {
    match refused {
        None => lacking(state, why, None),
        Some(Refused { reason, remedy }) => lacking(state, format!("{why}; {reason}"), Some(remedy)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_exposed_to_the_users_things_only_if_a_part_is_missing_wholly() {
        let part = |state| Protection { state, why: format!("{state:?}"), remedy: None };
        let found = |files, network| {
            let parts = BTreeMap::from([("files".to_owned(), part(files)), ("network".to_owned(), part(network))]);
            Enforcement { overall: Overall::Partial, parts }.exposure().is_some()
        };
        assert!(!found(State::Partial, State::Enforced) && !found(State::Enforced, State::Partial));
        assert!(found(State::Not, State::Enforced) && found(State::Partial, State::Not));
        assert!(Enforcement::of(Mode::Off).exposure().is_some());
    }

    #[test]
    fn a_memory_limit_without_swap_space_is_no_full_one() {
        let machine = machine::capabilities();
        for (limits_swap, no_groups, wanted) in [
            (true, None, State::Enforced),
            (false, None, State::Partial),
            (false, Some("none".to_owned()), State::Partial),
        ] {
            let machine = Machine { no_groups, limits_swap, ..machine.clone() };
            let found = memory(&machine);
            assert_eq!(found.state, wanted, "{found:?}");
            assert_eq!(found.why.contains("swap space"), !limits_swap && machine.no_groups.is_none(), "{found:?}");
        }
    }
}
