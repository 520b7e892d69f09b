//! Reads the sources of submissions for pages to hand out.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use referee_files::regular;
use referee_judge::Submission;
use referee_report::html::per_submission::{SourceFile, SourceText, Sources};
use referee_text::printable::printable_line;

/// The maximum number of files, and the maximum size of a file and of all files, that a page shows.
const MOST_FILES: usize = 40;
const FILE_BYTES: usize = 256 << 10;
const ALL_BYTES: usize = 1 << 20;

/// The maximum depth of folders in a submission.
const MOST_DEPTH: usize = 8;

/// The files and folders of the judged submissions, by their names.
pub(super) struct OfSubmissions(HashMap<String, PathBuf>);

impl OfSubmissions {
    pub(super) fn new(submissions: &[Submission]) -> OfSubmissions {
        // The path of a submission that is not judged can be the folder of the whole class.
        let judged = submissions.iter().filter(|submission| submission.left_out.is_none());
        OfSubmissions(judged.map(|submission| (submission.name.clone(), submission.path.clone())).collect())
    }
}

impl Sources for OfSubmissions {
    fn of(&self, submission: &str) -> Vec<SourceFile> {
        let Some(path) = self.0.get(submission) else { return Vec::new() };
        let mut left = ALL_BYTES;
        files(path)
            .into_iter()
            .map(|(name, file)| {
                let content = read(&file, FILE_BYTES.min(left));
                left -= content.as_ref().map_or(0, |source| source.bytes.len());
                SourceFile { name, content }
            })
            .collect()
    }
}

/// Returns the names and paths of the files to show. Hidden files and the contents of hidden folders are left out.
fn files(path: &Path) -> Vec<(String, PathBuf)> {
    let name = |file: &Path| printable_line(&file.to_string_lossy());
    if !path.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        let own = path.file_name().map_or(path, Path::new);
        return vec![(name(own), path.to_path_buf())];
    }
    let is_hidden = |entry: &walkdir::DirEntry| entry.depth() > 0 && entry.file_name().as_encoded_bytes()[0] == b'.';
    let entries = WalkDir::new(path).max_depth(MOST_DEPTH).sort_by_file_name().into_iter();
    let entries = entries.filter_entry(|entry| !is_hidden(entry)).filter_map(Result::ok);
    let files = entries.filter(|entry| !entry.file_type().is_dir()).take(MOST_FILES);
    files.map(|entry| (name(entry.path().strip_prefix(path).unwrap_or(entry.path())), entry.into_path())).collect()
}

/// Reads the first bytes of a source, at most `most`. Returns the reason if a page cannot show the file.
fn read(path: &Path, most: usize) -> Result<SourceText, String> {
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => return Err("This is a link to another file, which is not shown.".to_owned()),
        Ok(_) if most == 0 => return Err("It is left out, because the other files fill the page.".to_owned()),
        _ => {}
    }
    let source = beginning(path, most).map_err(|error| format!("It could not be read: {error}."))?;
    if is_binary(&source.bytes) {
        return Err(format!("This is no text; it has {} bytes.", source.whole_bytes));
    }
    Ok(source)
}

/// Returns whether the bytes are those of a program or an image. A source may contain a few NUL bytes by mistake.
fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF") || 20 * (bytes.split(|byte| *byte == 0).count() - 1) > bytes.len()
}

fn beginning(path: &Path, most: usize) -> io::Result<SourceText> {
    let file = regular::open(path)?;
    let whole_bytes = file.metadata()?.len();
    let mut bytes = Vec::new();
    file.take(most as u64).read_to_end(&mut bytes)?;
    Ok(SourceText { whole_bytes: whole_bytes.max(bytes.len() as u64), bytes })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn of(path: &Path) -> Vec<(String, Result<String, String>)> {
        let sources = OfSubmissions(HashMap::from([("s".to_owned(), path.to_path_buf())]));
        let text = |source: SourceText| String::from_utf8_lossy(&source.bytes).into_owned();
        sources.of("s").into_iter().map(|file| (file.name, file.content.map(text))).collect()
    }

    #[test]
    fn links_are_named_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("secret"), "secret").unwrap();
        let own = folder.path().join("own");
        fs::create_dir_all(own.join("lib")).unwrap();
        fs::write(own.join("lib/a.py"), "a").unwrap();
        fs::write(own.join(".hidden"), "h").unwrap();
        symlink("../secret", own.join("link.py")).unwrap();
        symlink("..", own.join("up")).unwrap();
        let found = of(&own);
        assert_eq!(found[0], ("lib/a.py".to_owned(), Ok("a".to_owned())));
        assert_eq!(found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["lib/a.py", "link.py", "up"]);
        assert!(found[1].1.as_ref().is_err_and(|reason| reason.contains("link")), "{found:?}");
        assert!(of(&own.join("link.py"))[0].1.is_err(), "also if the link is the submission");
    }

    #[test]
    fn large_and_binary_files_are_cut_or_left_out() {
        let folder = tempfile::tempdir().unwrap();
        for index in 0..6 {
            fs::write(folder.path().join(format!("{index}.py")), "x".repeat(FILE_BYTES + 1)).unwrap();
        }
        let found = of(folder.path());
        assert_eq!(found[3].1.as_ref().map(String::len), Ok(FILE_BYTES));
        assert!(found[4].1.is_err() && found[5].1.is_err(), "the page is full");
        fs::write(folder.path().join("0.py"), b"\x7fELF\0\xff").unwrap();
        assert!(of(folder.path())[0].1.is_err());
    }
}
