//! Makes a private root. It contains only the files that the plan shows, and only the scratch folder can be written.
//!
//! All mounts are first made detached, before the new root covers anything, so that no mount can hide the source of a
//! later one. `open_tree` copies a part of the machine's tree. `mount_setattr` (Linux 5.12) makes the copy read-only,
//! including the mounts below it. `move_mount` attaches it to the new root. `pivot_root` leaves the machine's own tree,
//! which is then unmounted.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags,
};

use super::super::plan::{Kind, ScratchPlan, SetupError, View, ZygotePlan, display_path};

/// The folder on which the new root is mounted until `pivot_root`. It always exists, and no mount is copied from it.
const TEMPORARY_MOUNT_POINT: &str = "/proc";

/// The size of the new root's file system, 1 MiB. It contains only folders, links and a few lines of text.
const ROOT_BYTES: &str = "1m";

/// The result of [`build`].
pub(super) struct Root {
    /// A descriptor of the folder to which the program can write; `None` if the program has none.
    pub(super) scratch: Option<OwnedFd>,
    /// Whether the root has a /proc. Some containers do not allow mounting it.
    pub(super) has_proc: bool,
}

/// Replaces the machine's file tree with a tree that contains only the files of `plan` and, if possible, a /proc.
pub(super) fn build(plan: &ZygotePlan) -> Result<Root, SetupError> {
    // Mounts that are made from here on must not become visible outside this namespace.
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    rustix::mount::mount_change("/", private).map_err(SetupError::during("making mounts private"))?;
    let sources: Vec<_> = plan.views.iter().map(|view| Ok((view, source(view)?))).collect::<Result<_, SetupError>>()?;
    let root = tmpfs(&[("size", ROOT_BYTES), ("mode", "755")]).map_err(SetupError::during("making a root"))?;
    attach(root.as_fd(), CWD, TEMPORARY_MOUNT_POINT.as_ref()).map_err(SetupError::during("mounting the root"))?;
    for (view, source) in sources {
        show(&root, view, source).map_err(SetupError::during(format!("showing {}", display_path(&view.path))))?;
    }
    let scratch = plan.scratch.as_ref().map(|scratch| {
        let doing = format!("making the writable folder {}", display_path(&scratch.path));
        mount_scratch(&root, scratch).map_err(SetupError::during(doing))
    });
    let scratch = scratch.transpose()?;
    let has_proc = mount_proc(&root).is_ok();
    enter(&root).map_err(SetupError::during("entering the new root"))?;
    set_attributes(root.as_fd(), MountAttrFlags::MOUNT_ATTR_RDONLY, AtFlags::EMPTY_PATH)
        .map_err(SetupError::during("making the root read-only"))?;
    Ok(Root { scratch, has_proc })
}

/// Makes a detached mount of the machine's file or folder that the view shows, with the flags for this kind of view. A
/// blank file is shown as a mount of /dev/null. `None` if the view shows no file of the machine.
fn source(view: &View) -> Result<Option<OwnedFd>, SetupError> {
    let flags = match view.kind {
        Kind::ReadOnly => {
            MountAttrFlags::MOUNT_ATTR_RDONLY | MountAttrFlags::MOUNT_ATTR_NODEV | MountAttrFlags::MOUNT_ATTR_NOSUID
        }
        // The device's file is read-only; writes to the device itself work.
        Kind::Device | Kind::Blank => {
            MountAttrFlags::MOUNT_ATTR_RDONLY | MountAttrFlags::MOUNT_ATTR_NOEXEC | MountAttrFlags::MOUNT_ATTR_NOSUID
        }
        Kind::Link(_) | Kind::Text(_) | Kind::Empty => return Ok(None),
    };
    let copy = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    let path: &OsStr = if view.kind == Kind::Blank { "/dev/null".as_ref() } else { &view.path };
    let tree = rustix::mount::open_tree(CWD, path, copy).and_then(|tree| {
        set_attributes(tree.as_fd(), flags, AtFlags::EMPTY_PATH | AtFlags::from_bits_retain(RECURSIVE)).map(|()| tree)
    });
    tree.map(Some).map_err(SetupError::during(format!("copying the mount of {}", display_path(&view.path))))
}

/// `AT_RECURSIVE` for mounts. rustix's `AtFlags` do not contain it.
const RECURSIVE: u32 = libc::AT_RECURSIVE as u32;

