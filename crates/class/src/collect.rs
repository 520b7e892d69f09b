//! Copies the sources of each student into a temporary folder, under the names that the student gave them.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::choice::{self, LARGEST_FILE, Source};
use super::endings::{Endings, ending_of, stem_of};
use super::layout::Found;
use super::listing::Listing;
use super::main_file::{self, SourceText, Start};
use super::names::{self, NameParts};
use super::program_language::{self, Choice};
use super::students::{FoundFile, FoundStudent};
use super::{Attempt, Class, Program, kinds};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use referee_event::{ClassLayout, NotJudged, Student};
use referee_files::{stop, temporary};
use referee_language::{Detected, Language, Shebangs, Table};
use referee_text::list::first_names;
use referee_text::printable::printable_line;

/// The largest total size of the sources of one student, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// The longest name that a file can have on Linux, in bytes.
const LONGEST_NAME: usize = 255;

/// The number of files that a reason names.
const MOST_NAMED: usize = 4;

/// How programs are collected.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether each attempt of a student is judged. Otherwise only the latest counts.
    pub all_attempts: bool,
    /// Whether the first line of a file may decide its language.
    pub shebangs: Shebangs,
}

/// Collects the programs of a class.
#[derive(Debug)]
pub struct Collector<'a> {
    /// The known languages.
    pub languages: &'a Table,
    /// The endings of sources.
    pub endings: &'a Endings,
    /// How programs are collected.
    pub options: Options,
}

impl Collector<'_> {
    /// Copies the sources of the students. Fails if the copies cannot be written, or if the user wants the program to
    /// stop. A fault of a student's files is in that student's [`Attempt::program`].
    pub fn collect(&self, mut listing: Listing, found: Found) -> io::Result<Class> {
        let copies = temporary::folder("class").map_err(temporary::without_name)?;
        let Found { layout, students: mut all, ignored } = found;
        all.sort_by_cached_key(|student| (student.name.to_lowercase(), student.name.clone(), student.folder.clone()));
        let mut attempts = Vec::new();
        for student in &all {
            let first = if self.options.all_attempts { 0 } else { student.attempts.len() - 1 };
            for (number, files) in student.attempts.iter().enumerate().skip(first) {
                if stop::is_wanted() {
                    return Err(stop::error());
                }
                let folder = copies.path().join(attempts.len().to_string());
                attempts.push(self.attempt(layout, student, number, files, &mut listing, &folder)?);
            }
        }
        name(&mut attempts, self.options.all_attempts);
        Ok(Class { layout, attempts, ignored, _copies: copies })
    }

    /// Copies the sources of one program. The result has one attempt, whose name is that of the file or folder. Fails
    /// like [`Collector::collect`].
    pub fn collect_program(&self, listing: Listing) -> io::Result<Class> {
        let found = Found::of_program(&listing);
        self.collect(listing, found)
    }

    fn attempt(
        &self,
        layout: ClassLayout,
        student: &FoundStudent,
        number: usize,
        files: &[FoundFile],
        listing: &mut Listing,
        folder: &Path,
    ) -> io::Result<Attempt> {
        let attempts = student.attempts.len();
        let mut judged = Vec::new();
        let program = match choice::sources(files, &student.ignored, listing, self.endings) {
            Err(not_judged) => Err(not_judged),
            Ok(sources) => self.program(&sources, listing, folder)?.map_err(NotJudged::from).map(|(program, used)| {
                judged = used;
                let remarks: Vec<_> = program.remark.into_iter().chain(choice::unfit(files, listing)).collect();
                Program { remark: (!remarks.is_empty()).then(|| remarks.join(", ")), ..program }
            }),
        };
        let named = if judged.is_empty() { files.iter().map(|file| file.entry).collect() } else { judged };
        let is_in: HashSet<_> = named.iter().copied().collect();
        let is_named = |file: &&FoundFile| is_in.contains(&file.entry);
        let own_files = files.iter().filter(is_named).map(|file| printable_line(&file.inner.join("/"))).collect();
        let canvas_file = files.iter().filter(is_named).find_map(|file| file.canvas_file.clone());
        let late: Vec<bool> = files.iter().filter(is_named).filter_map(|file| file.is_late).collect();
        let student = Student {
            name: student.name.clone(),
            layout,
            moodle_id: student.moodle_id.clone(),
            canvas_id: student.canvas_id.clone(),
            canvas_submission_id: canvas_file,
            is_late: (!late.is_empty()).then(|| late.contains(&true)),
            attempt: (attempts > 1).then_some(number as u32 + 1),
            attempts: attempts as u32,
            folder: student.folder.clone(),
            files: if program.is_ok() {
                named.iter().map(|&entry| listing.entries[entry].shown()).collect()
            } else {
                Vec::new()
            },
        };
        Ok(Attempt { submission: String::new(), student, own_files, program: program.map_err(printable) })
    }

    /// Makes the program of these sources, and returns it with the entries that are judged. The inner error is the
    /// reason why the sources cannot be judged.
    fn program(
        &self,
        sources: &[Source],
        listing: &mut Listing,
        folder: &Path,
    ) -> io::Result<Result<(Program, Vec<usize>), String>> {
        let mut texts = match texts(sources, listing) {
            Ok(texts) => texts,
            Err(reason) => return Ok(Err(reason)),
        };
        keep_mentioned_names(sources, &mut texts)?;
        for text in &texts {
            if let Err(error) = write(&folder.join(text.path.iter().collect::<PathBuf>()), &text.text) {
                return if error.kind() == io::ErrorKind::AlreadyExists || is_unfit_name(&error) {
                    Ok(Err(format!("{} has a name that another file has, too, or that no file can have", text.shown())))
                } else {
                    Err(error)
                };
            }
        }
        let path = match texts.as_slice() {
            [only] => folder.join(only.path.iter().collect::<PathBuf>()),
            _ => folder.to_path_buf(),
        };
        let declared = match self.declared_language(sources, &texts, folder) {
            Ok(declared) => declared,
            Err(reason) => return Ok(Err(reason)),
        };
        let Detected::Source(language) = self.languages.detect(&path, declared.as_deref(), self.options.shebangs)
        else {
            let names: Vec<_> = texts.iter().map(SourceText::shown).collect();
            return Ok(Err(format!(
                "found {}, but no program in a known language; {}",
                first_names(&names, MOST_NAMED),
                self.endings.allowed()
            )));
        };
        let total = texts.iter().map(|text| text.text.len() as u64).sum();
        let program = Program {
            path,
            language: declared,
            language_name: language.name.clone(),
            bytes: total,
            entry_point: None,
            remark: None,
        };
        started(program, language, sources, &texts, folder)
    }

    /// Returns the id of the language of the sources; `None` if their endings decide. Fails with the reason if the
    /// sources are programs in several languages.
    fn declared_language(
        &self,
        sources: &[Source],
        texts: &[SourceText],
        folder: &Path,
    ) -> Result<Option<String>, String> {
        if let Some(declared) = sources.iter().find_map(|source| source.declared.clone()) {
            return Ok(Some(declared));
        }
        let of_file = |text: &SourceText| {
            let path = folder.join(text.path.iter().collect::<PathBuf>());
            match self.languages.detect(&path, None, self.options.shebangs) {
                Detected::Source(language) => Some(language),
                Detected::Executable | Detected::Unknown => None,
            }
        };
        let of_files: Vec<_> = texts.iter().map(of_file).collect();
        match program_language::choose(&of_files, texts) {
            Choice::Language(language) => Ok(Some(language.id.clone())),
            Choice::Several(all) => Err(several_programs(&all, texts)),
            Choice::Undecided => Ok(None),
        }
    }
}

