//! Finds the files that belong to a test case, and checks which of them may exist together.

use std::path::{Path, PathBuf};

use super::fit::fit;
use super::names::Entries;
use crate::ValidatorTestKind;
use crate::bounded;
use crate::findings::Findings;
use crate::problem::Problem;
use crate::version::Version;
use referee_text::printable::printable;

const IMAGES: [&str; 4] = [".png", ".jpg", ".jpeg", ".svg"];

/// Endings of files that contestants download instead of the input and the answer.
const DOWNLOADS: [&str; 2] = [".in.download", ".ans.download"];

/// Endings of files that belong to a test case, in the legacy versions of the format.
const LEGACY: &[&str] = &[".ans", ".hint", ".desc", ".interaction", ".png", ".jpg", ".jpeg", ".svg"];

/// Endings of files that belong to a test case, in the dated versions of the format.
const DATED: &[&str] = &[
    ".ans",
    ".out",
    ".yaml",
    ".interaction",
    ".in.statement",
    ".ans.statement",
    ".in.download",
    ".ans.download",
    ".files",
    ".png",
    ".jpg",
    ".jpeg",
    ".svg",
];

fn endings(version: Version) -> &'static [&'static str] {
    if version.is_legacy() { LEGACY } else { DATED }
}

/// Returns whether the name has the ending of a file that belongs to a test case.
pub(super) fn is_companion(version: Version, name: &str) -> bool {
    endings(version).iter().any(|ending| name.ends_with(ending))
}

/// Returns whether the file belongs to a test case in the same folder.
pub(super) fn belongs_to_a_case(version: Version, name: &str, entries: &Entries) -> bool {
    let mut stems = endings(version).iter().filter_map(|ending| name.strip_suffix(ending));
    stems.any(|stem| entries.has_case(stem))
}

/// The files that belong to one input.
pub(super) struct Companions<'a> {
    version: Version,
    folder: &'a Path,
    stem: &'a str,
    entries: &'a Entries,
    /// The endings of the files.
    endings: Vec<&'a str>,
}

impl<'a> Companions<'a> {
    pub(super) fn new(version: Version, folder: &'a Path, stem: &'a str, entries: &'a Entries) -> Self {
        Companions { version, folder, stem, entries, endings: entries.endings(stem) }
    }

    pub(super) fn path(&self, ending: &str) -> PathBuf {
        self.folder.join(self.name(ending))
    }

    fn name(&self, ending: &str) -> String {
        format!("{}{ending}", self.stem)
    }

    /// Returns the path of the file with this ending if the file can be an input or an answer, or why it cannot be one.
    pub(super) fn fit(&self, ending: &str) -> Result<PathBuf, String> {
        fit(self.entries.folder(), self.folder, &self.name(ending))
    }

    /// Returns the file with this extension; `None` if there is none.
    pub(super) fn find(&self, ending: &str) -> Option<PathBuf> {
        self.endings.contains(&ending).then(|| self.path(ending))
    }

    /// Returns the description of the case from its `.desc` file, which only the legacy versions have; `None` if there
    /// is none or it cannot be read.
    pub(super) fn description(&self, findings: &mut Findings) -> Option<String> {
        let path = self.find(".desc").filter(|_| self.version.is_legacy())?;
        match bounded::beginning(&path, LONGEST_DESCRIPTION) {
            Ok(text) => Some(printable(&text).trim().to_owned()),
            Err(reason) => {
                findings.warning(&path, reason);
                None
            }
        }
    }

    /// Checks the files of a test case against each other.
    pub(super) fn check(&self, problem: &Problem, findings: &mut Findings) {
        let images: Vec<_> = IMAGES.iter().filter_map(|ending| self.find(ending)).collect();
        if let [_, second, ..] = images.as_slice() {
            findings.breach(second, "is a second picture of the same test case; remove one of the pictures");
        }
        if self.version.is_legacy() {
            return self.check_legacy(problem, findings);
        }
        if self.stem == "test_group" {
            findings.error(
                &self.path(".in"),
                "a test case must not be called test_group, because test_group.yaml holds the settings of the folder; \
                 rename the test case",
            );
        }
        if let (Some(_), Some(statement)) = (self.find(".out"), self.find(".ans.statement")) {
            findings.breach(
                &statement,
                "exists beside an .out file, and both replace the answer in the statement; remove one of the two files",
            );
        }
        match self.find(".interaction") {
            Some(interaction) => self.check_beside_interaction(&interaction, problem.version, findings),
            None => self.check_pairs(findings),
        }
        if let Some(files) = self.find(".files").filter(|path| !path.is_dir()) {
            findings.error(
                &files,
                "is not a folder; NAME.files must be a folder with files for the working directory of submissions",
            );
        }
    }

