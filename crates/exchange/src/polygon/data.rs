//! Imports the test cases of all test sets.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::UnusedFiles;
use super::make::Maker;
use super::problem::{Problem, Test, Testset};
use super::score::{self, GroupPlan};
use crate::quoted::{list, quoted};
use crate::{ExchangeError, Files, Notes, counted_with_examples, file_error, stop_if_interrupted};

use referee_files::regular;

/// The result of importing the test cases.
pub(super) struct Data {
    pub(super) scoring: bool,
    /// The test cases that were written, with the hashes of their files.
    pub(super) cases: Vec<WrittenCase>,
    /// The texts of `test_group.yaml`, by folder below `data/`.
    pub(super) groups: Vec<(String, String)>,
    /// The number of submissions that were written.
    pub(super) submissions: usize,
}

/// A test case that was written.
pub(super) struct WrittenCase {
    /// The name of the case: `secret/01`.
    pub(super) name: String,
    /// The command that generates it; `None` if it was written by hand.
    pub(super) command: Option<String>,
    /// The BLAKE3 hash of the input.
    pub(super) input: [u8; 32],
    /// The BLAKE3 hash of the answer.
    pub(super) answer: [u8; 32],
}

/// The largest size allowed for an input or an answer, in bytes. [`referee_package`] has the same limit.
const LARGEST_BYTES: u64 = 1 << 30;

/// Imports the test cases, and collects the files of the new package and the notes.
pub(super) struct Cases<'a, 'b> {
    pub(super) root: &'a Path,
    pub(super) problem: &'a Problem<'a>,
    pub(super) maker: &'b mut Maker<'a>,
    pub(super) files: &'b mut Files,
    pub(super) unused_files: &'b mut UnusedFiles,
    pub(super) notes: &'b mut Notes,
    /// Whether a validator's source uses the name of the test set or group (`validator.testset()`,
    /// `validator.group()`).
    pub(super) validators_use_names: bool,
    /// The languages of the statements, English first.
    pub(super) languages: Vec<String>,
    /// The files whose line ends were converted from CR LF to LF.
    pub(super) converted: Vec<String>,
}

impl Cases<'_, '_> {
    /// Writes the cases of every test set. All cases of the main test set come first. From the other test sets, only
    /// cases that have not occurred yet are written.
    pub(super) fn write_all(mut self) -> Result<Data, ExchangeError> {
        let main = main_testset(self.problem);
        let plan = score::plan(main, self.notes)?;
        let mut seen: HashMap<([u8; 32], [u8; 32]), String> = HashMap::new();
        let mut cases = Vec::new();
        let mut groups = plan.groups.clone();
        let mut prefixes = HashSet::new();
        self.testset(main, &plan, None, &mut seen, &mut cases)?;
        for other in self.problem.testsets.iter().filter(|testset| !std::ptr::eq(*testset, main)) {
            let prefix = prefix(other.name, &mut prefixes);
            let folder = other_folder(&prefix, plan.scoring);
            let of_other =
                GroupPlan { scoring: false, folders: vec![Some(folder.clone()); other.tests.len()], groups: vec![] };
            let new = self.testset(other, &of_other, Some(&prefix), &mut seen, &mut cases)?;
            if new > 0 && plan.scoring {
                groups.push((folder, "max_score: 0\nscore_aggregation: pass-fail\n".to_owned()));
            }
            if plan.scoring && other.tests.iter().any(|test| test.points.is_some()) {
                self.notes.lose(format!(
                    "the points of the test set {:?}: only the points of the main test set count",
                    other.name
                ));
            }
            let (all, name) = (other.tests.len(), other.name);
            self.notes.remark(format!(
                "the test set {name:?}: imported {new} of {all} tests as {prefix}-*; tests that occurred before are \
                 not imported again"
            ));
        }
        if !self.converted.is_empty() {
            let files = counted_with_examples(&self.converted, "file");
            self.notes.remark(format!("the line ends of {files} were converted from CR LF to LF"));
        }
        Ok(Data { scoring: plan.scoring, cases, groups, submissions: 0 })
    }

