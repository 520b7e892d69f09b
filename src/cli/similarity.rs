//! The options `--similarity` and `--template` of `grade`: reads the programs and compares them.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use super::Failure;
use referee_event::{NotCompared, ProgramSource, SimilarPair, SimilarRegion, SimilarityFinished, Student};
use referee_files::regular;
use referee_judge::Submission;
use referee_language::{Detected, Language, Shebangs, Table};
use referee_sandbox::interrupt;
use referee_similarity::{Comparison, MOST_BYTES, Pair, Program, Region, SourceFile, THRESHOLD};

/// The maximum number of pairs in the reports.
const MOST_PAIRS: usize = 200;

/// The number of pairs in the reports even if they are below the threshold.
const LEAST_PAIRS: usize = 10;

/// The maximum number of bytes of a file that the reports show.
const SHOWN_BYTES: u64 = 64 << 10;

/// The interval between two checks for an interruption during the comparison.
const INTERRUPT_POLL: Duration = Duration::from_millis(50);

/// The options for comparing programs.
#[derive(Debug, Args)]
pub(super) struct SimilarityArguments {
    /// After grading, list pairs of programs that share much of their code, also after renaming and reformatting
    ///
    /// Programs are compared within a language: C with C++, but not with Java. The HTML page shows both sources. A
    /// similar pair is a reason to look at it, and no proof of anything.
    #[arg(long, conflicts_with = "partition")]
    similarity: bool,

    /// Code that all programs started from, which does not count as shared: a source file or a folder of sources; may
    /// be repeated
    #[arg(long, value_name = "PATH", requires = "similarity")]
    template: Vec<PathBuf>,
}

/// Compares the programs of a run after their judging.
pub(super) struct Comparing {
    comparison: Comparison,
    shebangs: Shebangs,
}

impl SimilarityArguments {
    /// Returns whether programs are compared.
    pub(super) fn is_given(&self) -> bool {
        self.similarity
    }

    /// Reads the template. Returns `None` without `--similarity`. Fails if a file of the template cannot be compared.
    pub(super) fn begin(&self, languages: &Table, shebangs: Shebangs) -> Result<Option<Comparing>, Failure> {
        let mut comparing = Comparing { comparison: Comparison::default(), shebangs };
        for path in &self.template {
            comparing.add_template(path, languages)?;
        }
        Ok(self.similarity.then_some(comparing))
    }
}

impl Comparing {
    fn add_template(&mut self, path: &Path, languages: &Table) -> Result<(), Failure> {
        let unusable = |error: &dyn std::fmt::Display| {
            Failure::unusable(format!("--template {}: {error}", path.display()))
                .with_hint("give the source file that you handed out, or the folder with its files")
        };
        let files: Vec<_> = if path.metadata().map_err(|error| unusable(&error))?.is_dir() {
            languages.sources_in(path, self.shebangs)
        } else {
            match languages.detect(path, None, self.shebangs) {
                Detected::Source(language) => vec![(path.to_path_buf(), language)],
                Detected::Executable | Detected::Unknown => Vec::new(),
            }
        };
        if files.is_empty() {
            return Err(unusable(&"no source of a known language"));
        }
        for (file, language) in files {
            let named = |error: &dyn std::fmt::Display| unusable(&format!("{}: {error}", file.display()));
            let bytes = regular::read(&file, MOST_BYTES as u64).map_err(|error| named(&error))?;
            self.comparison.add_template(&language.id, &bytes).map_err(|unfit| named(&unfit))?;
        }
        Ok(())
    }

