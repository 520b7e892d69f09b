//! Reads the test cases below `data/sample` and `data/secret`, and the validator tests, with the settings that they
//! inherit from their folders.

mod checks;
mod companions;
mod domjudge;
mod fit;
mod groups;
mod names;
mod settings;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::bounded;
use super::findings::Findings;
use super::links::Boundary;
use super::problem::Problem;
use super::version::Version;
use super::{Extent, StaticTest, TestCase, TestFiles, ValidatorTest, ValidatorTestKind};
use companions::Companions;
use fit::LARGEST_BYTES;
use groups::{Gathered, Groups};
use names::{Entries, Entry};
use referee_grading::score::Tree;
use settings::{Folder, Settings};

pub(super) use names::name_below;

/// Reads the folder `data`, with or without its validator tests.
pub(super) fn read(root: &Path, problem: &Problem, extent: Extent, findings: &mut Findings) -> Data {
    let data: Arc<Path> = root.join("data").into();
    let of_problem = Settings::of_problem(problem);
    let mut walk = Walk {
        data: &data,
        problem,
        findings,
        cases: Vec::new(),
        validator_tests: Vec::new(),
        earlier: BTreeSet::from(["sample".to_owned()]),
        tree: Groups::new(&data, &of_problem),
        static_validation: false,
        folders: 0,
    };
    let above = walk.settings(&data, &of_problem, Folder::Data);
    walk.tree = Groups::new(&walk.settings_file(&data), &above);
    for (part, kind) in [("sample", Folder::Sample), ("secret", Folder::Secret)] {
        let folder = data.join(part);
        if folder.is_dir() {
            walk.folder(&folder, &above, kind, ROOT);
        }
    }
    let has_validator_tests = extent == Extent::Whole && !problem.version.is_legacy();
    for part in ValidatorTestKind::ALL.into_iter().filter(|_| has_validator_tests) {
        let folder = data.join(part.name());
        if folder.is_dir() {
            walk.validator_tests(&folder, &above, part);
        }
    }
    let Walk { cases, validator_tests, static_validation, tree, .. } = walk;
    let Gathered { tree, domjudge_tree, static_tests } = tree.finish(problem, findings);
    let secret = data.join("secret");
    if cases.is_empty() {
        findings.error(&secret, "contains no test case; a package needs at least one NAME.in with NAME.ans");
    } else if !cases.iter().any(|case| case.name.starts_with("secret/")) {
        findings.breach(&secret, "contains no test case; submissions are judged on samples only");
    }
    Data { cases, validator_tests, static_validation, static_tests, tree, domjudge_tree }
}

/// The index of the group for the folder `data` itself.
const ROOT: usize = 0;

/// The content of the folder `data`.
pub(super) struct Data {
    pub(super) cases: Vec<TestCase>,
    pub(super) validator_tests: Vec<ValidatorTest>,
    /// Whether some group has a test case for the static validator.
    pub(super) static_validation: bool,
    /// The test cases of the static validator.
    pub(super) static_tests: Vec<StaticTest>,
    /// The tree that combines the results of all test cases.
    pub(super) tree: Tree,
    /// The tree with which DOMjudge combines the results; `None` if DOMjudge ignores the groups.
    pub(super) domjudge_tree: Option<Tree>,
}

impl Data {
    /// Returns data without test cases.
    pub(super) fn empty(problem: &Problem) -> Data {
        let tree = Tree { groups: Vec::new(), scoring: problem.kind.scoring, objective: problem.objective };
        Data {
            cases: Vec::new(),
            validator_tests: Vec::new(),
            static_validation: false,
            static_tests: Vec::new(),
            tree,
            domjudge_tree: None,
        }
    }
}

struct Walk<'a> {
    data: &'a Arc<Path>,
    problem: &'a Problem,
    findings: &'a mut Findings,
    cases: Vec<TestCase>,
    validator_tests: Vec<ValidatorTest>,
    /// `sample` and the names of the groups read so far. A later group may require these.
    earlier: BTreeSet<String>,
    tree: Groups,
    static_validation: bool,
    /// The number of folders read so far.
    folders: usize,
}

/// The largest number of folders that are read. Without this limit and [`DEEPEST`], symbolic links could make a few
/// folders appear any number of times.
const MOST_FOLDERS: usize = 10_000;

/// The largest depth of a folder below `data/`.
const DEEPEST: usize = 16;

