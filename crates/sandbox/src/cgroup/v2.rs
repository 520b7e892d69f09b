//! Control groups of version 2: one folder for all controllers.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::GroupOperations;
use super::folder::{self, number};

/// The folder in which this process can make groups.
#[derive(Debug)]
pub(super) struct Hierarchy {
    base: PathBuf,
    limits_swap: bool,
}

/// The controllers that the judge needs.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// Whether version 2 is mounted and its outermost visible group has all controllers that the judge needs. Otherwise no
/// group has them, because version 1 uses them or the kernel lacks them.
pub(super) fn is_complete() -> bool {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let offered = own_folder(&mounts, "0::/\n").map(|top| fs::read_to_string(top.join("cgroup.controllers")));
    let offered = offered.and_then(Result::ok).unwrap_or_default();
    CONTROLLERS.into_iter().all(|wanted| offered.split_whitespace().any(|found| found == wanted))
}

/// One group: its folder, and the files that every run needs, kept open.
#[derive(Debug)]
pub(super) struct GroupV2 {
    folder: PathBuf,
    join_file: File,
    usage: File,
    events: File,
    cpu: File,
    pids_max: File,
    peak: Peak,
}

/// The source of the memory peak.
#[derive(Debug)]
enum Peak {
    /// A file with the peak since the last write to that file. Needs Linux 6.12.
    Resettable(File),
    /// A file with the peak since the group was made. Needs Linux 5.19.
    SinceCreation(File),
    /// The kernel does not report a peak.
    Unknown,
}

impl Hierarchy {
    /// Finds this process's own group and enables the controllers for groups below it. Fails with the reason if control
    /// groups of version 2 cannot be used.
    pub(super) fn find() -> Result<Hierarchy, String> {
        let read = |path: &str| fs::read_to_string(path).map_err(|error| format!("{path} cannot be read: {error}"));
        let base = own_folder(&read("/proc/self/mountinfo")?, &read("/proc/self/cgroup")?)
            .ok_or("the file system cgroup2 is not mounted")?;
        folder::remove_stale(&[&base]);
        let offered = fs::read_to_string(base.join("cgroup.controllers")).unwrap_or_default();
        let is_offered = |wanted: &str| offered.split_whitespace().any(|found| found == wanted);
        let missing: Vec<&str> = CONTROLLERS.into_iter().filter(|wanted| !is_offered(wanted)).collect();
        if !missing.is_empty() {
            return Err(format!("controllers missing in the judge's control group: {}", missing.join(", ")));
        }
        enable_controllers(&base, &|| fs::write(base.join("cgroup.subtree_control"), "+memory +pids"))?;
        let hierarchy = Hierarchy { base, limits_swap: false };
        let trial =
            GroupV2::new(&hierarchy).map_err(|error| format!("the judge cannot make a control group: {error}"))?;
        let usable = trial.limit_memory(1 << 30).and_then(|()| trial.oom_kills()).map(drop);
        let limits_swap = trial.folder.join("memory.swap.max").exists();
        trial.remove();
        usable.map_err(|error| format!("a new control group does not work: {error}"))?;
        Ok(Hierarchy { limits_swap, ..hierarchy })
    }

    /// Whether the kernel counts and limits swap space.
    pub(super) fn limits_swap(&self) -> bool {
        self.limits_swap
    }
}

/// Calls the function `enable`, which enables the controllers for groups below `base`. The kernel refuses this for a
/// group that has member processes and is not the root group. In that case the judge moves into a new group below
/// `base` and tries again. Fails with the step that failed.
fn enable_controllers(base: &Path, enable: &dyn Fn() -> io::Result<()>) -> Result<(), String> {
    let is_busy = |error: &io::Error| error.raw_os_error() == Some(libc::EBUSY);
    let cannot_enable = |error: io::Error| {
        let others = if is_busy(&error) { ", which contains other processes" } else { "" };
        let base = base.display();
        format!("the judge cannot enable the controllers memory and pids in the control group {base}{others}: {error}")
    };
    match enable() {
        Err(error) if is_busy(&error) => {}
        Err(error) => return Err(cannot_enable(error)),
        Ok(()) => return Ok(()),
    }
    let leaf = base.join(folder::new_name());
    let move_to = |group: &Path| fs::write(group.join("cgroup.procs"), std::process::id().to_string());
    fs::create_dir(&leaf)
        .map_err(|error| format!("the judge cannot make the control group {}: {error}", leaf.display()))?;
    let moved = move_to(&leaf)
        .map_err(|error| format!("the judge cannot move into the control group {}: {error}", leaf.display()));
    moved.and_then(|()| enable().map_err(cannot_enable)).inspect_err(|_| {
        let _ = move_to(base);
        folder::remove(&leaf);
    })
}

/// Returns the folder of this process's own group. `mounts` is the text of `/proc/self/mountinfo`, and `own` that of
/// `/proc/self/cgroup`. `None` if version 2 is not mounted.
pub(super) fn own_folder(mounts: &str, own: &str) -> Option<PathBuf> {
    let own = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    let (root, point) = mounts.lines().find_map(|line| {
        let (mount, kind) = line.split_once(" - ")?;
        let mut fields = mount.split(' ').skip(3);
        kind.starts_with("cgroup2 ").then(|| fields.next().zip(fields.next())).flatten()
    })?;
    let below = own.strip_prefix(root).unwrap_or("").trim_start_matches('/');
    Some(Path::new(point).join(below))
}