/// Returns the reason and the hint without characters that cannot be printed.
fn printable(not_judged: NotJudged) -> NotJudged {
    NotJudged { reason: printable_line(&not_judged.reason), hint: not_judged.hint.map(|hint| printable_line(&hint)) }
}

/// Returns the reason why none of several programs is judged.
fn several_programs(all: &[usize], texts: &[SourceText]) -> String {
    let names: Vec<_> = all.iter().map(|&index| texts[index].shown()).collect();
    let shown = first_names(&names, MOST_NAMED);
    format!("{} programs were handed in: {shown}; keep one, or call one of them main", names.len())
}

/// Gives a file back the number at the end of its name if another file mentions the name with the number. Canvas adds
/// such numbers, but students do so, too. Fails if the search becomes too large.
fn keep_mentioned_names(sources: &[Source], texts: &mut [SourceText]) -> io::Result<()> {
    let stem = |source: &Source| source.numbered_name.as_deref().map(|name| stem_of(name).to_owned());
    // A file cannot have a longer name anyway, and the search needs memory for each byte.
    let numbered: Vec<(usize, String)> = sources
        .iter()
        .enumerate()
        .filter_map(|(index, source)| Some((index, stem(source).filter(|stem| stem.len() <= LONGEST_NAME)?)))
        .collect();
    // All names are looked up in one pass: a student may hand in many files with numbers.
    let mut search = AhoCorasick::builder();
    let search = search.kind(Some(AhoCorasickKind::ContiguousNFA)).build(numbered.iter().map(|(_, stem)| stem));
    let search = search.map_err(io::Error::other)?;
    let mut is_mentioned = vec![false; numbered.len()];
    for (other, text) in texts.iter().enumerate() {
        for found in search.find_overlapping_iter(&text.text) {
            let name = found.pattern().as_usize();
            is_mentioned[name] |= numbered[name].0 != other;
        }
    }
    for (index, stem) in
        numbered.iter().zip(is_mentioned).filter_map(|(name, is_mentioned)| is_mentioned.then_some(name))
    {
        if let Some(name) = texts[*index].path.last_mut() {
            *name = format!("{stem}.{}", ending_of(name));
        }
    }
    Ok(())
}

