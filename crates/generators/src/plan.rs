//! Computes how `data/` differs from the generated test cases. A file in `data/` that comes from no rule is removed,
//! unless a rule that failed or another tool may have made it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::content::TargetContent;
use super::ending::{self, Ending, PICTURES};
use super::results::change;
use super::rules::Rules;
use super::run::Made;
use referee_event::Change;
use referee_package::Package;

/// The planned changes to a folder. Paths are relative to it.
#[derive(Debug, Default)]
pub struct ChangePlan {
    /// The new and the changed files.
    pub(super) writes: Vec<(String, TargetContent)>,
    /// The folders that must exist.
    pub(super) folders: BTreeSet<String>,
    /// The files and folders to remove, because no rule makes them.
    pub removed: Vec<String>,
    /// The removed files whose bytes no rule makes under any name, so they may be the setter's own work. The other
    /// removed files only get another name, for instance because a new rule has shifted the numbers.
    pub unproven: Vec<String>,
    /// Files and folders that no rule makes and that are not removed.
    pub kept: Vec<String>,
    /// New and changed settings files (`test_group.yaml`), which belong to no test case.
    pub others: BTreeMap<String, Change>,
}

/// The data that decides whether a file in `data/` is removed.
struct Context<'a> {
    made: &'a Made<'a>,
    /// The cases that could not be made.
    unmade: BTreeSet<String>,
    package: &'a Package,
}

impl ChangePlan {
    /// Compares the generated files with the folder `existing`. All files are new if it is `None`.
    pub fn new(made: &Made<'_>, package: &Package, existing: Option<&Path>) -> io::Result<ChangePlan> {
        let mut plan = ChangePlan { folders: made.folders.clone(), ..ChangePlan::default() };
        for (path, wanted) in &made.wanted {
            let change = change(existing, path, wanted);
            if change == Change::Unchanged {
                continue;
            }
            if matches!(wanted, TargetContent::Text(_)) {
                plan.others.insert(path.clone(), change);
            }
            plan.writes.push((path.clone(), wanted.clone()));
        }
        if let Some(existing) = existing.filter(|existing| existing.symlink_metadata().is_ok()) {
            plan.find_extra_files(existing, "", &Context { made, unmade: unmade(made), package })?;
        }
        if made.has_unknown_keys {
            plan.kept.append(&mut plan.removed);
            plan.kept.sort();
        }
        plan.unproven = unproven(&plan.removed, made, existing)?;
        Ok(plan)
    }

    /// Finds the files and folders that come from no rule, and decides whether each is removed or kept. A folder that
    /// no rule makes is removed or kept as a whole.
    fn find_extra_files(&mut self, existing: &Path, below: &str, context: &Context<'_>) -> io::Result<()> {
        let Context { made, unmade, package } = context;
        let folder = join(existing, below);
        refuse_link(&folder)?;
        let mut entries = fs::read_dir(&folder)?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name();
            // A file whose name is not UTF-8 comes from no rule. The message cannot show that name, so it names the
            // folder.
            let Some(name) = name.to_str() else {
                let message =
                    format!("{} has a file whose name is not UTF-8; rename or remove that file", folder.display());
                return Err(io::Error::other(message));
            };
            let path = if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") };
            if self.folders.contains(&path) {
                self.find_extra_files(existing, &path, context)?;
            } else if made.wanted.contains_key(&path) {
                // A folder at the path of a generated file is removed first.
                self.removed.extend(entry.file_type()?.is_dir().then_some(path));
            } else if may_be_from_bapctools(&path, made, package) {
                self.kept.push(path);
            } else if !case_of(&path).is_some_and(|(case, _)| unmade.contains(&case)) {
                self.removed.push(path);
            }
        }
        Ok(())
    }

    /// Returns whether the folder `existing` already matches the plan.
    pub fn is_empty(&self, existing: &Path) -> bool {
        self.writes.is_empty()
            && self.removed.is_empty()
            && self.folders.iter().all(|path| existing.join(path).is_dir())
    }
}