    /// Writes the cases of a test set. Returns the number of tests that were written, not of cases: a sample of the
    /// main test set is one test, but may become two cases.
    fn testset(
        &mut self,
        testset: &Testset<'_>,
        plan: &GroupPlan,
        prefix: Option<&str>,
        seen: &mut HashMap<([u8; 32], [u8; 32]), String>,
        cases: &mut Vec<WrittenCase>,
    ) -> Result<usize, ExchangeError> {
        let width = testset.tests.len().to_string().len().max(2);
        let mut written = 0;
        for (test, folder) in testset.tests.iter().zip(&plan.folders) {
            stop_if_interrupted()?;
            let wanted = testset.input.path(test.number);
            let input = match self.unused_files.take_or_refuse(self.root, &wanted)? {
                Some(path) => path,
                None => self.maker.input(test, &wanted)?,
            };
            let input = self.content(&input)?;
            let answer = self.answer(testset, test, &input)?;
            let key = (input.hash, answer.hash);
            if prefix.is_some() && seen.contains_key(&key) {
                continue;
            }
            let stem = match prefix {
                None => format!("{:0width$}", test.number),
                Some(prefix) => format!("{prefix}-{:0width$}", test.number),
            };
            let sample = test.sample.then(|| format!("sample/{stem}"));
            let secret = folder.as_ref().map(|folder| format!("{folder}/{stem}"));
            if let Some(sample) = sample.as_deref().filter(|_| prefix.is_none()) {
                self.write_shown_sample(sample, test.number, &input, &answer);
            }
            written += 1;
            for name in [sample, secret].into_iter().flatten() {
                seen.insert(key, name.clone());
                self.write(&name, testset, test, &input, &answer);
                let command = test.command.map(str::to_owned);
                cases.push(WrittenCase { name, command, input: key.0, answer: key.1 });
            }
        }
        Ok(written)
    }

    /// Polygon's statement may show texts that differ from a sample's input and answer. If so, writes the shown texts
    /// as `.statement` and `.download` files. Polygon stores them in files such as `example.01` (input) and
    /// `example.01.a` (answer), one pair for each language. If the texts of several languages differ from the sample,
    /// only the first of these languages is used.
    fn write_shown_sample(&mut self, name: &str, number: usize, input: &Content, answer: &Content) {
        for (ending, content, after) in [("in", input, ""), ("ans", answer, ".a")] {
            let mut first = true;
            for language in &self.languages {
                let path = format!("statement-sections/{language}/example.{number:02}{after}");
                let Some(found) = self.unused_files.take(self.root, &path) else { continue };
                let Some(text) = read_small(&found).filter(|text| !content.has_text(text)) else { continue };
                if !std::mem::take(&mut first) {
                    self.notes.lose(format!("{path}: the package format shows the same sample in all languages"));
                    continue;
                }
                self.files.text(format!("data/{name}.{ending}.statement"), text.clone());
                self.files.text(format!("data/{name}.{ending}.download"), text);
            }
        }
    }

    fn answer(&mut self, testset: &Testset<'_>, test: &Test<'_>, input: &Content) -> Result<Content, ExchangeError> {
        let wanted = testset.answer.path(test.number);
        if let Some(path) = self.unused_files.take_or_refuse(self.root, &wanted)? {
            return self.content(&path);
        }
        if self.problem.interactor.is_some() {
            self.notes.lose(format!(
                "{wanted} is missing; the new answer file is empty, because the import cannot run the main solution of \
                 an interactive problem"
            ));
            return Ok(Content::of(Vec::new()));
        }
        let made = self.maker.answer(test, &input.path)?;
        self.content(&made)
    }

    fn content(&mut self, path: &Path) -> Result<Content, ExchangeError> {
        match path.metadata() {
            Ok(found) if found.len() > LARGEST_BYTES => {
                return Err(file_error(path, format_args!("has more than the {LARGEST_BYTES} bytes allowed")));
            }
            _ => {}
        }
        let bytes = regular::read(path, LARGEST_BYTES)
            .map_err(|error| file_error(path, format_args!("cannot be read: {error}")))?;
        let hash = *blake3::hash(&bytes).as_bytes();
        let Some(converted) = without_returns(&bytes) else {
            return Ok(Content { path: path.to_path_buf(), bytes: None, hash });
        };
        self.converted.push(path.strip_prefix(self.root).unwrap_or(path).display().to_string());
        let hash = *blake3::hash(&converted).as_bytes();
        Ok(Content { path: self.maker.write_temporary(&converted)?, bytes: None, hash })
    }

