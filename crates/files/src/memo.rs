//! Remembers short answers between runs, in a file of the user's cache.
//!
//! Each line of the file contains the digest of a question, the length of the answer in bytes, and the answer. Runs only
//! append lines, each with a single write, so several runs may use the file at the same time. A line that is cut off is
//! ignored. If another user could have written the file, or if it cannot be used, nothing is remembered.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::{cache_folder, trusted};

/// Maximum size of the file in bytes. A larger file is emptied.
const MOST_BYTES: u64 = 256 << 10;

/// The answers that this and earlier runs know.
#[derive(Debug, Default)]
pub struct Memo {
    /// The file; `None` if answers are remembered only until the end of this process.
    file: Option<PathBuf>,
    known: Mutex<HashMap<String, String>>,
}

impl Memo {
    /// Opens the file called `name` in the user's cache.
    pub fn of_user(name: &str) -> Memo {
        let folder = cache_folder::of_user().and_then(|folder| cache_folder::make_own(&folder));
        folder.map(|folder| Memo::open(&folder.join(name))).unwrap_or_default()
    }

    fn open(path: &Path) -> Memo {
        let Some(text) = read(path) else { return Memo::default() };
        let lines = text.split(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
        let known = lines.filter_map(parse).collect();
        Memo { file: Some(path.to_owned()), known: Mutex::new(known) }
    }

    /// Returns the answer to a question: a remembered one, or else that of `ask`, which is then remembered. `question`
    /// must contain everything that the answer depends on. An answer of `None` is not remembered.
    pub fn answer(&self, question: &[&[u8]], ask: impl FnOnce() -> Option<String>) -> Option<String> {
        let digest = digest(question);
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&digest) {
            return Some(known.clone());
        }
        let answer = ask()?;
        self.remember(&digest, &answer);
        Some(answer)
    }

    /// Returns the remembered answer to a question; `None` if there is none.
    pub fn recall(&self, question: &[&[u8]]) -> Option<String> {
        self.answer(question, || None)
    }

    /// Remembers an answer, also if there is another one already.
    pub fn replace(&self, question: &[&[u8]], answer: &str) {
        self.remember(&digest(question), answer);
    }

    fn remember(&self, digest: &str, answer: &str) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(digest.to_owned(), answer.to_owned());
        if answer.contains('\n') {
            return;
        }
        let file = self.file.as_ref().and_then(|path| open(path).ok());
        // If the line cannot be written, a later run asks again.
        let _ = file.map(|mut file| file.write_all(line(digest, answer).as_bytes()));
    }
}

/// Returns the text of a line. It begins with a line feed, because the line before it may be cut off.
fn line(digest: &str, answer: &str) -> String {
    format!("\n{digest} {} {answer}\n", answer.len())
}

/// Parses a line. Returns the digest and the answer; `None` if the line is not whole.
fn parse(line: &str) -> Option<(String, String)> {
    let mut parts = line.splitn(3, ' ');
    let (digest, length, answer) = (parts.next()?, parts.next()?, parts.next()?);
    (length.parse() == Ok(answer.len())).then(|| (digest.to_owned(), answer.to_owned()))
}

/// Returns the contents of the file, and makes the file if it does not exist. Returns `None` if the file cannot be used.
fn read(path: &Path) -> Option<Vec<u8>> {
    let mut file = open(path).ok()?;
    if !file.metadata().ok()?.is_file() || trusted::check_file(&file).is_err() {
        return None;
    }
    let mut text = Vec::new();
    if file.metadata().ok()?.len() > MOST_BYTES {
        file.set_len(0).ok()?;
    } else {
        (&mut file).take(MOST_BYTES).read_to_end(&mut text).ok()?;
    }
    Some(text)
}

fn open(path: &Path) -> std::io::Result<File> {
    let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits().cast_signed();
    OpenOptions::new().read(true).append(true).create(true).mode(0o600).custom_flags(flags).open(path)
}

/// Returns the digest of a question. The length of each part is part of it, so that no two questions are the same text.
fn digest(question: &[&[u8]]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in question {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Returns the answer, or "none", and whether `answer` was needed.
    fn asked(memo: &Memo, question: &str, answer: Option<&str>) -> (String, bool) {
        let was_asked = Cell::new(false);
        let found = memo.answer(&[question.as_bytes()], || {
            was_asked.set(true);
            answer.map(str::to_owned)
        });
        (found.unwrap_or("none".to_owned()), was_asked.get())
    }

    #[test]
    fn an_answer_is_remembered_for_this_run_and_later_ones() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memo");
        let memo = Memo::open(&path);
        assert_eq!(asked(&memo, "a", Some("1")), ("1".to_owned(), true));
        assert_eq!(asked(&memo, "a", Some("2")), ("1".to_owned(), false));
        assert_eq!(asked(&Memo::open(&path), "a", Some("2")), ("1".to_owned(), false));
        assert_eq!(asked(&Memo::open(&path), "b", Some("2")), ("2".to_owned(), true));
    }

    #[test]
    fn no_answer_is_not_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let memo = Memo::open(&folder.path().join("memo"));
        assert_eq!(asked(&memo, "a", None), ("none".to_owned(), true));
        assert_eq!(asked(&memo, "a", Some("1")), ("1".to_owned(), true));
    }

    #[test]
    fn parts_of_questions_are_kept_apart() {
        let memo = Memo::default();
        assert_eq!(memo.answer(&[b"ab", b"c"], || Some("1".to_owned())).as_deref(), Some("1"));
        assert_eq!(memo.answer(&[b"a", b"bc"], || Some("2".to_owned())).as_deref(), Some("2"));
    }

    #[test]
    fn a_file_that_cannot_be_trusted_or_read_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memo");
        assert!(asked(&Memo::open(&path), "a", Some("1")).1);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
        assert_eq!(asked(&Memo::open(&path), "a", Some("2")), ("2".to_owned(), true), "others can write to it");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert_eq!(asked(&Memo::open(&link), "a", Some("2")), ("2".to_owned(), true), "it is a link");
        fs::write(&path, [0xff, b'\n']).unwrap();
        assert_eq!(asked(&Memo::open(&path), "a", Some("3")), ("3".to_owned(), true), "its line is not text");
    }

    #[test]
    fn half_a_line_is_ignored_and_a_file_that_is_too_large_is_emptied() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memo");
        asked(&Memo::open(&path), "a", Some("12"));
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, whole.strip_suffix("2\n").unwrap()).unwrap();
        assert_eq!(asked(&Memo::open(&path), "a", Some("3")), ("3".to_owned(), true));
        assert_eq!(asked(&Memo::open(&path), "a", None), ("3".to_owned(), false));
        fs::write(&path, vec![b'x'; MOST_BYTES as usize + 1]).unwrap();
        assert_eq!(asked(&Memo::open(&path), "b", Some("1")), ("1".to_owned(), true));
        assert!(path.metadata().unwrap().len() < 100);
    }
}
