//! Reads how many processes the control groups of the judge still allow.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{v1, v2};

/// How many more processes and threads the control groups of the judge allow, which its programs share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessRoom {
    /// No group has a limit.
    Unlimited,
    /// This is the room in the group that has the least.
    Limited {
        /// The number of further processes and threads.
        free: u64,
        /// The number that the group allows in all.
        most: u64,
    },
}

/// Returns the room for processes in the judge's group and in the groups around it. Fails if a limit cannot be read, or
/// if no hierarchy of groups limits processes here.
pub fn process_room() -> io::Result<ProcessRoom> {
    let (mounts, own) = (fs::read_to_string("/proc/self/mountinfo")?, fs::read_to_string("/proc/self/cgroup")?);
    let folder = v1::own_folder(&mounts, &own, "pids").or_else(|| v2::own_folder(&mounts, &own));
    room_in(&folder.ok_or_else(|| io::Error::from(ErrorKind::NotFound))?)
}

/// Returns the room in a group and in the groups around it. Every group has the file `cgroup.procs`.
fn room_in(group: &Path) -> io::Result<ProcessRoom> {
    let is_group = |folder: &&Path| folder.join("cgroup.procs").exists();
    let groups: Vec<PathBuf> = group.ancestors().take_while(is_group).map(Path::to_path_buf).collect();
    if groups.is_empty() {
        return Err(io::Error::from(ErrorKind::NotFound));
    }
    groups.iter().try_fold(ProcessRoom::Unlimited, |room, group| {
        Ok(match (room, own_room(group)?) {
            (ProcessRoom::Limited { free, .. }, ProcessRoom::Limited { free: here, .. }) if free <= here => room,
            (_, ProcessRoom::Unlimited) => room,
            (_, smaller) => smaller,
        })
    })
}

/// Returns the room that the limit of this one group leaves. The outermost group of the machine has no limit, and a
/// group of version 2 may have none.
fn own_room(group: &Path) -> io::Result<ProcessRoom> {
    let limit = match fs::read_to_string(group.join("pids.max")) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(ProcessRoom::Unlimited),
        limit => limit?,
    };
    if limit.trim() == "max" {
        return Ok(ProcessRoom::Unlimited);
    }
    let number = |text: &str| text.trim().parse::<u64>().map_err(io::Error::other);
    let (most, used) = (number(&limit)?, number(&fs::read_to_string(group.join("pids.current"))?)?);
    Ok(ProcessRoom::Limited { free: most.saturating_sub(used), most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_with_the_least_room_counts_and_folders_that_are_no_groups_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        let group = root.join("outer/inner");
        fs::create_dir_all(&group).unwrap();
        let write = |path: &str, text: &str| fs::write(root.join(path), text).unwrap();
        assert!(room_in(&group).is_err(), "it is no group");
        for path in ["cgroup.procs", "outer/cgroup.procs", "outer/inner/cgroup.procs"] {
            write(path, "");
        }
        fs::write(folder.path().join("pids.max"), "0\n").unwrap();
        write("outer/inner/pids.max", "max\n");
        assert_eq!(room_in(&group).unwrap(), ProcessRoom::Unlimited);
        write("outer/pids.max", "10\n");
        assert!(room_in(&group).is_err(), "the number of processes is unknown");
        write("outer/pids.current", "4\n");
        assert_eq!(room_in(&group).unwrap(), ProcessRoom::Limited { free: 6, most: 10 });
        write("pids.max", "100\n");
        write("pids.current", "99\n");
        assert_eq!(room_in(&group).unwrap(), ProcessRoom::Limited { free: 1, most: 100 });
        write("pids.current", "20\n");
        assert_eq!(room_in(&group).unwrap(), ProcessRoom::Limited { free: 6, most: 10 });
    }
}
