//! Collects the groups of test data folder by folder and turns them into a [`Tree`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::checks::Checks;
use super::domjudge;
use super::settings::{DatedKeys, FlagsOrigin, Folder, LegacyKeys, Settings};
use crate::StaticTest;
use crate::findings::Findings;
use crate::problem::Problem;
use crate::version::Version;
use referee_grading::score::{Child, Flags, Grading, Legacy, Score, TestGroup, Tree, Way};

/// The last part of the name of a static validator's test case.
pub(super) const STATIC: &str = "static_validation";

/// The folders of test data read so far.
pub(super) struct Groups {
    drafts: Vec<Draft>,
}

/// A folder with its settings.
pub(super) struct Draft {
    pub(super) name: String,
    parent: Option<usize>,
    pub(super) kind: Folder,
    /// The path that findings about this folder show: the folder's settings file, or the folder itself if it has none.
    pub(super) path: PathBuf,
    legacy: LegacyKeys,
    pub(super) dated: DatedKeys,
    own_legacy: Option<LegacyKeys>,
    children: Vec<Member>,
}

/// A member of a folder, in the order of judging.
enum Member {
    Case(Arc<str>),
    Folder(usize),
}

/// The groups and static tests of all folders.
pub(super) struct Gathered {
    pub(super) tree: Tree,
    pub(super) domjudge_tree: Option<Tree>,
    pub(super) static_tests: Vec<StaticTest>,
}

impl Groups {
    pub(super) fn new(data: &Path, settings: &Settings) -> Groups {
        let mut groups = Groups { drafts: Vec::new() };
        groups.add(String::new(), None, Folder::Data, data.to_path_buf(), settings);
        groups
    }

    /// Adds a subfolder of `parent` and returns its index. `settings` includes the settings that the folder inherits.
    pub(super) fn enter(
        &mut self,
        name: String,
        parent: usize,
        kind: Folder,
        path: PathBuf,
        settings: &Settings,
    ) -> usize {
        let index = self.add(name, Some(parent), kind, path, settings);
        self.drafts[parent].children.push(Member::Folder(index));
        index
    }

    fn add(&mut self, name: String, parent: Option<usize>, kind: Folder, path: PathBuf, settings: &Settings) -> usize {
        let (legacy, dated, own_legacy) =
            (settings.legacy.clone(), settings.dated.clone(), settings.own_legacy.clone());
        self.drafts.push(Draft { name, parent, kind, path, legacy, dated, own_legacy, children: Vec::new() });
        self.drafts.len() - 1
    }

    pub(super) fn add_case(&mut self, group: usize, name: Arc<str>) {
        self.drafts[group].children.push(Member::Case(name));
    }

    /// Builds the tree of the folders and reports settings that contradict each other.
    pub(super) fn finish(self, problem: &Problem, findings: &mut Findings) -> Gathered {
        let is_dated = match problem.version {
            Version::V2025_09 => true,
            // Packages of 2023-07 use either the legacy keys or the keys of 2025-09.
            Version::V2023_07 => self.drafts.iter().any(|draft| draft.dated.has_any_key()),
            Version::Legacy | Version::LegacyIcpc => false,
        };
        let tree = Tree { groups: Vec::new(), scoring: problem.kind.scoring, objective: problem.objective };
        let mut gathered = Gathered { tree, domjudge_tree: None, static_tests: Vec::new() };
        let own = self.own_keys(is_dated);
        if is_dated {
            self.dated(problem, findings, &mut gathered);
        } else {
            gathered.tree.groups = self.legacy(problem, findings);
        }
        gathered.domjudge_tree = domjudge::tree(&gathered.tree, &own);
        gathered
    }

    /// Returns the keys of each group's own settings file, in the order of the groups of the tree.
    fn own_keys(&self, is_dated: bool) -> Vec<Option<LegacyKeys>> {
        let groups = self.drafts.iter().filter(|draft| !is_dated || draft.kind != Folder::Below);
        groups.map(|draft| draft.own_legacy.clone()).collect()
    }

