//! Makes file names for pages that are safe and different on all file systems.

use std::collections::HashSet;

/// The maximum length of a name without its number and ending, in bytes. Some file systems allow 143 bytes.
const MOST_BYTES: usize = 100;

/// The names that Windows reserves for devices.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// Gives each page of a run a name of its own.
#[derive(Default)]
pub(super) struct FileNames {
    /// The given names, without differences of case.
    given: HashSet<String>,
}

impl FileNames {
    /// Returns a name for the page about `name` that differs from all earlier ones, also on a file system that ignores
    /// the case of letters.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let stem = safe(name);
        let (mut name, mut number) = (stem.clone(), 1);
        while !self.given.insert(without_case(&name)) {
            number += 1;
            name = format!("{stem}-{number}");
        }
        format!("{name}.html")
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

    #[test]
    fn any_name_becomes_a_safe_file_name() {
        let of = |name: &str| FileNames::default().unique(name);
        assert_eq!(of("Jörg Müller"), "Jörg_Müller.html");
        assert_eq!(of("王小明"), "王小明.html");
        assert_eq!(of("../../etc/passwd"), "_.._etc_passwd.html");
        assert_eq!(of("<script>\u{202e}\0"), "_script___.html");
        assert_eq!(
            [of(".."), of(""), of("🦊"), of("-rf")],
            ["submission.html", "submission.html", "_.html", "rf.html"]
        );
        assert_eq!(of("NUL.py"), "_NUL.py.html");
        let long = of(&"語".repeat(200));
        assert!(long.len() <= MOST_BYTES + 5 && long.ends_with("語.html"), "{long}");
    }

    #[test]
    fn names_differ_by_more_than_their_case() {
        let mut names = FileNames::default();
        let of = ["Ada", "ADA", "a b", "a_b", "straße", "STRASSE", "ada-2"].map(|name| names.unique(name));
        assert_eq!(
            of,
            ["Ada.html", "ADA-2.html", "a_b.html", "a_b-2.html", "straße.html", "STRASSE-2.html", "ada-2-2.html"]
        );
    }
}
