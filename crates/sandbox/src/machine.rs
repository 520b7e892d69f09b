//! Tests which isolation this machine allows. Finds the strongest isolation that can be set up, and the reasons why
//! stronger isolation cannot be set up.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::container::{self, Part};
use super::isolation::{self, InForce};
use super::plan::{Isolation, Namespaces, SetupError, ZygotePlan};
use super::refusal::explain;
use super::zygote::Zygote;
use super::{Identity, Mode, Program, cgroup, init, remembered, view};

/// The mechanisms that the user can switch off.
const MECHANISMS: [&str; 6] = ["namespaces", "landlock", "seccomp", "cgroups", "systemd", "task_clock"];

/// Checks the environment variable that switches off mechanisms of the sandbox ([`crate::Config::without_from`]). Fails
/// if it contains a misspelt name, which would have no effect.
pub fn check_disabled_mechanisms() -> Result<(), String> {
    let Some(variable) = init::without() else { return Ok(()) };
    let list = std::env::var(variable).unwrap_or_default();
    match list.split(',').map(str::trim).find(|word| !word.is_empty() && !MECHANISMS.contains(word)) {
        Some(word) => Err(format!("{variable}: found {word:?}, allowed: {}", MECHANISMS.join(", "))),
        None => Ok(()),
    }
}

/// The capabilities of this machine.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    pub(super) isolation: Isolation,
    pub(super) in_force: InForce,
    /// The reason why there are no namespaces, with the remedy; `None` if there are namespaces.
    pub(super) no_namespaces: Option<Refused>,
    /// The step of the set-up that failed even with the weakest isolation, so that no program is isolated; `None` if
    /// the set-up worked.
    pub(super) no_set_up: Option<String>,
    /// The first number of the range of unused users that programs run as; `None` if the judge cannot switch to another
    /// user.
    pub(super) first_spare_user: Option<u32>,
    /// The reason why control groups cannot be used; `None` if they can.
    pub(super) no_groups: Option<String>,
    /// Whether the memory limit of a control group includes swap space. Also true if the machine has no swap space.
    pub(super) limits_swap: bool,
}

/// The reason why a mechanism is missing, and the remedy.
#[derive(Clone, Debug)]
pub(super) struct Refused {
    pub(super) reason: String,
    pub(super) remedy: String,
}

/// Returns what this machine allows. The first call after [`crate::init()`] tests the machine, unless the result of an
/// earlier test is remembered ([`remembered`]). A call before `init` returns a value in which nothing is enforced.
pub(super) fn capabilities() -> &'static Machine {
    static FOUND: OnceLock<Machine> = OnceLock::new();
    static NOT_INITIALISED: OnceLock<Machine> = OnceLock::new();
    if !init::is_done() {
        return NOT_INITIALISED.get_or_init(|| Machine::without_isolation("the sandbox is not initialised"));
    }
    FOUND.get_or_init(|| {
        remembered::machine().unwrap_or_else(|| {
            let machine = Machine::find(Machine::tested);
            remembered::store(&machine);
            machine
        })
    })
}

/// Returns what the sandbox uses under `mode`. Under [`Mode::Off`], it uses nothing, and the machine is not tested.
pub(super) fn in_mode(mode: Mode) -> &'static Machine {
    static OFF: OnceLock<Machine> = OnceLock::new();
    match mode {
        Mode::Off => OFF.get_or_init(|| Machine::without_isolation("switched off")),
        Mode::Auto | Mode::Strict => capabilities(),
    }
}

/// Returns the remedy for missing control groups.
pub(super) fn groups_remedy() -> String {
    let name = init::name();
    let usual = if let Some(remedy) = container::remedy(Part::Groups) {
        remedy
    } else if rustix::process::geteuid().is_root() {
        format!("run systemd-run --scope -p Delegate=yes {name} ...")
    } else {
        format!("run systemd-run --user --scope -p Delegate=yes {name} ..., or run {name} as root")
    };
    remedy(if disabled_by("systemd").is_some() { "systemd" } else { "cgroups" }, &usual)
}