    /// Reads the submissions and compares them. Returns `None` soon after the user interrupts the judge.
    ///
    /// The parsers of hostile sources may take seconds and cannot be interrupted. So another thread compares, and goes
    /// on until the command ends.
    pub(super) fn finish(self, submissions: &[Submission], languages: &Arc<Table>) -> Option<SimilarityFinished> {
        let (submissions, languages) = (submissions.to_vec(), Arc::clone(languages));
        let (sender, receiver) = mpsc::channel();
        // The receiver is gone after an interruption.
        let comparing = thread::spawn(move || drop(sender.send(self.compare(&submissions, &languages))));
        loop {
            match receiver.recv_timeout(INTERRUPT_POLL) {
                Ok(finished) => return Some(finished),
                Err(_) if interrupt::happened() => return None,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let panic = comparing.join().err().unwrap_or_else(|| Box::new("the comparison sent no result"));
                    std::panic::resume_unwind(panic)
                }
            }
        }
    }

    fn compare(mut self, submissions: &[Submission], languages: &Table) -> SimilarityFinished {
        let started = Instant::now();
        let mut skipped = Vec::new();
        // The language of each submission that is read, and its path.
        let mut read: BTreeMap<&str, (&Path, &Language)> = BTreeMap::new();
        let mut seen = HashMap::new();
        for submission in submissions.iter().filter(|submission| submission.left_out.is_none()) {
            let name = submission.name.as_str();
            let again =
                seen.insert(submission.path.as_path(), name).map(|first| format!("it is the same file as {first}"));
            let found = again.map_or_else(|| language_of(submission, languages, self.shebangs), Err);
            let added = found.and_then(|language| {
                let files =
                    files(&submission.path, language, MOST_BYTES as u64 + 1).map_err(|error| error.to_string())?;
                self.add(submission, language, &files);
                read.insert(name, (submission.path.as_path(), language));
                Ok(())
            });
            if let Err(reason) = added {
                skipped.push(NotCompared { submission: name.to_owned(), reason });
            }
        }
        let similar = self.comparison.finish(MOST_PAIRS, THRESHOLD);
        skipped.extend(
            similar
                .skipped
                .into_iter()
                .map(|(submission, unfit)| NotCompared { submission, reason: unfit.to_string() }),
        );
        let shown = LEAST_PAIRS.max(similar.similar);
        let pairs: Vec<_> = similar.pairs.into_iter().take(shown).map(pair).collect();
        SimilarityFinished {
            sources: sources(&pairs, &read),
            pairs,
            similar: similar.similar,
            compared: similar.compared,
            skipped,
            cut: similar.cut,
            threshold: THRESHOLD,
            seconds: started.elapsed().as_secs_f64(),
        }
    }

    fn add(&mut self, submission: &Submission, language: &Language, files: &[(String, Vec<u8>)]) {
        let files = files.iter().map(|(name, bytes)| SourceFile { name, bytes }).collect();
        let author = submission.student.as_deref().map(author);
        let (name, author) = (&submission.name, author.as_deref());
        self.comparison.add(&Program { name, author, language: &language.id, files });
    }
}

/// Returns what tells a student from the other students of the class. All attempts of a student have the same.
fn author(student: &Student) -> String {
    let id = student.moodle_id.as_deref().or(student.canvas_id.as_deref());
    id.map_or_else(|| student.name.clone(), str::to_owned)
}

/// Returns the language of a submission. The error is the reason why it cannot be compared.
fn language_of<'t>(submission: &Submission, languages: &'t Table, shebangs: Shebangs) -> Result<&'t Language, String> {
    let path = &submission.path;
    // The target of a link may be the program of another student. `grade` does not judge links, either.
    if path.symlink_metadata().is_ok_and(|found| found.is_symlink()) {
        return Err("it is a link".to_owned());
    }
    match languages.detect(path, submission.language.as_deref(), shebangs) {
        Detected::Source(language) => Ok(language),
        Detected::Executable => Err("it has no source".to_owned()),
        Detected::Unknown => Err("its language is unknown".to_owned()),
    }
}

/// Returns the files of a program: the path of each relative to the program's folder, and at most its first `most`
/// bytes. Fails if one cannot be read.
fn files(path: &Path, language: &Language, most: u64) -> io::Result<Vec<(String, Vec<u8>)>> {
    if !path.is_dir() {
        return Ok(vec![(String::new(), beginning(path, most)?)]);
    }
    let mut left = most;
    let mut files = Vec::new();
    for below in language.sources(path) {
        let bytes = beginning(&path.join(&below), left)?;
        left -= bytes.len() as u64;
        files.push((below.display().to_string(), bytes));
    }
    Ok(files)
}

fn beginning(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    regular::Stoppable(regular::open(path)?.take(most)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn pair(pair: Pair) -> SimilarPair {
    let region = |Region { a, b }: Region| SimilarRegion {
        file_a: a.file,
        first_line_a: a.first_line,
        last_line_a: a.last_line,
        file_b: b.file,
        first_line_b: b.first_line,
        last_line_b: b.last_line,
    };
    SimilarPair {
        a: pair.a,
        b: pair.b,
        similarity: pair.similarity,
        share_of_a: pair.share_of_a,
        share_of_b: pair.share_of_b,
        lines_a: pair.lines_a,
        lines_b: pair.lines_b,
        regions: pair.regions.into_iter().map(region).collect(),
    }
}

/// Returns the sources of the similar pairs, each once. Leaves out those that cannot be read again.
fn sources(pairs: &[SimilarPair], read: &BTreeMap<&str, (&Path, &Language)>) -> Vec<ProgramSource> {
    let mut sources: Vec<ProgramSource> = Vec::new();
    for name in pairs.iter().filter(|pair| pair.similarity >= THRESHOLD).flat_map(|pair| [&pair.a, &pair.b]) {
        let Some((path, language)) = read.get(name.as_str()) else { continue };
        if sources.iter().all(|source| source.submission != *name)
            && let Ok(files) = files(path, language, SHOWN_BYTES)
        {
            sources.push(ProgramSource { submission: name.clone(), files });
        }
    }
    sources
}
