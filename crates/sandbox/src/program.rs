//! Describes a program: its command, the files that it sees and may write, and its user.

use std::ffi::OsString;
use std::path::PathBuf;

use super::plan;

/// The usual value of [`Program::processes`]. Language runtimes start dozens of threads.
pub const MAX_PROCESSES: u64 = 512;

/// The properties of a program that stay the same from run to run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The executable's absolute path and its first arguments.
    pub command: Vec<OsString>,
    /// The working directory, which usually contains the program's own files. The program can read it only if it is in
    /// one of the system's folders or in a path of `readable`.
    pub directory: PathBuf,
    /// All environment variables of the program. It inherits none from the judge.
    pub environment: Vec<(OsString, OsString)>,
    /// Files and folders that the program can read and execute, in addition to the system's own folders.
    pub readable: Vec<PathBuf>,
    /// Folders that a private root hides from the program, even inside the system's folders. A folder that contains a
    /// path of `readable` is not hidden.
    pub hidden: Vec<PathBuf>,
    /// The only folder that the program can write; `None` if it can write none. With namespaces, it is empty for each
    /// [`crate::Instance`].
    pub scratch: Option<Scratch>,
    /// The user that the program runs as.
    pub identity: Identity,
    /// A file of the program that its interpreter opens. Until then, the start must not depend on any file that differs
    /// from program to program. The sandbox may start the interpreter once, up to that point, and fork it for each run
    /// ([`super::zygote`]). `None` if each run starts the program anew.
    pub warm_until: Option<PathBuf>,
    /// Maximum number of processes and threads of the program at the same time.
    pub processes: u64,
    /// Whether the program stays on the cores on which the judge runs: the system call that chooses other cores then
    /// reports success and does nothing. This needs the filter of system calls (seccomp).
    pub keeps_cores: bool,
}

/// A folder that a program may write.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// The path at which the program finds the folder. Without namespaces the program writes to this folder of the
    /// machine, which must exist.
    pub path: PathBuf,
    /// The capacity of the folder in bytes. Without namespaces, the sandbox measures the folder every few milliseconds,
    /// and ends a run that exceeds the capacity with [`crate::Crossed::Files`].
    pub bytes: u64,
    /// Maximum number of files and folders in this folder. Without namespaces, the sandbox checks it in the same way as
    /// the capacity.
    pub files: u64,
    /// Maximum size of each file in bytes; `None` if only the capacity limits it. A program that writes more gets the
    /// signal SIGXFSZ.
    pub file_bytes: Option<u64>,
    /// Whether the sandbox may empty the folder after an instance, and give it to the next instance, which takes less
    /// time than a new folder. The caller then puts no files into the folder before the first run of an instance.
    /// Without namespaces, this has no effect.
    pub is_reused: bool,
}

impl Program {
    /// Describes a program that runs in `directory`, sees the system's folders, and has no environment variables and no
    /// writable folder. The other fields can be set afterwards.
    ///
    /// `command` is the executable's absolute path and its first arguments.
    pub fn new<T: Into<OsString>>(command: impl IntoIterator<Item = T>, directory: impl Into<PathBuf>) -> Program {
        Program {
            command: command.into_iter().map(Into::into).collect(),
            directory: directory.into(),
            environment: Vec::new(),
            readable: Vec::new(),
            hidden: Vec::new(),
            scratch: None,
            identity: Identity::Nobody,
            warm_until: None,
            processes: MAX_PROCESSES,
            keeps_cores: false,
        }
    }
}

impl Scratch {
    pub(super) fn plan(&self) -> plan::ScratchPlan {
        plan::ScratchPlan { path: self.path.clone().into_os_string(), bytes: self.bytes, files: self.files }
    }

    /// Returns the resource limit on the size of one file, in bytes; `None` if there is none. Without a private root,
    /// the folder has no capacity of its own, so `bytes` limits each file, too.
    pub(super) fn largest_file(&self, has_private_root: bool) -> Option<u64> {
        let capacity = (!has_private_root).then_some(self.bytes);
        [self.file_bytes, capacity].into_iter().flatten().min()
    }
}

/// If the judge is root, this is the user that a program runs as. Otherwise the program runs as the judge's user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// A user that owns no file.
    Nobody,
    /// The owner of this file, without any privilege. This is for programs that need files that no other user can read.
    OwnerOf(PathBuf),
}
