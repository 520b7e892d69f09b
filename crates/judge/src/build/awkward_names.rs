//! Gives plain names to sources whose names some compilers misread. For GCC, `@name` is a file of options; Python
//! cannot compile a file with a very long name; rustc and Node.js refuse names that are not UTF-8.
//!
//! The program is compiled from a copy with a plain name. The original stays, because other sources may include it.
//! Messages of the compiler name the original.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use referee_language::Language;
use referee_text::printable::printable;

/// Maximum length of a name that is not awkward, in bytes. File systems allow 255 bytes, but compilers append endings
/// to names.
const LONGEST_NAME: usize = 200;

/// Maximum length of an original name in messages, in bytes.
const SHOWN_BYTES: usize = 80;

/// The beginning of the plain names.
const PLAIN: &str = "referee_source_";

/// The sources that are compiled from a copy: the path of each copy, and of the original.
#[derive(Debug, Default)]
pub(crate) struct PlainCopies(Vec<(PathBuf, PathBuf)>);

impl PlainCopies {
    /// Copies the sources with awkward names. `declared` is the declared entry point, which keeps its name. Copies
    /// nothing if the language gives a meaning to the names of files.
    pub(crate) fn make(
        language: &Language,
        sources: &[PathBuf],
        declared: Option<&str>,
        folder: &Path,
    ) -> io::Result<PlainCopies> {
        if language.names_files_by_type() || !language.entry_point().is_empty() {
            return Ok(PlainCopies::default());
        }
        let is_copied = |source: &&PathBuf| {
            let is_declared = declared.is_some_and(|declared| source.as_os_str() == declared);
            let is_awkward = |name| is_awkward(name, &language.id);
            !is_declared && source.file_name().is_some_and(is_awkward)
        };
        let (mut copies, mut number) = (Vec::new(), 0);
        for source in sources.iter().filter(is_copied) {
            let copy = unused_name(source, &mut number, folder);
            fs::copy(folder.join(source), folder.join(&copy))?;
            copies.push((copy, source.clone()));
        }
        Ok(PlainCopies(copies))
    }

    /// Replaces each original with its copy.
    pub(crate) fn replace_in(&self, sources: &mut [PathBuf]) {
        for source in sources {
            if let Some((copy, _)) = self.0.iter().find(|(_, original)| original == source) {
                source.clone_from(copy);
            }
        }
    }

    /// Returns the message of a compiler with the names of the originals.
    pub(crate) fn with_original_names(&self, message: String) -> String {
        self.0.iter().fold(message, |message, (copy, original)| {
            let name = |path: &Path| path.file_name().unwrap_or_default().as_encoded_bytes().to_vec();
            let (copy, mut original) = (name(copy), name(original));
            let is_long = original.len() > SHOWN_BYTES;
            original.truncate(SHOWN_BYTES);
            let shown = printable(&original) + if is_long { "..." } else { "" };
            message.replace(&*String::from_utf8_lossy(&copy), &shown)
        })
    }
}

/// Languages whose tools take any file name that does not look like an option. Only languages whose tools we have tried
/// with such names belong here.
const OPEN_MINDED: [&str; 5] = ["c", "cpp", "javascript", "perl", "python3"];

/// Characters that students use in file names, and that these tools read like letters.
const HARMLESS: &[u8] = b" ,'()[]!&=~";

/// Whether the tools of a language could misread the name of a file.
fn is_awkward(name: &OsStr, language: &str) -> bool {
    let bytes = name.as_encoded_bytes();
    let is_harmless = |byte: &u8| OPEN_MINDED.contains(&language) && HARMLESS.contains(byte);
    let is_misread =
        |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"_-.+".contains(byte) && !is_harmless(byte);
    name.to_str().is_none()
        || bytes.len() > LONGEST_NAME
        || bytes.first() == Some(&b'-')
        || bytes.iter().any(is_misread)
}

/// Returns an unused path for the copy of `source`, in the same folder and with the same ending. Increases `number`
/// until a path with this number in its name is unused.
fn unused_name(source: &Path, number: &mut usize, folder: &Path) -> PathBuf {
    let ending = source.extension().and_then(OsStr::to_str).unwrap_or_default();
    loop {
        *number += 1;
        let copy = source.with_file_name(format!("{PLAIN}{number}")).with_extension(ending);
        if folder.join(&copy).symlink_metadata().is_err() {
            return copy;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn usual_names_stay_and_names_that_compilers_misread_do_not() {
        for name in ["main.c", "a-b_c.cpp", "größe.py", "c++.cc", ".hidden.py", "Main 2.py".replace(' ', "").as_str()]
        {
            assert!(!is_awkward(OsStr::new(name), "rust"), "{name}");
        }
        let long = "n".repeat(240) + ".py";
        for name in [&b"@main.c"[..], b"-o.rs", b"\xff.js", b"a b.rs", b"x;y.sh", long.as_bytes()] {
            assert!(is_awkward(OsStr::from_bytes(name), "rust"), "{name:?}");
        }
        for name in ["Aufgabe 1.py", "Smith, Bob (1).c", "it's.js"] {
            assert!(!is_awkward(OsStr::new(name), "python3"), "{name}");
        }
        for name in ["@main.c", "-o.py", "a\tb.py", "a\"b.py", "a;b.py", "a\nb.py"] {
            assert!(is_awkward(OsStr::new(name), "c"), "{name}");
        }
    }

    #[test]
    fn copies_take_the_places_of_the_originals_and_messages_name_the_originals() {
        let folder = tempfile::tempdir().unwrap();
        let mut sources = [PathBuf::from("@a.c"), PathBuf::from("b.c"), PathBuf::from("below/@a.c")];
        fs::create_dir(folder.path().join("below")).unwrap();
        for name in sources.iter().map(PathBuf::as_path).chain([Path::new("referee_source_1.c")]) {
            fs::write(folder.path().join(name), name.to_str().unwrap()).unwrap();
        }
        let languages = referee_language::Table::load(&[]).unwrap();
        let c = languages.languages.iter().find(|language| language.id == "c").unwrap();
        let copies = PlainCopies::make(c, &sources, None, folder.path()).unwrap();
        copies.replace_in(&mut sources);
        assert_eq!(sources, ["referee_source_2.c", "b.c", "below/referee_source_3.c"].map(PathBuf::from));
        let text = |path: &str| fs::read_to_string(folder.path().join(path)).unwrap();
        assert_eq!((text("referee_source_2.c"), text("@a.c")), ("@a.c".to_owned(), "@a.c".to_owned()));
        assert_eq!(copies.with_original_names("referee_source_2.c:1:2: no".to_owned()), "@a.c:1:2: no");
    }
}
