//! Collects the programs and the template.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

use crate::family::Family;
use crate::grams::{self, EXCLUDED};
use crate::ranking::{self, Similar};
use crate::tokens::{self, Extent, Token};
use crate::{MOST_BYTES, MOST_TOKENS};

/// A source file.
#[derive(Clone, Copy, Debug)]
pub struct SourceFile<'a> {
    /// The name of the file in the result.
    pub name: &'a str,
    /// The content, in any encoding that extends ASCII.
    pub bytes: &'a [u8],
}

/// A program to compare.
#[derive(Clone, Debug)]
pub struct Program<'a> {
    /// The name of the program in the result.
    pub name: &'a str,
    /// Who wrote the program; `None` if unknown. Two programs of one author are not compared.
    pub author: Option<&'a str>,
    /// The id of the language in the language table.
    pub language: &'a str,
    /// The source files.
    pub files: Vec<SourceFile<'a>>,
}

/// Why a program is not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A file has bytes that no text has.
    Binary,
    /// Parsing it would take too much work.
    Unparsable,
    /// Too little is left without comments, imports, the template and common code.
    TooShort,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unfit::Binary => "it is not text",
            Unfit::Unparsable => "parsing it would take too much work",
            Unfit::TooShort => "it is too short, apart from the template and what most programs have in common",
        })
    }
}

/// A program as tokens.
pub(crate) struct Stored {
    pub(crate) name: String,
    pub(crate) author: Option<String>,
    pub(crate) files: Vec<StoredFile>,
    /// The fingerprints, sorted, each once.
    pub(crate) prints: Vec<u64>,
}

pub(crate) struct StoredFile {
    pub(crate) name: String,
    pub(crate) tokens: Vec<Token>,
}

/// The programs that are compared.
#[derive(Default)]
pub struct Comparison {
    pub(crate) families: BTreeMap<Family, Vec<Stored>>,
    /// The hashes of the template, by family.
    pub(crate) templates: BTreeMap<Family, HashSet<u64>>,
    pub(crate) skipped: Vec<(String, Unfit)>,
    /// The programs of which only the beginning is compared.
    pub(crate) cut: Vec<String>,
}

impl Comparison {
    /// Adds a file of the template that all programs started from. Its code does not count in the programs that are
    /// added later. Fails if the file cannot be compared.
    pub fn add_template(&mut self, language: &str, bytes: &[u8]) -> Result<(), Unfit> {
        let family = Family::of(language);
        let tokens = tokens_of(&family, bytes, Extent::Part)?;
        self.templates.entry(family).or_default().extend(grams::hashes(&tokens));
        Ok(())
    }

    /// Adds a program. Its source is not needed any more afterwards.
    pub fn add(&mut self, program: &Program<'_>) {
        let family = Family::of(program.language);
        let (mut bytes_left, mut tokens_left) = (MOST_BYTES, MOST_TOKENS);
        let mut is_cut = false;
        let extent = if program.files.len() == 1 { Extent::Whole } else { Extent::Part };
        let (mut files, mut prints) = (Vec::new(), Vec::new());
        for file in &program.files {
            let bytes = beginning(file.bytes, bytes_left);
            is_cut |= bytes.len() < file.bytes.len();
            bytes_left -= bytes.len();
            let mut tokens = match tokens_of(&family, bytes, extent) {
                Ok(tokens) => tokens,
                Err(unfit) => return self.skipped.push((program.name.to_owned(), unfit)),
            };
            is_cut |= tokens.len() > tokens_left;
            tokens.truncate(tokens_left);
            tokens_left -= tokens.len();
            grams::winnow(&self.own_hashes(&family, &tokens), &mut prints);
            files.push(StoredFile { name: file.name.to_owned(), tokens });
        }
        prints.sort_unstable();
        prints.dedup();
        if is_cut {
            self.cut.push(program.name.to_owned());
        }
        let (name, author) = (program.name.to_owned(), program.author.map(str::to_owned));
        self.families.entry(family).or_default().push(Stored { name, author, files, prints });
    }

    /// Returns the hashes of the tokens. Those of the template are [`EXCLUDED`].
    pub(crate) fn own_hashes(&self, family: &Family, tokens: &[Token]) -> Vec<u64> {
        let template = self.templates.get(family);
        let is_foreign = |hash: &u64| template.is_some_and(|template| template.contains(hash));
        grams::hashes(tokens).map(|hash| if is_foreign(&hash) { EXCLUDED } else { hash }).collect()
    }

    /// Compares the programs. Returns the `most` most similar pairs, the most similar first, and the number of pairs
    /// with at least the similarity `threshold`.
    pub fn finish(self, most: usize, threshold: f64) -> Similar {
        ranking::rank(self, most, threshold)
    }
}

/// Returns the first `most` bytes, without a line that this cuts.
fn beginning(bytes: &[u8], most: usize) -> &[u8] {
    if bytes.len() <= most {
        return bytes;
    }
    let cut = &bytes[..most];
    cut.iter().rposition(|&byte| byte == b'\n').map_or(cut, |last| &cut[..=last])
}

/// Returns the tokens of a file. Bytes that are not UTF-8 can only be in comments, strings and names, and do not count
/// there, so they are replaced.
fn tokens_of(family: &Family, bytes: &[u8], extent: Extent) -> Result<Vec<Token>, Unfit> {
    if bytes.contains(&0) {
        return Err(Unfit::Binary);
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text: Cow<'_, str> = String::from_utf8_lossy(bytes);
    // A file with line ends of old Macs would be one line.
    let text = if text.contains('\n') { text } else { Cow::Owned(text.replace('\r', "\n")) };
    tokens::tokens(family, &text, extent).ok_or(Unfit::Unparsable)
}
