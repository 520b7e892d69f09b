//! Exports test data.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::grading::Groups;
use super::tree::{lines, text};
use super::{Export, Judge};
use crate::{ExchangeError, file_error};
use referee_package::{Document, TestCase};
use referee_text::words;

/// Endings of a test case's files that the legacy format also has.
const KEPT: [&str; 4] = [".png", ".jpg", ".jpeg", ".svg"];

/// Endings of a test case's files that the legacy format does not have.
const DROPPED: [&str; 5] = [".out", ".in.statement", ".ans.statement", ".in.download", ".ans.download"];

impl Export<'_> {
    /// Exports the test cases. Returns the arguments that output validators get on every test case, as flags of the
    /// legacy format. Empty if the arguments differ between folders, or if the test data are copied unchanged.
    pub(super) fn data(&mut self) -> Result<String, ExchangeError> {
        for part in ["invalid_input", "invalid_output", "valid_output", "invalid_answer", "fuzz"] {
            if self.package.root.join("data").join(part).is_dir() {
                self.notes.lose(format!("data/{part}/: the legacy format has no such folder"));
            }
        }
        self.arguments_of_interactors();
        if self.verbatim {
            self.copy_data_unchanged();
            self.quoted_flags();
            return Ok(String::new());
        }
        let package = self.package;
        for case in package.cases.iter() {
            self.case(case)?;
        }
        self.group_files()?;
        let mut groups = self.grading();
        let flags = self.flags();
        if let [only] = flags.values().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().as_slice() {
            self.write_settings(groups);
            return Ok((*only).clone());
        }
        for (folder, flags) in &flags {
            let entry = ("output_validator_flags".to_owned(), text(flags.clone()));
            groups.entry(folder.clone()).or_default().push(entry);
        }
        self.write_settings(groups);
        if self.to == Judge::Domjudge {
            self.notes.remark(
                "the output_validator_flags differ by folder; only DOMjudge versions with pull request 3423 (2026) \
                 support flags for a single folder",
            );
        }
        Ok(String::new())
    }

    fn write_settings(&mut self, groups: Groups) {
        for (folder, entries) in groups {
            let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
            self.files.text(format!("data/{folder}testdata.yaml"), lines(&entries, 0));
        }
    }

    /// Copies the test cases and settings files of a package that is already in a legacy format. Leaves out settings
    /// files without keys if the archive is for DOMjudge.
    fn copy_data_unchanged(&mut self) {
        let data = self.package.root.join("data");
        for (below, path) in self.below(&data) {
            let part = below.split('/').next().unwrap_or_default();
            let is_settings = below.ends_with("testdata.yaml");
            if !["sample", "secret", "testdata.yaml"].contains(&part) {
                continue;
            }
            let is_empty = || Document::read(&path).is_ok_and(|tree| tree.entries().is_empty());
            if is_settings && self.to == Judge::Domjudge && is_empty() {
                self.notes.remark(format!(
                    "data/{below} is left out: DOMjudge treats a testdata.yaml without keys as an error"
                ));
                continue;
            }
            self.copy_unchanged(&path, &format!("data/{below}"));
        }
    }

    fn case(&mut self, case: &TestCase) -> Result<(), ExchangeError> {
        let name = &case.name;
        if case.files.is_some() {
            self.refuse(format!("data/{name}.files: the legacy format cannot place files beside a submission"));
        }
        if !case.arguments.is_empty() {
            self.refuse(format!("test case {name} has args: in the legacy format, submissions get no arguments"));
        }
        self.copy_unchanged(&case.input(), &format!("data/{name}.in"));
        self.copy_unchanged(&case.answer(), &format!("data/{name}.ans"));
        if let Some(description) = &case.description {
            self.files.text(format!("data/{name}.desc"), format!("{description}\n"));
        }
        let beside = |ending: &str| {
            let path = self.package.root.join("data").join(format!("{name}{ending}"));
            path.is_file().then_some(path)
        };
        for ending in KEPT {
            if let Some(path) = beside(ending) {
                self.copy_unchanged(&path, &format!("data/{name}{ending}"));
            }
        }
        if let Some(path) = beside(".interaction") {
            if self.package.kind.interactive || self.package.kind.multi_pass {
                self.copy_unchanged(&path, &format!("data/{name}.interaction"));
            } else {
                self.notes.lose(format!(
                    "data/{name}.interaction: the legacy format has .interaction files only for interactive problems"
                ));
            }
        }
        let lost: Vec<_> = DROPPED.into_iter().filter(|ending| beside(ending).is_some()).collect();
        if let Some(path) = beside(".yaml") {
            self.case_settings(name, &path)?;
        }
        for ending in lost {
            self.notes.lose(format!(
                "data/{name}{ending}: in the legacy format, statements always show the .in and .ans files of a sample"
            ));
        }
        Ok(())
    }

    /// Exports the hint in a test case's settings file, and reports the keys that are lost. Other functions export the
    /// description and the arguments.
    fn case_settings(&mut self, name: &str, path: &Path) -> Result<(), ExchangeError> {
        let tree = Document::read(path).map_err(|findings| file_error(path, findings))?;
        if let Some(hint) = tree.get("hint").and_then(Document::text) {
            self.files.text(format!("data/{name}.hint"), format!("{hint}\n"));
        }
        self.lose_keys(&tree, &format!("data/{name}.yaml"));
        Ok(())
    }

    /// Reports the keys of `test_group.yaml` files that are lost.
    fn group_files(&mut self) -> Result<(), ExchangeError> {
        let data = self.package.root.join("data");
        let files = self.below(&data).into_iter();
        for (below, path) in files.filter(|(below, _)| below.ends_with("test_group.yaml")) {
            let tree = Document::read(&path).map_err(|findings| file_error(&path, findings))?;
            self.lose_keys(&tree, &format!("data/{below}"));
        }
        Ok(())
    }

    fn lose_keys(&mut self, tree: &Document, place: &str) {
        for key in [
            "input_validator_args",
            "answer_validator_args",
            "input_visualizer_args",
            "output_visualizer_args",
            "full_feedback",
        ] {
            if tree.get(key).is_some() {
                self.notes.lose(format!("{key} in {place}"));
            }
        }
    }

    /// Refuses arguments that would never reach the validator. DOMjudge calls the validator of an interactive problem
    /// from its script `run-interactive.sh`, with three paths as its only arguments.
    fn arguments_of_interactors(&mut self) {
        if self.to != Judge::Domjudge || !self.package.kind.interactive {
            return;
        }
        let given = self.package.cases.iter().find(|case| !self.arguments(case).is_empty());
        if let Some(place) = given.map(place_of_arguments) {
            self.refuse(format!("{place}: DOMjudge gives the output validator of an interactive problem no arguments"));
        }
    }

    /// Reports flags with quotes, which an unchanged export keeps. A judge that does not interpret quotes splits such
    /// flags into other arguments than intended.
    fn quoted_flags(&mut self) {
        let quoted = self.package.cases.iter().find(|case| words::join(&self.arguments(case)).is_err());
        if let Some(place) = quoted.map(place_of_arguments) {
            let judge = self.to.name();
            self.notes.remark(format!("{place}: {judge} splits flags at every blank and does not interpret quotes"));
        }
    }

    /// Returns the arguments of the first output validator on a test case.
    fn arguments(&self, case: &TestCase) -> Vec<String> {
        let validator = self.package.output_validators.first().map_or("default", |program| program.name.as_str());
        case.output_validator_arguments.of(validator)
    }

    /// Returns the flags of output validators for each folder of test cases, and refuses arguments that the legacy
    /// format cannot express. Neither problemtools nor DOMjudge supports quotes in flags (`split()` in
    /// `model/testdata.py`, `explode(' ', ...)` in `judgedaemon.main.php`).
    fn flags(&mut self) -> BTreeMap<String, String> {
        let mut folders: BTreeMap<String, (String, &str)> = BTreeMap::new();
        let mut refused = BTreeMap::new();
        for case in self.package.cases.iter() {
            let words = self.arguments(case);
            let flags = words::join(&words).unwrap_or_else(|word| {
                let place = place_of_arguments(case);
                let why = format!(
                    "{place}: the argument {word:?} is empty or has blanks, quotes or backslashes; the legacy \
                     format splits flags at blanks and does not interpret quotes"
                );
                refused.insert(place.to_owned(), why);
                words.join(" ")
            });
            let folder = case.name.rsplit_once('/').map_or("", |(folder, _)| folder);
            let first = folders.entry(folder.to_owned()).or_insert_with(|| (flags.clone(), &case.name));
            if first.0 != flags {
                let why = format!(
                    "{} and {} are in the same folder but have different output_validator_args; in the legacy \
                     format, all test cases of a folder get the same arguments",
                    first.1, case.name
                );
                refused.insert(folder.to_owned(), why);
            }
        }
        let folders = folders.into_iter().map(|(folder, (flags, _))| (folder, flags)).collect();
        for why in refused.into_values() {
            self.refuse(why);
        }
        folders
    }
}

/// Returns the source position of a test case's arguments, or the case's name if the position is not known.
fn place_of_arguments(case: &TestCase) -> &str {
    case.output_validator_arguments.place.as_deref().unwrap_or(&case.name)
}
