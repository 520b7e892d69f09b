//! Exports jury submissions. The archive states the expected verdicts of a submission by the submission's folder, or by
//! a DOMjudge tag in its source.

use std::collections::BTreeSet;

use super::{Export, Judge};
use referee_grading::score::{Goal, Way};
use referee_grading::verdict::{CaseFilter, DeclaredVerdict};
use referee_package::JurySubmission;

/// The folders of the legacy format, each with the only final verdict that it allows.
const FOLDERS: [(&str, DeclaredVerdict); 4] = [
    ("accepted", DeclaredVerdict::AC),
    ("wrong_answer", DeclaredVerdict::WA),
    ("time_limit_exceeded", DeclaredVerdict::TLE),
    ("run_time_error", DeclaredVerdict::RTE),
];

/// DOMjudge's names of the verdicts.
const TAGS: [(DeclaredVerdict, &str); 4] = [
    (DeclaredVerdict::AC, "ACCEPTED"),
    (DeclaredVerdict::WA, "WRONG_ANSWER"),
    (DeclaredVerdict::TLE, "TIME_LIMIT_EXCEEDED"),
    (DeclaredVerdict::RTE, "RUN_TIME_ERROR"),
];

impl Export<'_> {
    pub(super) fn submissions(&mut self) {
        let package = self.package;
        let rules = package.root.join("submissions/submissions.yaml");
        if self.verbatim && !rules.is_file() {
            for submission in &package.submissions {
                self.copy(&submission.path, &format!("submissions/{}", submission.name));
            }
            return;
        }
        if rules.is_file() {
            self.notes.lose("submissions.yaml: the authors, and the rules for single cases, scores and messages");
        }
        let mut entry_points = serde_json::Map::new();
        for submission in &package.submissions {
            let Some(path) = self.submission(submission) else { continue };
            if let Some(entry_point) = &submission.entry_point {
                let folder = if submission.path.is_dir() { "/" } else { "" };
                entry_points.insert(format!("{path}{folder}"), serde_json::json!({ "entry_point": entry_point }));
            }
            if let Some(language) = &submission.language {
                self.notes.lose(format!(
                    "the language {language} of {}: the legacy format detects the language by the file's extension",
                    submission.name
                ));
            }
        }
        match self.to {
            _ if entry_points.is_empty() => {}
            Judge::Domjudge => {
                self.files.text("submissions.json", format!("{:#}\n", serde_json::Value::from(entry_points)));
            }
            Judge::Kattis => entry_points.keys().for_each(|path| {
                self.notes.lose(format!("the entry point of {path}: the legacy format has no key for entry points"));
            }),
        }
    }

    /// Writes a submission and returns its path; `None` if the export leaves it out. The export always leaves out a
    /// submission that must not compile. For Kattis, it also leaves out a submission with several possible verdicts,
    /// because each folder of Kattis stands for one verdict. On Kattis, a program with points may be accepted although
    /// its verdict here is WA. In such a package, [`Export::place_by_score`] chooses the folder of every submission
    /// whose expected verdicts do not include AC.
    fn submission(&mut self, submission: &JurySubmission) -> Option<String> {
        let name = &submission.name;
        let (class, own) = name.split_once('/').unwrap_or(("", name));
        let outcomes = outcomes(submission);
        if outcomes.is_empty() {
            self.notes.lose(format!(
                "submissions/{name} must not compile; the legacy format has no folder for compile errors"
            ));
            return None;
        }
        if self.to == Judge::Kattis && self.verdicts_change() && !outcomes.contains(&DeclaredVerdict::AC) {
            return self.place_by_score(submission);
        }
        if self.to == Judge::Kattis && single(&outcomes).is_none() {
            let words: Vec<_> = outcomes.iter().map(DeclaredVerdict::to_string).collect();
            let words = words.join(" or ");
            self.notes.lose(format!(
                "submissions/{name} may get {words}, but each submission folder of Kattis stands for exactly one \
                 verdict"
            ));
            return None;
        }
        let folder = match single(&outcomes) {
            // The submission stays in `partially_accepted`, because this folder also states that the submission does
            // not get full points.
            Some(DeclaredVerdict::AC) if class == "partially_accepted" && self.package.kind.scoring => class,
            Some(word) => FOLDERS.iter().find(|(_, known)| *known == word).map_or(class, |(folder, _)| folder),
            None if FOLDERS.iter().any(|(known, _)| *known == class) => "mixed",
            None => class,
        };
        let wanted = format!("submissions/{folder}/{own}");
        let (path, moved) = if self.files.at(&wanted).is_empty() {
            (wanted, folder != class)
        } else {
            (self.unused(if self.to == Judge::Kattis { folder } else { "mixed" }, class, own), true)
        };
        self.copy(&submission.path, &path);
        if moved {
            self.notes.remark(format!("submissions/{name} is exported as {path}, according to its declared verdicts"));
        }
        let in_class = FOLDERS.iter().any(|(known, _)| path.starts_with(&format!("submissions/{known}/")));
        if !in_class && outcomes.len() < DeclaredVerdict::ALL.len() && self.to == Judge::Domjudge {
            self.tag(&path, &outcomes);
        }
        Some(path)
    }

    /// Returns a path in a folder of submissions that no exported submission has, for the submission `own` of the folder
    /// `class`.
    fn unused(&self, folder: &str, class: &str, own: &str) -> String {
        let first = format!("submissions/{folder}/{class}-{own}");
        let more = (2..).map(|number| format!("submissions/{folder}/{class}-{number}-{own}"));
        let mut paths = std::iter::once(first.clone()).chain(more);
        paths.find(|path| self.files.at(path).is_empty()).unwrap_or(first)
    }

    /// Returns whether the exported package may accept a submission that the original package rejects with a positive
    /// score.
    pub(super) fn verdicts_change(&self) -> bool {
        let tree = &self.package.tree;
        tree.scoring && matches!(tree.groups.first().map(|group| &group.way), Some(Way::Dated(_)))
    }

    /// Writes a failing submission to the folder that follows from its expected score, and returns its path. `None` if
    /// the submission was left out, because its expected score is not declared or its new path is already used.
    fn place_by_score(&mut self, submission: &JurySubmission) -> Option<String> {
        let name = &submission.name;
        let own = name.split_once('/').map_or(name.as_str(), |(_, own)| own);
        let range = submission.scores.iter().find_map(|wanted| match (&wanted.groups, &wanted.goal) {
            (None, Goal::Between(low, high)) => Some((low.clone(), high.clone())),
            _ => None,
        });
        let folder = match (range, single(&outcomes(submission))) {
            (Some((low, _)), _) if !low.is_zero() && !low.is_negative() => "partially_accepted",
            (Some((_, high)), Some(word)) if high.is_zero() => {
                FOLDERS.iter().find(|(_, known)| *known == word).map_or("wrong_answer", |(folder, _)| folder)
            }
            _ => {
                self.notes.lose(format!(
                    "submissions/{name}: without an expected score, it is unknown whether it belongs in \
                     partially_accepted or in a folder of rejected submissions; declare its expected score in \
                     submissions.yaml"
                ));
                return None;
            }
        };
        let path = format!("submissions/{folder}/{own}");
        if !self.files.at(&path).is_empty() {
            self.notes.lose(format!("submissions/{name}: another submission is already exported as {path}"));
            return None;
        }
        self.copy(&submission.path, &path);
        if path != format!("submissions/{name}") {
            self.notes.remark(format!("submissions/{name} is exported as {path}, according to its declared score"));
        }
        Some(path)
    }

    /// Adds a tag to the source of a submission. The tag lists the expected verdicts by their DOMjudge names. Does
    /// nothing if a file already has such a tag. Reports the verdicts as lost if no file has a known comment syntax.
    fn tag(&mut self, path: &str, outcomes: &BTreeSet<DeclaredVerdict>) {
        let words: Vec<_> = TAGS.iter().filter(|(word, _)| outcomes.contains(word)).map(|(_, tag)| *tag).collect();
        let files = self.files.at(path);
        let texts: Vec<(String, Vec<u8>)> =
            files.into_iter().filter_map(|file| self.files.bytes(&file).ok().map(|text| (file, text))).collect();
        let has_tag = |text: &[u8]| memchr::memmem::find(&text.to_ascii_uppercase(), b"@EXPECTED_RESULTS@: ").is_some();
        if texts.iter().any(|(_, text)| has_tag(text)) {
            return;
        }
        let comment = |file: &str| comment(file.rsplit_once('.').map_or("", |(_, ending)| ending));
        let Some((file, text, (before, after))) =
            texts.into_iter().find_map(|(file, text)| comment(&file).map(|marks| (file, text, marks)))
        else {
            return self.notes.lose(format!(
                "the expected verdicts of {path}: DOMjudge reads them from a comment, and the comment syntax of this \
                 language is not known"
            ));
        };
        let mut text = text;
        if !text.ends_with(b"\n") {
            text.push(b'\n');
        }
        text.extend_from_slice(format!("{before} @EXPECTED_RESULTS@: {}{after}\n", words.join(", ")).as_bytes());
        self.files.replace(&file, text);
    }
}

