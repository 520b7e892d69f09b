//! The files and folders in one folder of a class, and the layout that their names show.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::endings::{Endings, stem_of};
use super::layout::Found;
use super::listing::{Entry, Kind, Listing};
use super::students::Students;
use super::{canvas, github, ignored, is_of_platform, moodle};
use referee_event::ClassLayout;

/// Names of folders that divide one program. A folder with only such folders is one program.
const OF_PROGRAMS: [&str; 12] =
    ["src", "lib", "include", "inc", "test", "tests", "main", "java", "com", "org", "doc", "docs"];

/// The files and folders in one folder.
pub(crate) struct Level<'a> {
    /// The name of the folder.
    name: String,
    /// The number of folders around the children.
    depth: usize,
    pub(crate) children: Vec<Child<'a>>,
    /// Files directly in the folder that are ignored, and files in folders directly in it that are ignored.
    hidden: Vec<&'a Entry>,
}

/// A file or folder directly in the folder of a [`Level`].
pub(crate) struct Child<'a> {
    pub(crate) name: &'a str,
    pub(crate) path: &'a [String],
    kind: &'a Kind,
    /// The index of the child itself.
    pub(crate) entry: usize,
    /// The files below it, with their indices and their paths from the child on. For a file, the file itself.
    pub(crate) files: Vec<(usize, &'a Entry)>,
    /// The paths, from the child on, of the files and folders below it that are ignored.
    pub(crate) ignored: BTreeSet<String>,
    has_git: bool,
}

impl Child<'_> {
    pub(crate) fn is_folder(&self) -> bool {
        *self.kind == Kind::Folder
    }
}

/// Returns whether a file or folder with this name, beside those of the students, is ignored. The name of a student on a
/// platform may begin with a dot.
fn is_hidden(name: &str, is_file: bool) -> bool {
    let is_ignored = ignored::is_ignored_folder(name) || ignored::is_ignored_file(name);
    is_ignored && (!is_of_platform(name) || (is_file && ignored::is_of_tool(name)))
}

impl<'a> Level<'a> {
    pub(crate) fn new(listing: &'a Listing, prefix: &[String]) -> Level<'a> {
        let depth = prefix.len();
        let mut children = BTreeMap::<&str, Child<'_>>::new();
        let mut hidden = Vec::new();
        let below = |(_, entry): &(usize, &Entry)| entry.path.len() > depth && entry.path.starts_with(prefix);
        for (index, entry) in listing.entries.iter().enumerate().filter(below) {
            let name = entry.path[depth].as_str();
            let is_own = entry.path.len() == depth + 1;
            if is_hidden(name, is_own && entry.kind != Kind::Folder) {
                hidden.push(entry);
                continue;
            }
            let child = children.entry(name).or_insert_with(|| Child {
                name,
                path: &entry.path[..=depth],
                kind: &Kind::Folder,
                entry: index,
                files: Vec::new(),
                ignored: BTreeSet::new(),
                has_git: false,
            });
            // A folder that cannot be read has two entries. It remains a folder.
            if is_own && (child.entry == index || !matches!(entry.kind, Kind::Unread(_))) {
                (child.kind, child.entry) = (&entry.kind, index);
            }
            child.has_git |= entry.path.get(depth + 1).is_some_and(|name| name == ".git");
            match ignored::ignored_part(&entry.path[depth + 1..], entry.kind == Kind::Folder) {
                Some(part) => _ = child.ignored.insert(part),
                None if entry.kind != Kind::Folder => child.files.push((index, entry)),
                None => {}
            }
        }
        let name = prefix.last().unwrap_or(&listing.name).clone();
        Level { name, depth, children: children.into_values().collect(), hidden }
    }

    /// Returns the path of the only child, if it is a folder; files of a teacher do not count.
    pub(crate) fn only_folder(&self) -> Option<Vec<String>> {
        let mut counted = self.children.iter().filter(|child| child.is_folder() || !ignored::is_teachers(child.name));
        let only = counted.next().filter(|child| child.is_folder())?;
        counted.next().is_none().then(|| only.path.to_vec())
    }

    pub(crate) fn has_folders(&self) -> bool {
        self.children.iter().any(Child::is_folder)
    }

    pub(crate) fn has_folder(&self, name: &str) -> bool {
        self.children.iter().any(|child| child.is_folder() && child.name == name)
    }

    pub(crate) fn has_sources(&self, endings: &Endings) -> bool {
        self.children.iter().any(|child| matches!(child.kind, Kind::File(_)) && endings.is_source(child.name))
    }

    /// Returns the platform whose names the children have; `None` if there is none.
    pub(crate) fn platform(&self) -> Option<ClassLayout> {
        if self.children.iter().any(|child| moodle::parse(child.name).is_some()) {
            return Some(ClassLayout::Moodle);
        }
        let files = self.children.iter().filter(|child| !child.is_folder() && !ignored::is_teachers(child.name));
        let (canvas, others): (Vec<_>, Vec<_>) = files.partition(|child| canvas::parse(child.name).is_some());
        (!canvas.is_empty() && canvas.len() >= others.len()).then_some(ClassLayout::Canvas)
    }

    /// Returns the layout, if the names show that the children are the students of a class.
    pub(crate) fn layout(&self, endings: &Endings) -> Option<ClassLayout> {
        if let Some(platform) = self.platform() {
            return Some(platform);
        }
        if self.has_sources(endings) {
            return None;
        }
        let folders: Vec<_> = self.children.iter().filter(|child| child.is_folder()).collect();
        if folders.iter().any(|child| child.has_git) && self.github_users(&folders).is_some() {
            return Some(ClassLayout::GithubClassroom);
        }
        let has_source = |child: &&&Child<'_>| {
            child.files.iter().any(|(_, entry)| entry.path.last().is_some_and(|name| endings.is_source(name)))
        };
        let is_of_program = folders.iter().all(|child| OF_PROGRAMS.contains(&child.name.to_lowercase().as_str()));
        (folders.len() > 1 && !is_of_program && folders.iter().filter(has_source).count() > 0)
            .then_some(ClassLayout::Folders)
    }

