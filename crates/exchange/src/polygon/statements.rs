//! Imports names, statements and tutorials.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::problem::{Problem, Text};
use super::{UnusedFiles, xml};
use crate::{Files, Notes};
use referee_files::regular;
use referee_package::is_legal_name;

/// Polygon's names of languages, and the format's codes (ISO 639-1).
const LANGUAGES: [(&str, &str); 40] = [
    ("afrikaans", "af"),
    ("albanian", "sq"),
    ("arabic", "ar"),
    ("armenian", "hy"),
    ("azerbaijani", "az"),
    ("belarusian", "be"),
    ("bengali", "bn"),
    ("bulgarian", "bg"),
    ("chinese", "zh"),
    ("croatian", "hr"),
    ("czech", "cs"),
    ("danish", "da"),
    ("dutch", "nl"),
    ("english", "en"),
    ("estonian", "et"),
    ("finnish", "fi"),
    ("french", "fr"),
    ("georgian", "ka"),
    ("german", "de"),
    ("greek", "el"),
    ("hebrew", "he"),
    ("hindi", "hi"),
    ("hungarian", "hu"),
    ("indonesian", "id"),
    ("italian", "it"),
    ("japanese", "ja"),
    ("kazakh", "kk"),
    ("korean", "ko"),
    ("latvian", "lv"),
    ("lithuanian", "lt"),
    ("mongolian", "mn"),
    ("persian", "fa"),
    ("polish", "pl"),
    ("portuguese", "pt"),
    ("romanian", "ro"),
    ("russian", "ru"),
    ("serbian", "sr"),
    ("spanish", "es"),
    ("turkish", "tr"),
    ("ukrainian", "uk"),
];

fn code(language: &str) -> Option<&'static str> {
    LANGUAGES.iter().find(|(word, code)| *word == language || *code == language).map(|&(_, code)| code)
}

/// The sections of a statement, with their headings. The legend has no heading.
const SECTIONS: [(&str, &str); 6] = [
    ("legend", ""),
    ("input", "Input"),
    ("output", "Output"),
    ("interaction", "Interaction"),
    ("scoring", "Scoring"),
    ("notes", "Notes"),
];

/// The largest section of a statement that is read, in bytes.
const LARGEST_BYTES: u64 = 4 << 20;

/// Writes statements and tutorials. Returns the name of the problem in each language; the keys are the format's
/// language codes.
pub(super) fn write(
    root: &Path,
    problem: &Problem<'_>,
    files: &mut Files,
    unused_files: &mut UnusedFiles,
    notes: &mut Notes,
) -> BTreeMap<&'static str, String> {
    let mut languages: Vec<&str> = problem.statements.iter().map(|text| text.language).collect();
    languages.extend(problem.names.iter().map(|(language, _)| *language));
    languages.sort_unstable();
    languages.dedup();
    let mut names = BTreeMap::new();
    for language in languages {
        let Some(code) = code(language) else {
            notes.lose(format!(
                "the name and the statement in {language:?}: the ISO 639-1 code of this language is not known"
            ));
            continue;
        };
        let name = problem.names.iter().find(|(known, _)| *known == language).map_or("", |(_, name)| name);
        let name = if name.is_empty() { problem.short_name.clone() } else { name.to_owned() };
        let mut writer = Writer { root, files, unused_files, notes };
        if writer.take_sections(language, code, &name) || writer.take_file(&problem.statements, language, code) {
            names.insert(code, name);
        } else {
            notes.lose(format!("the name in {language}: there is no statement in this language"));
        }
    }
    tutorials(root, problem, files, unused_files, notes);
    if names.is_empty() {
        let name = problem.names.first().map_or(problem.short_name.as_str(), |(_, name)| name);
        notes.remark(
            "the package has no statement, but the package format requires one; write statement/problem.en.tex",
        );
        names.insert("en", name.to_owned());
    }
    names
}

