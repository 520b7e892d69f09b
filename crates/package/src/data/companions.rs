//! The files that belong to a test case, and which of them may stand together.

use std::path::{Path, PathBuf};

use super::names::{Entry, has};
use crate::Part;
use crate::bounded;
use crate::findings::Findings;
use crate::problem::Problem;
use crate::version::Version;
use referee_text::printable::printable;

const IMAGES: [&str; 4] = [".png", ".jpg", ".jpeg", ".svg"];

/// Endings of the files that are downloaded in the place of input and answer.
const DOWNLOADS: [&str; 2] = [".in.download", ".ans.download"];

/// Endings of the versions before versions had dates.
const LEGACY: &[&str] = &[".ans", ".hint", ".desc", ".interaction", ".png", ".jpg", ".jpeg", ".svg"];

/// Endings of the versions with dates.
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

/// Whether the name ends like a file that belongs to a case.
pub(super) fn is_companion(version: Version, name: &str) -> bool {
    endings(version).iter().any(|ending| name.ends_with(ending))
}

/// Whether the file belongs to a case of the folder.
pub(super) fn belongs_to_a_case(version: Version, name: &str, entries: &[Entry]) -> bool {
    let stems = endings(version).iter().filter_map(|ending| name.strip_suffix(ending));
    stems.into_iter().any(|stem| has(entries, &Entry::Case(stem.to_owned())))
}

/// The files beside an input.
pub(super) struct Companions<'a> {
    version: Version,
    folder: &'a Path,
    stem: &'a str,
    entries: &'a [Entry],
}

impl<'a> Companions<'a> {
    pub(super) fn new(version: Version, folder: &'a Path, stem: &'a str, entries: &'a [Entry]) -> Self {
        Companions { version, folder, stem, entries }
    }

    pub(super) fn path(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}{ending}", self.stem))
    }

    /// The file with this ending, if there is one.
    pub(super) fn find(&self, ending: &str) -> Option<PathBuf> {
        let name = format!("{}{ending}", self.stem);
        has(self.entries, &Entry::File(name)).then(|| self.path(ending))
    }

    /// What the case tests, from the file that older versions have for it.
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

    /// Holds the files of a case against one another.
    pub(super) fn check(&self, problem: &Problem, findings: &mut Findings) {
        let images: Vec<_> = IMAGES.iter().filter_map(|ending| self.find(ending)).collect();
        if let [_, second, ..] = images.as_slice() {
            findings.breach(second, "is a second picture of the same test case; one is allowed");
        }
        if self.version.is_legacy() {
            return self.check_legacy(problem, findings);
        }
        if self.stem == "test_group" {
            findings.error(
                &self.path(".in"),
                "a test case must not be called test_group: its settings would be the folder's",
            );
        }
        if let (Some(_), Some(statement)) = (self.find(".out"), self.find(".ans.statement")) {
            findings.breach(&statement, "stands beside an .out file; only one of them may be what is shown");
        }
        match self.find(".interaction") {
            Some(interaction) => self.check_beside_interaction(&interaction, problem.version, findings),
            None => self.check_pairs(findings),
        }
        if let Some(files) = self.find(".files").filter(|path| !path.is_dir()) {
            findings.error(&files, "is no folder; NAME.files holds the files that programs find beside them");
        }
    }

    /// An interaction is shown in the place of input and answer, and `.download` files are downloaded in their place
    /// (format 2025-09, "Priority of test case files"): it takes the part of both `.statement` files.
    fn check_beside_interaction(&self, interaction: &Path, version: Version, findings: &mut Findings) {
        check_interaction(interaction, findings);
        for path in [".in.statement", ".ans.statement", ".out"].iter().filter_map(|ending| self.find(ending)) {
            findings.breach(&path, "must not stand beside an .interaction file, which is shown instead");
        }
        let missing = DOWNLOADS.into_iter().filter(|ending| self.find(ending).is_none());
        let missing: Vec<_> = missing.map(|ending| format!("{}{ending}", self.stem)).collect();
        // The drafts of 2023 did not ask for them.
        if version == Version::V2025_09 && !missing.is_empty() {
            let files = missing.join(" and ");
            findings
                .warning(interaction, format!("needs {files} beside it, to be downloaded; the interaction is shown"));
        }
    }

    /// Without an interaction, a file to be shown and one to be downloaded belong together.
    fn check_pairs(&self, findings: &mut Findings) {
        for (shown, loaded) in [".in.statement", ".ans.statement"].into_iter().zip(DOWNLOADS) {
            match (self.find(shown), self.find(loaded)) {
                // An .out file is both shown and downloaded, and has no .ans.statement beside it.
                (None, Some(one)) if loaded == ".ans.download" && self.find(".out").is_some() => {
                    findings.warning(&one, "stands beside an .out file, which is downloaded; remove one of the two");
                }
                (Some(one), None) | (None, Some(one)) => {
                    findings.warning(&one, format!("stands alone; {shown} and {loaded} belong together"));
                }
                _ => {}
            }
        }
    }

    fn check_legacy(&self, problem: &Problem, findings: &mut Findings) {
        let Some(interaction) = self.find(".interaction") else { return };
        if !problem.kind.interactive && !problem.kind.multi_pass {
            findings.breach(&interaction, "is for interactive problems");
        }
        check_interaction(&interaction, findings);
    }

    /// A test of the validators: an input that must be refused, or an output with the verdict of its folder.
    pub(super) fn check_validator_test(&self, part: Part, findings: &mut Findings) {
        let wanted: &[&str] = if part == Part::InvalidInput { &[] } else { &[".ans", ".out"] };
        for ending in wanted.iter().filter(|ending| self.find(ending).is_none()) {
            findings.breach(&self.path(".in"), format!("has no {}{ending} beside it", self.stem));
        }
        if let Some(answer) = self.find(".ans").filter(|_| part == Part::InvalidInput) {
            findings.breach(&answer, "an invalid input has no answer");
        }
    }
}

/// What is read of a description, in bytes.
const LONGEST_DESCRIPTION: u64 = 4 << 10;

/// Longer than this no sample of an interaction is meant for people.
const LONGEST_INTERACTION: u64 = 1 << 20;

/// Every line tells who says it: `>` the submission, `<` the judge; `---` separates passes.
pub(super) fn check_interaction(path: &Path, findings: &mut Findings) {
    let text = match bounded::beginning(path, LONGEST_INTERACTION) {
        Ok(text) => text,
        Err(reason) => return findings.breach(path, reason),
    };
    let text = text.strip_suffix(b"\n").unwrap_or(&text);
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        if !line.starts_with(b">") && !line.starts_with(b"<") && line.trim_ascii_end() != b"---" {
            let shown: String = printable(line).chars().take(40).collect();
            let message = format!("found {shown:?}, allowed: lines that begin with > or <, and ---");
            return findings.breach_at(path, Some((index as u64 + 1, 1)), message);
        }
    }
}