    fn github_users(&self, folders: &[&Child<'_>]) -> Option<Vec<String>> {
        let names: Vec<_> = folders.iter().map(|child| child.name).collect();
        github::users(&self.name, &names)
    }

    /// Divides the children among students.
    pub(crate) fn found(&self, layout: ClassLayout, endings: &Endings) -> Found {
        let mut students = Students::default();
        let mut ignored = self.hidden_sources(endings);
        let folders: Vec<_> = self.children.iter().filter(|child| child.is_folder()).collect();
        let users = if layout == ClassLayout::GithubClassroom { self.github_users(&folders) } else { None };
        let mut users = users.unwrap_or_default().into_iter();
        let sources = self.sources_by_stem(endings);
        for child in &self.children {
            match (layout, moodle::parse(child.name), canvas::parse(child.name)) {
                (ClassLayout::Moodle, Some(name), _) => students.add_moodle(child, &name),
                (ClassLayout::Canvas, _, Some(name)) if !child.is_folder() => students.add_canvas(child, &name),
                _ if child.is_folder() => students.add_folder(child, users.next()),
                _ if ignored::is_teachers(child.name) && !endings.is_source(child.name) => {
                    ignored.push(child.path.join("/"));
                }
                _ => students.add_file(child, endings.is_source(child.name), &sources),
            }
        }
        Found { layout, students: students.into_found(), ignored }
    }

    /// Returns the paths of hidden files and folders that are sources or contain some, and that no known tool made.
    fn hidden_sources(&self, endings: &Endings) -> Vec<String> {
        let is_source = |entry: &&&Entry| {
            entry.kind != Kind::Folder
                && !entry.path.iter().any(|name| ignored::is_of_tool(name))
                && entry.path.last().is_some_and(|name| endings.is_source(name))
        };
        let paths = self.hidden.iter().filter(is_source).map(|entry| entry.path[..=self.depth].join("/"));
        paths.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns the number of sources among the children for each stem of their names.
    fn sources_by_stem(&self, endings: &Endings) -> HashMap<&str, usize> {
        let mut counts = HashMap::new();
        for child in self.children.iter().filter(|child| !child.is_folder() && endings.is_source(child.name)) {
            *counts.entry(stem_of(child.name)).or_default() += 1;
        }
        counts
    }
}
