//! Finds memory that belongs to a program but to none of its processes: shared anonymous mappings whose pages are not
//! mapped at the moment, and the buffers of sockets and pipes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::OnceLock;

use super::super::descriptors;

/// If a program has more shared objects than this, the judge does not rely on their sizes: between two samples, the
/// program may have made many objects and unmapped most of each. Honest programs have few.
const MANY_OBJECTS: usize = 16;

/// The shared anonymous mappings of a program. Each is an object of the kernel with an inode number. Its pages stay in
/// memory until its last mapping is gone, even if a process unmaps most of it.
#[derive(Debug, Default)]
pub(super) struct SharedObjects {
    /// The largest size that each object has been seen with, in bytes, by inode number.
    sizes: BTreeMap<u64, u64>,
}

impl SharedObjects {
    /// Replaces the objects by those in `maps`, the texts of `/proc/PID/maps` of all processes. Objects that remain
    /// keep their size. Returns the sizes of all objects together, in bytes.
    pub(super) fn update<'a>(&mut self, maps: impl Iterator<Item = &'a str>) -> u64 {
        let mut sizes = BTreeMap::<u64, u64>::new();
        for (inode, end) in maps.flat_map(str::lines).filter_map(shared_anonymous) {
            let before = self.sizes.get(&inode).copied().unwrap_or(0);
            let size = sizes.entry(inode).or_insert(before);
            *size = end.max(*size);
        }
        self.sizes = sizes;
        self.bytes()
    }

    /// Returns the sizes of all objects at the last update together, in bytes. If there are more than [`MANY_OBJECTS`],
    /// returns `u64::MAX` instead, so that only the number of page faults bounds their memory.
    pub(super) fn bytes(&self) -> u64 {
        if self.sizes.len() > MANY_OBJECTS && has_small_pages_only() {
            return u64::MAX;
        }
        self.sizes.values().fold(0, |sum, size| sum.saturating_add(*size))
    }

    /// Whether the last update found no object.
    pub(super) fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }
}

/// Parses a line of `/proc/PID/maps`. Returns the inode number of a shared anonymous mapping, and the end of the
/// mapping within the object, in bytes; `None` for other mappings. The kernel shows a program's own name for such a
/// mapping, if the program has given one.
fn shared_anonymous(line: &str) -> Option<(u64, u64)> {
    let (range, rest) = line.split_once(' ')?;
    let (rights, rest) = rest.split_once(' ')?;
    let (offset, rest) = rest.split_once(' ')?;
    let (_device, rest) = rest.split_once(' ')?;
    let (inode, name) = rest.split_once(' ')?;
    let name = name.trim_start();
    if !rights.ends_with('s') || !(name == "/dev/zero (deleted)" || name.starts_with("[anon_shmem:")) {
        return None;
    }
    let (start, end) = range.split_once('-')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    let bytes = number(end)?.checked_sub(number(start)?)?;
    Some((inode.parse().ok()?, number(offset)?.checked_add(bytes)?))
}

/// Whether the kernel uses only small pages for shared anonymous memory. In that case each page in memory has caused a
/// page fault.
pub(super) fn has_small_pages_only() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let folder = Path::new("/sys/kernel/mm/transparent_hugepage");
        let setting = |path: &Path| fs::read_to_string(path.join("shmem_enabled")).ok();
        let is_off = |text: &str| text.contains("[never]") || text.contains("[deny]");
        let sizes = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        setting(folder).is_none_or(|text| is_off(&text))
            && sizes.filter_map(|size| setting(&size.path())).all(|text| is_off(&text) || text.contains("[inherit]"))
    })
}

/// The sockets and pipes that the processes of a program hold, by inode number.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    sockets: BTreeSet<u64>,
    pipes: BTreeSet<u64>,
}

/// The part of the buffers of sockets and pipes that does not count as memory of the program, in bytes. The judge does
/// not know how full a buffer is, so it counts what the buffer can hold. This allowance covers the few sockets and pipes
/// of an honest program.
const FREE_BUFFER_BYTES: u64 = 4 << 20;

/// The largest size of a pipe in bytes. The filter of system calls prevents programs from enlarging pipes.
const PIPE_BYTES: u64 = 64 << 10;

/// A process with at most this many open files has no large buffers.
const FEW_FILES: u64 = 16;

impl Buffers {
    /// Adds the sockets and pipes that a process holds. `folder` is its folder in `/proc`. Adds none if the judge may
    /// not see its open files.
    pub(super) fn add_of(&mut self, folder: &Path) {
        let large = descriptors::folders(folder).into_iter().filter(|folder| has_many_files(folder));
        for entry in large.flat_map(fs::read_dir).flatten().filter_map(Result::ok) {
            let Ok(target) = fs::read_link(entry.path()) else { continue };
            match target.to_str().and_then(kind_and_inode) {
                Some(("socket", inode)) => _ = self.sockets.insert(inode),
                Some(("pipe", inode)) => _ = self.pipes.insert(inode),
                _ => {}
            }
        }
    }

    /// Returns the most memory that the buffers can hold, in bytes, beyond [`FREE_BUFFER_BYTES`].
    pub(super) fn bytes(&self) -> u64 {
        let bytes = self.sockets.len() as u64 * socket_bytes() + self.pipes.len() as u64 * PIPE_BYTES;
        bytes.saturating_sub(FREE_BUFFER_BYTES)
    }
}

