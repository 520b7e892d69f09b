//! Recognises the layout of the files, and finds the students, by the names of files and folders alone.

use std::collections::BTreeSet;

use super::endings::Endings;
use super::ignored;
use super::level::Level;
use super::listing::{Entry, Kind, Listing};
use super::students::{FoundFile, FoundStudent};
use referee_event::ClassLayout;

/// When files count as a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// If their names show it. A folder with sources directly in it is one program.
    IfClear,
    /// Always: the user says that they are a class.
    Always,
}

/// What the files are.
#[derive(Debug)]
pub enum Recognised {
    /// The programs of a class.
    Class(Found),
    /// One program, or nothing that can be judged.
    Program,
}

/// The students that were found.
#[derive(Debug)]
pub struct Found {
    /// How the programs are stored.
    pub layout: ClassLayout,
    pub(crate) students: Vec<FoundStudent>,
    /// Files and folders that belong to no student, as relative paths.
    pub(crate) ignored: Vec<String>,
}

impl Found {
    /// Returns one student with all files of the listing.
    pub(crate) fn of_program(listing: &Listing) -> Found {
        let entries = || listing.entries.iter().enumerate();
        let ignored_part = |entry: &Entry| ignored::ignored_part(&entry.path, entry.kind == Kind::Folder);
        let ignored: BTreeSet<_> = listing.entries.iter().filter_map(ignored_part).collect();
        let file = |(entry, found): (usize, &Entry)| FoundFile {
            entry,
            inner: found.path.clone(),
            version: None,
            numbered_name: None,
            is_late: None,
            canvas_file: None,
            is_online_text: false,
        };
        let is_file = |(_, entry): &(usize, &Entry)| {
            entry.kind != Kind::Folder && !entry.path.iter().any(|name| ignored::is_ignored_folder(name))
        };
        let files = entries().filter(is_file).map(file).collect();
        let student = FoundStudent {
            name: listing.name.clone(),
            folder: listing.name.clone(),
            ignored: ignored.into_iter().collect(),
            attempts: vec![files],
            ..FoundStudent::default()
        };
        Found { layout: ClassLayout::Folders, students: vec![student], ignored: Vec::new() }
    }
}

/// The number of folders that may be around the folders of the students.
const MOST_AROUND: usize = 4;

