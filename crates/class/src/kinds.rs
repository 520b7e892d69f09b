//! Names the kind of a file that is no source, for the message to the teacher.

/// The kinds by ending, in lower case.
const BY_ENDING: [(&[&str], &str); 12] = [
    (&["pdf"], "a PDF document"),
    (&["doc", "docx", "odt", "rtf", "pages", "docm"], "a text document"),
    (&["ppt", "pptx", "odp", "key"], "a presentation"),
    (&["xls", "xlsx", "ods", "numbers"], "a spreadsheet"),
    (&["png", "jpg", "jpeg", "gif", "bmp", "webp", "heic", "tif", "tiff", "svg"], "an image"),
    (&["zip", "rar", "7z", "tar", "gz", "tgz", "bz2", "xz", "jar"], "an archive"),
    (&["exe", "out", "so", "dll", "bin", "app", "elf"], "a compiled program"),
    (&["ipynb"], "a notebook"),
    (&["html", "htm", "mhtml", "url", "webloc"], "a web page"),
    (&["mp4", "mov", "mp3", "wav", "avi", "mkv", "m4a"], "a recording"),
    (&["md", "rst", "tex"], "a text"),
    (&["csv", "tsv", "json", "xml", "dat"], "data"),
];

/// The kinds by the first bytes.
const BY_BYTES: [(&[u8], &str); 10] = [
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "an archive or a text document"),
    (b"Rar!", "an archive"),
    (b"7z\xbc\xaf\x27\x1c", "an archive"),
    (b"\x1f\x8b", "an archive"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"{\\rtf", "a text document"),
    (b"\xd0\xcf\x11\xe0", "a text document"),
    (b"\x7fELF", "a compiled program"),
];

/// The number of bytes that [`by_bytes`] compares.
pub(crate) const COMPARED_BYTES: u64 = 8;

/// Returns the kind of a file by its ending, in any case; `None` if the ending says nothing.
pub(crate) fn by_ending(ending: &str) -> Option<&'static str> {
    let ending = ending.to_lowercase();
    BY_ENDING.iter().find(|(endings, _)| endings.contains(&ending.as_str())).map(|(_, kind)| *kind)
}

/// Returns the kind of a file that begins like something other than a text; `None` if it may be a text.
pub(crate) fn by_bytes(start: &[u8]) -> Option<&'static str> {
    let known = BY_BYTES.iter().find(|(bytes, _)| start.starts_with(bytes)).map(|(_, kind)| *kind);
    known.or_else(|| (start.starts_with(b"MZ") && start.contains(&0)).then_some("a compiled program"))
}

/// Returns what a student or teacher can do about a file of this kind; `None` if there is nothing special.
pub(crate) fn remedy(kind: &str) -> Option<&'static str> {
    match kind {
        "an archive" => Some("unpack it into a folder"),
        "a notebook" => Some("export it as a Python file"),
        _ => None,
    }
}
