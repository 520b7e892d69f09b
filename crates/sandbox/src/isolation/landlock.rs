//! Uses Landlock (Linux 5.13) to restrict the files that a program can open. The kernel refuses to open files that no
//! rule allows, even if their modes permit it.
//!
//! Inside a private root Landlock is a second barrier. Without a private root it is the only barrier. The rule set is
//! made once. A process applies it with one system call, and neither the process nor its children can remove it.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use super::super::plan::{Kind, SetupError, View, ZygotePlan, display_path};

// Names and numbers from include/uapi/linux/landlock.h.
const EXECUTE: u64 = 1 << 0;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
const IOCTL_DEV: u64 = 1 << 15;
/// The rights to remove files and folders, and to make files, folders, symbolic links and FIFOs. Bits 6, 9 and 11 are
/// left out: they are the rights to make devices and sockets.
const CHANGE_FOLDER: u64 = 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 10 | 1 << 12;
/// All rights of Landlock's first version.
const FIRST: u64 = (1 << 13) - 1;
const BIND_TCP: u64 = 1 << 0;
const CONNECT_TCP: u64 = 1 << 1;
const SCOPE_ABSTRACT_SOCKETS: u64 = 1 << 0;
const SCOPE_SIGNALS: u64 = 1 << 1;
const CREATE_RULESET_VERSION: u32 = 1;
const RULE_PATH_BENEATH: u32 = 1;

#[repr(C)]
struct RulesetAttributes {
    files: u64,
    network: u64,
    scopes: u64,
}

#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    parent: i32,
}

/// Returns the version of Landlock in this kernel; 0 if it has none or has disabled it.
pub(super) fn version() -> u32 {
    // SAFETY: with this flag, the call does not use the pointer, which is null.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, CREATE_RULESET_VERSION)
    };
    u32::try_from(version).unwrap_or(0)
}

/// The first version in which Landlock prevents a program from sending signals to processes outside its sandbox.
pub(super) const SIGNALS_SINCE: u32 = 6;

/// Makes a rule set that allows the files of `plan`. If there is a private root, the caller must already be inside it,
/// because this call resolves the paths.
pub(super) fn rules(plan: &ZygotePlan) -> Result<OwnedFd, SetupError> {
    let version = version();
    let since = |first: u32, rights: u64| if version >= first { rights } else { 0 };
    let handled = FIRST | since(2, REFER) | since(3, TRUNCATE) | since(5, IOCTL_DEV);
    let attributes = RulesetAttributes {
        files: handled,
        network: since(4, BIND_TCP | CONNECT_TCP),
        scopes: since(SIGNALS_SINCE, SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS),
    };
    let rules = create(&attributes).map_err(SetupError::during("making Landlock rules"))?;
    let allow = |path: &OsStr, rights: u64| {
        allow(&rules, path, rights & handled)
            .map_err(SetupError::during(format!("adding {} to the Landlock rules", display_path(path))))
    };
    let read = EXECUTE | READ_FILE | READ_DIR;
    if plan.isolation.namespaces.is_some() {
        allow("/".as_ref(), read)?;
    }
    // Without a private root, Landlock must hide these paths. In a private root, other files are mounted over them.
    let hides = |view: &&View| view.hides() && plan.isolation.namespaces.is_none();
    let hidden: Vec<_> = plan.views.iter().filter(hides).map(|view| Path::new(&view.path)).collect();
    for view in &plan.views {
        match view.kind {
            Kind::ReadOnly => {
                for path in without(Path::new(&view.path), &hidden) {
                    match allow(path.as_os_str(), read) {
                        // The entry of a folder may have been removed since the folder was read.
                        Err(error) if error.is_missing() && path.as_os_str() != view.path => {}
                        allowed => allowed?,
                    }
                }
            }
            Kind::Device => allow(&view.path, READ_FILE | WRITE_FILE | TRUNCATE)?,
            Kind::Link(_) | Kind::Text(_) | Kind::Empty | Kind::Blank => {}
        }
    }
    if let Some(scratch) = &plan.scratch {
        allow(&scratch.path, read | WRITE_FILE | TRUNCATE | REFER | CHANGE_FOLDER)?;
    }
    Ok(rules)
}

/// Returns the paths that together contain everything in `shown` but the `hidden` paths. Landlock cannot take back what
/// it allows on a folder. So instead of a folder above a hidden path, this returns the folder's other entries. A
/// program can then not list the folder.
fn without(shown: &Path, hidden: &[&Path]) -> Vec<PathBuf> {
    if hidden.contains(&shown) {
        return Vec::new();
    }
    if !hidden.iter().any(|path| path.starts_with(shown)) {
        return vec![shown.to_path_buf()];
    }
    let entries = fs::read_dir(shown).into_iter().flatten().filter_map(Result::ok);
    // Links are left out. Whether the target of a link is allowed depends on the rules for the target's own path.
    let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
    entries.flat_map(|entry| without(&entry.path(), hidden)).collect()
}

fn create(attributes: &RulesetAttributes) -> io::Result<OwnedFd> {
    // SAFETY: the pointer is to a live value of the given size. An older kernel knows only the first fields and
    // requires the rest to be zero, which it is.
    let fd =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, attributes, size_of::<RulesetAttributes>(), 0u32) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call has succeeded, so `fd` is a new descriptor, and no other value owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

/// Allows `rights` on `path` and, if it is a folder, on everything below it.
fn allow(rules: &OwnedFd, path: &OsStr, rights: u64) -> io::Result<()> {
    let file = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    let is_folder = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(&file)?.st_mode).is_dir();
    // If the path is a file, the kernel refuses a rule with rights that only folders can have.
    let of_files = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;
    let rule = PathBeneath { allowed: if is_folder { rights } else { rights & of_files }, parent: file.as_raw_fd() };
    // SAFETY: the pointer is to a live value of the type for this kind of rule, and both descriptors are open.
    let result = unsafe {
        libc::syscall(libc::SYS_landlock_add_rule, rules.as_raw_fd(), RULE_PATH_BENEATH, &raw const rule, 0u32)
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entries_beside_a_hidden_path_stay_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in ["a/b/hidden", "a/b/beside", "a/c", "d"] {
            fs::create_dir_all(root.join(path)).unwrap();
        }
        std::os::unix::fs::symlink("a/b/hidden", root.join("link")).unwrap();
        let hidden = [root.join("a/b/hidden"), PathBuf::from("/elsewhere")];
        let hidden: Vec<_> = hidden.iter().map(PathBuf::as_path).collect();
        let mut found = without(root, &hidden);
        found.sort();
        assert_eq!(found, ["a/b/beside", "a/c", "d"].map(|path| root.join(path)));
        assert_eq!(without(&root.join("d"), &hidden), [root.join("d")]);
        assert_eq!(without(&root.join("a/b/hidden"), &hidden), [] as [PathBuf; 0]);
    }
}
