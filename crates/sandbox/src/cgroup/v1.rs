//! Control groups of version 1: one folder in each of three hierarchies.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::GroupOperations;
use super::folder::{self, number};

/// For each of the three hierarchies, the folder in which this process can make groups.
#[derive(Debug)]
pub(super) struct Hierarchies {
    memory: PathBuf,
    cpu: PathBuf,
    pids: PathBuf,
}

/// One group: its folder in each hierarchy, and the files that every run needs, kept open.
#[derive(Debug)]
pub(super) struct GroupV1 {
    folders: [PathBuf; 3],
    join_files: [File; 3],
    peak: File,
    usage: File,
    oom: File,
    cpu: File,
    pids_max: File,
}

impl Hierarchies {
    /// Finds the hierarchies and makes a group in each to try them out. Fails with the reason if a hierarchy is missing
    /// or cannot be used.
    pub(super) fn find() -> Result<Hierarchies, String> {
        let read = |path: &str| fs::read_to_string(path).map_err(|error| format!("{path} cannot be read: {error}"));
        let (mounts, own) = (read("/proc/self/mountinfo")?, read("/proc/self/cgroup")?);
        let hierarchy = |controller: &str| {
            own_folder(&mounts, &own, controller)
                .ok_or_else(|| format!("no hierarchy with the controller {controller} is mounted"))
        };
        let hierarchies =
            Hierarchies { memory: hierarchy("memory")?, cpu: hierarchy("cpuacct")?, pids: hierarchy("pids")? };
        folder::remove_stale(&hierarchies.all());
        let trial =
            GroupV1::new(&hierarchies).map_err(|error| format!("the judge cannot make a control group: {error}"))?;
        let usable = trial.limit_memory(1 << 30).and_then(|()| trial.oom_kills()).map(drop);
        trial.remove();
        usable.map_err(|error| format!("a new control group does not work: {error}")).map(|()| hierarchies)
    }

    /// Whether the kernel counts and limits swap space.
    pub(super) fn limits_swap(&self) -> bool {
        self.memory.join("memory.memsw.limit_in_bytes").exists()
    }

    fn all(&self) -> [&Path; 3] {
        [&self.memory, &self.cpu, &self.pids]
    }
}

/// Returns the folder of this process's own group in the hierarchy of `controller`. `mounts` is the text of
/// `/proc/self/mountinfo`, and `own` that of `/proc/self/cgroup`. `None` if the hierarchy is not mounted.
pub(super) fn own_folder(mounts: &str, own: &str, controller: &str) -> Option<PathBuf> {
    let has = |list: &str| list.split(',').any(|name| name == controller);
    let own = own.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        fields.next().filter(|controllers| has(controllers)).and(fields.next())
    })?;
    let (root, point) = mounts.lines().find_map(|line| {
        let (mount, kind) = line.split_once(" - ")?;
        let kind: Vec<_> = kind.split(' ').collect();
        let matches = kind.first() == Some(&"cgroup") && kind.get(2).is_some_and(|options| has(options));
        let mut fields = mount.split(' ').skip(3);
        matches.then(|| fields.next().zip(fields.next())).flatten()
    })?;
    // In a container, the root of the mount is the container's own group. This removes the path of the root from the
    // front of the path of the judge's group.
    let below = own.strip_prefix(root).unwrap_or("").trim_start_matches('/');
    Some(Path::new(point).join(below))
}

/// Makes a folder of a group. If two controllers share a hierarchy, the folder already exists, because it was made for
/// the first controller. It cannot belong to another group, because its name is unique.
fn make(folder: &PathBuf) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        result => result,
    }
}

impl GroupV1 {
    pub(super) fn new(hierarchies: &Hierarchies) -> io::Result<GroupV1> {
        let name = folder::new_name();
        let folders = hierarchies.all().map(|hierarchy| hierarchy.join(&name));
        let made = folders.iter().try_for_each(make).and_then(|()| GroupV1::opened(folders.clone()));
        if made.is_err() {
            // The group is incomplete: remove the folders that were made.
            folders.iter().map(PathBuf::as_path).for_each(folder::remove);
        }
        made
    }

