//! Chooses the sources of a student among the files that were handed in, or says why there are none.

use std::collections::HashSet;

use super::endings::{Endings, NameKind, ending_of, stem_of};
use super::listing::{Kind, Listing};
use super::students::FoundFile;
use super::{ignored, kinds};
use referee_event::NotJudged;
use referee_text::list::first_names;
use referee_text::printable::printable_line;

/// The largest source, in bytes.
pub(crate) const LARGEST_FILE: u64 = 16 << 20;

/// The largest number of sources of one student.
const MOST_SOURCES: usize = 1 << 10;

/// A chosen source.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The index in the listing.
    pub(crate) entry: usize,
    /// The name that the student gave the file.
    pub(crate) name: String,
    /// The name with a number at its end that Canvas may have added; `None` if there is no such number.
    pub(crate) numbered_name: Option<String>,
    /// The path of the copy in the program's folder. Its ending is that of the language.
    pub(crate) path: Vec<String>,
    /// The id of the language that the user declared for this ending; `None` if the judge detects the language.
    pub(crate) declared: Option<String>,
}

/// A file that may be a source.
struct Candidate<'a> {
    file: &'a FoundFile,
    kind: NameKind,
    /// Whether a language has the ending of the file, whatever the user declared.
    is_known: bool,
}

