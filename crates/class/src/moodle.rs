//! Names in Moodle's download of all submissions (`mod/assign/locallib.php`, `download_submissions`):
//! `NAME_ID_assignsubmission_TYPE_`, where TYPE is `file` or `onlinetext`. It is the name of a folder, or the beginning
//! of a file name if the teacher chose a download without folders. Recent versions leave out the last underscore.

/// A name of Moodle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MoodleName {
    /// The student's full name, or `Participant` in an assignment without names.
    pub(crate) name: String,
    /// The participant's number.
    pub(crate) id: String,
    /// Whether the student typed the text in Moodle.
    pub(crate) is_online_text: bool,
    /// The rest: the name of the file; empty for a folder.
    pub(crate) rest: String,
}

const MARK: &str = "_assignsubmission_";

/// Reads a name of Moodle; `None` if it is none.
pub(crate) fn parse(text: &str) -> Option<MoodleName> {
    let (student, after) = text.split_once(MARK)?;
    // Moodle replaces the underscores of a name with blanks.
    let (name, id) = student.rsplit_once('_')?;
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let kind = after.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (kind, rest) = after.split_at(kind);
    let rest = rest.strip_prefix('_').unwrap_or(rest);
    Some(MoodleName {
        name: name.to_owned(),
        id: id.to_owned(),
        is_online_text: kind == "onlinetext",
        rest: rest.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_files_of_moodle_have_a_name_and_a_number() {
        let parts = |text: &str| parse(text).map(|name| (name.name, name.id, name.is_online_text, name.rest));
        let expected = |name: &str, id: &str, online: bool, rest: &str| {
            Some((name.to_owned(), id.to_owned(), online, rest.to_owned()))
        };
        assert_eq!(parts("Jane Doe_12345_assignsubmission_file_"), expected("Jane Doe", "12345", false, ""));
        assert_eq!(parts("Jane Doe_12345_assignsubmission_file"), expected("Jane Doe", "12345", false, ""));
        assert_eq!(parts("Jörg_7_assignsubmission_file_a_b.py"), expected("Jörg", "7", false, "a_b.py"));
        assert_eq!(parts("J_7_assignsubmission_onlinetext_"), expected("J", "7", true, ""));
        assert_eq!(
            parts("J_7_assignsubmission_onlinetext_onlinetext.html"),
            expected("J", "7", true, "onlinetext.html")
        );
        assert_eq!(
            parts("A_1_assignsubmission_file_B_2_assignsubmission_file_x.py"),
            expected("A", "1", false, "B_2_assignsubmission_file_x.py"),
            "a student cannot take the name of another"
        );
        for other in ["Jane_assignsubmission_file_", "Jane_x_assignsubmission_file_", "jane_1_2_a.py", ""] {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
