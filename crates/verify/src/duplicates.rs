//! Finds duplicate test cases. Two test cases are equal if their inputs, files and arguments are equal (see the section
//! "Test data" of format 2025-09).

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::Path;

use blake3::{Hash, Hasher};
use walkdir::WalkDir;

use super::Check;
use super::bench::Bench;
use super::finding::{Finding, Outcome, counted};
use referee_files::regular::{self, Stoppable};
use referee_judge::JudgeError;
use referee_package::TestCase;

/// The hashes by which test cases are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fingerprint {
    /// A hash of the input, the files, and the arguments of the submission and the output validator.
    exact: Hash,
    /// Like `exact`, but with each run of whitespace in the input reduced to one blank.
    loose: Hash,
    /// A hash of the words of the answer file.
    answer: Hash,
}

pub(super) fn check(bench: &Bench<'_>) -> Result<Outcome, JudgeError> {
    let cases = &bench.package.cases;
    let prints = bench.each(Check::Duplicates, cases, |case| Ok(fingerprint(case).ok()))?;
    let mut exact: HashMap<Hash, &TestCase> = HashMap::new();
    let mut loose: HashMap<Hash, (&TestCase, Fingerprint)> = HashMap::new();
    let mut findings = Vec::new();
    for (case, print) in cases.iter().zip(prints) {
        let Some(print) = print else { continue };
        let equal = exact.get(&print.exact).copied();
        let near = loose.get(&print.loose).copied();
        findings.extend(match (equal, near) {
            (Some(first), Some((_, other))) => Some(duplicate(bench, first, case, other.answer == print.answer)),
            (None, Some((first, _))) => Some(
                Finding::note(format!("has the same input as {}, except for blanks and line ends", first.name))
                    .on(case.name.to_string()),
            ),
            _ => None,
        });
        exact.entry(print.exact).or_insert(case);
        loose.entry(print.loose).or_insert((case, print));
    }
    Ok(Outcome { about: counted(cases.len(), "case"), findings, skipped: None })
}

fn duplicate(bench: &Bench<'_>, first: &TestCase, second: &TestCase, same_answer: bool) -> Finding {
    let repeats_sample = first.name.starts_with("sample/") && second.name.starts_with("secret/");
    let message = format!("has the same input as {}", first.name);
    let finding = if !same_answer && bench.is_default_validator() {
        Finding::error(format!("{message}, but a different answer")).hint("correct the wrong one of the two answers")
    } else if repeats_sample {
        // Many judges do not run samples, so setters repeat them as secret cases.
        Finding::note(message)
    } else if bench.package.kind.scoring && group(&first.name) != group(&second.name) {
        // Each group has its own score, and groups for harder subtasks often contain the cases of easier ones.
        Finding::note(message)
    } else {
        Finding::warning(message).hint("remove one of the two test cases; the second adds run time, but no information")
    };
    finding.on(second.name.to_string()).at(format!("data/{}.in", second.name))
}

/// Returns the folder that contains a test case.
fn group(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn fingerprint(case: &TestCase) -> io::Result<Fingerprint> {
    let (mut exact, mut loose) = (Hasher::new(), Hasher::new());
    let mut both = |bytes: &[u8]| {
        exact.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        loose.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    };
    both(&(case.arguments.len() as u64).to_le_bytes());
    case.arguments.iter().for_each(|argument| both(argument.as_bytes()));
    let entries = |folder| WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok);
    for (folder, path) in
        case.files.as_deref().into_iter().flat_map(|folder| entries(folder).map(move |path| (folder, path)))
    {
        if path.file_type().is_file() {
            let name = path.path().strip_prefix(folder).unwrap_or(path.path());
            both(name.as_os_str().as_encoded_bytes());
            both(hash_file(path.path(), &mut Hasher::new())?.as_bytes());
        }
    }
    let to_validator = &case.output_validator_arguments;
    let only = to_validator.only().unwrap_or_default();
    both(only.as_bytes());
    both(to_validator.of(only).join("\0").as_bytes());
    hash_file(&case.input(), &mut exact)?;
    hash_words(&case.input(), &mut loose)?;
    let answer = hash_words(&case.answer(), &mut Hasher::new())?;
    Ok(Fingerprint { exact: exact.finalize(), loose: loose.finalize(), answer })
}

fn hash_file(path: &Path, hasher: &mut Hasher) -> io::Result<Hash> {
    Ok(hasher.update_reader(Stoppable(regular::open(path)?))?.finalize())
}

/// Hashes the words of a file, each followed by one blank. The file is read in pieces.
fn hash_words(path: &Path, hasher: &mut Hasher) -> io::Result<Hash> {
    let mut file = Stoppable(regular::open(path)?);
    let mut piece = vec![0; 1 << 16];
    let mut words = Vec::with_capacity(piece.len() + 1);
    let mut in_word = false;
    loop {
        let count = file.read(&mut piece)?;
        if count == 0 {
            break;
        }
        words.clear();
        for &byte in &piece[..count] {
            let is_blank = byte.is_ascii_whitespace();
            if !is_blank {
                words.push(byte);
            } else if in_word {
                words.push(b' ');
            }
            in_word = !is_blank;
        }
        hasher.update(&words);
    }
    if in_word {
        hasher.update(b" ");
    }
    Ok(hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Hash {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        hash_words(file.path(), &mut Hasher::new()).unwrap()
    }

    #[test]
    fn blanks_and_line_ends_do_not_matter_for_words_but_their_borders_do() {
        assert_eq!(words("1 2\n3\n"), words(" 1\n2  3"));
        assert_ne!(words("1 2\n"), words("12\n"));
    }

    #[test]
    fn where_a_piece_of_the_file_ends_a_word_may_end_or_not() {
        let long = "1".repeat(1 << 16);
        assert_eq!(words(&format!("{long} 2")), words(&format!("{long}\n2\n")));
        assert_ne!(words(&format!("{long} 2")), words(&format!("{long}2")));
    }
}
