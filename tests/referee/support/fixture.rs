//! The packages of `tests/packages`. Some of them are stored as overlays of a complete package, the base. The folder of
//! an overlay contains only the files that differ from the base, and the file `overlay.yaml`, which names the base in
//! `tests/bases`.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;
use walkdir::WalkDir;

use super::command::{names_in, referee};
use super::files::in_repository;
use super::program::{has, temporary_folder};

/// The file that makes a folder an overlay. It has the key `base` and may have a list `remove`: files of the base that
/// the package lacks.
const OVERLAY: &str = "overlay.yaml";

/// The files of a package that belong to the test. `tests/packages/README.md` describes them.
pub(crate) const EXPECTED: &str = "expected";
pub(crate) const OPTIONS: &str = "options";
pub(crate) const SHOWN: &str = "shown";

/// A complete package, ready for the command.
pub(crate) struct Fixture {
    /// The path of the package relative to `root`: `tests/packages/KIND/NAME`.
    pub(crate) name: String,
    /// The folder to which `name` is relative: the repository, or for an overlay a temporary folder with the complete
    /// package.
    root: PathBuf,
    _folder: Option<TempDir>,
}

impl Fixture {
    /// Returns the packages in a folder of `tests/packages`. Fails if there is none.
    pub(crate) fn all(kind: &str) -> impl Iterator<Item = Fixture> {
        let folder = format!("tests/packages/{kind}");
        let names = names_in(&in_repository(&folder));
        assert!(!names.is_empty(), "{folder} is empty");
        names.into_iter().map(move |name| Fixture::open(format!("{folder}/{name}")))
    }

    fn open(name: String) -> Fixture {
        let Some(overlay) = Overlay::read(&in_repository(&name)) else {
            return Fixture { name, root: in_repository(""), _folder: None };
        };
        let folder = temporary_folder();
        overlay.join(&folder.path().join(&name));
        Fixture { name, root: folder.path().to_path_buf(), _folder: Some(folder) }
    }

    /// Returns the command `referee COMMAND PACKAGE OPTIONS`. PACKAGE is the relative path [`Fixture::name`], and
    /// OPTIONS are those in the package's file `options`.
    pub(crate) fn referee(&self, command: &str) -> Command {
        let mut command = self.referee_without_options(command);
        command.args(self.lines(OPTIONS).iter().flat_map(|line| line.split_whitespace()));
        command
    }

    /// Returns the command `referee COMMAND PACKAGE`, without the options in the package's file `options`.
    pub(crate) fn referee_without_options(&self, command: &str) -> Command {
        let mut command = referee([command, self.name.as_str()]);
        command.current_dir(&self.root);
        command
    }

    /// Returns whether the machine has the tools in the package's file `needs`.
    pub(crate) fn can_be_tested(&self) -> bool {
        self.lines("needs").iter().all(|tool| has(tool, &self.name))
    }

    /// Returns the lines of one of the package's files for the test; none if the package does not have the file. Fails
    /// if the file is empty.
    pub(crate) fn lines(&self, file: &str) -> Vec<String> {
        let path = self.root.join(&self.name).join(file);
        let Ok(text) = fs::read_to_string(&path) else { return Vec::new() };
        assert!(!text.trim().is_empty(), "{} is empty", path.display());
        text.lines().map(str::to_owned).collect()
    }

    /// Checks that the report of the command for people contains the lines in the package's file `shown`. Line breaks
    /// count as blanks. Does not run the command if there is no such file.
    pub(crate) fn assert_shows_lines(&self, command: &str) {
        let lines = self.lines(SHOWN);
        if lines.is_empty() {
            return;
        }
        let output = self.referee(command).output().expect("referee starts");
        let shown = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
        for line in lines {
            assert!(shown.contains(&line), "{}: {line}\n{shown}", self.name);
        }
    }

    /// Returns the content of the package's file `expected`.
    pub(crate) fn expected(&self) -> String {
        let lines = self.lines(EXPECTED);
        assert!(!lines.is_empty(), "{} has no file {EXPECTED}", self.name);
        lines.join("\n")
    }
}

