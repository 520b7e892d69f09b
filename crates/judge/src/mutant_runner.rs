//! Runs many programs that differ little on all test cases of a package. For each program it finds out what the
//! compiler made of it, and on each case whether the program is right.
//!
//! The results are remembered like those of submissions, but in a place of their own: thousands of mutants must not
//! displace the results of submissions.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use blake3::Hasher;
use walkdir::WalkDir;

use super::build::{self, Build, Built, Role, Source};
use super::build_cache::contents::hash_field;
use super::case::{self, Bench};
use super::compile::lacked_something;
use super::executable::{Executable, Site};
use super::folder::Folder;
use super::results::{Ledger, Page};
use super::retry::asked_again;
use super::validator::{self, Validator};
use super::{Cache, JudgeError, MAKING_A_FOLDER, Settings, Submission, workspace};
use referee_event::CaseFinished;
use referee_grading::verdict::Verdict;
use referee_package::{Package, TestCase};

/// A place to run programs on a package's test cases.
pub struct Rows<'a> {
    package: &'a Package,
    settings: &'a Settings,
    validator: Validator,
    ledger: Option<Ledger<'a>>,
    workspace: Folder,
}

/// What a compiler made, in one number: programs with the same do the same.
pub type Digest = [u8; 32];

/// What came of building a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Product {
    /// It can be run.
    Made(Digest),
    /// It does not compile; the compiler's words.
    Failed(String),
    /// This machine, or the judge, cannot build it; why.
    Unavailable(String),
}

/// What a run found out about a program.
pub struct Row {
    /// The result of building it.
    pub product: Product,
    /// By test case; `None` where it was not run.
    pub results: Vec<Option<CaseFinished>>,
    /// Whether all of it is what earlier runs have found out.
    pub cached: bool,
}

/// How far a program is run.
pub trait StopPolicy {
    /// Whether it is run at all, when it is known what the compiler made.
    fn begins(&self, product: &Digest) -> bool;
    /// The case that is run next, after these results; `None` if that is enough.
    fn next(&self, results: &[Option<CaseFinished>]) -> Option<usize>;
    /// Whether one run that took too long is enough to remember it, as of programs that often never end.
    fn takes_slow_as_slow(&self) -> bool;
}

/// Returns the settings for programs that differ little: all cases are run, and results are remembered in a place of
/// their own.
pub fn settings_of_rows(settings: &Settings) -> Settings {
    let cache = settings.cache.as_ref().and_then(|_| Cache::of_mutants().ok()).map(Arc::new);
    Settings { cache, all_cases: true, feedback: None, earlier: None, keyed: false, ..settings.clone() }
}

/// The name of a note: what the compiler made of a program.
const PRODUCT: &str = "product";

impl<'a> Rows<'a> {
    /// Builds the package's output validators, by `settings`; programs are run by `of_rows`.
    pub fn open(package: &'a Package, settings: &Settings, of_rows: &'a Settings) -> Result<Self, JudgeError> {
        super::refuse_what_cannot_be_judged(package)?;
        let workspace = workspace().map_err(|source| JudgeError::System { doing: MAKING_A_FOLDER, source })?;
        let site = Site { workspace: workspace.path(), package: &package.root, drawn: None };
        let validator = validator::prepare(package, &package.cases, settings, site)?;
        let ledger = Ledger::open(package, &package.cases, of_rows, &validator);
        Ok(Rows { package, settings: of_rows, validator, ledger, workspace })
    }

    /// Builds and runs a program, as far as `patience` goes and it is not known from earlier runs.
    pub fn run(&self, submission: &Submission, patience: &dyn StopPolicy) -> Result<Row, JudgeError> {
        let plan = build::plan(&self.source(submission), self.settings, self.site())?;
        let page = self.ledger.as_ref().zip(plan.key()).map(|(ledger, key)| ledger.page(&key, submission));
        let known = known(page.as_ref());
        let slow_is_slow = patience.takes_slow_as_slow();
        let mut runner = Runner { rows: self, submission, plan: Some(plan), program: None, page, slow_is_slow };
        let product = match known {
            Some(product) => product,
            None => runner.build()?,
        };
        let mut results = vec![None; self.package.cases.len()];
        if let Product::Made(digest) = &product
            && patience.begins(digest)
        {
            while let Some(index) = patience.next(&results).filter(|index| matches!(results.get(*index), Some(None))) {
                match runner.result(index, &self.package.cases[index])? {
                    Ok(result) => results[index] = Some(result),
                    // It could be built once, and is to be run on a case that is new.
                    Err(reason) => return Ok(Row { product: Product::Unavailable(reason), results, cached: false }),
                }
            }
        }
        Ok(Row { product, results, cached: runner.plan.is_some() })
    }

    fn keep(&self, page: Option<&Page>, product: &Product) {
        let Some((ledger, page)) = self.ledger.as_ref().zip(page) else { return };
        match product {
            Product::Made(digest) => ledger.keep_note(page, PRODUCT, &[&[1], &digest[..]].concat()),
            Product::Failed(message) => ledger.keep_note(page, PRODUCT, &[&[0], message.as_bytes()].concat()),
            Product::Unavailable(_) => {}
        }
    }