/// Returns the start and the end of a comment line in files with this extension; `None` if they are not known.
fn comment(ending: &str) -> Option<(&'static str, &'static str)> {
    Some(match ending {
        "c" | "cc" | "cpp" | "cxx" | "c++" | "C" | "java" | "kt" | "rs" | "go" | "js" | "ts" | "cs" | "php" | "pas" => {
            ("//", "")
        }
        "py" | "py2" | "py3" | "rb" | "pl" | "pm" | "sh" | "bash" | "awk" => ("#", ""),
        "hs" => ("--", ""),
        _ => return None,
    })
}

/// Returns the final verdicts that the submission may have, according to the rules for all test cases.
pub(super) fn outcomes(submission: &JurySubmission) -> BTreeSet<DeclaredVerdict> {
    let mut left: BTreeSet<DeclaredVerdict> = DeclaredVerdict::ALL.into();
    for rule in submission.expectations.iter().filter(|rule| rule.cases == CaseFilter::All) {
        if let Some(permitted) = &rule.permitted {
            left.retain(|word| permitted.contains(word));
        }
        // If some case must fail, the submission as a whole is not accepted.
        if rule.required.as_ref().is_some_and(|required| !required.contains(&DeclaredVerdict::AC)) {
            left.remove(&DeclaredVerdict::AC);
        }
        if let Some(outcome) = &rule.outcome {
            let words: BTreeSet<_> = outcome.iter().filter_map(|verdict| verdict.word()).collect();
            left.retain(|word| words.contains(word));
        }
    }
    // A rule may require a verdict on some test case, although the submission's final verdict is a different one: an
    // earlier test case may fail in another way. The legacy format and DOMjudge know only final verdicts. So the
    // required verdicts are exported as the expected final verdicts, if one of them is still possible.
    let required = submission.expectations.iter().filter(|rule| rule.cases == CaseFilter::All);
    for words in
        required.filter_map(|rule| rule.required.as_ref()).filter(|words| !words.contains(&DeclaredVerdict::AC))
    {
        if words.iter().any(|word| left.contains(word)) {
            left.retain(|word| words.contains(word));
        }
    }
    left
}

fn single(words: &BTreeSet<DeclaredVerdict>) -> Option<DeclaredVerdict> {
    if words.len() == 1 { words.first().copied() } else { None }
}
