//! Names in Canvas' download of all submissions (`lib/content_zipper.rb`): `NAME_USER_FILE_NAME`, where USER and FILE
//! are numbers and NAME is the student's name in lower case. `LATE` stands before USER if the submission is late. In an
//! assignment without names, USER is `anon_` and five letters or digits, and NAME is missing. A text that the student
//! typed in Canvas is called `NAME_USER_text.html`, a link `NAME_USER_link.html`.

/// A name of Canvas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CanvasName {
    pub(crate) name: String,
    /// The user's number.
    pub(crate) user: String,
    /// The file's number; empty for a text or a link.
    pub(crate) file: String,
    pub(crate) is_late: bool,
    /// The name that the student gave the file, with the suffix of a resubmission.
    pub(crate) rest: String,
}

/// Reads a file name of Canvas; `None` if it is none.
pub(crate) fn parse(text: &str) -> Option<CanvasName> {
    let parts: Vec<&str> = text.split('_').collect();
    anonymous(&parts).or_else(|| named(&parts))
}

fn named(parts: &[&str]) -> Option<CanvasName> {
    // Canvas removes numbers between underscores from names of students, so the first number is the user's.
    let at = (1..parts.len()).find(|&at| is_number(parts[at]))?;
    let is_late = at >= 2 && parts[at - 1].eq_ignore_ascii_case("late");
    let name = parts[..if is_late { at - 1 } else { at }].join("_");
    with_file(name, parts[at].to_owned(), is_late, &parts[at + 1..])
}

fn anonymous(parts: &[&str]) -> Option<CanvasName> {
    let is_late = parts.first() == Some(&"LATE");
    let parts = if is_late { &parts[1..] } else { parts };
    let is_id = |id: &str| id.len() == 5 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match parts {
        ["anon", id, rest @ ..] if is_id(id) => {
            with_file(format!("anon_{id}"), (*id).to_owned(), is_late, rest).filter(|found| !found.file.is_empty())
        }
        _ => None,
    }
}

fn with_file(name: String, user: String, is_late: bool, after: &[&str]) -> Option<CanvasName> {
    let (file, rest) = match after {
        ["text.html" | "link.html"] => (String::new(), after[0].to_owned()),
        [file, rest @ ..] if is_number(file) && !rest.is_empty() => ((*file).to_owned(), rest.join("_")),
        _ => return None,
    };
    // A name without letters, such as one of emoji, is empty.
    (!rest.is_empty()).then_some(CanvasName { name, user, file, is_late, rest })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 20 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Splits a file name into the name that the student chose and the number of the resubmission: Canvas calls a file
/// that is handed in again `file-1.py`, then `file-2.py`.
pub(crate) fn resubmission(name: &str) -> (String, u32) {
    let stem = super::endings::stem_of(name);
    let split = stem.rsplit_once('-').filter(|(before, number)| {
        !before.is_empty() && is_number(number) && number.len() <= 3 && !number.starts_with('0')
    });
    match split {
        Some((before, number)) => (format!("{before}{}", &name[stem.len()..]), number.parse().unwrap_or(0)),
        None => (name.to_owned(), 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (String, String, String, bool, String) {
        let name = parse(text).unwrap();
        (name.name, name.user, name.file, name.is_late, name.rest)
    }

    fn expected(name: &str, user: &str, file: &str, late: bool, rest: &str) -> (String, String, String, bool, String) {
        (name.to_owned(), user.to_owned(), file.to_owned(), late, rest.to_owned())
    }

    #[test]
    fn names_of_canvas_have_two_numbers_and_perhaps_a_mark() {
        assert_eq!(parts("doejane_12345_67890_main.py"), expected("doejane", "12345", "67890", false, "main.py"));
        assert_eq!(parts("doejane_LATE_12345_67890_m_2_x.py"), expected("doejane", "12345", "67890", true, "m_2_x.py"));
        assert_eq!(parts("müller_öz_1_2_a.py"), expected("müller_öz", "1", "2", false, "a.py"));
        assert_eq!(parts("late_1_2_a.py"), expected("late", "1", "2", false, "a.py"), "Late may be a name");
        assert_eq!(parts("_1_2_a.py"), expected("", "1", "2", false, "a.py"), "a name of emoji");
        assert_eq!(parts("doejane_12345_text.html"), expected("doejane", "12345", "", false, "text.html"));
        assert_eq!(parts("anon_aB3x9_77_a.py"), expected("anon_aB3x9", "aB3x9", "77", false, "a.py"));
        assert_eq!(parts("LATE_anon_aB3x9_77_a.py"), expected("anon_aB3x9", "aB3x9", "77", true, "a.py"));
        for other in ["main.py", "a_1.py", "a_1_b.py", "a_1_2_", "1_2_3.py", ""] {
            assert_eq!(parse(other), None, "{other}");
        }
    }

    #[test]
    fn the_suffix_of_a_resubmission_is_a_number_after_a_hyphen() {
        assert_eq!(resubmission("main-2.py"), ("main.py".to_owned(), 2));
        for name in ["main.py", "main-x.py", "-1.py", "main-2024.py", "main-01.py"] {
            assert_eq!(resubmission(name), (name.to_owned(), 0), "{name}");
        }
    }
}