    /// Makes every folder a group; see the section "Test Data Groups" of format legacy.
    fn legacy(self, problem: &Problem, findings: &mut Findings) -> Vec<TestGroup> {
        let custom_score = problem.validation.score;
        let group = |draft: Draft| {
            let way = Way::Legacy(Legacy {
                breaks: draft.legacy.breaks.unwrap_or(true),
                grading: grading(&draft, findings),
                accept_score: draft.legacy.accept_score.unwrap_or(Score::whole(1)),
                reject_score: draft.legacy.reject_score.unwrap_or_default(),
                custom_score,
                range: draft.legacy.range.unwrap_or_default(),
            });
            let children = draft.children.into_iter().map(|member| match member {
                Member::Case(name) => Child::Case(name),
                Member::Folder(index) => Child::TestGroup(index),
            });
            TestGroup { name: draft.name, parent: draft.parent, children: children.collect(), way }
        };
        self.drafts.into_iter().map(group).collect()
    }

    /// Makes a group of each of these folders: `data`, `sample`, `secret` and the folders directly below `secret`. See
    /// the section "Test data groups" of format 2025-09.
    fn dated(self, problem: &Problem, findings: &mut Findings, gathered: &mut Gathered) {
        let is_group = |draft: &Draft| draft.kind != Folder::Below;
        // For each folder, the index of the group that receives its cases. The cases of a folder that is not a group
        // belong to the innermost group around it.
        let mut index_of = Vec::with_capacity(self.drafts.len());
        let mut count = 0;
        for draft in &self.drafts {
            index_of.push(match draft.parent {
                Some(parent) if !is_group(draft) => index_of[parent],
                _ => {
                    count += 1;
                    count - 1
                }
            });
        }
        let groups = self.drafts.iter().filter(|draft| is_group(draft));
        let names: HashMap<_, _> = groups.enumerate().map(|(index, draft)| (draft.name.as_str(), index)).collect();
        let mut checks = Checks::new(problem, findings);
        for (index, draft) in self.drafts.iter().enumerate().filter(|(_, draft)| is_group(draft)) {
            let way = checks.way(draft, &names, &gathered.tree);
            let mut group = TestGroup {
                name: draft.name.clone(),
                parent: draft.parent.map(|parent| index_of[parent]),
                children: Vec::new(),
                way: Way::Dated(way),
            };
            if let Some(case) = &draft.dated.static_case {
                let name = format!("{}/{STATIC}", draft.name);
                group.children.push(Child::Static(Box::new((name.clone(), checks.static_rule(draft, case, &group)))));
                gathered.static_tests.push(StaticTest { name, arguments: case.arguments.clone() });
            }
            self.collect(index, &index_of, &mut group.children);
            checks.children(draft, &group.children);
            gathered.tree.groups.push(group);
        }
    }

    /// Collects the cases and subgroups of a group in order. Cases in subfolders that are not groups belong to the
    /// group too.
    fn collect(&self, folder: usize, index_of: &[usize], children: &mut Vec<Child>) {
        for member in &self.drafts[folder].children {
            match member {
                Member::Case(name) => children.push(Child::Case(name.clone())),
                Member::Folder(other) if self.drafts[*other].kind == Folder::Below => {
                    self.collect(*other, index_of, children);
                }
                Member::Folder(other) => children.push(Child::TestGroup(index_of[*other])),
            }
        }
    }
}

fn grading(draft: &Draft, findings: &mut Findings) -> Grading {
    let (text, place, origin) =
        draft.legacy.flags.clone().unwrap_or_else(|| (String::new(), (1, 1), FlagsOrigin::Inherited));
    if draft.legacy.custom == Some(true) {
        return Grading::Custom(text.split_whitespace().map(str::to_owned).collect());
    }
    let (mut flags, unknown) = Flags::read(&text);
    let is_own = origin == FlagsOrigin::OwnFile;
    if let Some(unknown) = unknown
        && is_own
    {
        findings.breach_at(&draft.path, Some(place), unknown.to_string());
    }
    if flags.ignore_sample && draft.parent.is_some() {
        if is_own {
            findings.error_at(&draft.path, Some(place), "'ignore_sample' is for data/testdata.yaml only");
        }
        // A folder inherits the flags of the folder above. Only `data` itself can ignore samples, so `ignore_sample` is
        // dropped and the other flags apply.
        flags.ignore_sample = false;
    }
    Grading::Default(flags)
}