impl Walk<'_> {
    fn may_enter(&mut self, folder: &Path) -> bool {
        self.folders += 1;
        let depth = folder.strip_prefix(self.data).map_or(0, |below| below.iter().count());
        if depth > DEEPEST {
            self.findings.error(folder, format!("is nested more than {DEEPEST} folders deep"));
        } else if self.folders == MOST_FOLDERS + 1 {
            self.findings.error(self.data, format!("contains more than {MOST_FOLDERS} folders"));
        }
        depth <= DEEPEST && self.folders <= MOST_FOLDERS
    }

    fn folder(&mut self, folder: &Path, above: &Settings, kind: Folder, parent: usize) {
        if !self.may_enter(folder) {
            return;
        }
        let Some(entries) = Entries::of(folder, self.findings) else { return };
        let settings = self.settings(folder, above, kind);
        let path = self.settings_file(folder);
        let group = self.tree.enter(name_below(self.data, folder), parent, kind, path, &settings);
        if kind == Folder::Secret && self.problem.version == Version::V2025_09 {
            self.check_groups(folder, &entries);
        }
        // A list that grew step by step would leave a hole of its earlier size in the memory.
        self.cases.reserve(entries.case_count());
        for entry in entries.iter() {
            match entry {
                Entry::Case(stem) => {
                    let case = self.case(folder, stem, &entries, &settings);
                    if let Some(case) = case {
                        self.tree.add_case(group, case.name.clone());
                        self.cases.push(case);
                    }
                }
                Entry::Folder(name) => {
                    let below = folder.join(name);
                    self.folder(&below, &settings, kind.below(), group);
                }
                Entry::File(name) => self.other_file(folder, name, &entries),
            }
        }
    }

    /// Returns the settings of a folder, combined with the settings that it inherits.
    fn settings(&mut self, folder: &Path, above: &Settings, kind: Folder) -> Settings {
        let version = self.problem.version;
        let existing: Vec<_> = version.group_files().iter().map(|name| folder.join(name)).collect();
        let existing: Vec<_> = existing.into_iter().filter(|path| bounded::is_there(path)).collect();
        self.names_of_other_versions(folder);
        if kind == Folder::Data && version == Version::V2025_09 && !existing.is_empty() {
            self.findings.warning(
                &existing[0],
                "the format does not define this file directly in data/; referee applies its settings to every folder \
                 below data/",
            );
        }
        if let [_, second, ..] = existing.as_slice() {
            self.findings.error(
                second,
                "exists beside a test_group.yaml, but a folder may have only one of the two files; remove one of them",
            );
        }
        // A folder without a settings file has only inherited settings. In format 2025-09, folders inherit arguments
        // but no scoring keys.
        let Some(path) = existing.first() else { return Settings::default().below(above) };
        let name = name_below(self.data, folder);
        let mut settings = settings::of_folder(path, kind, &name, self.problem, &self.earlier, self.findings);
        settings.own_legacy = Some(settings.legacy.clone());
        self.static_validation |= settings.static_validation;
        if kind.is_group() {
            self.earlier.insert(name);
        }
        settings.located(self.data, path).below(above)
    }

    /// Returns the settings file of a folder, or the folder itself if it has none.
    fn settings_file(&self, folder: &Path) -> PathBuf {
        let files = self.problem.version.group_files().iter().map(|name| folder.join(name));
        files.into_iter().find(|path| bounded::is_there(path)).unwrap_or_else(|| folder.to_path_buf())
    }

    /// Reports a settings file that has the name of another format version. If it were ignored without a message,
    /// verdicts and scores could be wrong.
    fn names_of_other_versions(&mut self, folder: &Path) {
        let own = self.problem.version.group_files();
        for name in ["testdata.yaml", "test_group.yaml"].into_iter().filter(|name| !own.contains(name)) {
            let path = folder.join(name);
            if bounded::is_there(&path) {
                let message = format!("must be named {} in the format {}", own[0], self.problem.version.name());
                self.findings.error(&path, message);
            }
        }
    }

    /// Checks the content of `secret`. It may contain groups or cases, but not both. If one of its folders is a group,
    /// all of its folders must be groups.
    fn check_groups(&mut self, secret: &Path, entries: &Entries) {
        let is_group = |name: &str| bounded::is_there(&secret.join(name).join("test_group.yaml"));
        let folders =
            || entries.iter().filter_map(|entry| if let Entry::Folder(name) = entry { Some(name) } else { None });
        if !folders().any(is_group) {
            return;
        }
        if let Some(Entry::Case(stem)) = entries.iter().find(|entry| matches!(entry, Entry::Case(_))) {
            let path = secret.join(format!("{stem}.in"));
            self.findings.breach(
                &path,
                "is not in a test data group, but secret/ has groups; move every test case of secret/ into a group",
            );
        }
        for name in folders().filter(|name| !is_group(name)) {
            let path = secret.join(name);
            self.findings
                .breach(&path, "has no test_group.yaml, but other folders in secret/ have one; add a test_group.yaml");
        }
    }

    /// Checks a file that is not an input. Reports the file if it belongs to no test case, or if the format defines no
    /// file with this name.
    fn other_file(&mut self, folder: &Path, name: &str, entries: &Entries) {
        let version = self.problem.version;
        if ["testdata.yaml", "test_group.yaml"].contains(&name) || companions::belongs_to_a_case(version, name, entries)
        {
            return;
        }
        let path = folder.join(name);
        if version.is_legacy() && name.ends_with(".interaction") && name_below(self.data, folder) == "sample" {
            companions::check_interaction(&path, self.findings);
            return;
        }
        if companions::is_companion(version, name) {
            self.findings.breach(&path, "belongs to no test case: there is no .in file with the same name");
        } else {
            self.findings.warning(&path, "is not used: the format defines no file with this name");
        }
    }

    fn case(&mut self, folder: &Path, stem: &str, entries: &Entries, above: &Settings) -> Option<TestCase> {
        let companions = Companions::new(self.problem.version, folder, stem, entries);
        let input = companions.path(".in");
        let Some(answer) = companions.find(".ans") else {
            self.findings.error(&input, format!("has no answer file {stem}.ans beside it"));
            return None;
        };
        let mut checked =
            |ending: &str, path: &Path| companions.fit(ending).map_err(|reason| self.findings.error(path, reason)).ok();
        let files = (checked(".in", &input)?, checked(".ans", &answer)?);
        companions.check(self.problem, self.findings);
        Some(self.case_of(&companions, files, above))
    }

    /// Returns the case with these files, an input and an answer, and with all its settings.
    fn case_of(
        &mut self,
        companions: &Companions<'_>,
        (input, answer): (PathBuf, PathBuf),
        above: &Settings,
    ) -> TestCase {
        let settings = self.case_settings(companions, above);
        let name: Arc<str> = name_below(self.data, &companions.path("")).into();
        TestCase {
            paths: TestFiles::in_folder(self.data, &name, input, answer),
            name,
            files: self.files_folder(companions).map(Arc::from),
            arguments: settings.arguments.unwrap_or_default(),
            output_validator_arguments: settings.output_validator_arguments,
            input_validator_arguments: settings.input_validator_arguments,
            answer_validator_arguments: settings.answer_validator_arguments,
            output: companions.find(".out").and_then(|_| companions.fit(".out").ok()).map(Arc::from),
            description: settings.description.or_else(|| companions.description(self.findings).map(Arc::from)),
        }
    }

    /// Returns the folder with the files that the case puts beside the program; `None` if there is none. Adds an error if
    /// the files are too large.
    fn files_folder(&mut self, companions: &Companions<'_>) -> Option<PathBuf> {
        let folder = companions.find(".files").filter(|path| path.is_dir())?;
        // Links that are refused are reported when the files are copied.
        let root = self.data.parent().unwrap_or(self.data);
        let files = Boundary::of_package(root).files(&folder).unwrap_or_default();
        let mut total: u64 = 0;
        for found in files {
            let bytes = found.real.metadata().map_or(0, |found| found.len());
            total = total.saturating_add(bytes);
            if total > LARGEST_BYTES {
                let reason = format!(
                    "has {bytes} bytes; the files beside a program may have at most {LARGEST_BYTES} bytes in total"
                );
                self.findings.error(&folder.join(found.below), reason);
                return None;
            }
        }
        Some(folder)
    }

    fn case_settings(&mut self, companions: &Companions<'_>, above: &Settings) -> Settings {
        let file = companions.find(".yaml").filter(|_| !self.problem.version.is_legacy());
        let Some(path) = file else { return above.clone() };
        settings::of_case(&path, self.findings).located(self.data, &path).below(above)
    }

    /// Reads the validator tests in a folder, and checks which answer and output files each test has. Grading runs no
    /// submission on these tests.
    fn validator_tests(&mut self, folder: &Path, above: &Settings, part: ValidatorTestKind) {
        if !self.may_enter(folder) {
            return;
        }
        let Some(entries) = Entries::of(folder, self.findings) else { return };
        let settings = self.settings(folder, above, Folder::ValidatorTests);
        for entry in entries.iter() {
            match entry {
                Entry::Folder(name) => self.validator_tests(&folder.join(name), &settings, part),
                Entry::Case(stem) => {
                    let companions = Companions::new(self.problem.version, folder, stem, &entries);
                    companions.check_validator_test(part, self.findings);
                    // A test whose input is too large or not a readable file is skipped.
                    if let Ok(input) = companions.fit(".in") {
                        let files = (input, companions.fit(".ans").unwrap_or_else(|_| companions.path(".ans")));
                        let case = self.case_of(&companions, files, &settings);
                        self.validator_tests.push(ValidatorTest { part, case });
                    }
                }
                Entry::File(_) => {}
            }
        }
    }
}
