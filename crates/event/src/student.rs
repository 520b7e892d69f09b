//! The student who handed in a submission, and where it was found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The student who handed in a submission of a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Student {
    /// The name as the learning platform writes it. Without a platform, the name of the student's file or folder.
    pub name: String,
    /// How the class was handed in.
    pub layout: ClassLayout,
    /// The participant number of Moodle; `None` if the submission does not come from Moodle.
    pub moodle_id: Option<String>,
    /// The user number of Canvas; `None` if the submission does not come from Canvas.
    pub canvas_id: Option<String>,
    /// The submission number of Canvas; `None` if the submission does not come from Canvas.
    pub canvas_submission_id: Option<String>,
    /// Whether the submission was late; `None` if the platform does not say.
    pub is_late: Option<bool>,
    /// The number of this attempt among the student's attempts, counted from 1; `None` if it is unknown.
    pub attempt: Option<u32>,
    /// The number of attempts of the student that were found.
    pub attempts: u32,
    /// The name of the student's folder in the class, or of the file if there is no folder.
    pub folder: String,
    /// The judged files, relative to the folder of the class.
    pub files: Vec<String>,
}

/// How the programs of a class are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClassLayout {
    /// The download of an assignment from Moodle.
    Moodle,
    /// The download of an assignment from Canvas.
    Canvas,
    /// The clones of an assignment of GitHub Classroom.
    GithubClassroom,
    /// A folder for each student.
    Folders,
    /// A file for each student.
    Files,
}