/// Makes the file, folder or link that `view` describes in the new root. `source` is the result of [`source`].
fn show(root: &OwnedFd, view: &View, source: Option<OwnedFd>) -> rustix::io::Result<()> {
    let path = relative(&view.path);
    make_folders(root, path.parent().unwrap_or(Path::new("")))?;
    match (&view.kind, source) {
        (Kind::Link(target), _) => rustix::fs::symlinkat(target, root, path),
        (Kind::Text(text), _) => {
            let file = make_file(root, path)?;
            std::fs::File::from(file).write_all(text.as_bytes()).map_err(|_| rustix::io::Errno::IO)
        }
        (Kind::Empty, _) => {
            let nothing = tmpfs(&[("size", "4k"), ("mode", "555")])?;
            set_attributes(nothing.as_fd(), MountAttrFlags::MOUNT_ATTR_RDONLY, AtFlags::EMPTY_PATH)?;
            attach(nothing.as_fd(), root.as_fd(), path)
        }
        (Kind::ReadOnly | Kind::Device | Kind::Blank, Some(source)) => {
            let is_folder = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(&source)?.st_mode).is_dir();
            if is_folder {
                make_folders(root, path)?;
            } else {
                drop(make_file(root, path));
            }
            attach(source.as_fd(), root.as_fd(), path)
        }
        (Kind::ReadOnly | Kind::Device | Kind::Blank, None) => Err(rustix::io::Errno::NOENT),
    }
}

/// Returns the path relative to the root folder.
fn relative(path: &OsStr) -> &Path {
    let path = Path::new(path);
    path.strip_prefix("/").unwrap_or(path)
}

/// Makes the folders of `path` that do not exist. Accepts an existing folder even if it is on a read-only mount.
fn make_folders(root: &OwnedFd, path: &Path) -> rustix::io::Result<()> {
    let mut folders: Vec<_> = path.ancestors().filter(|folder| !folder.as_os_str().is_empty()).collect();
    folders.reverse();
    for folder in folders {
        match rustix::fs::mkdirat(root, folder, Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn make_file(root: &OwnedFd, path: &Path) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    rustix::fs::openat(root, path, flags, Mode::from_raw_mode(0o644))
}

/// Makes a new file system in memory, which is mounted nowhere yet.
fn tmpfs(options: &[(&str, &str)]) -> rustix::io::Result<OwnedFd> {
    let context = rustix::mount::fsopen("tmpfs", FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (key, value) in options {
        rustix::mount::fsconfig_set_string(&context, *key, *value)?;
    }
    rustix::mount::fsconfig_create(&context)?;
    let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    rustix::mount::fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, flags)
}

fn attach(mount: BorrowedFd<'_>, folder: BorrowedFd<'_>, path: &Path) -> rustix::io::Result<()> {
    let from_the_descriptor_itself = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    rustix::mount::move_mount(mount, "", folder, path, from_the_descriptor_itself)
}

/// Mounts the writable folder as a file system in memory, and returns a descriptor of the folder. The files in it also
/// count as memory of the program.
fn mount_scratch(root: &OwnedFd, scratch: &ScratchPlan) -> rustix::io::Result<OwnedFd> {
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let mount = tmpfs(&[
        ("size", &scratch.bytes.to_string()),
        ("nr_inodes", &scratch.files.to_string()),
        ("mode", "755"),
        ("uid", &user.to_string()),
        ("gid", &group.to_string()),
    ])?;
    let path = relative(&scratch.path);
    make_folders(root, path)?;
    attach(mount.as_fd(), root.as_fd(), path)?;
    rustix::fs::openat(root, path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

/// Mounts a /proc that shows only the program's own processes. Language runtimes and /dev/stdin need it. The zygote does
/// not allow tracing, so it is invisible, even to members of group 0, which see all processes with `invisible`.
fn mount_proc(root: &OwnedFd) -> rustix::io::Result<()> {
    let context = rustix::mount::fsopen("proc", FsOpenFlags::FSOPEN_CLOEXEC)?;
    rustix::mount::fsconfig_set_string(&context, "hidepid", "ptraceable")?;
    rustix::mount::fsconfig_set_string(&context, "subset", "pid")?;
    rustix::mount::fsconfig_create(&context)?;
    let flags = MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC
        | MountAttrFlags::MOUNT_ATTR_RDONLY;
    let mount = rustix::mount::fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, flags)?;
    make_folders(root, Path::new("proc"))?;
    attach(mount.as_fd(), root.as_fd(), Path::new("proc"))
}

/// Changes the root. `pivot_root(".", ".")` mounts the old root on top of the new one. The next call unmounts the old
/// root.
fn enter(root: &OwnedFd) -> rustix::io::Result<()> {
    rustix::process::fchdir(root)?;
    rustix::process::pivot_root(".", ".")?;
    rustix::mount::unmount(".", UnmountFlags::DETACH)?;
    rustix::process::chdir("/")
}

fn set_attributes(mount: BorrowedFd<'_>, set: MountAttrFlags, how: AtFlags) -> rustix::io::Result<()> {
    let attributes = libc::mount_attr { attr_set: u64::from(set.bits()), attr_clr: 0, propagation: 0, userns_fd: 0 };
    // SAFETY: the path is an empty C string, the descriptor is open, and the attributes are a live local variable of
    // the given size.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            how.bits(),
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    if result == 0 {
        Ok(())
    } else {
        Err(rustix::io::Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(rustix::io::Errno::IO))
    }
}

/// Opens the folder to which a program without a private root can write. It is a folder of the machine.
pub(super) fn open_scratch(path: &OsString) -> Result<OwnedFd, SetupError> {
    rustix::fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .map_err(SetupError::during(format!("opening {}", display_path(path))))
}