impl GroupV2 {
    pub(super) fn new(hierarchy: &Hierarchy) -> io::Result<GroupV2> {
        let folder = hierarchy.base.join(folder::new_name());
        fs::create_dir(&folder)?;
        let made = GroupV2::opened(folder.clone());
        if made.is_err() {
            folder::remove(&folder);
        }
        made
    }

    fn opened(folder: PathBuf) -> io::Result<GroupV2> {
        let write = |name: &str| File::options().write(true).open(folder.join(name));
        let read = |name: &str| File::open(folder.join(name));
        let peak = match File::options().read(true).write(true).open(folder.join("memory.peak")) {
            Ok(file) => Peak::Resettable(file),
            Err(_) => read("memory.peak").map_or(Peak::Unknown, Peak::SinceCreation),
        };
        Ok(GroupV2 {
            join_file: write("cgroup.procs")?,
            usage: read("memory.current")?,
            events: read("memory.events")?,
            cpu: read("cpu.stat")?,
            pids_max: write("pids.max")?,
            peak,
            folder,
        })
    }
}

impl GroupOperations for GroupV2 {
    fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        fs::write(self.folder.join("memory.max"), bytes.to_string())?;
        // Without swap accounting, the file for swap space does not exist, and only memory can be limited.
        let swap = self.folder.join("memory.swap.max");
        if swap.exists() { fs::write(swap, "0") } else { Ok(()) }
    }

    fn limit_processes(&self, most: u64) -> io::Result<()> {
        self.pids_max.write_all_at(most.to_string().as_bytes(), 0)
    }

    fn reset_peak(&mut self) -> io::Result<()> {
        if let Peak::Resettable(file) = &self.peak
            && file.write_all_at(b"reset", 0).is_err()
        {
            // Before Linux 6.12, root can open the file for writing, but the write fails.
            self.peak = Peak::SinceCreation(File::open(self.folder.join("memory.peak"))?);
        }
        Ok(())
    }

    fn memory(&self) -> io::Result<u64> {
        number(&self.usage)
    }

    fn peak_memory(&self) -> io::Result<Option<u64>> {
        match &self.peak {
            Peak::Resettable(file) | Peak::SinceCreation(file) => number(file).map(Some),
            Peak::Unknown => Ok(None),
        }
    }

    fn cpu(&self) -> io::Result<Duration> {
        folder::value_of(&self.cpu, "usage_usec").map(Duration::from_micros)
    }

    fn oom_kills(&self) -> io::Result<u64> {
        folder::value_of(&self.events, "oom_kill")
    }

    fn join_files(&self) -> Vec<BorrowedFd<'_>> {
        vec![self.join_file.as_fd()]
    }

    fn members(&self) -> io::Result<Vec<i32>> {
        folder::members(&self.folder)
    }

    fn remove(&self) {
        folder::remove(&self.folder);
    }

    #[cfg(test)]
    fn folders(&self) -> Vec<&Path> {
        vec![&self.folder]
    }

    fn can_be_used_again(&self) -> bool {
        matches!(self.peak, Peak::Resettable(_))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn the_folder_is_that_of_the_own_group_in_the_mounted_tree() {
        let mounts = "30 25 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
        let own = "0::/user.slice/user-1000.slice/run-1.scope\n";
        assert_eq!(own_folder(mounts, own), Some("/sys/fs/cgroup/user.slice/user-1000.slice/run-1.scope".into()));
        let container = "30 25 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        assert_eq!(own_folder(container, "0::/docker/abc\n"), Some("/sys/fs/cgroup".into()));
        assert_eq!(own_folder(mounts, "4:memory:/\n"), None);
    }

    #[test]
    fn the_step_that_failed_is_named_and_other_processes_only_where_the_group_is_busy() {
        let folder = tempfile::tempdir().unwrap();
        let reason = |base: &Path, errors: [i32; 2]| {
            let left = Cell::new(errors.to_vec());
            let enable = || {
                let mut errors = left.take();
                let error = io::Error::from_raw_os_error(errors.remove(0));
                left.set(errors);
                Err(error)
            };
            enable_controllers(base, &enable).unwrap_err()
        };
        let group = folder.path();
        let first = reason(group, [libc::EACCES, 0]);
        assert!(first.ends_with(": Permission denied (os error 13)") && !first.contains("other processes"), "{first}");
        let busy = reason(group, [libc::EBUSY, libc::EBUSY]);
        assert!(busy.contains("cannot enable") && busy.contains(", which contains other processes: "), "{busy}");
        let second = reason(group, [libc::EBUSY, libc::EPERM]);
        assert!(second.contains("cannot enable") && second.contains("Operation not permitted"), "{second}");
        assert!(!second.contains("other processes"), "{second}");
        let missing = reason(&group.join("missing"), [libc::EBUSY, 0]);
        assert!(missing.starts_with("the judge cannot make the control group "), "{missing}");
        assert!(missing.contains("No such file") && !missing.contains("other processes"), "{missing}");
    }
}