    fn write(&mut self, name: &str, testset: &Testset<'_>, test: &Test<'_>, input: &Content, answer: &Content) {
        for (content, ending) in [(input, "in"), (answer, "ans")] {
            let path = format!("data/{name}.{ending}");
            match &content.bytes {
                Some(bytes) => self.files.text(path, bytes.clone()),
                None => self.files.copy(path, &content.path),
            }
        }
        let mut own = String::new();
        if let Some(description) = test.description {
            let _ = writeln!(own, "description: {}", quoted(description));
        }
        if self.validators_use_names {
            let mut arguments = vec!["--testset", testset.name];
            arguments.extend(test.group.into_iter().flat_map(|group| ["--group", group]));
            let _ = writeln!(own, "input_validator_args: {}", list(&arguments));
        }
        if !own.is_empty() {
            self.files.text(format!("data/{name}.yaml"), own);
        }
    }
}

/// Returns a unique prefix for the case names of a test set. The main test set needs none.
fn prefix(name: &str, taken: &mut HashSet<String>) -> String {
    let legal = score::legal(name);
    let mut prefix = legal.clone();
    for number in 2.. {
        if taken.insert(prefix.clone()) {
            break;
        }
        prefix = format!("{legal}-{number}");
    }
    prefix
}

/// Returns the folder for the tests of a test set that is not the main one. In a scoring problem, these tests get a
/// folder of their own, which is a group without points.
fn other_folder(prefix: &str, scoring: bool) -> String {
    if scoring { format!("secret/zz-{prefix}") } else { "secret".to_owned() }
}

/// The largest number of languages whose sections are read.
const MOST_LANGUAGES: usize = 100;

/// Returns the languages for which Polygon has sections of a statement, English first.
pub(super) fn languages(root: &Path) -> Vec<String> {
    let mut languages = super::names_in(&root.join("statement-sections"));
    languages.sort_by_key(|language| language != "english");
    languages.truncate(MOST_LANGUAGES);
    languages
}

/// The content of an input or answer.
struct Content {
    /// The path of the file to copy; empty if `bytes` has the content.
    path: PathBuf,
    /// The bytes to write; `None` if the file at `path` is copied.
    bytes: Option<Vec<u8>>,
    /// The BLAKE3 hash of the content.
    hash: [u8; 32],
}

/// The largest sample of a statement that is read, in bytes.
const LARGEST_SAMPLE_BYTES: u64 = 1 << 20;

/// Returns the text of a file. If every line ends with CR LF, the line ends become LF. Returns `None` if the file is
/// larger than [`LARGEST_SAMPLE_BYTES`] or unreadable.
fn read_small(path: &Path) -> Option<Vec<u8>> {
    let bytes = regular::read(path, LARGEST_SAMPLE_BYTES).ok()?;
    Some(without_returns(&bytes).unwrap_or(bytes))
}

impl Content {
    /// Returns whether the content is this text, apart from white space at the end.
    fn has_text(&self, text: &[u8]) -> bool {
        let own = self.bytes.clone().or_else(|| read_small(&self.path));
        own.is_some_and(|own| own.trim_ascii_end() == text.trim_ascii_end())
    }

    fn of(bytes: Vec<u8>) -> Content {
        let hash = *blake3::hash(&bytes).as_bytes();
        Content { path: PathBuf::new(), bytes: Some(bytes), hash }
    }
}

/// Returns the text with CR LF replaced by LF. `None` if a line ends with LF alone, or if there is no line end.
fn without_returns(bytes: &[u8]) -> Option<Vec<u8>> {
    let feeds = memchr::memchr_iter(b'\n', bytes);
    let mut lines = 0;
    for at in feeds {
        lines += 1;
        if at == 0 || bytes[at - 1] != b'\r' {
            return None;
        }
    }
    if lines == 0 {
        return None;
    }
    let mut text = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_suffix(b"\r\n") {
            Some(line) => {
                text.extend_from_slice(line);
                text.push(b'\n');
            }
            None => text.extend_from_slice(line),
        }
    }
    Some(text)
}

/// Returns the test set that Polygon uses for judging: the one named `tests`, or the largest one if there is none.
pub(super) fn main_testset<'a>(problem: &'a Problem<'a>) -> &'a Testset<'a> {
    let named = problem.testsets.iter().find(|testset| testset.name == "tests");
    let largest = || problem.testsets.iter().max_by_key(|testset| testset.tests.len());
    named.or_else(largest).unwrap_or(&problem.testsets[0])
}