/// Decides with which of the sources the program starts.
fn started(
    mut program: Program,
    language: &Language,
    sources: &[Source],
    texts: &[SourceText],
    folder: &Path,
) -> io::Result<Result<(Program, Vec<usize>), String>> {
    let is_own = |index: &usize| {
        let name = texts[*index].path.last().map_or("", String::as_str);
        language.all_endings().any(|own| own == ending_of(name)) || choice::is_header(name)
    };
    let (own, foreign): (Vec<usize>, Vec<usize>) = (0..texts.len()).partition(is_own);
    let own_texts: Vec<_> = own
        .iter()
        .map(|&index| SourceText { path: texts[index].path.clone(), text: texts[index].text.clone() })
        .collect();
    let name = |index: usize| own_texts[index].shown();
    let mut left_out: Vec<String> = foreign.iter().map(|&index| texts[index].shown()).collect();
    for &index in &foreign {
        fs::remove_file(folder.join(texts[index].path.iter().collect::<PathBuf>()))?;
        program.bytes -= texts[index].text.len() as u64;
    }
    let mut used = own.clone();
    let (entry_point, start) = match main_file::start(language, &own_texts) {
        Start::AsJudge => (None, None),
        Start::Several(all) => {
            return Ok(Err(several_programs(&all, &own_texts)));
        }
        Start::Class(index, class) => (Some(class), Some(name(index))),
        Start::File(index, others) => {
            for &other in &others {
                fs::remove_file(folder.join(own_texts[other].path.iter().collect::<PathBuf>()))?;
                program.bytes -= own_texts[other].text.len() as u64;
                left_out.push(name(other));
            }
            used = own.iter().enumerate().filter(|(at, _)| !others.contains(at)).map(|(_, &index)| index).collect();
            (language.starts_with_file().then(|| name(index)), Some(name(index)))
        }
    };
    let start = start.filter(|_| used.len() > 1 || !left_out.is_empty()).map(|file| format!("starts with {file}"));
    let left_out = (!left_out.is_empty()).then(|| format!("without {}", first_names(&left_out, MOST_NAMED)));
    let remark: Vec<_> = start.into_iter().chain(left_out).collect();
    let remark = (!remark.is_empty()).then(|| printable_line(&remark.join(", ")));
    Ok(Ok((Program { entry_point, remark, ..program }, used.iter().map(|&index| sources[index].entry).collect())))
}

/// Reads the sources. Fails with the reason if one cannot be read, is no text, or if they are too large together.
fn texts(sources: &[Source], listing: &mut Listing) -> Result<Vec<SourceText>, String> {
    let (mut texts, mut total) = (Vec::new(), 0);
    for source in sources {
        let name = &source.name;
        let text = listing.contents.beginning(source.entry, LARGEST_FILE + 1).map_err(|why| format!("{name} {why}"))?;
        if text.len() as u64 > LARGEST_FILE {
            return Err(format!("{name} has more than the {LARGEST_FILE} bytes allowed"));
        }
        if let Some(kind) = kinds::by_bytes(&text[..text.len().min(kinds::COMPARED_BYTES as usize)]) {
            return Err(format!("{name} is {kind}, whatever its ending says; allowed: sources, which are plain text"));
        }
        total += text.len() as u64;
        if total > MOST_BYTES {
            return Err(format!("the sources have more than the {} MiB allowed", MOST_BYTES >> 20));
        }
        texts.push(SourceText { path: source.path.clone(), text });
    }
    Ok(texts)
}

fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = fs::File::options().write(true).create_new(true).open(path)?;
    io::Write::write_all(&mut file, text)
}

/// Returns whether a name is too long, has a NUL, or is that of a file where a folder must be.
fn is_unfit_name(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, InvalidInput, IsADirectory, NotADirectory};
    matches!(error.kind(), InvalidFilename | InvalidInput | IsADirectory | NotADirectory)
}

/// Gives each attempt a name in the run.
fn name(all: &mut [Attempt], all_attempts: bool) {
    let parts: Vec<_> = all.iter().map(|one| name_parts(&one.student, all_attempts)).collect();
    let names = names::unique(&parts);
    all.iter_mut().zip(names).for_each(|(one, name)| one.submission = name);
}

fn name_parts(student: &Student, all_attempts: bool) -> NameParts<'_> {
    let identifier = match student.layout {
        ClassLayout::Moodle => student.moodle_id.as_deref(),
        ClassLayout::Canvas => student.canvas_id.as_deref(),
        ClassLayout::GithubClassroom | ClassLayout::Folders | ClassLayout::Files => None,
    };
    NameParts {
        name: &student.name,
        identifier: identifier.unwrap_or(&student.folder),
        attempt: student.attempt.filter(|_| all_attempts),
    }
}

#[cfg(test)]
mod tests;