/// Returns the remedy for a missing mechanism. If the user has switched off the mechanism by an environment variable,
/// the remedy is to unset this variable. Otherwise it is `usual`.
fn remedy(piece: &str, usual: &str) -> String {
    disabled_by(piece).map_or_else(|| usual.to_owned(), |variable| format!("unset {variable}"))
}

/// Returns the remedy if the kernel refuses the sandbox, or a part of it, for no known reason.
pub(super) fn set_up_remedy() -> String {
    let elsewhere = "allow this process to make namespaces and to mount folders in them";
    container::remedy(Part::Namespaces).unwrap_or_else(|| elsewhere.to_owned())
}

/// Returns why a mechanism is missing: the variable with which the user switched it off, otherwise `usual`.
fn absence(piece: &str, usual: &str) -> String {
    disabled_by(piece).map_or_else(|| usual.to_owned(), |variable| format!("switched off by {variable}"))
}

/// Returns the environment variable with which the user switched off the mechanism `name`; `None` if it is not switched
/// off.
pub(super) fn disabled_by(name: &str) -> Option<&'static str> {
    let names =
        |variable: &&str| std::env::var(variable).is_ok_and(|list| list.split(',').any(|word| word.trim() == name));
    init::without().filter(names)
}

/// Returns why control groups cannot be used; `None` if they can.
fn groups() -> Option<String> {
    match disabled_by("cgroups") {
        Some(variable) => Some(format!("switched off by {variable}")),
        None => cgroup::available().err().map(str::to_owned),
    }
}

impl Machine {
    /// Returns why a mechanism is missing, with the remedy. If the user switched it off, the reason names the variable.
    /// If the kernel has the mechanism (`kernel_has`) but no sandbox could be set up, the reason is that failure.
    /// Otherwise `usual` is the reason and the remedy.
    pub(super) fn absence(&self, piece: &str, kernel_has: bool, usual: (&str, &str)) -> Refused {
        let (reason, usual_remedy) = usual;
        match &self.no_set_up {
            Some(step) if kernel_has && disabled_by(piece).is_none() => Refused {
                reason: format!("the judge cannot isolate programs on this machine: it failed while {step}"),
                remedy: set_up_remedy(),
            },
            _ => Refused { reason: absence(piece, reason), remedy: remedy(piece, usual_remedy) },
        }
    }

    /// Finds the strongest isolation for which `test` succeeds.
    fn find(test: impl Fn(Machine) -> Result<Machine, SetupError>) -> Machine {
        let landlock = isolation::has_landlock() && disabled_by("landlock").is_none();
        let filter = isolation::has_filter() && disabled_by("seccomp").is_none();
        let is_root = rustix::process::geteuid().is_root();
        let machine = |namespaces, no_namespaces| Machine {
            isolation: Isolation { namespaces, landlock, filter },
            in_force: InForce::default(),
            no_namespaces,
            no_set_up: None,
            first_spare_user: first_spare_user().filter(|_| is_root && namespaces != Some(Namespaces::ByUser)),
            no_groups: groups(),
            limits_swap: disabled_by("cgroups").is_none() && cgroup::limits_swap(),
        };
        let ways: &[_] = if is_root { &[Namespaces::ByRoot, Namespaces::ByUser] } else { &[Namespaces::ByUser] };
        let mut refused = None;
        if let Some(variable) = disabled_by("namespaces") {
            refused =
                Some(Refused { reason: format!("switched off by {variable}"), remedy: format!("unset {variable}") });
        } else {
            for &way in ways {
                match test(machine(Some(way), None)) {
                    Ok(found) => return found,
                    Err(error) => refused = Some(explain(&error)),
                }
            }
        }
        let outside = machine(None, refused);
        test(outside.clone()).unwrap_or_else(|_| {
            // The test may have failed because the judge is root but cannot become another user. So this tests again
            // without a change of the user.
            test(Machine { first_spare_user: None, ..outside.clone() }).unwrap_or_else(|error| Machine {
                isolation: Isolation::NONE,
                no_set_up: Some(error.to_string()),
                ..outside
            })
        })
    }

