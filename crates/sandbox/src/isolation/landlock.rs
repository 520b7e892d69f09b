//! Uses Landlock (Linux 5.13) to restrict the files that a program can open. The kernel refuses to open files that no
//! rule allows, even if their modes permit it.
//!
//! Inside a private root Landlock is a second barrier; without one it is the only barrier. The rule set is made once. A
//! process applies it with one system call, and neither the process nor its children can remove it.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use rustix::fs::{Mode, OFlags};

use super::super::plan::{Kind, SetupError, ZygotePlan, display_path};

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
    for view in &plan.views {
        match view.kind {
            Kind::ReadOnly => allow(&view.path, read)?,
            Kind::Device => allow(&view.path, READ_FILE | WRITE_FILE | TRUNCATE)?,
            Kind::Link(_) | Kind::Text(_) | Kind::Empty | Kind::Blank => {}
        }
    }
    if let Some(scratch) = &plan.scratch {
        allow(&scratch.path, read | WRITE_FILE | TRUNCATE | REFER | CHANGE_FOLDER)?;
    }
    Ok(rules)
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
