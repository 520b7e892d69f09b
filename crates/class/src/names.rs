//! Gives each attempt a name that is printable and unique in the run.

use std::collections::{HashMap, HashSet};

use referee_text::printable::printable_line;

/// What the name of an attempt is made from.
pub(crate) struct NameParts<'a> {
    /// The student's name.
    pub(crate) name: &'a str,
    /// What distinguishes the student from others of the same name: the platform's number, or the folder.
    pub(crate) identifier: &'a str,
    /// The number of the attempt; `None` if only one attempt of the student is judged.
    pub(crate) attempt: Option<u32>,
}

/// Returns a name for each attempt. Students who share a name get their identifiers in parentheses.
pub(crate) fn unique(all: &[NameParts<'_>]) -> Vec<String> {
    let shown: Vec<_> = all.iter().map(|one| printable_line(one.name.trim())).collect();
    let mut owners: HashMap<&str, HashSet<&str>> = HashMap::new();
    for (one, name) in all.iter().zip(&shown) {
        owners.entry(name).or_default().insert(one.identifier);
    }
    let mut taken = HashSet::new();
    let mut names = Vec::with_capacity(all.len());
    for (one, shown) in all.iter().zip(&shown) {
        let is_shared = shown.is_empty() || owners.get(shown.as_str()).is_some_and(|owners| owners.len() > 1);
        let mut name = shown.clone();
        if is_shared {
            let blank = if name.is_empty() { "" } else { " " };
            name = format!("{name}{blank}({})", printable_line(one.identifier));
        }
        if let Some(attempt) = one.attempt {
            name = format!("{name}, attempt {attempt}");
        }
        let free = (2..).map(|number| format!("{name} #{number}"));
        let unique = std::iter::once(name.clone()).chain(free).find(|name| !taken.contains(name)).unwrap_or(name);
        taken.insert(unique.clone());
        names.push(unique);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[(&str, &str, Option<u32>)]) -> Vec<String> {
        let parts = |&(name, identifier, attempt)| NameParts { name, identifier, attempt };
        unique(&all.iter().map(parts).collect::<Vec<_>>())
    }

    #[test]
    fn students_of_one_name_are_told_apart_by_their_identifiers() {
        assert_eq!(names(&[("Ann", "1", None), ("Ann", "2", None), ("Bob", "3", None)]), ["Ann (1)", "Ann (2)", "Bob"]);
        assert_eq!(names(&[("Ann", "1", Some(1)), ("Ann", "1", Some(2))]), ["Ann, attempt 1", "Ann, attempt 2"]);
        assert_eq!(names(&[("A (1)", "7", None), ("A", "1", None), ("A", "2", None)]), ["A (1)", "A (1) #2", "A (2)"]);
    }

    #[test]
    fn names_are_one_line_without_hidden_characters() {
        assert_eq!(names(&[("\u{202e}x\ny", "1", None), (" ", "2", None)]), ["\\u{202e}x␊y", "(2)"]);
        assert_eq!(names(&[("=cmd()", "1", None), ("<b>", "2", None)]), ["=cmd()", "<b>"]);
    }
}