    /// Checks the files beside an `.interaction` file. Contestants see the interaction instead of the input and the
    /// answer, so `.statement` and `.out` files are not shown and must not exist. Contestants download the `.download`
    /// files (see the section "Priority of test case files" of format 2025-09).
    fn check_beside_interaction(&self, interaction: &Path, version: Version, findings: &mut Findings) {
        check_interaction(interaction, findings);
        for path in [".in.statement", ".ans.statement", ".out"].iter().filter_map(|ending| self.find(ending)) {
            findings.breach(
                &path,
                "must not exist beside an .interaction file, because the statement shows only the interaction; remove \
                 one of the two files",
            );
        }
        let missing = DOWNLOADS.into_iter().filter(|ending| self.find(ending).is_none());
        let missing: Vec<_> = missing.map(|ending| format!("{}{ending}", self.stem)).collect();
        // The drafts of 2023 did not require the `.download` files, so only format 2025-09 gets this warning.
        if version == Version::V2025_09 && !missing.is_empty() {
            let files = missing.join(" and ");
            findings.warning(
                interaction,
                format!(
                    "the statement shows this interaction instead of the input and the answer; add {files} for \
                     contestants to download"
                ),
            );
        }
    }

    /// Checks the files of a case without interaction: a `.statement` file needs its `.download` file, and vice versa.
    fn check_pairs(&self, findings: &mut Findings) {
        for (shown, loaded) in [".in.statement", ".ans.statement"].into_iter().zip(DOWNLOADS) {
            match (self.find(shown), self.find(loaded)) {
                // The statement shows the .out file, so .ans.statement is not expected. But contestants download both
                // the .out file and .ans.download, so one of the two is superfluous.
                (None, Some(one)) if loaded == ".ans.download" && self.find(".out").is_some() => {
                    findings.warning(
                        &one,
                        "exists beside an .out file, and both are offered for download; remove one of the two files",
                    );
                }
                (Some(one), None) | (None, Some(one)) => {
                    findings.warning(&one, format!("has no counterpart; {shown} and {loaded} must exist together"));
                }
                _ => {}
            }
        }
    }

    fn check_legacy(&self, problem: &Problem, findings: &mut Findings) {
        let Some(interaction) = self.find(".interaction") else { return };
        if !problem.kind.interactive && !problem.kind.multi_pass {
            findings.breach(&interaction, "is for interactive and multi-pass problems only; remove the file");
        }
        check_interaction(&interaction, findings);
    }

    /// Checks the files of a validator test. An invalid input must have no answer. A test of an output needs an answer
    /// and an output.
    pub(super) fn check_validator_test(&self, part: ValidatorTestKind, findings: &mut Findings) {
        let wanted: &[&str] = if part == ValidatorTestKind::InvalidInput { &[] } else { &[".ans", ".out"] };
        for ending in wanted.iter().filter(|ending| self.find(ending).is_none()) {
            findings.breach(&self.path(".in"), format!("has no {}{ending} beside it", self.stem));
        }
        if let Some(answer) = self.find(".ans").filter(|_| part == ValidatorTestKind::InvalidInput) {
            findings.breach(&answer, "must not exist, because an invalid input has no answer");
        }
    }
}

/// The maximum length of a description that is read, in bytes.
const LONGEST_DESCRIPTION: u64 = 4 << 10;

/// The maximum length of a sample interaction that is checked, in bytes. Real samples are shorter.
const LONGEST_INTERACTION: u64 = 1 << 20;

/// Reports the first line that does not begin with its sender: `>` for the submission, `<` for the judge. A line `---`,
/// which separates passes, is allowed as well.
pub(super) fn check_interaction(path: &Path, findings: &mut Findings) {
    let text = match bounded::beginning(path, LONGEST_INTERACTION) {
        Ok(text) => text,
        Err(reason) => return findings.breach(path, reason),
    };
    let text = text.strip_suffix(b"\n").unwrap_or(&text);
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        if !line.starts_with(b">") && !line.starts_with(b"<") && line.trim_ascii_end() != b"---" {
            let shown: String = printable(line).chars().take(40).collect();
            let message = format!("found {shown:?}, allowed: a line that begins with > or <, or the line ---");
            return findings.breach_at(path, Some((index as u64 + 1, 1)), message);
        }
    }
}
