//! Remembers what tools have answered: their versions, and which arguments they accept.
//!
//! An answer depends on the tool's file, its arguments, PATH and the installed software, so all of these belong to the
//! question. That suffices only for a tool that does the work itself. A script, or a program such as ccache that starts
//! the real tool, may start another one the next time. Such a tool is asked in every run.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use referee_files::memo::Memo;
use referee_files::trusted;

use super::software;
use super::tool::search_path;

/// The first bytes of every executable that is not a script.
const ELF: &[u8; 4] = b"\x7fELF";

/// Whether [`remember_answers`] was called.
static REMEMBERS: AtomicBool = AtomicBool::new(false);

/// Makes this process use the answers of earlier runs, and remember new ones, in the file `tools` of the user's cache.
/// Without this call, each process asks the tools itself.
pub fn remember_answers() {
    REMEMBERS.store(true, Ordering::Relaxed);
}

/// Returns a tool's answer of this `kind` for these arguments: a remembered one, or else that of `ask`. `tool` is the
/// path of the tool itself, not of a version manager's command.
pub fn remembered<'a>(
    tool: &Path,
    kind: &str,
    arguments: impl IntoIterator<Item = &'a str>,
    ask: impl FnOnce() -> Option<String>,
) -> Option<String> {
    match identity(tool) {
        Some(identity) => remember(kind, &identity, arguments, ask),
        None => ask(),
    }
}

/// Like [`remembered`], for a command in PATH that may belong to a version manager. Its answer is remembered only if
/// the command is from a package of the system, because version managers are installed elsewhere.
pub(super) fn remembered_of_system<'a>(
    command: &Path,
    kind: &str,
    arguments: impl IntoIterator<Item = &'a str>,
    ask: impl FnOnce() -> Option<String>,
) -> Option<String> {
    let is_of_system = |path: PathBuf| {
        path.starts_with("/usr")
            && !path.starts_with("/usr/local")
            && path.metadata().is_ok_and(|found| found.uid() == 0)
    };
    match identity(command).filter(|_| command.canonicalize().is_ok_and(is_of_system)) {
        Some(identity) => remember(kind, &identity, arguments, ask),
        None => ask(),
    }
}

fn remember<'a>(
    kind: &str,
    identity: &str,
    arguments: impl IntoIterator<Item = &'a str>,
    ask: impl FnOnce() -> Option<String>,
) -> Option<String> {
    static MEMO: OnceLock<Memo> = OnceLock::new();
    if !REMEMBERS.load(Ordering::Relaxed) {
        return ask();
    }
    let path = search_path();
    let arguments: Vec<_> = arguments.into_iter().map(str::as_bytes).collect();
    let context = [kind.as_bytes(), identity.as_bytes(), installed().as_bytes(), path.as_encoded_bytes()];
    let question: Vec<&[u8]> = context.into_iter().chain(arguments).collect();
    MEMO.get_or_init(|| Memo::of_user("tools")).answer(&question, ask)
}

/// Returns the path, the real path, and the size, times and inode number of a tool's file, and the times of the folders
/// beside it. Returns `None` if the file
/// may start another program as the tool: if it is a script, or if its real name does not contain the tool's name. Also
/// returns `None` if another user could change the file.
fn identity(tool: &Path) -> Option<String> {
    let real = tool.canonicalize().ok()?;
    let names = [tool, &real].map(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()));
    let [Some(name), Some(real_name)] = names else { return None };
    let mut file = File::open(&real).ok()?;
    let mut start = [0; 4];
    file.read_exact(&mut start).ok()?;
    if &start != ELF || !real_name.contains(&name) || trusted::check_file(&file).is_err() {
        return None;
    }
    let found = file.metadata().ok()?;
    let times = (found.mtime(), found.mtime_nsec(), found.ctime(), found.ctime_nsec());
    let file = format!("{} {} {} {times:?} {}", tool.display(), real.display(), found.len(), found.ino());
    // A compiler outside the system's folders may find its linkers and libraries beside itself.
    let home = real.parent().and_then(Path::parent).unwrap_or(&real);
    let beside = ["bin", "lib", "lib64", "libexec"].map(|name| software::stamp(&home.join(name)));
    Some(format!("{file} {}", beside.join(" ")))
}

/// Describes the installed software. The folders of compilers are part of it, because whether a program can be linked
/// statically depends on the libraries there.
fn installed() -> &'static str {
    static INSTALLED: OnceLock<String> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let below = |folder: PathBuf| {
            let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
            let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
            paths.sort();
            paths
        };
        let compilers = below("/usr/lib/gcc".into()).into_iter().flat_map(below);
        let libraries = below("/usr/lib".into()).into_iter().filter(|path| path.to_string_lossy().ends_with("-gnu"));
        let system = software::SYSTEM.map(PathBuf::from).into_iter().chain(["/etc/alternatives".into()]);
        system.chain(compilers).chain(libraries).map(|path| software::stamp(&path)).collect::<Vec<_>>().join("\n")
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn only_a_tool_that_does_the_work_itself_has_an_identity() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::copy("/bin/true", at("gcc-12")).unwrap();
        symlink("gcc-12", at("gcc")).unwrap();
        assert!(identity(&at("gcc")).unwrap().contains("gcc-12"));
        symlink("gcc-12", at("clang")).unwrap();
        assert_eq!(identity(&at("clang")), None, "its real name is another one");
        std::fs::write(at("script"), "#!/bin/sh\n").unwrap();
        assert_eq!(identity(&at("script")), None);
        std::fs::set_permissions(at("gcc-12"), PermissionsExt::from_mode(0o777)).unwrap();
        assert_eq!(identity(&at("gcc")), None, "others can change it");
        assert_eq!(identity(&at("missing")), None);
    }

    #[test]
    fn a_changed_file_has_another_identity() {
        let folder = tempfile::tempdir().unwrap();
        let tool = folder.path().join("gcc");
        std::fs::copy("/bin/true", &tool).unwrap();
        let first = identity(&tool);
        std::fs::copy("/bin/false", folder.path().join("new")).unwrap();
        std::fs::rename(folder.path().join("new"), &tool).unwrap();
        assert_ne!(identity(&tool), first);
    }
}
