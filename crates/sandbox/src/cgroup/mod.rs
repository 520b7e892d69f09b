//! Uses control groups to measure the time and memory of all processes of a program, to limit them, and to list them.
//!
//! The figures of single processes are incomplete: they miss children that no process waits for, memory that belongs to
//! no process, and daemons that left the process group. A control group includes them. The sandbox uses version 1 if it
//! can (memory, cpuacct and pids, each with its own hierarchy of folders), otherwise version 2. If the judge cannot make
//! groups of version 2 where it runs, it asks systemd for a group of its own ([`systemd`]). If that fails too,
//! [`available`] returns the reasons.

mod dbus;
mod folder;
mod process_room;
mod systemd;
mod v1;
mod v2;

use std::io;
use std::os::fd::BorrowedFd;
#[cfg(test)]
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal};

pub use process_room::{ProcessRoom, process_room};

use super::deadline::Deadline;
use super::machine;
use super::zygote::WarmStart;

/// Maximum wait for a killed process to end. Normally that takes microseconds, but a process can hang in the kernel.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A group is used again only if at most this much memory is charged to it after a run, in bytes. The zygote and the
/// memory that the kernel charges in advance are smaller.
const MOST_BYTES_LEFT: u64 = 4 << 20;

/// Checks whether control groups can be used. Fails with the reason if they cannot.
pub(super) fn available() -> Result<(), &'static str> {
    hierarchies().as_ref().map(drop).map_err(String::as_str)
}

/// Describes the control groups in use, for reports. Returns the reason if control groups cannot be used.
pub(super) fn described() -> &'static str {
    match hierarchies() {
        Ok(Hierarchies::V1(_)) => "version 1, with the controllers memory, cpuacct and pids",
        Ok(Hierarchies::V2(_)) => "version 2, with the controllers memory and pids, and cpu.stat for CPU time",
        Ok(Hierarchies::V2InScope(_)) => {
            "version 2, with the controllers memory and pids, and cpu.stat for CPU time, in a scope that systemd made \
             for the judge"
        }
        Err(reason) => reason,
    }
}

/// Whether the kernel also limits the swap space of a group. Without that limit, a program can exceed its memory limit
/// by the size of the machine's swap space. `true` if the machine has no swap space.
pub(super) fn limits_swap() -> bool {
    let limits = match hierarchies() {
        Ok(Hierarchies::V1(hierarchies)) => hierarchies.limits_swap(),
        Ok(Hierarchies::V2(hierarchy) | Hierarchies::V2InScope(hierarchy)) => hierarchy.limits_swap(),
        Err(_) => false,
    };
    limits || rustix::system::sysinfo().totalswap == 0
}

/// The operations on one group. Each version of control groups implements them.
trait GroupOperations: std::fmt::Debug + Send + Sync {
    fn limit_memory(&self, bytes: u64) -> io::Result<()>;
    fn limit_processes(&self, most: u64) -> io::Result<()>;
    fn reset_peak(&mut self) -> io::Result<()>;
    /// Memory in use in bytes, including the file cache.
    fn memory(&self) -> io::Result<u64>;
    /// Peak memory in bytes since the last reset, or since the group was made if the kernel cannot reset the peak;
    /// `None` if the kernel does not report it.
    fn peak_memory(&self) -> io::Result<Option<u64>>;
    fn cpu(&self) -> io::Result<Duration>;
    fn oom_kills(&self) -> io::Result<u64>;
    fn join_files(&self) -> Vec<BorrowedFd<'_>>;
    fn members(&self) -> io::Result<Vec<i32>>;
    fn remove(&self);
    /// The group's folders.
    #[cfg(test)]
    fn folders(&self) -> Vec<&Path>;
    /// Whether the group can be used for another run. A group whose memory peak cannot be reset is used for one run
    /// only.
    fn can_be_used_again(&self) -> bool {
        true
    }
}

/// The hierarchies in which this process can make groups.
enum Hierarchies {
    V1(v1::Hierarchies),
    V2(v2::Hierarchy),
    /// Version 2, after systemd has moved the judge into a scope.
    V2InScope(v2::Hierarchy),
}

impl Hierarchies {
    fn find() -> Result<Hierarchies, String> {
        let first = match v1::Hierarchies::find() {
            Ok(hierarchies) => return Ok(Hierarchies::V1(hierarchies)),
            Err(reason) => reason,
        };
        let second = match v2::Hierarchy::find() {
            Ok(hierarchy) => return Ok(Hierarchies::V2(hierarchy)),
            Err(reason) => reason,
        };
        let hierarchy = Hierarchies::in_scope().map_err(|third| {
            let asked = third.map(|reason| format!("; {reason}")).unwrap_or_default();
            format!("version 1: {first}; version 2: {second}{asked}")
        });
        hierarchy.map(Hierarchies::V2InScope)
    }