/// Recognises the files of a listing.
pub fn recognise(listing: &Listing, endings: &Endings, ask: Ask) -> Recognised {
    let mut level = Level::new(listing, &[]);
    for _ in 0..MOST_AROUND {
        if let Some(layout) = level.layout(endings) {
            return Recognised::Class(level.found(layout, endings));
        }
        let Some(inner) = level.only_folder() else { break };
        let below = Level::new(listing, &inner);
        // A single folder with sources in it is one student or one program.
        if below.has_sources(endings) && below.platform().is_none() {
            break;
        }
        level = below;
    }
    if ask == Ask::IfClear || level.children.is_empty() {
        return Recognised::Program;
    }
    let layout =
        if level.has_sources(endings) || !level.has_folders() { ClassLayout::Files } else { ClassLayout::Folders };
    Recognised::Class(level.found(layout, endings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_language::Table;

    /// A listing without contents. A path that ends in a slash is a folder.
    fn listing(name: &str, paths: &[&str]) -> Listing {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(name)).unwrap();
        for path in paths {
            let at = folder.path().join(name).join(path);
            if path.ends_with('/') {
                std::fs::create_dir_all(at).unwrap();
            } else {
                std::fs::create_dir_all(at.parent().unwrap()).unwrap();
                std::fs::write(at, "").unwrap();
            }
        }
        Listing::open(&folder.path().join(name)).unwrap()
    }

    fn recognised(name: &str, paths: &[&str], ask: Ask) -> Option<(ClassLayout, Vec<(String, usize)>)> {
        let endings = Endings::new(&Table::load(&[]).unwrap(), &[]).unwrap();
        match recognise(&listing(name, paths), &endings, ask) {
            Recognised::Program => None,
            Recognised::Class(found) => {
                let one = |student: &FoundStudent| (student.name.clone(), student.attempts.last().map_or(0, Vec::len));
                Some((found.layout, found.students.iter().map(one).collect()))
            }
        }
    }

    fn class(layout: ClassLayout, students: &[(&str, usize)]) -> (ClassLayout, Vec<(String, usize)>) {
        (layout, students.iter().map(|(name, files)| ((*name).to_owned(), *files)).collect())
    }

    #[test]
    fn a_folder_with_sources_is_a_program_unless_the_user_calls_it_a_class() {
        let flat = ["amy.py", "bob.c", "bob.h", "dora.pdf", "README.md", "eve/main.py"];
        assert_eq!(recognised("x", &flat, Ask::IfClear), None);
        let students = [("amy.py", 1), ("bob.c", 2), ("dora.pdf", 1), ("eve", 1)];
        assert_eq!(recognised("x", &flat, Ask::Always), Some(class(ClassLayout::Files, &students)));
        assert_eq!(
            recognised("x", &["a.py", "a.c"], Ask::Always),
            Some(class(ClassLayout::Files, &[("a.c", 1), ("a.py", 1)]))
        );
    }

    #[test]
    fn a_folder_of_folders_is_a_class_unless_they_divide_one_program() {
        let folders = ["amy/main.py", "amy/util.py", "bin/essay.pdf", "marks.csv", "empty/", "__MACOSX/amy/main.py"];
        let students = [("amy", 2), ("bin", 1), ("empty", 0)];
        assert_eq!(recognised("x", &folders, Ask::IfClear), Some(class(ClassLayout::Folders, &students)));
        for program in
            [&["src/main.py", "lib/util.py"][..], &["src/main.py"], &["amy/main.py"], &["a/x.pdf", "b/y.pdf"]]
        {
            assert_eq!(recognised("x", program, Ask::IfClear), None, "{program:?}");
        }
        assert_eq!(recognised("x", &["amy/main.py"], Ask::Always), Some(class(ClassLayout::Folders, &[("amy", 1)])));
        assert_eq!(recognised("x", &["in/2026/amy/a.py", "in/2026/bob/b.py"], Ask::IfClear).unwrap().1.len(), 2);
        assert_eq!(recognised("x", &[], Ask::Always), None);
    }

    #[test]
    fn names_of_moodle_and_canvas_are_recognised_with_others_beside_them() {
        let moodle = [
            "Ann Lee_7_assignsubmission_file_/main.py",
            "Ann Lee_7_assignsubmission_onlinetext_/onlinetext.html",
            "Bob_8_assignsubmission_file_sum.py",
            "late-carl.py",
        ];
        let students = [("Ann Lee", 2), ("Bob", 1), ("late-carl.py", 1)];
        assert_eq!(recognised("x", &moodle, Ask::IfClear), Some(class(ClassLayout::Moodle, &students)));
        let canvas = ["doejane_1_2_a.py", "doejane_1_3_b.py", "roe_LATE_4_5_c.py"];
        assert_eq!(
            recognised("x", &canvas, Ask::IfClear),
            Some(class(ClassLayout::Canvas, &[("doejane", 2), ("roe", 1)]))
        );
        assert_eq!(
            recognised("x", &["a_1_2_b.py", "main.py", "util.py"], Ask::IfClear),
            None,
            "most are no such names"
        );
    }

    #[test]
    fn clones_are_those_of_github_classroom_only_with_a_common_name() {
        let clones = ["hw-amy/.git/config", "hw-amy/main.py", "hw-bob/.git/config", "hw-bob/main.py"];
        assert_eq!(
            recognised("hw-submissions", &clones, Ask::IfClear),
            Some(class(ClassLayout::GithubClassroom, &[("amy", 1), ("bob", 1)]))
        );
        let others = ["amy/.git/config", "amy/main.py", "bob/main.py"];
        assert_eq!(
            recognised("x", &others, Ask::IfClear),
            Some(class(ClassLayout::Folders, &[("amy", 1), ("bob", 1)]))
        );
    }
}