/// An overlay, as the repository stores it.
struct Overlay {
    folder: PathBuf,
    base: PathBuf,
    removed: Vec<String>,
}

impl Overlay {
    /// Reads the overlay in `folder`. Returns `None` if the folder is a whole package.
    fn read(folder: &Path) -> Option<Overlay> {
        let text = fs::read_to_string(folder.join(OVERLAY)).ok()?;
        let mut lines = text.lines();
        let base = lines.next().and_then(|line| line.strip_prefix("base: "));
        let base = in_repository("tests/bases").join(base.unwrap_or_else(|| panic!("{}: no base", folder.display())));
        let removed = match lines.next() {
            None => Vec::new(),
            Some(line) => {
                assert_eq!(line, "remove:", "{}", folder.display());
                let file = |line: &str| line.strip_prefix("- ").unwrap_or_else(|| panic!("{line:?}")).to_owned();
                lines.map(file).collect()
            }
        };
        Some(Overlay { folder: folder.to_path_buf(), base, removed })
    }

    /// Creates the complete package at `target`.
    fn join(&self, target: &Path) {
        copy_with_modes(&self.base, target);
        copy_with_modes(&self.folder, target);
        fs::remove_file(target.join(OVERLAY)).expect("the overlay was copied");
        for name in &self.removed {
            let file = target.join(name);
            fs::remove_file(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            // Git stores no empty folders, so the folders that became empty are removed. A folder that contains files
            // cannot be removed, which ends the loop.
            let above = file.ancestors().skip(1).take_while(|folder| *folder != target);
            above.take_while(|folder| fs::remove_dir(folder).is_ok()).for_each(drop);
        }
    }
}

/// Copies a folder and replaces existing files. Programs stay executable.
fn copy_with_modes(from: &Path, to: &Path) {
    for entry in WalkDir::new(from).into_iter().map(|entry| entry.expect("the folder can be read")) {
        let target = to.join(entry.path().strip_prefix(from).expect("it lies below"));
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target).expect("a folder can be made");
        } else {
            assert!(
                entry.file_type().is_file(),
                "{} is no file; packages with links are whole",
                entry.path().display()
            );
            fs::copy(entry.path(), &target).expect("a file can be copied");
        }
    }
}

/// Reads every stored overlay of `tests/packages`.
fn overlays() -> Vec<Overlay> {
    let entries = WalkDir::new(in_repository("tests/packages")).min_depth(2).max_depth(2).sort_by_file_name();
    let folders = entries.into_iter().map(|entry| entry.expect("the folder can be read").into_path());
    folders.filter_map(|folder| Overlay::read(&folder)).collect()
}

#[test]
fn an_overlay_holds_no_file_that_its_base_has() {
    let overlays = overlays();
    assert!(!overlays.is_empty());
    for overlay in overlays {
        let mut files = 0;
        for entry in WalkDir::new(&overlay.folder).into_iter().map(|entry| entry.expect("the folder can be read")) {
            let below = entry.path().strip_prefix(&overlay.folder).expect("it lies below");
            if entry.file_type().is_file() {
                files += 1;
                let twin = fs::read(overlay.base.join(below)).ok();
                assert_ne!(fs::read(entry.path()).ok(), twin, "{}", entry.path().display());
            }
        }
        assert!(files > 1 || !overlay.removed.is_empty(), "{} differs from its base", overlay.folder.display());
    }
}

#[test]
fn every_base_is_right_and_has_an_overlay() {
    needs!("python3");
    let mut used: Vec<_> = overlays().into_iter().map(|overlay| overlay.base).collect();
    used.sort();
    used.dedup();
    let bases = names_in(&in_repository("tests/bases"));
    assert_eq!(used, bases.iter().map(|name| in_repository("tests/bases").join(name)).collect::<Vec<_>>());
    for base in bases {
        referee(["grade", &format!("tests/bases/{base}")]).assert().code(0);
    }
}