    /// Returns a value in which nothing is enforced. `reason` says why.
    fn without_isolation(reason: &str) -> Machine {
        let reason = reason.to_owned();
        Machine {
            isolation: Isolation::NONE,
            in_force: InForce::default(),
            no_namespaces: Some(Refused { reason: reason.clone(), remedy: "call init first in main".to_owned() }),
            no_set_up: Some(format!("starting: {reason}")),
            first_spare_user: None,
            no_groups: Some(reason),
            limits_swap: false,
        }
    }

    /// Starts a zygote with this isolation, without running a program, and records what the zygote reports. Fails with
    /// the step that failed.
    fn tested(self) -> Result<Machine, SetupError> {
        let program = Program::new(["/bin/true"], "/");
        let in_force = Zygote::start(&self.plan(&program), &[])?.in_force();
        Ok(Machine { in_force, ..self })
    }

    /// Returns the plan for a zygote that runs `program` on this machine.
    pub(super) fn plan(&self, program: &Program) -> ZygotePlan {
        let environment = program.environment.iter().map(|(name, value)| {
            let mut text = name.clone();
            text.push("=");
            text.push(value);
            text
        });
        ZygotePlan {
            command: program.command.clone(),
            environment: environment.collect(),
            directory: program.directory.clone().into_os_string(),
            views: view::views(program),
            scratch: program.scratch.as_ref().map(super::Scratch::plan),
            identity: self.first_spare_user.map(|first| match &program.identity {
                Identity::Nobody => next_spare_user(first),
                Identity::OwnerOf(path) => owner(path).unwrap_or_else(|| next_spare_user(first)),
            }),
            isolation: self.isolation,
            warm_until: self.warm_until(program),
            is_counted: self.no_groups.is_none(),
            keeps_cores: program.keeps_cores,
            uses_task_clock: self.no_groups.is_some() && disabled_by("task_clock").is_none(),
        }
    }

    /// Returns the file until whose opening the sandbox keeps the program warm. `None` if the sandbox always starts the
    /// program anew, because the program does not ask for it, its instances are used only once, or
    /// [`why_never_warm`] has a reason.
    fn warm_until(&self, program: &Program) -> Option<OsString> {
        let is_possible = self.why_never_warm().is_none() && program.scratch.is_none();
        program.warm_until.as_ref().filter(|_| is_possible).map(|file| file.clone().into_os_string())
    }

    fn why_never_warm(&self) -> Option<&'static str> {
        if cfg!(not(target_arch = "x86_64")) {
            Some("it needs an x86-64 processor")
        } else if self.isolation.namespaces.is_none() {
            Some("it needs namespaces")
        } else if !self.isolation.filter {
            Some("it needs the filter of system calls (seccomp)")
        } else if self.no_groups.is_some() {
            Some("it needs control groups")
        } else {
            None
        }
    }
}

/// Returns why the sandbox ignores [`Program::warm_until`] on this machine; `None` if it does not ignore it. Where a
/// mechanism is missing, a run could reach the next one through the warm process.
pub fn why_never_warm(mode: Mode) -> Option<&'static str> {
    in_mode(mode).why_never_warm()
}

/// Returns the first of `folders` that a program could not enter; `None` if it can enter all. A program that runs as a
/// different user from the judge needs permission for every parent folder, unless it has a private root.
pub fn first_inaccessible_folder(folders: &[PathBuf], mode: Mode) -> Option<&PathBuf> {
    let machine = in_mode(mode);
    let sees_all = mode == Mode::Off || machine.isolation.namespaces.is_some() || machine.first_spare_user.is_none();
    let can_pass = |folder: &Path| fs::metadata(folder).is_ok_and(|found| found.permissions().mode() & 0o001 != 0);
    folders.iter().find(|folder| !sees_all && !folder.ancestors().all(can_pass))
}