    /// Asks systemd for a control group and finds the hierarchy in it. Fails with the reason; the reason is `None` if
    /// systemd cannot help, because version 2 lacks a controller or this process does not belong to a user's session.
    fn in_scope() -> Result<v2::Hierarchy, Option<String>> {
        if let Some(variable) = machine::disabled_by("systemd") {
            return Err(Some(format!("systemd was not asked for a control group: switched off by {variable}")));
        }
        if !v2::is_complete() {
            return Err(None);
        }
        systemd::enter_scope(&std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default())?;
        v2::Hierarchy::find().map_err(|reason| Some(format!("in a scope of systemd: {reason}")))
    }

    fn new_group(&self) -> io::Result<Box<dyn GroupOperations>> {
        Ok(match self {
            Hierarchies::V1(hierarchies) => Box::new(v1::GroupV1::new(hierarchies)?),
            Hierarchies::V2(hierarchy) | Hierarchies::V2InScope(hierarchy) => Box::new(v2::GroupV2::new(hierarchy)?),
        })
    }
}

/// Returns the hierarchies in use. The first call finds them. Fails with the reason if control groups cannot be used.
fn hierarchies() -> &'static Result<Hierarchies, String> {
    static FOUND: OnceLock<Result<Hierarchies, String>> = OnceLock::new();
    FOUND.get_or_init(Hierarchies::find)
}

/// A control group, which is used for one run after another.
#[derive(Debug)]
pub(super) struct ControlGroup {
    group: Box<dyn GroupOperations>,
    memory_limit: Option<u64>,
    /// Whether `begin` must set the process limit: the group is new, or `kill_all_but` has set the limit to 0.
    forbids_forks: AtomicBool,
    /// Maximum number of members during a run.
    most_members: u64,
    before: Figures,
    /// The figures at the end of the last run; `None` before the first run, and after a run whose figures were not
    /// read.
    after_last_run: Mutex<Option<Figures>>,
}

/// The group's counters at the start or at the end of a run.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    cpu: Duration,
    memory_bytes: u64,
    oom_kills: u64,
}

/// The figures of one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Used {
    pub(super) cpu: Duration,
    /// Peak memory in bytes; `None` if the kernel does not report it.
    pub(super) peak_memory_bytes: Option<u64>,
    /// Whether the kernel killed a process because the group had reached its memory limit.
    pub(super) out_of_memory: bool,
}

impl Used {
    /// Returns the figures of a run whose program may have been forked from a warm process, as if it had been started
    /// anew: the CPU time includes the start, and the memory includes that of the warm process. A page that the program
    /// has changed counts twice.
    pub(super) fn as_if_started_anew(self, warm: &WarmStart) -> Used {
        let counted = Duration::from_nanos(warm.counted_cpu_nanoseconds);
        let held = if warm.is_new { 0 } else { warm.held_bytes };
        Used {
            cpu: self.cpu.saturating_sub(counted) + Duration::from_nanos(warm.cpu_nanoseconds),
            peak_memory_bytes: self.peak_memory_bytes.map(|peak| peak + held),
            ..self
        }
    }
}

impl ControlGroup {
    /// Makes a group without processes. During a run it has at most `most_members`.
    pub(super) fn new(most_members: u64) -> io::Result<ControlGroup> {
        let hierarchies = hierarchies().as_ref().map_err(|reason| io::Error::other(reason.clone()))?;
        Ok(ControlGroup {
            group: hierarchies.new_group()?,
            memory_limit: None,
            forbids_forks: AtomicBool::new(true),
            most_members,
            before: Figures::default(),
            after_last_run: Mutex::new(None),
        })
    }

    /// Prepares the group for a run with a memory limit of `memory_bytes`.
    pub(super) fn begin(&mut self, memory_bytes: u64) -> io::Result<()> {
        if self.memory_limit != Some(memory_bytes) {
            self.group.limit_memory(memory_bytes)?;
            self.memory_limit = Some(memory_bytes);
        }
        if self.forbids_forks.swap(false, Ordering::Relaxed) {
            self.group.limit_processes(self.most_members)?;
        }
        self.group.reset_peak()?;
        let after = self.after_last_run.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        self.before = Figures {
            // The few microseconds in which the zygote has answered since the last run then count for this one.
            cpu: after.map_or_else(|| self.group.cpu(), |after| Ok(after.cpu))?,
            // The memory that earlier runs left, such as a file cache, is not charged to this run. The kernel may have
            // freed part of it since the last run.
            memory_bytes: self.group.memory()?,
            oom_kills: after.map_or_else(|| self.group.oom_kills(), |after| Ok(after.oom_kills))?,
        };
        Ok(())
    }

