//! Imports a package of Codeforces' Polygon as a package of format 2025-09.
//!
//! `problem.xml` ([`xml`], [`problem`]) names all files. The tests of all test sets become test cases ([`data`]); tests
//! that the archive does not contain are generated ([`make`]). Points become groups ([`score`]). Programs that use
//! testlib get scripts that convert to the format's protocol ([`programs`]). Solutions become submissions
//! ([`solutions`]).

mod data;
mod make;
mod pattern;
mod problem;
mod programs;
mod score;
mod solutions;
mod statements;
mod tags;
mod validator_tests;
mod write;
mod xml;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use self::data::{Cases, Data};
use self::make::Maker;
use self::problem::Problem;
use self::programs::Programs;
use self::write::Target;
use super::{ExchangeError, Files, Notes, file_error};
use referee_judge::Settings;
use referee_package::{Package, unpack_other};

/// The result of an import.
#[derive(Debug)]
pub struct Imported {
    /// The folder of the new package.
    pub folder: PathBuf,
    /// The new package, read back.
    pub package: Package,
    /// Messages about the import.
    pub notes: Notes,
    /// The number of inputs and the number of answers that were generated, because the archive does not contain them.
    pub generated: (usize, usize),
}

/// Imports the package `given`, a folder or a ZIP archive with a problem.xml, into the new folder `out`. If `out` is an
/// existing folder, the package becomes a new folder in it. Generators and solutions run with these `settings`. Fails
/// if the package cannot be imported or written.
pub fn import(given: &Path, out: &Path, settings: &Settings) -> Result<Imported, ExchangeError> {
    let absolute = given.canonicalize().map_err(|error| file_error(given, format_args!("cannot be read: {error}")))?;
    if absolute.is_dir() {
        return import_folder(&absolute, given, out, settings);
    }
    let unpacked = unpack_other(&absolute, "problem.xml").map_err(|reason| file_error(given, reason))?;
    let root = unpacked.root().canonicalize().map_err(|error| file_error(given, error))?;
    import_folder(&root, given, out, settings)
}

fn import_folder(root: &Path, given: &Path, out: &Path, settings: &Settings) -> Result<Imported, ExchangeError> {
    let shown = given.join("problem.xml");
    xml::check_links(root)?;
    let text = xml::text(&root.join("problem.xml"), &shown)?;
    let document = xml::parse(&text, &shown)?;
    let problem = problem::read(xml::Element::root(&document, &shown)?, settings.testlib.as_deref())?;
    let target = Target::new(out, &problem.short_name)?;
    let mut notes = Notes::default();
    let mut unused_files = UnusedFiles::new(root);
    let mut files = Files::default();
    let mut maker = Maker::new(root, &problem, settings)?;
    let data = gather(root, &problem, &mut maker, &mut files, &mut unused_files, &mut notes)?;
    report_unused(&problem, &document, &unused_files, &mut notes);
    let package = write::write(&files, &target, |package| write::check(package, &problem, &data))?;
    Ok(Imported { folder: target.path, package, notes, generated: maker.generated })
}

fn gather<'a>(
    root: &'a Path,
    problem: &'a Problem<'a>,
    maker: &mut Maker<'a>,
    files: &mut Files,
    unused_files: &mut UnusedFiles,
    notes: &mut Notes,
) -> Result<Data, ExchangeError> {
    let mut programs = Programs { root, problem, files, unused_files, notes };
    let arguments = programs.output_validator()?;
    programs.input_validators()?;
    let validators_use_names = programs.validators_use_names();
    let languages = data::languages(root);
    let converted = Vec::new();
    let cases = Cases { root, problem, maker, files, unused_files, notes, validators_use_names, languages, converted };
    let mut data = cases.write_all()?;
    validator_tests::write(root, problem, files, unused_files, notes)?;
    Programs { root, problem, files, unused_files, notes }.generators(&data.cases);
    data.submissions = solutions::write(root, problem, files, unused_files, notes)?;
    let names = statements::write(root, problem, files, unused_files, notes);
    attachments(root, problem, files, unused_files);
    groups(&data, &arguments, files);
    files.text("problem.yaml", write::problem_yaml(problem, &names, data.scoring, notes));
    Ok(data)
}

/// Writes `test_group.yaml` for the folders that need one.
fn groups(data: &Data, arguments: &[&str], files: &mut Files) {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for (folder, text) in &data.groups {
        texts.entry(folder).or_default().push_str(text);
    }
    for part in ["sample", "secret"] {
        let has_cases = data.cases.iter().any(|case| case.name.starts_with(part));
        if has_cases && !arguments.is_empty() {
            texts.entry(part).or_default().push_str(&programs::arguments_line(arguments));
        }
    }
    for (folder, text) in texts {
        files.text(format!("data/{folder}/test_group.yaml"), text);
    }
}