impl<'a> Candidate<'a> {
    fn of(file: &'a FoundFile, endings: &Endings) -> Candidate<'a> {
        let name = name_of(file);
        Candidate { file, kind: endings.kind_of(name), is_known: endings.is_known(name) }
    }
}

/// Returns the sources among the files of an attempt. Fails with the reason why there are none: the files that were
/// found, among them the `ignored` ones, and the allowed ones. Also fails if a file or folder cannot be read, because it
/// may be a part of the program.
pub(crate) fn sources(
    files: &[FoundFile],
    ignored: &[String],
    listing: &Listing,
    endings: &Endings,
) -> Result<Vec<Source>, NotJudged> {
    if let Some(reason) = files.iter().find_map(|file| unread(file, listing)) {
        return Err(reason.into());
    }
    let handed_in: Vec<_> = files.iter().filter(|file| !file.is_online_text).collect();
    if handed_in.is_empty() {
        return Err(nothing(files, ignored, endings).into());
    }
    let counted: Vec<_> = handed_in.into_iter().filter(|file| !ignored::is_ignored_file(name_of(file))).collect();
    let (built, own): (Vec<&FoundFile>, Vec<&FoundFile>) = counted.iter().partition(|file| is_built(file));
    let mut chosen = chosen_among(&own, endings);
    if chosen.is_empty() {
        chosen = chosen_among(&built, endings);
    }
    if chosen.is_empty() {
        let own = files.iter().filter(|file| !file.is_online_text);
        let tools = own.map(|file| file.inner.join("/")).collect::<Vec<_>>();
        let only_of_tools = || only_ignored(&[&tools, ignored].concat(), endings);
        return Err(if counted.is_empty() { only_of_tools().into() } else { no_source(&counted, listing, endings) });
    }
    let entries: HashSet<_> = chosen.iter().map(|source| source.entry).collect();
    let is_chosen = |file: &FoundFile| entries.contains(&file.entry);
    let headers: Vec<_> = counted.iter().filter(|file| is_header(name_of(file)) && !is_chosen(file)).collect();
    chosen.extend(headers.into_iter().map(|file| Source {
        entry: file.entry,
        name: name_of(file).to_owned(),
        numbered_name: file.numbered_name.clone(),
        path: file.inner.clone(),
        declared: None,
    }));
    if chosen.len() > MOST_SOURCES {
        return Err(format!("{} sources were handed in, allowed: at most {MOST_SOURCES}", chosen.len()).into());
    }
    chosen.iter().try_for_each(|source| check(source, listing))?;
    Ok(without_common_folders(chosen))
}

/// Returns the files with an ending of a language. If there are none, returns those whose language the user declared.
fn chosen_among(files: &[&FoundFile], endings: &Endings) -> Vec<Source> {
    let all: Vec<_> = files.iter().map(|file| Candidate::of(file, endings)).collect();
    let chosen =
        |is_chosen: fn(&Candidate<'_>) -> bool| all.iter().filter(|one| is_chosen(one)).map(source).collect::<Vec<_>>();
    let clear = chosen(|one| one.kind != NameKind::Other && one.is_known);
    if clear.is_empty() { chosen(|one| one.kind != NameKind::Other) } else { clear }
}

/// Returns why the contents of a file or folder are unknown; `None` if they are not.
fn unread(file: &FoundFile, listing: &Listing) -> Option<String> {
    let entry = &listing.entries[file.entry];
    match &entry.kind {
        Kind::Unread(why) => Some(format!("{} {why}", entry.shown())),
        Kind::File(_) | Kind::Folder | Kind::Unfit(_) => None,
    }
}

/// Returns a remark about the first entry that is no regular file, such as a link, because the program may need it; `None`
/// if all are regular files.
pub(crate) fn unfit(files: &[FoundFile], listing: &Listing) -> Option<String> {
    files.iter().find_map(|file| match &listing.entries[file.entry].kind {
        Kind::Unfit(why) => Some(printable_line(&format!("{} {why}", file.inner.join("/")))),
        Kind::File(_) | Kind::Folder | Kind::Unread(_) => None,
    })
}

fn only_ignored(found: &[String], endings: &Endings) -> String {
    let names = first_names(found, MOST_NAMED);
    format!("found only {names}; hidden files and files that tools leave do not count; {}", endings.allowed())
}

fn nothing(files: &[FoundFile], ignored: &[String], endings: &Endings) -> String {
    if files.is_empty() && !ignored.is_empty() {
        return only_ignored(ignored, endings);
    }
    let what = if files.is_empty() {
        "nothing was handed in: the folder is empty"
    } else {
        "only a text that was typed on the platform was handed in, no file"
    };
    format!("{what}; {}", endings.allowed())
}

fn name_of(file: &FoundFile) -> &str {
    file.inner.last().map_or("", String::as_str)
}

/// Returns whether a build tool made the folder of the file.
fn is_built(file: &FoundFile) -> bool {
    file.inner[..file.inner.len().saturating_sub(1)].iter().any(|folder| ignored::is_built_folder(folder))
}

/// Endings of files that sources of C and C++ include.
const HEADERS: [&str; 9] = ["h", "hh", "hpp", "hxx", "h++", "inc", "inl", "ipp", "tpp"];

/// Returns whether the file may be included by a source, and is none itself.
pub(crate) fn is_header(name: &str) -> bool {
    HEADERS.contains(&ending_of(name).to_lowercase().as_str())
}

fn source(candidate: &Candidate<'_>) -> Source {
    let (ending, declared) = match &candidate.kind {
        NameKind::Declared { language, ending } => (ending.as_str(), Some(language.clone())),
        NameKind::Source { ending } => (ending.as_str(), None),
        NameKind::Other => ("", None),
    };
    let mut path = candidate.file.inner.clone();
    if let Some(name) = path.last_mut() {
        *name = format!("{}.{ending}", cut(stem_of(name)));
    }
    let FoundFile { entry, numbered_name, .. } = candidate.file;
    Source {
        entry: *entry,
        name: name_of(candidate.file).to_owned(),
        numbered_name: numbered_name.clone(),
        path,
        declared,
    }
}

/// The longest stem of a copy, in bytes. File systems allow 255 bytes in a name.
const LONGEST_STEM: usize = 230;

/// Returns the beginning of a stem that is too long for a file.
fn cut(stem: &str) -> &str {
    let mut end = stem.len().min(LONGEST_STEM);
    while !stem.is_char_boundary(end) {
        end -= 1;
    }
    &stem[..end]
}

/// Fails if the source cannot be read, or is too large.
fn check(source: &Source, listing: &Listing) -> Result<(), String> {
    let name = &source.name;
    match &listing.entries[source.entry].kind {
        Kind::File(bytes) if *bytes > LARGEST_FILE => {
            Err(format!("{name} has {bytes} bytes, allowed: at most {LARGEST_FILE}"))
        }
        Kind::File(_) => Ok(()),
        Kind::Folder => Err(format!("{name} is a folder")),
        Kind::Unfit(why) | Kind::Unread(why) => Err(format!("{name} {why}")),
    }
}

/// Removes the folders that are around all sources.
fn without_common_folders(mut sources: Vec<Source>) -> Vec<Source> {
    while let Some(first) = sources.first().filter(|first| first.path.len() > 1).map(|first| first.path[0].clone()) {
        if !sources.iter().all(|source| source.path.len() > 1 && source.path[0] == first) {
            break;
        }
        for source in &mut sources {
            source.path.remove(0);
        }
    }
    sources
}

/// The number of files that a reason names.
const MOST_NAMED: usize = 3;

/// Returns why none of the files is a source.
fn no_source(files: &[&FoundFile], listing: &Listing, endings: &Endings) -> NotJudged {
    if let [only] = files
        && let Kind::Unfit(why) = &listing.entries[only.entry].kind
    {
        return format!("{} {why}; {}", name_of(only), endings.allowed()).into();
    }
    let named: Vec<_> = files.iter().take(MOST_NAMED).map(|file| described(file, listing)).collect();
    let more =
        if files.len() > MOST_NAMED { format!(" and {} more files", files.len() - MOST_NAMED) } else { String::new() };
    let found = format!("found {}{more}", named.join(", "));
    let ending = files.first().map_or("", |first| ending_of(name_of(first)));
    let kind = kinds::by_ending(ending);
    let remedy = kind.and_then(kinds::remedy).map(|remedy| format!("; {remedy}")).unwrap_or_default();
    let declare = (kind.is_none() && files.iter().all(|file| ending_of(name_of(file)) == ending)).then(|| {
        let ending = if ending.is_empty() { String::new() } else { format!(".{}", ending.to_lowercase()) };
        format!("if it is a source, say its language, such as --as-language python3={ending}")
    });
    let hint = declare.unwrap_or_else(|| "`referee doctor` lists the languages".to_owned());
    NotJudged { reason: format!("{found}{remedy}; {}", endings.allowed()), hint: Some(hint) }
}

fn described(file: &FoundFile, listing: &Listing) -> String {
    let (name, ending) = (name_of(file), ending_of(name_of(file)));
    match (&listing.entries[file.entry].kind, kinds::by_ending(ending)) {
        (Kind::Unfit(why) | Kind::Unread(why), _) => format!("{name}, which {why}"),
        (_, Some(kind)) => format!("{name}, {kind}"),
        (_, None) if ending.is_empty() => format!("{name}, which has no ending"),
        (_, None) => format!("{name}, and no language has the ending .{ending}"),
    }
}
