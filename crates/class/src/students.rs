//! Collects the files of each student.

use std::collections::HashMap;

use super::attempts;
use super::canvas::{self, CanvasName};
use super::endings::stem_of;
use super::level::Child;
use super::listing::Entry;
use super::moodle::MoodleName;

/// A student, with all attempts.
#[derive(Debug, Default)]
pub(crate) struct FoundStudent {
    pub(crate) name: String,
    pub(crate) moodle_id: Option<String>,
    pub(crate) canvas_id: Option<String>,
    pub(crate) folder: String,
    /// The paths, from the student's folder on, of files and folders that are ignored.
    pub(crate) ignored: Vec<String>,
    /// The files of each attempt, the earliest first. At least one attempt.
    pub(crate) attempts: Vec<Vec<FoundFile>>,
}

/// A file of a student.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundFile {
    /// The index in the listing.
    pub(crate) entry: usize,
    /// The path in the student's own folder, without what the platform added.
    pub(crate) inner: Vec<String>,
    /// The order among versions of the file: the number of the resubmission, then the platform's number. `None` if the
    /// platform does not number files.
    pub(crate) version: Option<(u32, u64)>,
    /// The name with the number of the resubmission; `None` if it has none.
    pub(crate) numbered_name: Option<String>,
    pub(crate) is_late: Option<bool>,
    /// The file's number in Canvas; `None` in other layouts.
    pub(crate) canvas_file: Option<String>,
    /// Whether the student typed the text on the platform.
    pub(crate) is_online_text: bool,
}

/// The students found so far, with their files, in the order in which they were found.
#[derive(Default)]
pub(crate) struct Students {
    all: Vec<(FoundStudent, Vec<FoundFile>)>,
    /// The index of each student, by what identifies the student.
    by_key: HashMap<String, usize>,
}

impl Students {
    fn of(&mut self, key: String, new: impl FnOnce() -> FoundStudent) -> &mut (FoundStudent, Vec<FoundFile>) {
        let all = &mut self.all;
        let at = *self.by_key.entry(key).or_insert_with(|| {
            all.push((new(), Vec::new()));
            all.len() - 1
        });
        &mut self.all[at]
    }

    pub(crate) fn add_moodle(&mut self, child: &Child<'_>, name: &MoodleName) {
        let folder = || {
            let is_folder = name.rest.is_empty();
            if is_folder { child.name.to_owned() } else { format!("{}_{}_assignsubmission_file_", name.name, name.id) }
        };
        let (student, files) = self.of(format!("moodle {}", name.id), || FoundStudent {
            name: name.name.clone(),
            moodle_id: Some(name.id.clone()),
            folder: folder(),
            ..FoundStudent::default()
        });
        student.ignored.extend(child.ignored.iter().cloned());
        // The folder of files is the one into which Moodle takes feedback.
        if !name.is_online_text {
            student.folder = folder();
        }
        let flat = (!child.is_folder() && !name.rest.is_empty()).then(|| vec![name.rest.clone()]);
        files.extend(own_files(child, flat.as_deref(), name.is_online_text));
    }

    pub(crate) fn add_canvas(&mut self, child: &Child<'_>, name: &CanvasName) {
        let (_, files) = self.of(format!("canvas {}", name.user), || FoundStudent {
            name: name.name.clone(),
            canvas_id: Some(name.user.clone()),
            folder: child.name.to_owned(),
            ..FoundStudent::default()
        });
        let (inner, resubmission) = canvas::resubmission(&name.rest);
        files.push(FoundFile {
            entry: child.entry,
            inner: vec![inner],
            version: Some((resubmission, name.file.parse().unwrap_or(0))),
            numbered_name: (resubmission > 0).then(|| name.rest.clone()),
            is_late: Some(name.is_late),
            canvas_file: Some(name.file.clone()).filter(|file| !file.is_empty()),
            is_online_text: name.file.is_empty(),
        });
    }

    pub(crate) fn add_folder(&mut self, child: &Child<'_>, user: Option<String>) {
        let (_, files) = self.of(format!("folder {}", child.name), || FoundStudent {
            name: user.unwrap_or_else(|| child.name.to_owned()),
            folder: child.name.to_owned(),
            ignored: child.ignored.iter().cloned().collect(),
            ..FoundStudent::default()
        });
        files.extend(own_files(child, None, false));
    }

    /// Adds a file that is a student's whole work. A file that is no source belongs to the only source with its stem.
    pub(crate) fn add_file(&mut self, child: &Child<'_>, is_source: bool, sources: &HashMap<&str, usize>) {
        let stem = stem_of(child.name);
        let is_group = sources.get(stem) == Some(&1);
        let key = if is_group { format!("stem {stem}") } else { format!("file {}", child.name) };
        let (student, files) = self.of(key, FoundStudent::default);
        if !is_group || is_source {
            (student.name, student.folder) = (child.name.to_owned(), child.name.to_owned());
        }
        files.extend(own_files(child, Some(&[child.name.to_owned()]), false));
    }

    pub(crate) fn into_found(self) -> Vec<FoundStudent> {
        let with_attempts = |(student, files)| FoundStudent { attempts: attempts::of(files), ..student };
        self.all.into_iter().map(with_attempts).collect()
    }
}

/// Returns the files of a child. `flat` is the path of a file without what the platform added; `None` for a folder. A
/// child that is neither a file nor a folder counts as a file, which cannot be read.
fn own_files<'a>(
    child: &'a Child<'_>,
    flat: Option<&'a [String]>,
    is_online_text: bool,
) -> impl Iterator<Item = FoundFile> + 'a {
    let depth = child.path.len();
    let inner = move |entry: &Entry| match flat {
        Some(flat) => flat.to_vec(),
        None if entry.path.len() > depth => entry.path[depth..].to_vec(),
        None => vec![child.name.to_owned()],
    };
    child.files.iter().map(move |(index, entry)| FoundFile {
        entry: *index,
        inner: inner(entry),
        version: None,
        numbered_name: None,
        is_late: None,
        canvas_file: None,
        is_online_text,
    })
}