    /// Returns the files to which a process writes "0" to join the group.
    pub(super) fn join_files(&self) -> Vec<BorrowedFd<'_>> {
        self.group.join_files()
    }

    /// Returns the CPU time of the run so far.
    pub(super) fn cpu(&self) -> io::Result<Duration> {
        Ok(self.group.cpu()?.saturating_sub(self.before.cpu))
    }

    /// Returns the figures of a run that has ended.
    pub(super) fn used(&self) -> io::Result<Used> {
        let peak = self.group.peak_memory()?;
        let after =
            Figures { cpu: self.group.cpu()?, memory_bytes: self.group.memory()?, oom_kills: self.group.oom_kills()? };
        *self.after_last_run.lock().unwrap_or_else(PoisonError::into_inner) = Some(after);
        // Memory that was charged before the run and is still charged does not belong to the run. Part of it may be
        // memory of the previous run that the kernel has not freed yet. The kernel charges 64 pages in advance on each
        // core, and this run may use pages that were charged before it began. So the peak returned here can be too low
        // by up to 256 KiB for each core.
        let others = self.before.memory_bytes.min(after.memory_bytes);
        Ok(Used {
            cpu: after.cpu.saturating_sub(self.before.cpu),
            peak_memory_bytes: peak.map(|peak| peak.saturating_sub(others)),
            out_of_memory: after.oom_kills > self.before.oom_kills,
        })
    }

    /// Returns the process numbers of all members.
    pub(super) fn members(&self) -> io::Result<Vec<i32>> {
        self.group.members()
    }

    /// Whether the group can be used for another run. A group in which a run has left much memory, such as cached
    /// files, is not used again. A later run could free that memory and use the same amount itself, which the sandbox
    /// would not count.
    /// `warm_bytes` is the memory of the warm process, which stays.
    pub(super) fn can_be_used_again(&self, warm_bytes: u64) -> bool {
        let after = *self.after_last_run.lock().unwrap_or_else(PoisonError::into_inner);
        let left = after.map_or_else(|| self.group.memory(), |after| Ok(after.memory_bytes));
        self.group.can_be_used_again() && left.is_ok_and(|bytes| bytes <= MOST_BYTES_LEFT + warm_bytes)
    }

    /// Kills all members except `spared`, and returns when they have ended. Fails if some do not end within
    /// [`TIMEOUT`].
    pub(super) fn kill_all_but(&self, spared: Option<Pid>) -> io::Result<()> {
        // With a process limit of 0, no member can fork any more, so the loop below ends.
        self.forbids_forks.store(true, Ordering::Relaxed);
        self.group.limit_processes(0)?;
        let mut deadline = Deadline::new(TIMEOUT);
        loop {
            let mut members = self.group.members()?;
            members.retain(|&member| Pid::from_raw(member) != spared);
            if members.is_empty() {
                return Ok(());
            }
            if deadline.has_passed() {
                return Err(io::Error::other(format!(
                    "number of processes that still run {} s after SIGKILL: {}",
                    TIMEOUT.as_secs(),
                    members.len()
                )));
            }
            for pid in members.into_iter().filter_map(Pid::from_raw) {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
            std::thread::sleep(Duration::from_micros(100));
        }
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        if self.kill_all_but(None).is_ok() {
            self.group.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_a_fork_contain_the_start_and_not_the_tracing() {
        let used = Used { cpu: Duration::from_millis(30), peak_memory_bytes: Some(5 << 20), out_of_memory: false };
        let warm = WarmStart {
            cpu_nanoseconds: 8_000_000,
            counted_cpu_nanoseconds: 12_000_000,
            held_bytes: 3 << 20,
            is_new: true,
        };
        let of = |warm| {
            let figures = used.as_if_started_anew(&warm);
            (figures.cpu.as_millis(), figures.peak_memory_bytes.map(|bytes| bytes >> 20))
        };
        assert_eq!(of(warm), (26, Some(5)), "the group has counted the memory of the new process");
        assert_eq!(of(WarmStart { counted_cpu_nanoseconds: 1_000_000, is_new: false, ..warm }), (37, Some(8)));
    }

    #[test]
    fn a_group_counts_from_the_beginning_of_its_run_and_goes_when_it_is_dropped() {
        if let Err(reason) = available() {
            assert!(std::env::var_os("SANDBOX_TESTS_NEED_CONTROL_GROUPS").is_none(), "{reason}");
            eprintln!("skipped, there are no control groups: {reason}");
            return;
        }
        let mut group = ControlGroup::new(1).unwrap();
        group.begin(64 << 20).unwrap();
        let used = group.used().unwrap();
        assert_eq!((used.cpu, used.peak_memory_bytes, used.out_of_memory), (Duration::ZERO, Some(0), false));
        assert!(!group.join_files().is_empty());
        let folders: Vec<_> = group.group.folders().into_iter().map(Path::to_path_buf).collect();
        assert!(!folders.is_empty() && folders.iter().all(|folder| folder.is_dir()));
        drop(group);
        assert!(!folders.iter().any(|folder| folder.is_dir()));
    }
}
