//! Exports `problem.yaml`, key by key.

use super::tree::{lines, plain, text};
use super::{Export, Judge};
use crate::{ExchangeError, file_error};
use referee_package::{Document, Version, limit_keys_of_every_version};

/// Keys that mean the same in every format version.
const SAME: [&str; 3] = ["uuid", "license", "rights_owner"];

/// Keys that the legacy format does not have, each with the message about its loss.
const LOST: [(&str, &str); 4] = [
    ("version", "the version of the problem"),
    ("embargo_until", "embargo_until: the date until which the problem is confidential"),
    ("languages", "languages: configure the allowed languages in the judge that imports the archive"),
    (
        "allow_file_writing",
        "allow_file_writing: the judge that imports the archive decides whether programs may write files",
    ),
];

impl Export<'_> {
    /// Writes `problem.yaml`. `flags` are the arguments that output validators get on every test case.
    pub(super) fn metadata(&mut self, flags: &str) -> Result<(), ExchangeError> {
        let path = self.package.root.join("problem.yaml");
        let tree = Document::read(&path).map_err(|findings| file_error(&path, findings))?;
        let entries = if self.verbatim { self.unchanged(&tree) } else { self.translated(&tree, flags) };
        self.files.text("problem.yaml", lines(&entries, 0));
        Ok(())
    }

    /// Returns the entries of a legacy file unchanged. Only `problem_format_version: legacy-icpc` is left out, because
    /// not every tool supports this version.
    fn unchanged(&mut self, tree: &Document) -> Vec<(String, Document)> {
        let mut entries = tree.entries().to_vec();
        if self.package.version == Version::LegacyIcpc {
            entries.retain(|(key, _)| key != "problem_format_version");
            self.notes.remark(
                "problem_format_version: the value legacy-icpc is left out, because not every tool supports it; tools \
                 then assume the value legacy",
            );
        }
        if self.to == Judge::Domjudge && self.package.kind.scoring {
            self.notes.remark(
                "DOMjudge counts points by its own rules; check the points of the test groups after the import",
            );
        }
        entries
    }

    fn translated(&mut self, tree: &Document, flags: &str) -> Vec<(String, Document)> {
        let mut entries = vec![("problem_format_version".to_owned(), plain("legacy"))];
        entries.extend(tree.get("name").map(|name| ("name".to_owned(), self.name(name))));
        for key in SAME {
            entries.extend(tree.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        self.credits(tree, &mut entries);
        self.source(tree, &mut entries);
        if let Some(keywords) = tree.get("keywords").map(Document::texts).filter(|words| !words.is_empty()) {
            let joined: Vec<_> =
                keywords.iter().map(|word| word.split_whitespace().collect::<Vec<_>>().join("-")).collect();
            if joined != keywords {
                self.notes.remark(
                    "keywords: blanks within a keyword become hyphens, because blanks separate keywords in the legacy \
                     format",
                );
            }
            entries.push(("keywords".to_owned(), text(joined.join(" "))));
        }
        for (key, what) in LOST {
            if tree.get(key).is_some_and(|value| !["all", "false"].contains(&value.text().unwrap_or_default())) {
                self.notes.lose(what);
            }
        }
        if !self.package.constants.is_empty() {
            self.notes.remark("constants: replaced by their values in all programs and statements");
        }
        if self.package.kind.scoring {
            entries.push(("type".to_owned(), plain("scoring")));
            // These values are the defaults, but verifyproblem of Kattis warns if the keys are missing.
            let grading = [("objective", "max"), ("show_test_data_groups", "false")];
            let grading = grading.map(|(key, value)| (key.to_owned(), plain(value)));
            entries.push(("grading".to_owned(), Document::Map(grading.into())));
        }
        entries.push(self.limits(tree.get("limits")));
        let validation = self.validation();
        entries.extend(validation.map(|words| ("validation".to_owned(), plain_or_text(&words))));
        if !flags.is_empty() {
            entries.push(("validator_flags".to_owned(), text(flags)));
        }
        entries
    }

    fn name(&mut self, name: &Document) -> Document {
        match name.entries() {
            [] => name.clone(),
            [(_, only)] => only.clone(),
            entries => {
                let english = entries.iter().find(|(language, _)| language == "en").unwrap_or(&entries[0]);
                self.notes.lose(
                    "name: the legacy format has only one name; the archive has the English name, or the first name if \
                     there is no English one",
                );
                english.1.clone()
            }
        }
    }

    fn credits(&mut self, tree: &Document, entries: &mut Vec<(String, Document)>) {
        let Some(credits) = tree.get("credits") else { return };
        let authors: Vec<String> = match credits.get("authors") {
            Some(Document::List(persons)) => persons.iter().filter_map(person).collect(),
            Some(one) => person(one).into_iter().collect(),
            None => credits.text().map(str::to_owned).into_iter().collect(),
        };
        if !authors.is_empty() {
            entries.push(("author".to_owned(), text(authors.join(", "))));
        }
        let others: Vec<_> =
            credits.entries().iter().map(|(key, _)| key.as_str()).filter(|key| *key != "authors").collect();
        if !others.is_empty() {
            self.notes.lose(format!("credits: {}", others.join(", ")));
        }
    }

    fn source(&mut self, tree: &Document, entries: &mut Vec<(String, Document)>) {
        let Some(source) = tree.get("source") else { return };
        let first = match source {
            Document::List(sources) => {
                if sources.len() > 1 {
                    self.notes.lose("source: all sources except the first");
                }
                sources.first()
            }
            one => Some(one),
        };
        let Some(first) = first else { return };
        if let Some(name) = first.get("name").unwrap_or(first).text() {
            entries.push(("source".to_owned(), text(name)));
            if let Some(url) = first.get("url").and_then(Document::text) {
                entries.push(("source_url".to_owned(), text(url)));
            }
        }
    }

    fn limits(&mut self, given: Option<&Document>) -> (String, Document) {
        let timing = self.package.timing;
        let mut limits = vec![
            ("time_multiplier".to_owned(), plain(timing.ac_to_time_limit.to_string())),
            ("time_safety_margin".to_owned(), plain(timing.time_limit_to_tle.to_string())),
        ];
        if (timing.resolution - 1.0).abs() > f64::EPSILON {
            self.notes.lose(format!(
                "time_resolution: {} s; in the legacy format, time limits are whole seconds",
                timing.resolution
            ));
        }
        for key in limit_keys_of_every_version() {
            limits.extend(given.and_then(|given| given.get(key)).map(|value| (key.to_owned(), value.clone())));
        }
        ("limits".to_owned(), Document::Map(limits))
    }

    /// Returns the value of the legacy key `validation`; `None` for the default output validator.
    fn validation(&self) -> Option<String> {
        if self.package.output_validators.is_empty() {
            return None;
        }
        let kind = self.package.kind;
        let parts =
            [(kind.interactive, " interactive"), (kind.multi_pass, " multi-pass"), (self.writes_scores(), " score")];
        let words: String = parts.iter().filter(|(holds, _)| *holds).map(|(_, word)| *word).collect();
        Some(format!("custom{words}"))
    }
}

fn plain_or_text(words: &str) -> Document {
    if words.contains(' ') { text(words) } else { plain(words) }
}

/// Returns a person's name; `None` if there is none.
fn person(person: &Document) -> Option<String> {
    let name = person.get("name").unwrap_or(person).text()?;
    // The text may have the form `Name <mail>`, so the mail address is removed.
    Some(name.split('<').next().unwrap_or(name).trim().to_owned())
}
