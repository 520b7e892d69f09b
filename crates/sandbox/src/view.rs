//! Lists the files of the machine that a program sees: the system's own folders, the few files of /etc that language
//! runtimes read, harmless devices, and the folders of this program.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::Program;
use super::plan::{Kind, View};

/// Folders of programs and libraries. On most systems, some of them are links into /usr.
const SYSTEM: [&str; 10] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store", "/run/current-system"];

/// Files of /etc that language runtimes need: the paths of libraries, the selected versions of tools, and the runtimes'
/// own settings. Node.js reads those of OpenSSL.
const SETTINGS: [&str; 7] = [
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/openssl.cnf",
];

/// Prefixes of file names. The files in /etc with these prefixes are further settings of language runtimes.
const SETTINGS_OF: [&str; 7] = ["java", "openjdk", "jvm", "mono", "php", "ghc", "fpc"];

/// Devices that store nothing.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Links to a process's own streams: the path of each link, and its target.
const STREAMS: [(&str, &str); 4] = [
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
];

/// Returns the files that a program sees, parents first.
pub(super) fn views(program: &Program) -> Vec<View> {
    let mut views = BTreeMap::new();
    let settings = SETTINGS.iter().map(PathBuf::from).chain(settings());
    let system = SYSTEM.iter().map(PathBuf::from).chain(settings);
    system.for_each(|path| add(&mut views, &path));
    for device in DEVICES {
        if Path::new(device).exists() {
            views.insert(PathBuf::from(device), Kind::Device);
        }
    }
    for (name, target) in STREAMS {
        views.insert(PathBuf::from(name), Kind::Link(target.into()));
    }
    views.insert("/etc/passwd".into(), Kind::Text("judged:x:1000:1000::/:/usr/sbin/nologin\n".to_owned()));
    views.insert("/etc/group".into(), Kind::Text("judged:x:1000:\n".to_owned()));
    program.readable.iter().for_each(|path| add(&mut views, path));
    for path in &program.hidden {
        let shown = |path: &Path| path.ancestors().any(|above| views.get(above) == Some(&Kind::ReadOnly));
        if shown(path) && !program.readable.iter().any(|readable| readable.starts_with(path)) {
            views.insert(path.clone(), Kind::Empty);
        }
    }
    hide_own_binary(&mut views);
    views.into_iter().map(|(path, kind)| View { path: path.into_os_string(), kind }).collect()
}

/// Hides the judge's own binary, which may contain answers or ways to find them.
fn hide_own_binary(views: &mut BTreeMap<PathBuf, Kind>) {
    let Ok(judge) = std::env::current_exe().and_then(fs::canonicalize) else { return };
    if judge.ancestors().any(|above| views.get(above) == Some(&Kind::ReadOnly)) {
        views.insert(judge, Kind::Blank);
    }
}

/// Adds a file, folder or link of the machine, if it exists and is not inside a folder that is already shown.
fn add(views: &mut BTreeMap<PathBuf, Kind>, path: &Path) {
    let is_within = |above: &Path| views.get(above) == Some(&Kind::ReadOnly);
    if path.ancestors().any(is_within) {
        return;
    }
    let is_behind_a_link = path.ancestors().skip(1).any(|above| matches!(views.get(above), Some(Kind::Link(_))));
    if is_behind_a_link {
        // A folder above this path is shown as a link, so this adds the real path instead.
        let real = fs::canonicalize(path).ok().filter(|real| real != path);
        return real.into_iter().for_each(|real| add(views, &real));
    }
    match fs::symlink_metadata(path) {
        // Shows a link as a link if its target exists. An example is /etc/localtime, which leads to /usr.
        Ok(found) if found.is_symlink() => match fs::read_link(path) {
            Ok(target) if fs::canonicalize(path).is_ok() => {
                views.insert(path.to_path_buf(), Kind::Link(OsString::from(target)));
            }
            _ => {}
        },
        Ok(_) => {
            views.insert(path.to_path_buf(), Kind::ReadOnly);
        }
        Err(_) => {}
    }
}

fn settings() -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir("/etc").into_iter().flatten().filter_map(Result::ok);
    let is_wanted = |entry: &fs::DirEntry| {
        entry.file_name().to_str().is_some_and(|name| SETTINGS_OF.iter().any(|beginning| name.starts_with(beginning)))
    };
    entries.filter(is_wanted).map(|entry| entry.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(readable: &[&Path], hidden: &[&Path]) -> Program {
        Program {
            readable: readable.iter().map(PathBuf::from).collect(),
            hidden: hidden.iter().map(PathBuf::from).collect(),
            ..Program::new(["/bin/true"], "/")
        }
    }

    fn kind_of(views: &[View], path: &Path) -> Option<Kind> {
        views.iter().find(|view| Path::new(&view.path) == path).map(|view| view.kind.clone())
    }

    #[test]
    fn the_system_is_shown_and_homes_and_other_files_are_not() {
        let views = views(&program(&[], &[]));
        assert_eq!(kind_of(&views, Path::new("/usr")), Some(Kind::ReadOnly));
        for path in ["/", "/home", "/root", "/tmp", "/etc", "/etc/shadow", "/var", "/dev", "/dev/shm", "/proc", "/sys"]
        {
            assert_eq!(kind_of(&views, Path::new(path)), None, "{path}");
        }
    }

    #[test]
    fn a_file_in_a_shown_folder_is_not_shown_twice() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("below");
        fs::create_dir(&below).unwrap();
        let views = views(&program(&[folder.path(), &below, Path::new("/usr/bin"), Path::new("/no/such")], &[]));
        assert_eq!(kind_of(&views, folder.path()), Some(Kind::ReadOnly));
        for path in [&below, Path::new("/usr/bin"), Path::new("/no/such")] {
            assert_eq!(kind_of(&views, path), None, "{}", path.display());
        }
    }

    #[test]
    fn a_hidden_folder_is_covered_only_if_it_would_be_visible() {
        let hidden = [Path::new("/usr/share/packages"), Path::new("/home/setter/package")];
        let views = views(&program(&[], &hidden));
        assert_eq!(kind_of(&views, hidden[0]), Some(Kind::Empty));
        assert_eq!(kind_of(&views, hidden[1]), None);
    }

    #[test]
    fn a_file_behind_a_link_is_shown_at_its_real_path() {
        let mut views = BTreeMap::from([(PathBuf::from("/bin"), Kind::Link("usr/bin".into()))]);
        add(&mut views, Path::new("/bin/true"));
        let wanted = fs::canonicalize("/bin/true").unwrap();
        let links = fs::symlink_metadata("/bin").unwrap().is_symlink();
        assert_eq!(views.contains_key(&wanted), links, "{views:?}");
        assert!(!links || !views.contains_key(Path::new("/bin/true")));
    }

    #[test]
    fn parents_come_before_their_contents() {
        let paths: Vec<_> = views(&program(&[], &[])).into_iter().map(|view| PathBuf::from(view.path)).collect();
        assert!(paths.is_sorted());
    }
}