    fn source<'s>(&'s self, submission: &'s Submission) -> Source<'s> {
        Source {
            path: &submission.path,
            language: submission.language.as_deref(),
            entry_point: submission.entry_point.as_deref(),
            code_bytes: Some(self.settings.limits.code_bytes),
            role: Role::Submission,
            package: submission.expectations.is_some().then_some(self.package.root.as_path()),
            constants: submission.expectations.is_some().then_some(&self.package.constants),
            added: &[],
            includes: Some(self.package),
        }
    }

    fn site(&self) -> Site<'_> {
        Site { workspace: self.workspace.path(), package: &self.package.root, drawn: None }
    }
}

fn known(page: Option<&Page>) -> Option<Product> {
    let note = page?.note(PRODUCT)?;
    match note.split_first()? {
        (1, digest) => Some(Product::Made(digest.try_into().ok()?)),
        (0, message) => Some(Product::Failed(String::from_utf8_lossy(message).into_owned())),
        _ => None,
    }
}

/// One program on its way through the cases. It is built when something has to be run.
struct Runner<'r, 'a> {
    rows: &'r Rows<'a>,
    submission: &'r Submission,
    plan: Option<build::Plan<'r>>,
    program: Option<Executable>,
    page: Option<Page>,
    slow_is_slow: bool,
}

impl Runner<'_, '_> {
    fn build(&mut self) -> Result<Product, JudgeError> {
        let Some(plan) = self.plan.take() else { return Err(super::reorder::lost()) };
        let sources = plan.folder().map(contents).transpose().map_err(unreadable)?.unwrap_or_default();
        let Build { result, .. } = plan.make()?;
        let product = match result {
            Built::Ready(program) => {
                let digest = digest(program.folder(), &sources);
                self.program = Some(program);
                Product::Made(digest.map_err(unreadable)?)
            }
            // It may have what it needs the next time.
            Built::Failed(message) if lacked_something(&message) => Product::Unavailable(message),
            Built::Failed(message) => Product::Failed(message),
            // One program that cannot be built must not keep the others from being run.
            Built::Skipped(reason) | Built::Broken(reason) => Product::Unavailable(reason),
        };
        self.rows.keep(self.page.as_ref(), &product);
        Ok(product)
    }

    /// The inner error is why it cannot be run.
    fn result(&mut self, index: usize, case: &TestCase) -> Result<Result<CaseFinished, String>, JudgeError> {
        if let Some(known) = self.page.as_ref().and_then(|page| page.recall(index)) {
            return Ok(Ok(known));
        }
        if self.plan.is_some()
            && let Product::Failed(reason) | Product::Unavailable(reason) = self.build()?
        {
            return Ok(Err(reason));
        }
        let (rows, Some(program)) = (self.rows, &self.program) else { return Err(super::reorder::lost()) };
        let bench = Bench {
            kind: rows.package.kind,
            settings: rows.settings,
            validator: &rows.validator,
            workspace: rows.workspace.path(),
            package: &rows.package.root,
            cpu_factor: 1.0,
            anew: false,
        };
        let judge = || case::judge(&bench, &self.submission.name, program, case);
        let mut result = asked_again(judge()?, rows.settings.time, judge)?;
        let is_lasting = self.slow_is_slow || result.verdict != Verdict::TimeLimitExceeded;
        if let Some((ledger, page)) = rows.ledger.as_ref().zip(self.page.as_ref()).filter(|_| is_lasting) {
            ledger.keep(page, index, &mut result, self.submission);
        }
        Ok(Ok(result))
    }
}

fn unreadable(source: io::Error) -> JudgeError {
    JudgeError::System { doing: "looking at what a compiler has made", source }
}

/// Returns all files of a folder by their paths relative to it, with the hashes of their contents.
pub(super) fn contents(folder: &Path) -> io::Result<BTreeMap<PathBuf, blake3::Hash>> {
    let entries = WalkDir::new(folder).follow_root_links(true).min_depth(1).into_iter().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file());
    let below = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_path_buf();
    files.map(|entry| Ok((below(entry.path()), blake3::hash(&fs::read(entry.path())?)))).collect()
}

/// What of Python's compiled files tells when the source was written, in bytes.
const STAMP_BYTES: usize = 16;

/// Of all that was not there before the compiler came, or was something else; of everything, where it left nothing.
pub(super) fn digest(folder: &Path, sources: &BTreeMap<PathBuf, blake3::Hash>) -> io::Result<Digest> {
    let all = contents(folder)?;
    let made: Vec<_> = all.iter().filter(|(name, hash)| sources.get(*name) != Some(hash)).collect();
    let counted: Vec<_> = if made.is_empty() { all.iter().collect() } else { made };
    let mut hasher = Hasher::new();
    for (name, _) in counted {
        let bytes = fs::read(folder.join(name))?;
        let is_stamped = name.extension().is_some_and(|ending| ending == "pyc");
        let code = if is_stamped { bytes.get(STAMP_BYTES..).unwrap_or_default() } else { &bytes };
        hash_field(&mut hasher, name.as_os_str().as_encoded_bytes());
        hash_field(&mut hasher, code);
    }
    Ok(*hasher.finalize().as_bytes())
}
