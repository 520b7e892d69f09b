//! Writes ZIP of `--moodle-feedback ZIP`. Moodle reads it with "Upload multiple feedback files in a zip": it contains
//! the folders of the download, each with a page.

use std::collections::HashSet;
use std::io::{self, Cursor, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::cli::{Failure, destination};
use referee_report::Destination;
use referee_report::html::per_submission::{Page, Pages};

/// The comment at the end of the archive. It tells the archives that this module writes from all others.
const COMMENT: &str = "pages for students, made by referee";

/// The maximum size of an archive, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// An archive in memory, and its destination.
pub(super) struct FeedbackZip {
    out: Box<dyn Destination>,
    zip: ZipWriter<Cursor<Vec<u8>>>,
    /// The paths in the archive, without differences of case.
    paths: HashSet<String>,
    is_broken: bool,
}

impl FeedbackZip {
    /// Opens the destination. Fails if it is not writable, or if it is another file than such an archive.
    pub(super) fn open(path: &Path) -> Result<FeedbackZip, Failure> {
        let out = destination::open_archive(path, COMMENT.as_bytes())?;
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        zip.set_comment(COMMENT);
        Ok(FeedbackZip { out, zip, paths: HashSet::new(), is_broken: false })
    }

    /// Returns the path of a page in the archive. Moodle finds the student by the folder, and takes every file in it.
    fn path(&mut self, folder: &str) -> String {
        // A folder of Moodle's download has no slash, and the names of folders must not lead elsewhere.
        let folder = folder.replace(['/', '\\', '\0'], "_");
        let (mut path, mut number) = (format!("{folder}/feedback.html"), 1);
        while !self.paths.insert(path.to_lowercase()) {
            number += 1;
            path = format!("{folder}/feedback-{number}.html");
        }
        path
    }

    fn write(&mut self, path: &str, html: &[u8]) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        self.zip.start_file(path, options)?;
        self.zip.write_all(html)
    }
}

impl Pages for FeedbackZip {
    fn add(&mut self, page: &Page) -> io::Result<()> {
        let Some(student) = &page.student else { return Ok(()) };
        let path = self.path(&student.folder);
        self.write(&path, page.html.as_bytes()).inspect_err(|_| self.is_broken = true)
    }

    fn finish(mut self: Box<Self>, is_complete: bool) -> io::Result<()> {
        if !is_complete || self.is_broken {
            // Dropping the writer would try to complete the archive, and could print an error.
            std::mem::forget(self.zip);
            return Ok(());
        }
        let bytes = self.zip.finish()?.into_inner();
        if bytes.len() as u64 > MOST_BYTES {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the archive with the pages is larger than 1 GiB"));
        }
        self.out.write_all(&bytes)?;
        self.out.flush()?;
        self.out.complete()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read as _;
    use std::sync::Arc;

    use referee_event::Student;
    use zip::ZipArchive;

    use super::*;

    fn page(folder: &str, html: &str) -> Page {
        let student = Student::example(folder);
        Page { file_name: "a.html".to_owned(), student: Some(Arc::new(student)), html: html.to_owned() }
    }

    #[test]
    fn each_student_has_a_page_in_the_folder_of_the_download() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("feedback.zip");
        for _ in 0..2 {
            let mut pages = Box::new(FeedbackZip::open(&path).unwrap());
            for name in ["Jörg 王_12_assignsubmission_file_", "../up_1_assignsubmission_file_"] {
                pages.add(&page(name, "first")).unwrap();
            }
            pages.add(&page("Jörg 王_12_assignsubmission_file_", "second")).unwrap();
            pages.finish(true).unwrap();
        }
        let mut zip = ZipArchive::new(fs::File::open(&path).unwrap()).unwrap();
        let names: Vec<_> = zip.file_names().map(str::to_owned).collect();
        assert_eq!(
            names,
            [
                "Jörg 王_12_assignsubmission_file_/feedback.html",
                ".._up_1_assignsubmission_file_/feedback.html",
                "Jörg 王_12_assignsubmission_file_/feedback-2.html"
            ]
        );
        let mut text = String::new();
        zip.by_index(2).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "second");
        let bytes = fs::read(&path).unwrap();
        let utf8 = u16::from_le_bytes([bytes[6], bytes[7]]) & (1 << 11);
        assert_ne!(utf8, 0, "the header says that the name is UTF-8");
    }

    #[test]
    fn another_archive_is_not_replaced_and_an_unfinished_run_leaves_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("download.zip");
        fs::write(&path, b"PK\x05\x06").unwrap();
        assert!(FeedbackZip::open(&path).is_err());
        let path = folder.path().join("feedback.zip");
        let mut pages = Box::new(FeedbackZip::open(&path).unwrap());
        pages.add(&page("a_1_assignsubmission_file_", "x")).unwrap();
        pages.finish(false).unwrap();
        assert!(!path.exists());
    }
}
