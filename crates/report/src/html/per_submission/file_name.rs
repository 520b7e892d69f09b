//! Makes file names for pages that are safe and different on all file systems.

use std::collections::{HashMap, HashSet, VecDeque};

use referee_event::Student;

/// The maximum length of a name without its number and ending, in bytes. Some file systems allow 143 bytes.
const MOST_BYTES: usize = 100;

/// The names that Windows reserves for devices.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// The file names of the pages of a run, by the names of the submissions. Submissions of the same name have several file
/// names, in their order.
#[derive(Debug, Default)]
pub struct FileNames(HashMap<String, VecDeque<String>>);

impl FileNames {
    /// Gives each submission of a run a file name of its own, also on file systems that ignore the case of letters. A
    /// submission whose name is safe as it stands gets this name, so that no other page gets it.
    pub fn of<'a>(submissions: impl IntoIterator<Item = (&'a str, Option<&'a Student>)>) -> FileNames {
        let labels: Vec<_> = submissions.into_iter().map(|(name, student)| (name, label(name, student))).collect();
        let mut given = HashSet::new();
        let is_first_exact = |(_, label): &(&str, &str)| safe(label) == *label && given.insert(without_case(label));
        let keeps_name: Vec<bool> = labels.iter().map(is_first_exact).collect();
        let mut next = HashMap::new();
        let mut names = FileNames::default();
        for ((submission, label), keeps_name) in labels.into_iter().zip(keeps_name) {
            let name = if keeps_name { label.to_owned() } else { free(&safe(label), &mut given, &mut next) };
            names.0.entry(submission.to_owned()).or_default().push_back(format!("{name}.html"));
        }
        names
    }

    /// Returns the file name of the page of this submission; `None` if the list had no more submissions of this name.
    pub(super) fn take(&mut self, submission: &str) -> Option<String> {
        self.0.get_mut(submission)?.pop_front()
    }
}

/// Returns a name that is not `given` yet: `stem`, or `stem` with a number. `next` has the next number for each stem.
fn free(stem: &str, given: &mut HashSet<String>, next: &mut HashMap<String, usize>) -> String {
    if given.insert(without_case(stem)) {
        return stem.to_owned();
    }
    let number = next.entry(without_case(stem)).or_insert(2);
    loop {
        let name = format!("{stem}-{number}");
        *number += 1;
        if given.insert(without_case(&name)) {
            return name;
        }
    }
}

/// Returns the name of a submission on its page: the whole name if it is a student's, otherwise the name of its file or
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
        let mut all = FileNames::of(submissions.iter().map(|name| (name.as_str(), None)));
        submissions.iter().map(|name| all.take(name).unwrap()).collect()
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
    fn a_safe_name_is_reserved_for_its_submission() {
        assert_eq!(of(&["A B", "A B-2", "A_B"]), ["A_B-2.html", "A_B-2-2.html", "A_B.html"]);
        assert_eq!(of(&["ANN", "Ann", "Ann-2"]), ["ANN.html", "Ann-3.html", "Ann-2.html"]);
        assert_eq!(of(&["a.py", "a.py"]), ["a.py.html", "a.py-2.html"], "the same file twice");
    }
}
