//! Control groups of version 1: a folder in each of three trees.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal};

/// Where this process may make groups, tree by tree.
#[derive(Debug)]
pub(super) struct Places {
    memory: PathBuf,
    cpu: PathBuf,
    pids: PathBuf,
}

/// One group: its folder in each tree, and the files that every run needs, kept open.
#[derive(Debug)]
pub(super) struct Group {
    folders: [PathBuf; 3],
    entrances: [File; 3],
    peak: File,
    usage: File,
    oom: File,
    cpu: File,
    most_processes: File,
}

/// The largest file of figures that is read, and the largest list of members: more than a group can hold.
const LARGEST_BYTES: u64 = 1 << 20;

impl Places {
    /// Finds the trees and tries them out; `Err` says what is missing.
    pub(super) fn find() -> Result<Places, String> {
        let read = |path: &str| fs::read_to_string(path).map_err(|error| format!("{path} cannot be read: {error}"));
        let (mounts, own) = (read("/proc/self/mountinfo")?, read("/proc/self/cgroup")?);
        let place = |controller: &str| {
            folder(&mounts, &own, controller)
                .ok_or_else(|| format!("no control group of version 1 for {controller}, and version 2 is not used yet"))
        };
        let places = Places { memory: place("memory")?, cpu: place("cpuacct")?, pids: place("pids")? };
        places.remove_stale();
        let trial = Group::new(&places).map_err(|error| format!("a control group cannot be made: {error}"))?;
        let usable = trial.limit_memory(1 << 30).and_then(|()| trial.oom_kills()).map(drop);
        trial.remove();
        usable.map_err(|error| format!("control groups cannot be used: {error}")).map(|()| places)
    }

    fn all(&self) -> [&Path; 3] {
        [&self.memory, &self.cpu, &self.pids]
    }

    /// Removes what a judge that was killed has left, processes first. Only one of the same process namespace can be
    /// known to be gone.
    fn remove_stale(&self) {
        let Some(namespace) = namespace() else { return };
        let prefix = format!("referee-{namespace}-");
        let is_stale = |name: &str| {
            let judge = name.strip_prefix(&prefix).and_then(|rest| rest.split('-').next());
            judge.is_some_and(|judge| !Path::new("/proc").join(judge).exists())
        };
        let names = |place: &Path| {
            let entries = fs::read_dir(place).into_iter().flatten().filter_map(Result::ok);
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect::<Vec<_>>()
        };
        let stale: BTreeSet<_> = self.all().into_iter().flat_map(names).filter(|name| is_stale(name)).collect();
        for name in stale {
            let folders = self.all().map(|place| place.join(&name));
            let _ = fs::write(folders[2].join("pids.max"), "0");
            // A process that has not joined all three yet is found in one of them.
            for folder in &folders {
                kill_members(folder);
            }
            for folder in &folders {
                remove(folder);
            }
        }
    }
}

/// Kills whoever is in the group at `folder`, of a judge that is gone.
fn kill_members(folder: &Path) {
    let members = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
    for pid in members.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)) {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
}

/// Removes a group's folder. One that was just emptied is busy for a moment.
fn remove(folder: &Path) {
    for _ in 0..200 {
        match fs::remove_dir(folder) {
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => std::thread::sleep(Duration::from_micros(500)),
            _ => return,
        }
    }
}

/// The number of this process's namespace of processes.
fn namespace() -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self/ns/pid").ok().map(|found| found.ino())
}

/// The folder of this process in the tree of `controller`: where that tree is mounted, and the process's place in it.
fn folder(mounts: &str, own: &str, controller: &str) -> Option<PathBuf> {
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
    // In a container the tree is mounted from the container's own group on.
    let below = own.strip_prefix(root).unwrap_or("").trim_start_matches('/');
    Some(Path::new(point).join(below))
}

