//! Reports unknown keys of `generators.yaml`. A misspelt key is an error, and so is a key that BAPCtools refuses. Any
//! other unknown key is ignored with a warning, and no file is then removed from `data/`.
//!
//! BAPCtools 2026.10 refuses the keys of [`REFUSED_IN_GROUPS`] and [`REFUSED_IN_CASES`], warns about those in
//! [`NO_LONGER_USED`], and only logs all others. Its schema allows keys of other tools at the root. BAPCtools also only
//! logs and ignores a misspelt key; it then removes the files of `data/` that belong to the key.

use super::super::ending::TEXTS;
use super::super::number;
use super::{PARTS, Reader};
use referee_package::yaml::{Fields, Key, shortened};
use referee_text::typo::nearest;

/// The level of the tree at which a key occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Root,
    Group,
    Case,
    Match,
}

/// Keys of groups and of the root.
const OF_GROUPS: [&str; 8] =
    ["data", "include", "test_group.yaml", "solution", "random_salt", "retries", "generators", "version"];

/// BAPCtools refuses groups with these keys. The last two are allowed at the root only.
const REFUSED_IN_GROUPS: [&str; 3] = ["command", "generators", "version"];

/// BAPCtools refuses test cases with these keys, which belong to groups.
const REFUSED_IN_CASES: [&str; 3] = ["data", "include", "test_group.yaml"];

/// Keys of earlier versions of BAPCtools. They are never reported as misspelt.
const NO_LONGER_USED: [&str; 4] = ["gitignore_generated", "parallel", "visualizer", "testdata.yaml"];

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::Root => "the file",
            Level::Group => "a group",
            Level::Case => "a test case",
            Level::Match => "match",
        }
    }

    fn refuses(self, key: &str) -> bool {
        match self {
            Level::Root => key == "command",
            Level::Group => REFUSED_IN_GROUPS.contains(&key),
            Level::Case => REFUSED_IN_CASES.contains(&key),
            Level::Match => false,
        }
    }
}

impl Reader<'_> {
    /// Reports the keys of a map that the reader does not know.
    pub(super) fn unknown_keys(&mut self, mut fields: Fields, level: Level) {
        // BAPCtools allows the key `type` everywhere and does nothing with it, so it is not reported.
        let _ = fields.take_unlisted("type");
        let (unknown, known) = fields.rest();
        for (key, _) in &unknown {
            let (text, of) = (shortened(&key.text), level.name());
            if level.refuses(&key.text) {
                self.source.error(key.place, format!("the key {text:?} is not allowed in {of}"));
            } else if let Some(meant) = misspelt(&key.text) {
                self.source.error(key.place, format!("unknown key {text:?} of {of}; did you mean {meant}?"));
            } else {
                self.warn_ignored(key, &format!("unknown key {text:?} of {of}"), &known);
            }
        }
    }

    /// Reports a folder of `data/` that this crate does not know.
    pub(super) fn unknown_part(&mut self, key: &Key) {
        let text = shortened(&key.text);
        match nearest(&key.text, &PARTS) {
            Some(meant) => {
                self.source.error(key.place, format!("unknown folder {text:?} of data; did you mean {meant}?"));
            }
            None => self.warn_ignored(key, &format!("unknown folder {text:?} of data"), &PARTS),
        }
    }

    /// Warns about an unknown key. The key may stand for files that exist in `data/`, so no file is removed there.
    fn warn_ignored(&mut self, key: &Key, what: &str, known: &[&str]) {
        self.rules.has_unknown_keys = true;
        let known = known.join(", ");
        self.source.warning(
            key.place,
            format!("{what} is ignored; while it is present, no file is removed from data/; known: {known}"),
        );
    }
}

/// Returns the known key, of any level, that `key` is probably meant to be; `None` if there is none.
fn misspelt(key: &str) -> Option<&'static str> {
    if NO_LONGER_USED.contains(&key) {
        return None;
    }
    let all: Vec<_> = OF_GROUPS.into_iter().chain(number::KEYS).chain(TEXTS).collect();
    nearest(key, &all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_the_key_and_other_words_do_not() {
        for (key, meant) in [
            ("dta", "data"),
            ("Data", "data"),
            ("adta", "data"),
            ("includes", "include"),
            ("gnerate", "generate"),
            ("generator", "generators"),
            ("test_group.yml", "test_group.yaml"),
            ("an", "ans"),
            ("in.statment", "in.statement"),
        ] {
            assert_eq!(misspelt(key), Some(meant), "{key}");
        }
        for key in ["", "tool", "colour", "visualizer", "parallel", "testdata.yaml", "x", "id", "comment"] {
            assert_eq!(misspelt(key), None, "{key}");
        }
        assert_eq!(nearest("smple", &PARTS), Some("sample"));
        assert_eq!(nearest("invalid_inputs", &PARTS), Some("invalid_input"));
        assert_eq!(nearest("hidden", &PARTS), None);
    }
}