    fn opened(folders: [PathBuf; 3]) -> io::Result<GroupV1> {
        let [memory, cpu, pids] = &folders;
        let write = |path: PathBuf| File::options().write(true).open(path);
        Ok(GroupV1 {
            join_files: [
                // These files are called `tasks`. The files `cgroup.procs` would be slower: on a write to
                // `cgroup.procs`, the kernel waits for an RCU grace period of all cores, which can take 30 ms. A single
                // thread that moves itself with `tasks` does not wait.
                write(memory.join("tasks"))?,
                write(cpu.join("tasks"))?,
                write(pids.join("tasks"))?,
            ],
            peak: File::options().read(true).write(true).open(memory.join("memory.max_usage_in_bytes"))?,
            usage: File::open(memory.join("memory.usage_in_bytes"))?,
            oom: File::open(memory.join("memory.oom_control"))?,
            cpu: File::open(cpu.join("cpuacct.usage"))?,
            pids_max: write(pids.join("pids.max"))?,
            folders,
        })
    }
}

impl GroupOperations for GroupV1 {
    fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        let file = |name: &str| self.folders[0].join(name);
        let with_swap = file("memory.memsw.limit_in_bytes");
        // The kernel refuses a limit on memory plus swap that is below the limit on memory. So this first removes the
        // limit on memory plus swap, and then sets the limit on memory. Without swap accounting, the file for memory
        // plus swap does not exist.
        if with_swap.exists() {
            fs::write(&with_swap, "-1")?;
        }
        fs::write(file("memory.limit_in_bytes"), bytes.to_string())?;
        if with_swap.exists() {
            fs::write(&with_swap, bytes.to_string())?;
        }
        Ok(())
    }

    fn limit_processes(&self, most: u64) -> io::Result<()> {
        self.pids_max.write_all_at(most.to_string().as_bytes(), 0)
    }

    fn reset_peak(&mut self) -> io::Result<()> {
        self.peak.write_all_at(b"0", 0)
    }

    fn memory(&self) -> io::Result<u64> {
        number(&self.usage)
    }

    fn peak_memory(&self) -> io::Result<Option<u64>> {
        number(&self.peak).map(Some)
    }

    fn cpu(&self) -> io::Result<Duration> {
        number(&self.cpu).map(Duration::from_nanos)
    }

    fn oom_kills(&self) -> io::Result<u64> {
        folder::value_of(&self.oom, "oom_kill")
    }

    fn join_files(&self) -> Vec<BorrowedFd<'_>> {
        self.join_files.iter().map(AsFd::as_fd).collect()
    }

    fn members(&self) -> io::Result<Vec<i32>> {
        folder::members(&self.folders[2])
    }

    fn remove(&self) {
        for folder in &self.folders {
            folder::remove(folder);
        }
    }

    #[cfg(test)]
    fn folders(&self) -> Vec<&Path> {
        self.folders.iter().map(PathBuf::as_path).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
        25 20 0:22 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n\
        26 25 0:23 / /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory\n\
        27 25 0:24 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro shared:9 - cgroup cgroup rw,cpu,cpuacct\n\
        28 25 0:25 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

    #[test]
    fn the_folder_is_that_of_the_own_group_in_the_mounted_tree() {
        let own = "4:memory:/user/one\n2:cpu,cpuacct:/docker/abc/x\n0::/\n";
        assert_eq!(own_folder(MOUNTS, own, "memory"), Some("/sys/fs/cgroup/memory/user/one".into()));
        assert_eq!(own_folder(MOUNTS, own, "cpuacct"), Some("/sys/fs/cgroup/cpu,cpuacct/x".into()));
        assert_eq!(own_folder(MOUNTS, own, "pids"), None);
    }

    #[test]
    fn a_controller_whose_name_is_part_of_another_is_not_taken_for_it() {
        assert_eq!(own_folder(MOUNTS, "2:cpuset:/\n", "cpu"), None);
    }
}
