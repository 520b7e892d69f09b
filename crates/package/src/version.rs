//! The versions of the problem package format, and where they keep things.

use super::yaml::Node;

/// A version of the format. The specification of each is published at
/// `https://www.kattis.com/problem-package-format/spec/<version>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// `legacy`, and packages that name no version.
    Legacy,
    /// `legacy-icpc`: `legacy` without scoring.
    LegacyIcpc,
    /// `2023-07` and `2023-07-draft`, which became 2025-09. Packages of those years still mix in words of `legacy`.
    V2023_07,
    /// `2025-09`.
    V2025_09,
}

/// The names by which `problem_format_version` says them.
const NAMES: [(&str, Version); 6] = [
    ("legacy", Version::Legacy),
    ("legacy-icpc", Version::LegacyIcpc),
    ("2023-07-draft", Version::V2023_07),
    ("2023-07", Version::V2023_07),
    ("2025-09-draft", Version::V2025_09),
    ("2025-09", Version::V2025_09),
];

impl Version {
    /// The version that the value of `problem_format_version` names.
    pub(super) fn named(node: &Node) -> Option<Version> {
        let name = node.scalar()?;
        NAMES.iter().find(|(known, _)| *known == name).map(|&(_, version)| version)
    }

    /// The names there are, for a message.
    pub(super) fn names() -> String {
        NAMES.map(|(name, _)| format!("{name:?}")).join(", ")
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Version::Legacy => "legacy",
            Version::LegacyIcpc => "legacy-icpc",
            Version::V2023_07 => "2023-07",
            Version::V2025_09 => "2025-09",
        }
    }

    /// Whether it is one of the versions before versions had dates.
    pub fn is_legacy(self) -> bool {
        self <= Version::LegacyIcpc
    }

    /// The folder of the statements.
    pub(super) fn statement_folder(self) -> &'static str {
        if self.is_legacy() { "problem_statement" } else { "statement" }
    }

    /// The folder of output validators.
    pub(super) fn output_validator_folder(self) -> &'static str {
        if self.is_legacy() { "output_validators" } else { "output_validator" }
    }

    /// The file that configures a folder of test cases. The drafts of 2023 had both names.
    pub(super) fn group_files(self) -> &'static [&'static str] {
        match self {
            Version::Legacy | Version::LegacyIcpc => &["testdata.yaml"],
            Version::V2023_07 => &["test_group.yaml", "testdata.yaml"],
            Version::V2025_09 => &["test_group.yaml"],
        }
    }
}

/// Whether a file's or folder's name is one that counts, in whatever version. Others are as if they were not there.
pub fn is_legal(name: &str) -> bool {
    let within = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    let starts_well = name.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_');
    starts_well && name.len() <= 255 && name.bytes().all(within)
}