/// Fails if `data/`, or a folder in it that the rules write to, is a link. Through a link, files outside the package
/// could be written or removed.
pub fn refuse_links(rules: &Rules, data: &Path) -> io::Result<()> {
    let folders = rules.groups.iter().map(|group| join(data, &group.path));
    std::iter::once(data.to_path_buf()).chain(folders).try_for_each(|folder| refuse_link(&folder))
}

fn refuse_link(folder: &Path) -> io::Result<()> {
    if !folder.is_symlink() {
        return Ok(());
    }
    let target = folder.read_link().unwrap_or_default();
    Err(io::Error::other(format!(
        "{} is a link to {}; test cases are written into folders only; replace the link by a folder",
        folder.display(),
        target.display()
    )))
}

/// Joins the paths. If `below` is empty, returns `folder` itself, because a join with an empty path would add a slash
/// at the end. If the folder is a link, the path with the slash would name the target of the link instead of the link.
fn join(folder: &Path, below: &str) -> PathBuf {
    if below.is_empty() { folder.to_path_buf() } else { folder.join(below) }
}

/// Returns the `removed` paths below `existing` whose bytes no rule makes. Folders and links are always included.
fn unproven(removed: &[String], made: &Made<'_>, existing: Option<&Path>) -> io::Result<Vec<String>> {
    let Some(existing) = existing.filter(|_| !removed.is_empty()) else { return Ok(removed.to_vec()) };
    let mut by_size: BTreeMap<u64, Vec<&TargetContent>> = BTreeMap::new();
    for wanted in made.wanted.values() {
        if let TargetContent::File(own) = wanted {
            by_size.entry(own.metadata()?.len()).or_default().push(wanted);
        }
    }
    let mut unproven = Vec::new();
    for path in removed {
        let file = existing.join(path);
        let found = file.symlink_metadata()?;
        let same_size = by_size.get(&found.len()).filter(|_| found.is_file()).into_iter().flatten();
        let mut is_made = false;
        for wanted in same_size.take(MOST_COMPARED) {
            is_made = is_made || wanted.is_at(&file)?;
        }
        if !is_made {
            unproven.push(path.clone());
        }
    }
    Ok(unproven)
}

/// A removed file is compared with at most this many generated files of the same size.
const MOST_COMPARED: usize = 1000;

/// Returns the test case and the ending of a path below `data/`; `None` if it does not belong to a test case.
fn case_of(path: &str) -> Option<(String, Ending)> {
    let (folder, name) = path.rsplit_once('/')?;
    let (stem, ending) = ending::split(name)?;
    Some((format!("{folder}/{stem}"), ending))
}

/// Returns whether BAPCtools may have made the file with a visualizer or interactor, which this crate does not run.
fn may_be_from_bapctools(path: &str, made: &Made<'_>, package: &Package) -> bool {
    let Some((case, ending)) = case_of(path).filter(|(case, _)| made.cases.contains(case)) else { return false };
    let has = |folder: &str| package.root.join(folder).is_dir();
    let is_drawn = PICTURES.contains(&ending) && (has("input_visualizer") || has("output_visualizer"));
    let has_interaction = package.kind.interactive || package.kind.multi_pass;
    is_drawn || ending == "interaction" && has_interaction && case.starts_with("sample/")
}

/// Returns the test cases that could not be made. Their existing files are not removed.
fn unmade(made: &Made<'_>) -> BTreeSet<String> {
    if made.failed == 0 {
        return BTreeSet::new();
    }
    let has_some: BTreeSet<_> = made.wanted.keys().filter_map(|path| Some(case_of(path)?.0)).collect();
    made.cases.difference(&has_some).cloned().collect()
}

/// Returns the folder of the package's test cases.
pub fn data(package: &Package) -> PathBuf {
    package.root.join("data")
}