/// Whether a process has enough open files for large buffers. `folder` is its folder in `/proc`.
pub(super) fn may_have_buffers(folder: &Path) -> bool {
    descriptors::folders(folder).iter().any(|folder| has_many_files(folder))
}

fn has_many_files(descriptors: &Path) -> bool {
    // The size of this folder is the number of open files from Linux 6.2 on, and 0 before.
    fs::metadata(descriptors).is_ok_and(|found| !(1..=FEW_FILES).contains(&found.size()))
}

/// Parses a link such as `socket:[123]`.
fn kind_and_inode(link: &str) -> Option<(&str, u64)> {
    let (kind, rest) = link.split_once(":[")?;
    Some((kind, rest.strip_suffix(']')?.parse().ok()?))
}

/// Returns the most memory in bytes that data sent through a socket can use. The kernel accepts one more message while
/// the buffer is not full, and a message is at most as large as the buffer. The filter of system calls prevents
/// programs from enlarging the buffer.
fn socket_bytes() -> u64 {
    /// The kernel's usual default.
    const USUAL_BYTES: u64 = 212_992;
    static FOUND: OnceLock<u64> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let setting = fs::read_to_string("/proc/sys/net/core/wmem_default").ok();
        2 * setting.and_then(|text| text.trim().parse().ok()).unwrap_or(USUAL_BYTES)
    })
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;

    const WHOLE: &str = "7f0000000000-7f0000a00000 rw-s 00000000 00:01 77   /dev/zero (deleted)\n";

    #[test]
    fn an_object_keeps_its_size_while_a_part_of_it_is_mapped() {
        let mut objects = SharedObjects::default();
        assert_eq!(objects.update([WHOLE, WHOLE].into_iter()), 10 << 20, "two processes share it");
        let part = "7f0000000000-7f0000001000 rw-s 00002000 00:01 77 [anon_shmem:my name]\n";
        assert_eq!(objects.update([part].into_iter()), 10 << 20);
        let other = "7f0000000000-7f0000001000 rw-s 00002000 00:01 78 /dev/zero (deleted)\n";
        assert_eq!(objects.update([other].into_iter()), 3 << 12);
        assert_eq!(objects.update(std::iter::empty()), 0);
    }

    #[test]
    fn the_sizes_of_many_objects_are_not_trusted() {
        let mut objects = SharedObjects::default();
        let one = |inode: usize| format!("7f0000000000-7f0000001000 rw-s 00000000 00:01 {inode} /dev/zero (deleted)\n");
        let all: Vec<_> = (0..=MANY_OBJECTS).map(one).collect();
        let bytes = objects.update(all.iter().map(String::as_str));
        assert!(bytes == u64::MAX || (bytes == 17 << 12 && !has_small_pages_only()));
        assert_eq!(objects.update(all[1..].iter().map(String::as_str)), 16 << 12);
    }

    #[test]
    fn only_shared_anonymous_memory_is_an_object() {
        for line in [
            "7f0000000000-7f0000a00000 rw-p 00000000 00:00 0",
            "7f0000000000-7f0000a00000 rw-p 00000000 00:01 77 /dev/zero (deleted)",
            "7f0000000000-7f0000a00000 rw-s 00000000 08:01 77 /usr/lib/file",
            "7f0000000000-7f0000a00000 r--s 00000000 00:01 77 /memfd:input (deleted)",
            "7f0000000000 rw-s",
        ] {
            assert_eq!(shared_anonymous(line), None, "{line}");
        }
    }

    #[test]
    fn the_shared_memory_of_this_process_is_found() {
        let (shared, bytes) = (libc::MAP_SHARED | libc::MAP_ANONYMOUS, 3 << 20);
        // SAFETY: the call makes a new mapping, which nothing uses.
        let map = unsafe { libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_READ, shared, -1, 0) };
        assert_ne!(map, libc::MAP_FAILED);
        let text = fs::read_to_string("/proc/self/maps").unwrap();
        assert!(text.lines().filter_map(shared_anonymous).any(|(_, end)| end == bytes as u64), "{text}");
        // SAFETY: this is the mapping from above.
        unsafe { libc::munmap(map, bytes) };
    }

    #[test]
    fn sockets_and_pipes_count_once_and_only_if_there_are_many() {
        let (mut buffers, mut kept) = (Buffers::default(), Vec::new());
        for _ in 0..12 {
            kept.push(std::os::unix::net::UnixStream::pair().unwrap());
        }
        buffers.add_of(Path::new("/proc/self"));
        buffers.add_of(Path::new("/proc/self"));
        for (one, other) in &kept {
            for end in [one, other] {
                assert!(buffers.sockets.contains(&rustix::fs::fstat(end.as_fd()).unwrap().st_ino));
            }
        }
        let few = Buffers { sockets: (0..5).collect(), pipes: (0..20).collect() };
        assert_eq!(few.bytes(), 0);
        let many = Buffers { sockets: (0..1000).collect(), pipes: (0..20).collect() };
        assert_eq!(many.bytes(), 1000 * socket_bytes() + 20 * PIPE_BYTES - FREE_BUFFER_BYTES);
    }
}
