//! Shortens the paths of the judge's temporary folders in what programs and compilers print. A student knows the file as
//! `main.py`, and not by the folder into which the judge has copied it.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use referee_event::Excerpt;

/// Removes the paths of folders of the run from an excerpt.
pub(crate) fn shorten(mut excerpt: Excerpt, workspace: &Path) -> Excerpt {
    let bytes = shortened(&excerpt.bytes, workspace);
    excerpt.whole_bytes -= excerpt.bytes.len() - bytes.len();
    excerpt.bytes = bytes;
    excerpt
}

/// Removes each path of a folder directly in `workspace`, if a slash follows: `/tmp/workspace/program/main.py` becomes
/// `main.py`.
pub(crate) fn shortened(text: &[u8], workspace: &Path) -> Vec<u8> {
    if workspace.parent().is_none() {
        return text.to_vec();
    }
    let start = [workspace.as_os_str().as_bytes(), b"/"].concat();
    let mut left = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memmem::find(rest, &start) {
        let (before, path) = rest.split_at(at);
        let folder = &path[start.len()..];
        let name = folder.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte)).count();
        left.extend_from_slice(before);
        let is_name = !matches!(&folder[..name], b"" | b"." | b"..");
        if is_name && folder.get(name) == Some(&b'/') {
            rest = &folder[name + 1..];
        } else {
            left.extend_from_slice(&start);
            rest = folder;
        }
    }
    left.extend_from_slice(rest);
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        String::from_utf8(shortened(text.as_bytes(), Path::new("/tmp/judge-1"))).unwrap()
    }

    #[test]
    fn a_program_is_named_without_the_folder_of_the_run() {
        assert_eq!(of("File \"/tmp/judge-1/program-x_1/a.py\", line 3"), "File \"a.py\", line 3");
        assert_eq!(of("/tmp/judge-1/p/sub/b.h:1: from /tmp/judge-1/p/a.c:2"), "sub/b.h:1: from a.c:2");
    }

    #[test]
    fn other_paths_stay() {
        for text in
            ["/tmp/judge-12/p/a.py", "/tmp/judge-1/a b/c", "in /tmp/judge-1/program", "/tmp/judge-1//x", "", "x"]
        {
            assert_eq!(of(text), text);
        }
        assert_eq!(of("/tmp/judge-1//tmp/judge-1/p/a"), "/tmp/judge-1/a");
        assert_eq!(of("/tmp/judge-1/../etc/x"), "/tmp/judge-1/../etc/x");
        assert_eq!(shortened(b"//x/y", Path::new("/")), b"//x/y");
    }

    #[test]
    fn an_excerpt_that_was_whole_stays_whole() {
        let bytes = b"at /tmp/judge-1/p/a.js:1\n".to_vec();
        let excerpt = Excerpt { first_line: 1, whole_bytes: bytes.len(), bytes };
        let shortened = shorten(excerpt, Path::new("/tmp/judge-1"));
        assert_eq!((shortened.bytes.as_slice(), shortened.whole_bytes), (&b"at a.js:1\n"[..], 10));
    }
}