impl Group {
    pub(super) fn new(places: &Places) -> io::Result<Group> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("referee-{}-{}-{number}", namespace().unwrap_or(0), std::process::id());
        let folders = places.all().map(|place| place.join(&name));
        for folder in &folders {
            fs::create_dir(folder)?;
        }
        let [memory, cpu, pids] = &folders;
        let write = |path: PathBuf| File::options().write(true).open(path);
        Ok(Group {
            entrances: [
                write(memory.join("cgroup.procs"))?,
                write(cpu.join("cgroup.procs"))?,
                write(pids.join("cgroup.procs"))?,
            ],
            peak: File::options().read(true).write(true).open(memory.join("memory.max_usage_in_bytes"))?,
            usage: File::open(memory.join("memory.usage_in_bytes"))?,
            oom: File::open(memory.join("memory.oom_control"))?,
            cpu: File::open(cpu.join("cpuacct.usage"))?,
            most_processes: write(pids.join("pids.max"))?,
            folders,
        })
    }

    pub(super) fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        let file = |name: &str| self.folders[0].join(name);
        let with_swap = file("memory.memsw.limit_in_bytes");
        // The limit of memory and swap must never be the lower of the two. Without swap accounting there is none.
        if with_swap.exists() {
            fs::write(&with_swap, "-1")?;
        }
        fs::write(file("memory.limit_in_bytes"), bytes.to_string())?;
        if with_swap.exists() {
            fs::write(&with_swap, bytes.to_string())?;
        }
        Ok(())
    }

    pub(super) fn limit_processes(&self, most: u64) -> io::Result<()> {
        self.most_processes.write_all_at(most.to_string().as_bytes(), 0)
    }

    pub(super) fn reset_peak(&self) -> io::Result<()> {
        self.peak.write_all_at(b"0", 0)
    }

    pub(super) fn memory(&self) -> io::Result<u64> {
        number(&self.usage)
    }

    pub(super) fn peak_memory(&self) -> io::Result<u64> {
        number(&self.peak)
    }

    pub(super) fn cpu(&self) -> io::Result<Duration> {
        number(&self.cpu).map(Duration::from_nanos)
    }

    pub(super) fn oom_kills(&self) -> io::Result<u64> {
        let text = small_text(&self.oom)?;
        let count = text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok());
        count.ok_or_else(|| io::Error::other("memory.oom_control does not count what was killed"))
    }

    pub(super) fn entrances(&self) -> Vec<BorrowedFd<'_>> {
        self.entrances.iter().map(AsFd::as_fd).collect()
    }

    /// The processes in the group.
    pub(super) fn members(&self) -> io::Result<Vec<i32>> {
        use std::io::Read;
        let mut text = String::new();
        File::open(self.folders[2].join("cgroup.procs"))?.take(LARGEST_BYTES).read_to_string(&mut text)?;
        Ok(text.lines().filter_map(|line| line.parse().ok()).collect())
    }

    /// Removes the folders.
    pub(super) fn remove(&self) {
        for folder in &self.folders {
            remove(folder);
        }
    }

    #[cfg(test)]
    pub(super) fn folders(&self) -> [PathBuf; 3] {
        self.folders.clone()
    }
}

fn number(file: &File) -> io::Result<u64> {
    small_text(file)?.trim().parse().map_err(io::Error::other)
}

/// The file from its beginning; those read here are some lines long.
fn small_text(file: &File) -> io::Result<String> {
    let mut bytes = [0; 256];
    let length = file.read_at(&mut bytes, 0)?;
    String::from_utf8(bytes[..length].to_vec()).map_err(io::Error::other)
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
        assert_eq!(folder(MOUNTS, own, "memory"), Some("/sys/fs/cgroup/memory/user/one".into()));
        assert_eq!(folder(MOUNTS, own, "cpuacct"), Some("/sys/fs/cgroup/cpu,cpuacct/x".into()));
        assert_eq!(folder(MOUNTS, own, "pids"), None);
    }

    #[test]
    fn a_controller_whose_name_is_part_of_another_is_not_taken_for_it() {
        assert_eq!(folder(MOUNTS, "2:cpuset:/\n", "cpu"), None);
    }
}
