//! Finds keys of `generators.yaml` that no rule knows. Misspelt keys are errors; the others keep `data/` from losing
//! files.
//!
//! BAPCtools 2026.10 refuses the keys of [`REFUSED_IN_GROUPS`] and [`REFUSED_IN_CASES`], warns of those in
//! [`NO_LONGER_USED`], and only logs all others. Its schema allows keys of other tools at the root. A key that is
//! nearly a known one is a mistake for BAPCtools as well, but it goes on without the key, and files of `data/` are
//! lost.

use super::super::ending::TEXTS;
use super::super::number;
use super::{PARTS, Reader};
use referee_package::yaml::{Fields, Key, shortened};

/// Where a key stands.
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

/// BAPCtools refuses groups with these keys: the last two belong to the root.
const REFUSED_IN_GROUPS: [&str; 3] = ["command", "generators", "version"];

/// BAPCtools refuses test cases with these keys, which belong to groups.
const REFUSED_IN_CASES: [&str; 3] = ["data", "include", "test_group.yaml"];

/// Keys of earlier versions of BAPCtools. They are near to no mistake, whatever they look like.
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
    /// Refuses or remarks the keys of a map that no rule has asked for.
    pub(super) fn unknown_keys(&mut self, mut fields: Fields, level: Level) {
        // BAPCtools knows this key everywhere and does nothing with it.
        let _ = fields.take_unlisted("type");
        let (unknown, known) = fields.rest();
        for (key, _) in &unknown {
            let (text, of) = (shortened(&key.text), level.name());
            if level.refuses(&key.text) {
                self.source.error(key.place, format!("the key {text:?} is not allowed in {of}, nor by BAPCtools"));
            } else if let Some(meant) = misspelt(&key.text) {
                self.source.error(key.place, format!("unknown key {text:?} of {of}; did you mean {meant}?"));
            } else {
                self.leave_out(key, &format!("unknown key {text:?} of {of}"), &known);
            }
        }
    }

    /// A folder of `data/` that is not made here.
    pub(super) fn unknown_part(&mut self, key: &Key) {
        let text = shortened(&key.text);
        match nearest(&key.text, &PARTS) {
            Some(meant) => {
                self.source.error(key.place, format!("unknown folder {text:?} of data; did you mean {meant}?"));
            }
            None => self.leave_out(key, &format!("unknown folder {text:?} of data"), &PARTS),
        }
    }

    /// The files that the key stands for may be there already, so that none is removed.
    fn leave_out(&mut self, key: &Key, what: &str, known: &[&str]) {
        self.rules.has_unknown_keys = true;
        let known = known.join(", ");
        self.source.warning(
            key.place,
            format!("{what} is left out, and no file is removed from data/ while it is there; known: {known}"),
        );
    }
}

/// The known key, of whatever level, that `key` is a slip of.
fn misspelt(key: &str) -> Option<&'static str> {
    if NO_LONGER_USED.contains(&key) {
        return None;
    }
    let all: Vec<_> = OF_GROUPS.into_iter().chain(number::KEYS).chain(TEXTS).collect();
    nearest(key, &all)
}

/// The name that differs from `wanted` by at most one slip, or by two where it is long. The first of equals.
fn nearest(wanted: &str, names: &[&'static str]) -> Option<&'static str> {
    // A long key is no slip, and comparing it takes time.
    if wanted.len() > 40 {
        return None;
    }
    let wanted = wanted.trim().to_lowercase();
    let slips = |name: &&'static str| (strsim::osa_distance(&wanted, name), *name);
    let most = |name: &str| match name.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    let near = names.iter().map(slips).filter(|(slips, name)| *slips <= most(name));
    near.min_by_key(|(slips, _)| *slips).map(|(_, name)| name)
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
        assert_eq!(nearest(&"data".repeat(1000), &PARTS), None);
    }
}
