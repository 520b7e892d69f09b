//! Finds VIVA on this machine: the command `viva`, or the file `viva.jar` that problemtools and BAPCtools contain.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use referee_language::{Table, Tool, Unready, search_path};

/// VIVA on this machine.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FoundViva {
    /// The words of the command that starts it.
    pub(super) command: Vec<OsString>,
    /// The folders that it reads.
    pub(super) folders: Vec<PathBuf>,
}

/// The name of VIVA, and of its command, in the table of tools.
const VIVA: &str = "viva";

/// A set of tools that contains VIVA.
struct Owner {
    name: &'static str,
    /// One of its commands.
    command: &'static str,
    /// The paths that `viva.jar` may have. They are relative to the folder that contains the command's `bin/`, after
    /// all links are resolved. A `*` at the end of a name stands for any text.
    jars: &'static [&'static str],
}

const OWNERS: [Owner; 2] = [
    Owner {
        name: "problemtools",
        command: "verifyproblem",
        jars: &[
            "lib/python3*/site-packages/problemtools/support/viva.jar",
            "lib/python3*/dist-packages/problemtools/support/viva.jar",
        ],
    },
    Owner {
        name: "BAPCtools",
        command: "bt",
        jars: &[
            "lib/python3*/site-packages/bapctools/resources/third_party/viva/viva.jar",
            "lib/python3*/dist-packages/bapctools/resources/third_party/viva/viva.jar",
            "third_party/viva/viva.jar",
        ],
    },
];

/// Finds VIVA. Fails with a message that says where VIVA was searched, and what the user can do.
pub(super) fn find(tools: &Table) -> Result<FoundViva, String> {
    let tool = tools.tool(VIVA);
    match tool.map(Tool::find) {
        Some(Ok(found)) => {
            // The script that starts VIVA looks for `viva.jar` beside its own path, so a link to the script would fail.
            let path = found.path.canonicalize().unwrap_or_else(|_| found.path.clone());
            return command(path, found.folders.clone(), tools);
        }
        Some(Err(missing @ Unready::MissingPart { .. })) => return Err(missing.to_string()),
        Some(Err(Unready::MissingTool { .. })) | None => {}
    }
    // The file of languages names the path of a VIVA. The user wants that VIVA, so no other one is used in its place.
    if let Some(paths) = tool.and_then(Tool::unusable_paths) {
        return Err(format!(
            "VIVA was not found at the path in the file of languages, {paths}; correct the path, or remove the tool \
             {VIVA} from that file to use the VIVA of problemtools or BAPCtools"
        ));
    }
    let folders: Vec<_> = std::env::split_paths(&search_path()).collect();
    for owner in &OWNERS {
        for program in owner.programs(&folders) {
            if let Some(jar) = owner.jar(&program) {
                let folders = jar.parent().map(Path::to_path_buf).into_iter().collect();
                return command(jar, folders, tools);
            }
        }
    }
    Err(not_found(&folders))
}

/// Says where VIVA was searched without success, and what the user can do. Does not recommend to install problemtools
/// or BAPCtools if it is installed already and lacks `viva.jar`.
fn not_found(folders: &[PathBuf]) -> String {
    let mut commands = vec![format!("no command {VIVA}")];
    let (mut without_jar, mut recommended) = (Vec::new(), Vec::new());
    for owner in &OWNERS {
        if let Some(program) = owner.programs(folders).first() {
            without_jar.push(format!("; {} was found without viva.jar ({})", owner.name, program.display()));
        } else {
            commands.push(format!("no command {} of {}", owner.command, owner.name));
            recommended.push(owner.name);
        }
    }
    let last = commands.pop().unwrap_or_default();
    let commands = if commands.is_empty() { last } else { format!("{} and {last}", commands.join(", ")) };
    let install = match recommended.as_slice() {
        [] => String::new(),
        [one] => format!("install {one}, which contains VIVA, or "),
        several => format!("install {}, which contain VIVA, or ", several.join(" or ")),
    };
    let without_jar = without_jar.concat();
    format!("VIVA was not found in PATH: {commands}{without_jar}; {install}put a command {VIVA} into PATH")
}

/// Returns the command that starts VIVA at `path`, which is a program or a `.jar` file. For a `.jar` file, fails if
/// Java is missing.
fn command(path: PathBuf, mut folders: Vec<PathBuf>, tools: &Table) -> Result<FoundViva, String> {
    let java = tools.tool("java").map(|tool| tool.find().cloned());
    let words = if path.extension().is_some_and(|ending| ending == "jar") {
        match &java {
            Some(Ok(java)) => vec![java.path.clone().into(), "-jar".into(), path.into()],
            Some(Err(missing)) => return Err(format!("VIVA ({}) needs Java: {missing}", path.display())),
            None => return Err(format!("VIVA ({}) needs Java, which is not in the table of tools", path.display())),
        }
    } else {
        vec![path.into()]
    };
    // The program at `path` usually calls Java, which then reads its own folders.
    folders.extend(java.and_then(Result::ok).into_iter().flat_map(|java| java.folders));
    Ok(FoundViva { command: words, folders })
}

