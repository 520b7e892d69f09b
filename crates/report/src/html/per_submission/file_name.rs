//! Makes file names for pages that are safe and different on all file systems.

use std::collections::{HashMap, HashSet};

use referee_event::Student;

/// The maximum length of a name without its number and ending, in bytes. Some file systems allow 143 bytes.
const MOST_BYTES: usize = 100;

/// The names that Windows reserves for devices.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// The file names of the pages of a run, by the names of the submissions.
#[derive(Debug, Default)]
pub struct FileNames(HashMap<String, String>);

impl FileNames {
    /// Gives each submission of a run a file name of its own, also on file systems that ignore the case of letters. A
    /// submission whose name is safe as it stands gets this name, so that nobody else's page has it.
    pub fn of<'a>(submissions: impl IntoIterator<Item = (&'a str, Option<&'a Student>)>) -> FileNames {
        let labels = submissions.into_iter().map(|(submission, student)| (submission, label(submission, student)));
        let (exact, others): (Vec<_>, Vec<_>) = labels.partition(|(_, label)| safe(label) == *label);
        let (mut given, mut names) = (HashSet::new(), HashMap::new());
        let mut late = Vec::new();
        for (submission, label) in exact {
            if given.insert(without_case(label)) {
                names.insert(submission.to_owned(), format!("{label}.html"));
            } else {
                late.push((submission, label));
            }
        }
        for (submission, label) in late.into_iter().chain(others) {
            let stem = safe(label);
            let (mut name, mut number) = (stem.clone(), 1);
            while !given.insert(without_case(&name)) {
                number += 1;
                name = format!("{stem}-{number}");
            }
            names.insert(submission.to_owned(), format!("{name}.html"));
        }
        FileNames(names)
    }

    /// Returns the file name of the page of this submission; `None` if it was not in the list.
    pub(super) fn get(&self, submission: &str) -> Option<&str> {
        self.0.get(submission).map(String::as_str)
    }
}

/// Returns the name of a submission on its own page: of a student's the whole name, otherwise the name of the file or
/// folder. The other parts of a path can name folders of the user.
pub(super) fn label<'a>(submission: &'a str, student: Option<&Student>) -> &'a str {
    match student {
        Some(_) => submission,
        None => submission.trim_end_matches('/').rsplit('/').next().unwrap_or(submission),
    }
}

/// Keeps the letters and digits of a name, and replaces all else.
fn safe(name: &str) -> String {
    let kept = |character: char| match character {
        '-' | '.' => character,
        // File systems that normalise names can treat these letters as equal to others.
        '\u{1100}'..='\u{11ff}' | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}' => '_',
        _ if character.is_alphanumeric() => character,
        _ => '_',
    };
    let mut name: String = name.trim().chars().map(kept).collect();
    let end = (0..=MOST_BYTES.min(name.len())).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    name.truncate(end);
    // A leading dot hides a file, a leading dash looks like an option, and Windows drops a dot at the end.
    let name = name.trim_matches(['.', '-']);
    let device = name.split('.').next().unwrap_or(name).to_lowercase();
    match name {
        "" => "submission".to_owned(),
        _ if DEVICES.contains(&device.as_str()) => format!("_{name}"),
        _ => name.to_owned(),
    }
}

fn without_case(name: &str) -> String {
    name.to_uppercase().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the file names of submissions in one folder, in their order.
    fn of(names: &[&str]) -> Vec<String> {
        let submissions: Vec<_> = names.iter().map(|name| format!("in/{name}")).collect();
        let all = FileNames::of(submissions.iter().map(|name| (name.as_str(), None)));
        submissions.iter().map(|name| all.get(name).unwrap().to_owned()).collect()
    }

    #[test]
    fn any_name_becomes_a_safe_file_name() {
        let of = |name: &str| of(&[name]).remove(0);
        assert_eq!(of("Jörg Müller"), "Jörg_Müller.html");
        assert_eq!(of("王小明"), "王小明.html");
        assert_eq!(of("<script>\u{202e}\0"), "_script___.html");
        assert_eq!([of(".."), of("🦊"), of("-rf")], ["submission.html", "_.html", "rf.html"]);
        assert_eq!(of("NUL.py"), "_NUL.py.html");
        let long = of(&"語".repeat(200));
        assert!(long.len() <= MOST_BYTES + 5 && long.ends_with("語.html"), "{long}");
        assert_eq!(safe("../../etc/passwd"), "_.._etc_passwd");
    }

    #[test]
    fn names_differ_by_more_than_their_case() {
        assert_eq!(
            of(&["Ada", "ADA", "a b", "a_b", "straße", "STRASSE", "ada-2"]),
            ["Ada.html", "ADA-3.html", "a_b-2.html", "a_b.html", "straße.html", "STRASSE-2.html", "ada-2.html"]
        );
    }

    #[test]
    fn nobody_can_take_the_file_name_that_is_anothers_name() {
        assert_eq!(of(&["A B", "A B-2", "A_B"]), ["A_B-2.html", "A_B-2-2.html", "A_B.html"]);
        assert_eq!(of(&["ANN", "Ann", "Ann-2"]), ["ANN.html", "Ann-3.html", "Ann-2.html"]);
    }
}
