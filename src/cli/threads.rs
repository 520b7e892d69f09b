//! Checks that the judge can start its threads and programs. The system refuses threads beyond the limit of processes
//! (`ulimit -u`) and beyond that of a control group (`pids.max`). A thread that cannot be started in the middle of a run
//! would end the judge without a report, and a compiler that cannot start its linker looks as if a program did not
//! compile.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use rustix::process::Resource;

use super::Failure;

/// The number of threads that the judge needs beside one for each job: the main thread's helpers, and those that watch
/// an interactive run.
const BESIDE_JOBS: usize = 4;

/// The size of the stack of a thread that only waits, in bytes.
const STACK_BYTES: usize = 1 << 16;

/// The number of processes that one job needs at the same time: the sandbox's own process, and a compiler with the
/// programs that it starts. If the system refused one of them, a program would be judged wrongly.
const PROCESSES_OF_JOB: usize = 8;

/// Fails if the system refuses the threads and processes that the judge needs to run `jobs` programs at the same time.
pub(super) fn allow_for(jobs: usize) -> Result<(), Failure> {
    let threads = jobs.saturating_add(BESIDE_JOBS);
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let room = group_with_limit(&groups).and_then(|(root, group)| room_in(&root, &group).ok());
    if let Some(Room::Of { free, most }) = room {
        let needed = threads.saturating_add(jobs.saturating_mul(PROCESSES_OF_JOB)) as u64;
        if free < needed {
            let message = format!(
                "-j {jobs} needs {needed} threads and processes, but the control group of this process allows only \
                 {free} more of {most}"
            );
            return Err(Failure::unusable(message).with_hint(
                "raise the limit of the container (docker run --pids-limit) or of the service (TasksMax), or \
                            use a smaller -j",
            ));
        }
    }
    if room.is_some() && user_may_start(threads) {
        return Ok(());
    }
    probe(threads).map_err(|error| {
        let message = format!("-j {jobs} needs {threads} threads, and the system refuses them: {error}");
        Failure::unusable(message).with_hint("raise the limit of processes (ulimit -u), or use a smaller -j")
    })
}

/// Returns whether the user's limit of processes would allow `needed` more threads even if all threads of the machine
/// belonged to this user. Then starting them as a test would only take time.
fn user_may_start(needed: usize) -> bool {
    let limit = rustix::process::getrlimit(Resource::Nproc).current;
    let load = fs::read_to_string("/proc/loadavg");
    let running = load.ok().and_then(|load| all_threads(&load));
    running.is_some_and(|running| limit.is_none_or(|limit| limit >= running.saturating_add(needed as u64)))
}

/// Returns the number of threads of the machine. `load` has the form `0.26 0.91 3.56 2/80 30671`, where 80 is that
/// number.
fn all_threads(load: &str) -> Option<u64> {
    load.split_ascii_whitespace().nth(3)?.split_once('/')?.1.parse().ok()
}

/// Returns the root of the hierarchy that limits processes, and the group of this process in it. `groups` is the content
/// of `/proc/self/cgroup`.
fn group_with_limit(groups: &str) -> Option<(PathBuf, PathBuf)> {
    let fields = |line: &str| Some((line.split(':').nth(1)?.to_owned(), line.splitn(3, ':').nth(2)?.to_owned()));
    let all: Vec<_> = groups.lines().filter_map(fields).collect();
    let has_pids = |controllers: &str| controllers.split(',').any(|controller| controller == "pids");
    let first = all.iter().find(|(controllers, _)| has_pids(controllers));
    let (root, (_, group)) = match first {
        Some(found) => ("/sys/fs/cgroup/pids", found),
        None => ("/sys/fs/cgroup", all.iter().find(|(controllers, _)| controllers.is_empty())?),
    };
    let root = PathBuf::from(root);
    let group = root.join(group.strip_prefix('/')?);
    Some((root, group))
}