impl Owner {
    /// Returns the paths of the command in the folders.
    fn programs(&self, folders: &[PathBuf]) -> Vec<PathBuf> {
        folders.iter().map(|folder| folder.join(self.command)).filter(|path| path.is_file()).collect()
    }

    /// Returns the `viva.jar` that belongs to the command at `program`; `None` if it has none.
    fn jar(&self, program: &Path) -> Option<PathBuf> {
        let real = program.canonicalize().ok()?;
        let home = real.parent()?.parent()?;
        self.jars.iter().find_map(|jar| matching(home, jar))
    }
}

/// Returns the first file below `folder` that has the path `below`. A folder name in `below` that ends with `*` stands
/// for all names that begin with the text before the `*`. `None` if there is no such file.
fn matching(folder: &Path, below: &str) -> Option<PathBuf> {
    let Some((name, rest)) = below.split_once('/') else {
        return Some(folder.join(below)).filter(|path| path.is_file());
    };
    let Some(beginning) = name.strip_suffix('*') else { return matching(&folder.join(name), rest) };
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let begins = |entry: &fs::DirEntry| entry.file_name().to_str().is_some_and(|name| name.starts_with(beginning));
    let mut folders: Vec<_> = entries.filter(begins).map(|entry| entry.path()).collect();
    folders.sort();
    folders.iter().find_map(|folder| matching(folder, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(root: &Path, path: &str) -> PathBuf {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        path
    }

    #[test]
    fn the_jar_of_problemtools_is_found_behind_a_link_to_its_command() {
        let (installed, linked) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let root = installed.path().canonicalize().unwrap();
        let command = file(&root, "bin/verifyproblem");
        std::os::unix::fs::symlink(&command, linked.path().join("verifyproblem")).unwrap();
        let [problemtools, _] = &OWNERS;
        let programs = problemtools.programs(&[linked.path().join("none"), linked.path().to_path_buf()]);
        assert_eq!(programs, [linked.path().join("verifyproblem")]);
        assert_eq!(problemtools.jar(&programs[0]), None);
        file(&root, "lib/python2.7/site-packages/problemtools/support/viva.jar");
        file(&root, "lib/python3.11/site-packages/problemtools/__init__.py");
        assert_eq!(problemtools.jar(&programs[0]), None);
        let jar = file(&root, "lib/python3.12/site-packages/problemtools/support/viva.jar");
        assert_eq!(problemtools.jar(&programs[0]), Some(jar));
    }

    #[test]
    fn a_set_of_tools_that_lacks_the_jar_is_named_and_not_recommended() {
        let (root, none) = (tempfile::tempdir().unwrap(), PathBuf::from("/no/such"));
        let folders = [none, root.path().to_path_buf()];
        assert_eq!(
            not_found(&folders),
            "VIVA was not found in PATH: no command viva, no command verifyproblem of \
             problemtools and no command bt of BAPCtools; install problemtools or BAPCtools, which contain VIVA, or \
             put a command viva into PATH"
        );
        let problemtools = file(root.path(), "verifyproblem").display().to_string();
        assert_eq!(
            not_found(&folders),
            format!(
                "VIVA was not found in PATH: no command viva and no command bt of BAPCtools; problemtools was found \
                 without viva.jar ({problemtools}); install BAPCtools, which contains VIVA, or put a command viva into \
                 PATH"
            )
        );
        let bapctools = file(root.path(), "bt").display().to_string();
        assert_eq!(
            not_found(&folders),
            format!(
                "VIVA was not found in PATH: no command viva; problemtools was found without viva.jar \
                 ({problemtools}); BAPCtools was found without viva.jar ({bapctools}); put a command viva into PATH"
            )
        );
    }

    #[test]
    fn a_jar_is_started_with_java_and_every_other_file_by_itself() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("languages.toml");
        let java = file(folder.path(), "jre/bin/java");
        fs::set_permissions(&java, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        fs::write(&own, format!("[[tool]]\nname = \"java\"\ncommands = [{:?}]\n", java.display().to_string())).unwrap();
        let tools = Table::load(std::slice::from_ref(&own)).unwrap();
        let found = command("/opt/viva.jar".into(), vec!["/opt".into()], &tools).unwrap();
        assert_eq!(found.command, [java.as_os_str(), "-jar".as_ref(), "/opt/viva.jar".as_ref()]);
        assert!(found.folders.contains(&PathBuf::from("/opt")) && found.folders.contains(&folder.path().join("jre")));
        let found = command("/opt/viva.sh".into(), vec!["/opt".into()], &tools).unwrap();
        assert_eq!(found.command, ["/opt/viva.sh"]);
        assert!(found.folders.contains(&folder.path().join("jre")));
        fs::remove_file(java).unwrap();
        let tools = Table::load(&[own]).unwrap();
        let missing = command("/opt/viva.jar".into(), Vec::new(), &tools).unwrap_err();
        assert!(missing.starts_with("VIVA (/opt/viva.jar) needs Java: java is not installed"), "{missing}");
    }
}