/// Returns whether programs have a private root. Otherwise they write to folders of the machine.
pub fn has_private_root(mode: Mode) -> bool {
    mode != Mode::Off && capabilities().isolation.namespaces.is_some()
}

/// Returns the user number that a program without namespaces shares with other processes; `None` if it gets a number of
/// its own.
pub(super) fn shared_user(identity: &Identity) -> Option<u32> {
    match identity {
        _ if capabilities().first_spare_user.is_none() => Some(rustix::process::geteuid().as_raw()),
        Identity::Nobody => None,
        Identity::OwnerOf(path) => owner(path),
    }
}

fn owner(path: &Path) -> Option<u32> {
    fs::metadata(path).ok().map(|found| found.uid())
}

/// Ranges of user numbers for programs, each as its first number and its length. Systemd's documentation marks the
/// first range as unused. The second range is within the 65,536 numbers that a container often has.
const SPARE_RANGES: [(u32, u32); 2] = [(1_879_048_192, 1 << 28), (60_000, 1_000)];

/// Finds the first of [`SPARE_RANGES`] that this user namespace maps completely. Returns the first number of that
/// range; `None` if no range is mapped completely.
fn first_spare_user() -> Option<u32> {
    let map = fs::read_to_string("/proc/self/uid_map").ok()?;
    let ranges: Vec<(u64, u64)> = map
        .lines()
        .filter_map(|line| {
            let mut fields = line.split_whitespace().map(str::parse::<u64>);
            let (inside, _, count) = (fields.next()?.ok()?, fields.next()?.ok()?, fields.next()?.ok()?);
            Some((inside, inside + count))
        })
        .collect();
    let fits = |&(first, count): &(u32, u32)| {
        ranges.iter().any(|&(from, to)| from <= u64::from(first) && u64::from(first + count) <= to)
    };
    SPARE_RANGES.into_iter().find(fits).map(|(first, _)| first)
}

/// Returns a user number for a new zygote. The last 63 zygotes of this judge have other numbers, and zygotes of other
/// judges most probably have other numbers, too. If two zygotes do get the same number, namespaces still prevent their
/// programs from seeing each other.
fn next_spare_user(first: u32) -> u32 {
    static RETURNED: AtomicU32 = AtomicU32::new(0);
    let number = RETURNED.fetch_add(1, Ordering::Relaxed);
    let count = SPARE_RANGES.iter().find(|&&(start, _)| start == first).map_or(1, |&(_, count)| count);
    first + (std::process::id().wrapping_mul(64).wrapping_add(number % 64)) % count
}

/// Returns the machine's memory in bytes. Swap space does not count, because it slows programs down.
pub fn machine_memory_bytes() -> u64 {
    let found = rustix::system::sysinfo();
    // `totalram` has the size of a machine word, so the cast loses nothing.
    (found.totalram as u64).saturating_mul(u64::from(found.mem_unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_up_that_fails_altogether_is_not_told_as_a_lack_of_the_kernel() {
        let failing = |_| Err(SetupError { doing: "starting a zygote".to_owned(), errno: libc::EAGAIN });
        let machine = Machine::find(failing);
        assert_eq!(machine.isolation.namespaces, None);
        let usual = ("the kernel has no Landlock", "use Linux 5.13 or later");
        let found = machine.absence("landlock", true, usual);
        assert!(found.reason.contains("it failed while starting a zygote: Resource temporarily"), "{found:?}");
        assert!(!found.reason.contains("kernel has no") && !found.remedy.is_empty(), "{found:?}");
        assert_eq!(machine.absence("landlock", false, usual).reason, usual.0);
        let working = Machine::find(Ok);
        assert_eq!(working.absence("landlock", true, usual).reason, usual.0);
    }
}
