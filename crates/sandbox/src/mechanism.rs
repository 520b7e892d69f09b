//! Lists the mechanisms of the kernel that the sandbox uses, and whether this machine has them.

use super::container::{self, Part};
use super::enforcement::{Protection, State};
use super::machine::{self, Machine, Refused};
use super::plan::Namespaces;
use super::{cgroup, isolation};

/// Returns each mechanism by its name, with its state on this machine, the strongest mechanism first.
pub fn mechanisms() -> Vec<(&'static str, Protection)> {
    let machine = machine::capabilities();
    vec![
        ("namespaces", namespaces(machine)),
        ("private_root", private_root(machine)),
        ("proc", proc(machine)),
        ("landlock", landlock(machine)),
        ("seccomp", seccomp(machine)),
        ("user", user(machine)),
        ("cgroups", cgroups(machine)),
        (
            "resource_limits",
            part(
                State::Enforced,
                "limit the stack, the open files and, as a backstop, the CPU time; prevent core dumps",
                None,
            ),
        ),
    ]
}

fn part(state: State, why: impl Into<String>, remedy: Option<&str>) -> Protection {
    Protection { state, why: why.into(), remedy: remedy.map(str::to_owned) }
}

fn missing(refused: Refused) -> Protection {
    part(State::Not, refused.reason, Some(&refused.remedy))
}

/// The reason and the remedy if the kernel has no filters of system calls.
pub(super) const NO_FILTER: (&str, &str) =
    ("the kernel has no system call filters", "use a kernel with CONFIG_SECCOMP_FILTER");

fn namespaces(machine: &Machine) -> Protection {
    let kinds = "processes, mounts, network, System V IPC, host name, control groups";
    match (machine.isolation.namespaces, &machine.no_namespaces) {
        (Some(Namespaces::ByRoot), _) => part(State::Enforced, format!("made by root: {kinds}"), None),
        (Some(Namespaces::ByUser), _) => part(State::Enforced, format!("in a user namespace: {kinds}"), None),
        (None, Some(refused)) => part(State::Not, &refused.reason, Some(&refused.remedy)),
        (None, None) => part(State::Not, "unknown", None),
    }
}

fn private_root(machine: &Machine) -> Protection {
    if machine.isolation.namespaces.is_some() {
        return part(
            State::Enforced,
            "a program sees only the system's folders and its own, all read-only except one writable folder",
            None,
        );
    }
    part(State::Not, "needs namespaces", machine.no_namespaces.as_ref().map(|refused| refused.remedy.as_str()))
}

fn proc(machine: &Machine) -> Protection {
    match (machine.isolation.namespaces.is_some(), machine.in_force.proc) {
        (true, true) => part(State::Enforced, "a program sees only its own processes in /proc", None),
        (true, false) => part(
            State::Partial,
            "this machine or container does not allow mounting /proc, so programs have no /proc and no /dev/stdin",
            container::remedy(Part::Proc).as_deref().or(Some("use a machine that does not mask parts of /proc")),
        ),
        (false, _) => {
            let instead = if machine.in_force.landlock > 0 { "; instead, Landlock blocks all of /proc" } else { "" };
            part(State::Not, format!("needs namespaces{instead}"), None)
        }
    }
}

fn landlock(machine: &Machine) -> Protection {
    match (machine.isolation.landlock, machine.in_force.landlock) {
        (true, version) if isolation::blocks_signals(version) => {
            part(State::Enforced, format!("version {version}: restricts files, TCP and signals"), None)
        }
        (true, version) => part(
            State::Partial,
            format!("version {version}: restricts files; only version 6 and later also restrict signals"),
            Some("use Linux 6.12 or later"),
        ),
        (false, _) => missing(machine.absence(
            "landlock",
            isolation::has_landlock(),
            (
                "the kernel has no Landlock",
                "use Linux 5.13 or later, with landlock in the list lsm= of the kernel's command line",
            ),
        )),
    }
}

fn seccomp(machine: &Machine) -> Protection {
    if machine.isolation.filter {
        return part(State::Enforced, "a filter of system calls, inherited by everything a program starts", None);
    }
    missing(machine.absence("seccomp", isolation::has_filter(), NO_FILTER))
}

fn user(machine: &Machine) -> Protection {
    match (machine.first_spare_user, machine.isolation.namespaces) {
        (Some(first), _) => {
            part(State::Enforced, format!("programs run as users that own nothing (user ids from {first} up)"), None)
        }
        (None, Some(Namespaces::ByUser)) => part(
            State::Enforced,
            "programs run as the judge's user without privileges, in their own user namespace",
            None,
        ),
        (None, None) if rustix::process::geteuid().is_root() => part(
            State::Not,
            "this root user cannot become another user: too few user ids are mapped, or the kernel refuses the change",
            Some("in a container, map 65,536 user ids and allow CAP_SETUID"),
        ),
        (None, _) => part(
            State::Not,
            "only root can become another user",
            Some("allow user namespaces, or run the judge as root"),
        ),
    }
}

fn cgroups(machine: &Machine) -> Protection {
    match &machine.no_groups {
        None => part(State::Enforced, cgroup::described(), None),
        Some(reason) => part(State::Not, reason, Some(&machine::groups_remedy())),
    }
}
