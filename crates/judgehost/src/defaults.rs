//! The scripts that DOMjudge installs, by their hashes. The judge has its own languages and its own comparison in their
//! place. A script with any other hash runs as the administrator of the server wrote it.
//!
//! The hashes were computed from the files in `sql/files/defaultdata` of the repository github.com/DOMjudge/domjudge,
//! in the way of [`hash_of_script`](crate::files). A release whose scripts differ from these has other hashes. So a
//! missing entry only means that a script runs instead of its replacement.

use std::collections::BTreeSet;

/// A script of DOMjudge.
struct DefaultScript {
    hash: &'static str,
    role: Role,
    /// The folder in `sql/files/defaultdata`.
    folder: &'static str,
}

/// What a script is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// It compiles submissions.
    Compile,
    /// It runs submissions.
    Run,
    /// It compares the outputs of submissions with the answers.
    Compare,
}

impl Role {
    /// Returns the word with which the server's API names the role.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Role::Compile => "compile",
            Role::Run => "run",
            Role::Compare => "compare",
        }
    }
}

/// The comment of an entry names the version, or the commits in which the files were seen. A file stays the same until a
/// later commit changes it.
const TABLE: [DefaultScript; 7] = [
    // 9.0, measured on a server; commit 3d26f591.
    DefaultScript { role: Role::Run, folder: "run", hash: "b7b96726bb4951e0bf8f0b3433ff0f87" },
    // `build` of commit 320cd6cd, with the `compare.cc` on which forks of 8.3 are based.
    DefaultScript { role: Role::Compare, folder: "compare", hash: "91717ad2d6b59fcdcbdd12271c34089b" },
    // Commit b5f983a0; the commands are those of 8.3.
    DefaultScript { role: Role::Compile, folder: "c", hash: "cc8f78233bdf1e45b1df0f913c1f24b5" },
    DefaultScript { role: Role::Compile, folder: "cpp", hash: "12fd64813cef7c747d7be8388d05f183" },
    // `run` of commit 1547521e, with the `DetectMain.java` of commit 7b237f00.
    DefaultScript { role: Role::Compile, folder: "java_javac_detect", hash: "a3be767476f5bf2c06030a80d02507f2" },
    // `run` of commit 1547521e, with the `DetectMain.java` of commit 3e8c4617.
    DefaultScript { role: Role::Compile, folder: "java_javac_detect", hash: "a5d2317a06c8b27c0510cd0afcfce8b4" },
    // Commit 6b84fde4; a fork of the year 2025 has the same text.
    DefaultScript { role: Role::Compile, folder: "py3", hash: "76bea0106141ebf1e5bd62bb4558ae6c" },
];

/// The name of a script that only the user calls one of DOMjudge's.
pub(crate) const ADDED_BY_USER: &str = "added by the user";

/// The scripts that count as DOMjudge's own.
#[derive(Clone, Debug, Default)]
pub struct DefaultScripts {
    /// The hashes that the user added.
    more: BTreeSet<String>,
}

impl DefaultScripts {
    /// Returns the known scripts, and those with the hashes `more`, each of which counts for any role.
    pub fn with(more: impl IntoIterator<Item = String>) -> DefaultScripts {
        DefaultScripts { more: more.into_iter().collect() }
    }

    /// Returns DOMjudge's name of the script with this hash, if it is one of the role. Returns `None` for other scripts,
    /// and for an empty hash, because then the server does not state it.
    pub(crate) fn name_of(&self, role: Role, hash: &str) -> Option<&'static str> {
        let known = TABLE.iter().find(|script| script.role == role && script.hash == hash);
        known.map(|script| script.folder).or_else(|| self.more.contains(hash).then_some(ADDED_BY_USER))
    }
}

/// Parses a hash of a script. The error says which form is expected.
pub fn script_hash(text: &str) -> Result<String, String> {
    let is_hash = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    if is_hash { Ok(text.to_owned()) } else { Err("expected 32 hexadecimal digits in lower case".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_well_formed() {
        let hashes: BTreeSet<_> = TABLE.iter().map(|script| script.hash).collect();
        assert_eq!(hashes.len(), TABLE.len(), "each hash is there once");
        for script in TABLE {
            assert!(script_hash(script.hash).is_ok() && !script.folder.is_empty());
        }
    }

    #[test]
    fn a_script_counts_only_in_its_role_unless_the_user_adds_it() {
        let (run, other) = ("b7b96726bb4951e0bf8f0b3433ff0f87", "00000000000000000000000000000000");
        let known = DefaultScripts::default();
        assert_eq!((known.name_of(Role::Run, run), known.name_of(Role::Compile, run)), (Some("run"), None));
        assert_eq!((known.name_of(Role::Run, other), known.name_of(Role::Run, "")), (None, None));
        let more = DefaultScripts::with([other.to_owned()]);
        let added = Some(ADDED_BY_USER);
        assert_eq!((more.name_of(Role::Run, other), more.name_of(Role::Compare, other)), (added, added));
        assert_eq!(more.name_of(Role::Run, run), Some("run"));
    }

    #[test]
    fn a_hash_has_32_digits() {
        assert!(script_hash("b7b96726bb4951e0bf8f0b3433ff0f87").is_ok());
        for wrong in ["", "b7b9", "B7B96726BB4951E0BF8F0B3433FF0F87", "g7b96726bb4951e0bf8f0b3433ff0f87"] {
            assert!(script_hash(wrong).is_err(), "{wrong}");
        }
    }
}