struct Writer<'a, 'b> {
    root: &'a Path,
    files: &'b mut Files,
    unused_files: &'b mut UnusedFiles,
    notes: &'b mut Notes,
}

impl Writer<'_, '_> {
    /// Joins the sections, which Polygon stores separately, into one text. Returns `false` and writes nothing if there
    /// is no legend.
    fn take_sections(&mut self, language: &str, code: &str, name: &str) -> bool {
        let folder = format!("statement-sections/{language}");
        if xml::existing_file(self.root, &format!("{folder}/legend.tex")).is_none() {
            return false;
        }
        let mut text = format!("\\problemname{{{}}}\n", escaped(name));
        for (section, heading) in SECTIONS {
            let Some(path) = self.unused_files.take(self.root, &format!("{folder}/{section}.tex")) else { continue };
            let Some(own) = read(&path) else {
                self.notes.lose(format!("{folder}/{section}.tex: the file cannot be read or is larger than 4 MiB"));
                continue;
            };
            if !heading.is_empty() {
                let _ = writeln!(text, "\n\\section*{{{heading}}}");
            }
            let _ = writeln!(text, "\n{}", own.replace("\r\n", "\n").trim());
        }
        self.files.text(format!("statement/problem.{code}.tex"), text);
        self.unused_files.take(self.root, &format!("{folder}/name.tex"));
        self.pictures(&folder);
        // Polygon generates this file from the sections, so the import does not need it.
        self.unused_files.take(self.root, &format!("statements/{language}/problem.tex"));
        true
    }

    /// Copies the pictures in the folder of the sections.
    fn pictures(&mut self, folder: &str) {
        for name in super::names_in(&self.root.join(folder)) {
            let is_picture = name
                .rsplit_once('.')
                .is_some_and(|(_, ending)| ["png", "jpg", "jpeg", "pdf", "eps", "svg"].contains(&ending));
            if !is_picture || !is_legal_name(&name) {
                continue;
            }
            if let Some(found) = self.unused_files.take(self.root, &format!("{folder}/{name}")) {
                let path = format!("statement/{name}");
                let same = self
                    .files
                    .bytes(&path)
                    .is_ok_and(|old| regular::read(&found, regular::LARGEST_BYTES).is_ok_and(|new| old == new));
                if self.files.has(&path) && !same {
                    self.notes
                        .lose(format!("{folder}/{name}: another language has a different picture with this name"));
                } else {
                    self.files.copy(path, &found);
                }
            }
        }
    }

    /// Copies a statement in PDF. Returns whether there is one.
    fn take_file(&mut self, texts: &[Text<'_>], language: &str, code: &str) -> bool {
        let pdf = texts.iter().find(|text| text.language == language && text.kind == "application/pdf");
        let Some(found) = pdf.and_then(|text| self.unused_files.take(self.root, text.path)) else { return false };
        self.files.copy(format!("statement/problem.{code}.pdf"), &found);
        true
    }
}

fn tutorials(root: &Path, problem: &Problem<'_>, files: &mut Files, unused_files: &mut UnusedFiles, notes: &mut Notes) {
    for text in problem.tutorials.iter().filter(|text| text.kind == "application/pdf") {
        match (code(text.language), unused_files.take(root, text.path)) {
            (Some(code), Some(found)) => files.copy(format!("solution/solution.{code}.pdf"), &found),
            (Some(_), None) => notes.lose(format!("the tutorial {} {}", text.path, xml::why_unusable(root, text.path))),
            (None, _) => notes.lose(format!(
                "the tutorial {}: the ISO 639-1 code of the language {:?} is not known",
                text.path, text.language
            )),
        }
    }
}

fn read(path: &Path) -> Option<String> {
    regular::read(path, LARGEST_BYTES).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Escapes the name for LaTeX.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        match character {
            '#' | '%' | '&' | '_' | '{' | '}' => text.extend(['\\', character]),
            // Polygon's names may contain formulas between dollar signs, so these are not escaped.
            other => text.push(other),
        }
    }
    text
}
