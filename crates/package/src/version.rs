//! The versions of the problem package format, and the names of their folders and files. `legacy` and `legacy-icpc` are
//! the legacy versions; versions whose name is a date are the dated ones.

use super::yaml::Node;

/// A version of the format. The specification of each version is published at
/// `https://www.kattis.com/problem-package-format/spec/<version>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// `legacy`, also for packages that name no version.
    Legacy,
    /// `legacy-icpc`: `legacy` without scoring.
    LegacyIcpc,
    /// `2023-07` and `2023-07-draft`, which are drafts of 2025-09. Packages from the time of the drafts still use some
    /// names of `legacy`.
    V2023_07,
    /// `2025-09`.
    V2025_09,
}

/// The values that `problem_format_version` may have.
const NAMES: [(&str, Version); 6] = [
    ("legacy", Version::Legacy),
    ("legacy-icpc", Version::LegacyIcpc),
    ("2023-07-draft", Version::V2023_07),
    ("2023-07", Version::V2023_07),
    ("2025-09-draft", Version::V2025_09),
    ("2025-09", Version::V2025_09),
];

impl Version {
    /// Returns the version that `problem_format_version` names; `None` if the name is unknown.
    pub(super) fn named(node: &Node) -> Option<Version> {
        let name = node.scalar()?;
        NAMES.iter().find(|(known, _)| *known == name).map(|&(_, version)| version)
    }

    /// Returns all known names, for a message.
    pub(super) fn names() -> String {
        NAMES.map(|(name, _)| format!("{name:?}")).join(", ")
    }

    /// Returns the version's name.
    pub fn name(self) -> &'static str {
        match self {
            Version::Legacy => "legacy",
            Version::LegacyIcpc => "legacy-icpc",
            Version::V2023_07 => "2023-07",
            Version::V2025_09 => "2025-09",
        }
    }

    /// Returns whether this is one of the two legacy versions.
    pub fn is_legacy(self) -> bool {
        self <= Version::LegacyIcpc
    }

    /// Returns the name of the folder with the problem statements.
    pub(super) fn statement_folder(self) -> &'static str {
        if self.is_legacy() { "problem_statement" } else { "statement" }
    }

    /// Returns the name of the folder with output validators.
    pub(super) fn output_validator_folder(self) -> &'static str {
        if self.is_legacy() { "output_validators" } else { "output_validator" }
    }

    /// Returns the names that the settings file of a folder of test cases may have. The drafts of 2023 used two names.
    pub(super) fn group_files(self) -> &'static [&'static str] {
        match self {
            Version::Legacy | Version::LegacyIcpc => &["testdata.yaml"],
            Version::V2023_07 => &["test_group.yaml", "testdata.yaml"],
            Version::V2025_09 => &["test_group.yaml"],
        }
    }
}

/// Returns whether the format allows the name of a file or folder. The rule is the same in all versions, and files with
/// other names are ignored.
pub fn is_legal(name: &str) -> bool {
    let within = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    let starts_well = name.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_');
    starts_well && name.len() <= 255 && name.bytes().all(within)
}