/// Copies files for contestants, and files that are compiled with every submission.
fn attachments(root: &Path, problem: &Problem<'_>, files: &mut Files, unused_files: &mut UnusedFiles) {
    for file in &problem.attachments {
        let name = file.path.rsplit('/').next().unwrap_or(file.path);
        if let Some(found) = unused_files.take(root, file.path).filter(|_| referee_package::is_legal_name(name)) {
            files.copy(format!("attachments/{name}"), &found);
        }
    }
    for file in &problem.resources {
        let is_for_solutions = file
            .element
            .below("assets", "asset")
            .iter()
            .any(|asset| asset.attribute("name").is_some_and(|name| name.eq_ignore_ascii_case("solution")));
        let name = file.path.rsplit('/').next().unwrap_or(file.path);
        if !is_for_solutions || !referee_package::is_legal_name(name) {
            continue;
        }
        let kinds = file.element.attribute("for-types").unwrap_or_default();
        let mut languages: BTreeSet<&str> = kinds.split([',', ';', ' ']).filter_map(language).collect();
        if languages.is_empty() {
            languages.insert("default");
        }
        if let Some(found) = unused_files.take(root, file.path) {
            for language in languages {
                files.copy(format!("include/{language}/{name}"), &found);
            }
        }
    }
}

/// Returns the format's language for a type of Polygon such as `cpp.*`; `None` if the type is not known.
fn language(kind: &str) -> Option<&'static str> {
    let word = kind.split('.').next()?.trim();
    let known =
        [("cpp", "cpp"), ("c", "c"), ("java", "java"), ("python", "python3"), ("kotlin", "kotlin"), ("pas", "pascal")];
    known
        .iter()
        .find(|(polygon, _)| word.trim_end_matches(|last: char| last.is_ascii_digit()) == *polygon)
        .map(|&(_, own)| own)
}

/// Elements of `problem.xml` that the import reads, or that carry no information of their own.
const KNOWN: [&str; 53] = [
    "problem",
    "names",
    "name",
    "statements",
    "statement",
    "tutorials",
    "tutorial",
    "judging",
    "testset",
    "time-limit",
    "memory-limit",
    "test-count",
    "input-path-pattern",
    "answer-path-pattern",
    "output-path-pattern",
    "tests",
    "test",
    "groups",
    "group",
    "dependencies",
    "dependency",
    "files",
    "resources",
    "file",
    "executables",
    "executable",
    "source",
    "binary",
    "assets",
    "asset",
    "checker",
    "copy",
    "interactor",
    "runs",
    "run",
    "validators",
    "validator",
    "solutions",
    "solution",
    "extra-tags",
    "extra-tag",
    "tags",
    "tag",
    "attachments",
    "stresses",
    "stress-count",
    "stress-path-pattern",
    "list",
    "properties",
    "documents",
    "extra-validators",
    "materials",
    "stages",
];

/// Reports the elements, values and files that the import did not use.
fn report_unused(
    problem: &Problem<'_>,
    document: &roxmltree::Document<'_>,
    unused_files: &UnusedFiles,
    notes: &mut Notes,
) {
    let mut unknown: BTreeMap<&str, usize> = BTreeMap::new();
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let name = node.tag_name().name();
        let dropped = ["property", "stress", "document", "extra-validator", "material"].contains(&name);
        if dropped || !KNOWN.contains(&name) {
            *unknown.entry(name).or_default() += 1;
        }
    }
    for (name, count) in unknown {
        let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
        notes.lose(format!("<{name}> in problem.xml ({times})"));
    }
    for stream in &problem.streams {
        notes.lose(format!(
            "the file name {stream:?} for input or output: in the new package, programs use standard input and output"
        ));
    }
    for (folder, names) in unused_files.by_folder() {
        notes.lose(format!("files in {folder}: {}", referee_text::list::first_names(&names, 4)));
    }
}

/// The files of the Polygon package that the import has not used yet.
struct UnusedFiles(BTreeSet<PathBuf>);

/// The largest number of files and folders that are examined in the search for unused files.
const MOST_FILES: usize = 200_000;

impl UnusedFiles {
    fn new(root: &Path) -> UnusedFiles {
        let walk = WalkDir::new(root).max_depth(32).into_iter().take(MOST_FILES).filter_map(Result::ok);
        let files = walk.filter(|entry| entry.file_type().is_file());
        let below = |entry: walkdir::DirEntry| entry.path().strip_prefix(root).map(Path::to_path_buf).ok();
        let mut unused_files: BTreeSet<_> = files.filter_map(below).collect();
        unused_files.remove(Path::new("problem.xml"));
        UnusedFiles(unused_files)
    }

    /// Returns the real path of the file at `path` and marks the file as used. `None` if it does not exist or is
    /// outside the package.
    fn take(&mut self, root: &Path, path: &str) -> Option<PathBuf> {
        let found = xml::existing_file(root, path)?;
        self.0.remove(Path::new(path));
        Some(found)
    }

    /// Takes a file like [`UnusedFiles::take`]. Returns `None` if the path does not exist; the caller then generates
    /// the file. Fails if the path exists but is not a usable file, because a generated file would hide the mistake.
    fn take_or_refuse(&mut self, root: &Path, path: &str) -> Result<Option<PathBuf>, ExchangeError> {
        match xml::unfit(root, path) {
            Some(why) => {
                Err(file_error(Path::new(path), format_args!("{why}; a test of the package must be a regular file")))
            }
            None => Ok(self.take(root, path)),
        }
    }

    /// Returns the names of the unused files by folder.
    fn by_folder(&self) -> BTreeMap<String, Vec<String>> {
        let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for path in &self.0 {
            let folder = path.parent().filter(|above| !above.as_os_str().is_empty());
            let folder = folder.map_or_else(|| "the top folder".to_owned(), |above| format!("{}/", above.display()));
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            folders.entry(folder).or_default().push(name);
        }
        folders
    }
}

/// Returns the names in a folder, sorted.
fn names_in(folder: &Path) -> Vec<String> {
    let found = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut names: Vec<_> = found.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}
