//! Compares the names of students and programs.

use unicode_normalization::UnicodeNormalization;

/// Returns the form in which two spellings of a name are equal: with composed accents, without upper case, and with one
/// blank between words. Empty if the name has no letters or digits.
pub(super) fn folded(name: &str) -> String {
    if !name.contains(char::is_alphanumeric) {
        return String::new();
    }
    // Upper case first, because ß has the upper case SS.
    let folded: String = name.nfc().collect::<String>().to_uppercase().to_lowercase().nfc().collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the names under which a program may stand in a worksheet: its name, the last part of its path, and that part
/// without its ending.
pub(super) fn of_program(name: &str) -> Vec<String> {
    let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or(name);
    let is_ending = |ending: &str| ending.len() <= 5 && ending.chars().all(char::is_alphanumeric);
    let stem = last.rsplit_once('.').filter(|(_, ending)| is_ending(ending)).map_or(last, |(stem, _)| stem);
    distinct([name, last, stem].into_iter().flat_map(both_orders).collect())
}

/// Returns both orders of a name: `Lovelace, Ada` is also `Ada Lovelace`.
pub(super) fn both_orders(name: &str) -> Vec<String> {
    let swapped = name.split_once(',').map(|(last, first)| folded(&format!("{first} {last}")));
    distinct(std::iter::once(folded(name)).chain(swapped).collect())
}

/// Removes empty names and duplicates.
pub(super) fn distinct(mut names: Vec<String>) -> Vec<String> {
    names.retain(|name| !name.is_empty());
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_are_equal() {
        assert_eq!(folded("JÜRGEN  Groß"), folded("Ju\u{308}rgen GROSS"));
        assert_eq!(folded(" Σίσυφος"), folded("ΣΊΣΥΦΟΣ"));
        assert_ne!(folded("Jurgen"), folded("Jürgen"));
        assert_eq!((folded("-"), folded("")), (String::new(), String::new()));
    }

    #[test]
    fn a_program_is_known_by_its_path_its_file_and_its_stem() {
        assert_eq!(
            of_program("handed-in/Ada Lovelace.py"),
            ["ada lovelace", "ada lovelace.py", "handed-in/ada lovelace.py"]
        );
        assert_eq!(of_program("handed-in/J. Smith/"), ["handed-in/j. smith/", "j. smith"]);
        assert_eq!(of_program("Lovelace, Ada"), ["ada lovelace", "lovelace, ada"]);
        assert_eq!(both_orders("Lovelace, Ada"), ["ada lovelace", "lovelace, ada"]);
        assert_eq!(both_orders("Madonna"), ["madonna"]);
    }
}
