//! Files and folders that systems, editors, version control and compilers leave beside sources.

/// Names of folders that systems and interpreters make, in lower case. A student is not called so.
const FOLDERS: [&str; 3] = ["__macosx", "__pycache__", "node_modules"];

/// Names of hidden folders that known tools make. A student is not called so.
const OF_TOOLS: [&str; 19] = [
    ".git",
    ".github",
    ".svn",
    ".hg",
    ".idea",
    ".vscode",
    ".vs",
    ".settings",
    ".gradle",
    ".mvn",
    ".metadata",
    ".cache",
    ".venv",
    ".tox",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".ipynb_checkpoints",
    ".trash",
];

/// Names of folders that compilers and build tools make in the folder of a program, in lower case. Students may be
/// called so: Bin is a given name.
const BUILT_FOLDERS: [&str; 10] =
    ["target", "build", "bin", "obj", "out", "dist", "venv", "cmakefiles", "debug", "release"];

/// Names of files that are never a program, in lower case.
const FILES: [&str; 9] = [
    "thumbs.db",
    "desktop.ini",
    "icon\r",
    "makefile",
    "cmakelists.txt",
    "pom.xml",
    "build.gradle",
    "dockerfile",
    "requirements.txt",
];

/// Endings that compilers and editors make, in lower case.
const ENDINGS: [&str; 16] =
    ["class", "o", "obj", "pyc", "pyo", "hi", "cmi", "cmo", "cmx", "bak", "swp", "swo", "tmp", "iml", "lock", "log"];

/// Returns whether a folder with this name holds no program, wherever it is: it is hidden, or a system made it.
pub(crate) fn is_ignored_folder(name: &str) -> bool {
    name.starts_with('.') || FOLDERS.contains(&name.to_lowercase().as_str())
}

/// Returns whether a known tool made a folder or file with this name, which is ignored: no student or file of a student
/// is called so. macOS puts `._NAME` beside a file called NAME.
pub(crate) fn is_of_tool(name: &str) -> bool {
    let lower = name.to_lowercase();
    FOLDERS.contains(&lower.as_str()) || OF_TOOLS.contains(&lower.as_str()) || name.starts_with("._")
}

/// Returns the beginning of the path up to the first file or folder that is ignored; `None` if there is none. `path` is
/// that of a file, or of a folder if `is_folder`.
pub(crate) fn ignored_part(path: &[String], is_folder: bool) -> Option<String> {
    let last = path.len().checked_sub(1)?;
    let is_ignored = |at: usize| {
        if at == last && !is_folder { is_ignored_file(&path[at]) } else { is_ignored_folder(&path[at]) }
    };
    (0..path.len()).find(|&at| is_ignored(at)).map(|at| path[..=at].join("/"))
}

/// Returns whether a build tool makes folders with this name in the folder of a program.
pub(crate) fn is_built_folder(name: &str) -> bool {
    BUILT_FOLDERS.contains(&name.to_lowercase().as_str())
}

/// Returns whether a file with this name is never a program, wherever it is.
pub(crate) fn is_ignored_file(name: &str) -> bool {
    let lower = name.to_lowercase();
    let ending = lower.rsplit_once('.').map_or("", |(_, ending)| ending);
    name.starts_with('.')
        || name.starts_with("~$")
        || name.ends_with('~')
        || FILES.contains(&lower.as_str())
        || ENDINGS.contains(&ending)
}

/// Endings of files that a teacher keeps beside the programs of a class, in lower case.
const TEACHERS_ENDINGS: [&str; 14] =
    ["md", "rst", "csv", "tsv", "xlsx", "ods", "json", "jsonl", "yml", "yaml", "toml", "ini", "html", "part"];

/// Returns whether a file with this name, beside the files or folders of the students, is the teacher's: a list, notes
/// or a report.
pub(crate) fn is_teachers(name: &str) -> bool {
    let lower = name.to_lowercase();
    let ending = lower.rsplit_once('.').map_or("", |(_, ending)| ending);
    let stem = lower.split('.').next().unwrap_or_default();
    TEACHERS_ENDINGS.contains(&ending) || ["readme", "license", "licence", "copying", "notes"].contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_systems_and_tools_leave_is_ignored_and_programs_are_not() {
        for name in [".git", "__MACOSX", "__pycache__", ".idea", ".vscode", "node_modules", ".github"] {
            assert!(is_ignored_folder(name), "{name}");
        }
        for name in [".DS_Store", "._main.py", "Thumbs.db", "Main.class", "a.o", "a.py~", "Makefile", "~$essay.docx"] {
            assert!(is_ignored_file(name), "{name}");
        }
        for name in ["main.py", "class.java", "o.c", "essay.pdf", "solution", "log.py"] {
            assert!(!is_ignored_file(name), "{name}");
        }
        assert!(!is_ignored_folder("anna") && !is_ignored_folder("bin") && is_built_folder("bin"));
        assert!(is_teachers("README.md") && is_teachers("marks.csv") && !is_teachers("anna.pdf"));
    }
}