/// How many more threads and processes the control groups of this process allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    Unlimited,
    /// `free` more in the group with the least room. This group allows `most` in all.
    Of {
        free: u64,
        most: u64,
    },
}

/// Returns the room in `group` and in the groups around it, up to `root`. Fails if a limit cannot be read.
fn room_in(root: &Path, group: &Path) -> io::Result<Room> {
    let mut room = Room::Unlimited;
    for folder in group.ancestors().take_while(|folder| folder.starts_with(root)) {
        match fs::read_to_string(folder.join("pids.max")) {
            Ok(limit) if limit.trim() == "max" => {}
            Ok(limit) => {
                let number = |text: &str| text.trim().parse::<u64>().map_err(io::Error::other);
                let (most, current) = (number(&limit)?, number(&fs::read_to_string(folder.join("pids.current"))?)?);
                let here = most.saturating_sub(current);
                if !matches!(room, Room::Of { free, .. } if free <= here) {
                    room = Room::Of { free: here, most };
                }
            }
            // The group that contains all processes of the machine has no limit.
            Err(error) if error.kind() == ErrorKind::NotFound && folder == root => {}
            Err(error) => return Err(error),
        }
    }
    Ok(room)
}

/// Starts `count` threads that exist at the same time, and ends them.
fn probe(count: usize) -> io::Result<()> {
    // The threads wait for a lock that this thread holds, so that none ends before the last has started.
    let all_started = Mutex::new(());
    thread::scope(|scope| {
        let held = all_started.lock();
        let started = (0..count).try_for_each(|_| {
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, || drop(all_started.lock())).map(drop)
        });
        drop(held);
        started
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_names_the_threads_of_the_machine() {
        assert_eq!(all_threads("0.26 0.91 3.56 2/80 30671\n"), Some(80));
        assert!(["", "0.26 0.91 3.56", "0.26 0.91 3.56 80 30671"].iter().all(|load| all_threads(load).is_none()));
    }

    #[test]
    fn no_limit_allows_more_threads_than_a_machine_can_have() {
        assert!(user_may_start(4));
        let limit = rustix::process::getrlimit(Resource::Nproc).current;
        assert!(limit.is_none() || !user_may_start(usize::MAX));
    }

    #[test]
    fn the_group_is_found_in_both_versions_of_control_groups() {
        let found = |groups: &str| group_with_limit(groups).map(|(_, group)| group.display().to_string());
        let first = "9:name=systemd:/\n8:cpu,pids:/user:1/a\n0::/other\n";
        assert_eq!(found(first).as_deref(), Some("/sys/fs/cgroup/pids/user:1/a"));
        assert_eq!(found("0::/user.slice\n").as_deref(), Some("/sys/fs/cgroup/user.slice"));
        assert_eq!(found("8:memory:/\n"), None);
        assert_eq!(found(""), None);
    }

    #[test]
    fn the_group_with_the_least_room_on_the_way_to_the_root_counts() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let group = root.join("outer/inner");
        fs::create_dir_all(&group).unwrap();
        let write = |path: &str, text: &str| fs::write(root.join(path), text).unwrap();
        write("outer/inner/pids.max", "max\n");
        assert!(room_in(root, &group).is_err(), "the limit of outer is unknown");
        write("outer/pids.max", "max\n");
        assert_eq!(room_in(root, &group).unwrap(), Room::Unlimited);
        write("outer/pids.max", "10\n");
        write("outer/pids.current", "4\n");
        assert_eq!(room_in(root, &group).unwrap(), Room::Of { free: 6, most: 10 });
        write("pids.max", "100\n");
        write("pids.current", "99\n");
        assert_eq!(room_in(root, &group).unwrap(), Room::Of { free: 1, most: 100 });
        write("pids.current", "20\n");
        assert_eq!(room_in(root, &group).unwrap(), Room::Of { free: 6, most: 10 });
        assert!(room_in(root, &root.join("none")).is_err());
    }
}
