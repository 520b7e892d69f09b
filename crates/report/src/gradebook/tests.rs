//! The headers are those that the platforms write. Sources: for Moodle, `mod/assign/gradingtable.php` and
//! `mod/assign/lang/en/assign.php` (`recordid`, `gradecanbechanged`, `lastmodifiedgrade` and others), and the German
//! language pack; `grade/import/tests/csv_test.php` for the gradebook. For Canvas, `lib/gradebook_exporter.rb` and its
//! guide "How do I export grades in the Gradebook?".

use std::sync::Arc;

use super::*;
use referee_event::{Student, SubmissionSkipped};

const MOODLE: &str = "\u{feff}Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be \
                      changed\",\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\n\
                      \"Participant 101\",\"Ada Lovelace\",ada@example.org,\"Submitted for grading\",,10.00,Yes,-,-,\n\
                      \"Participant 102\",\"Alan Turing\",alan@example.org,\"Submitted for grading\",,10.00,Yes,-,-,\n\
                      \"Participant 103\",\"Grace Hopper\",grace@example.org,\"No submission\",,10.00,Yes,-,-,\n\
                      \"Participant 104\",\"Edsger Dijkstra\",e@example.org,\"Submitted for grading\",,10.00,Yes,-,-,\n";

const CANVAS: &str = "Student,ID,SIS User ID,SIS Login ID,Section,Sums (7001),Pairs (7002),Assignments Current \
                      Points,Current Score\r\n,,,,,Manual Posting,,(read only),(read only)\r\n    Points \
                      Possible,,,,,10.00,15.00,(read only),(read only)\r\n\"Lovelace, \
                      Ada\",101,u1,ada,Group 1,,12.00,0,80\r\n\"Turing, Alan\",102,u2,alan,Group \
                      1,7,,,\r\n\"Student, Test\",999,,x,Group 1,,,,\r\n";

fn student(name: &str, id: &str, attempt: Option<u32>) -> Student {
    Student { moodle_id: Some(id.to_owned()), canvas_id: Some(id.to_owned()), attempt, ..Student::example(name) }
}

/// A result of a student on Moodle or Canvas with this identifier.
fn of(id: &str, verdict: Verdict, points: Option<f64>) -> Event {
    of_student(student("Someone", id, None), verdict, points)
}

fn of_student(student: Student, verdict: Verdict, points: Option<f64>) -> Event {
    let name = format!("{} ({})", student.name, student.moodle_id.as_deref().unwrap_or_default());
    let result = SubmissionFinished::example(&name, verdict);
    Event::SubmissionFinished(SubmissionFinished { points, student: Some(Arc::new(student)), ..result })
}

/// A result of a program that names no student.
fn finished(submission: &str, verdict: Verdict, points: Option<f64>) -> Event {
    Event::SubmissionFinished(SubmissionFinished { points, ..SubmissionFinished::example(submission, verdict) })
}

/// Fills a worksheet with the results of events. Returns the copy and the lines for the user.
fn filled(text: &[u8], column: Option<&str>, events: &[Event]) -> (Vec<u8>, String) {
    let Sheet { mut sheet, layout } = Sheet::read(text.to_vec(), column).unwrap();
    let mut marks = Marks::default();
    for event in events {
        marks.event(event);
    }
    let notes = fill(&mut sheet, &layout, &marks);
    (sheet.written(), notes.lines("copy.csv").join("\n"))
}

fn filled_text(text: &str, column: Option<&str>, events: &[Event]) -> (String, String) {
    let (bytes, notes) = filled(text.as_bytes(), column, events);
    (String::from_utf8(bytes).unwrap(), notes)
}

fn error(text: &str, column: Option<&str>) -> GradebookError {
    Sheet::read(text.as_bytes().to_vec(), column).unwrap_err()
}

#[test]
fn a_worksheet_of_moodle_gets_grades_and_comments_by_participant() {
    let events = [
        of("101", Verdict::WrongAnswer, Some(33.33)),
        of("102", Verdict::Accepted, Some(100.0)),
        Event::SubmissionSkipped(SubmissionSkipped {
            submission: "d".to_owned(),
            reason: "a PDF".to_owned(),
            hint: None,
            student: Some(Arc::new(student("Edsger Dijkstra", "104", Some(1)))),
        }),
        of_student(student("Grace Hopper", "777", None), Verdict::Accepted, Some(100.0)),
    ];
    let (copy, notes) = filled_text(MOODLE, None, &events);
    let expected = MOODLE
        .replace(
            "grading\",,10.00,Yes,-,-,\n\"Participant 102",
            "grading\",3.33,10.00,Yes,-,-,\"referee: WA, 1 of 2 test cases, 33.33 points\"\n\"Participant 102",
        )
        .replace(
            "grading\",,10.00,Yes,-,-,\n\"Participant 103",
            "grading\",10,10.00,Yes,-,-,\"referee: AC, 2 of 2 test cases, 100 points\"\n\"Participant 103",
        );
    assert_eq!(copy, expected);
    let lines = [
        "copy.csv: 2 of 4 students have a grade in the column Grade",
        "  unchanged, no program: Grace Hopper",
        "  unchanged, not judged: Edsger Dijkstra (a PDF)",
        "  no row for: Grace Hopper (777)",
    ];
    assert_eq!(notes, lines.join("\n"));
}

#[test]
fn german_worksheets_and_other_languages_are_recognised() {
    let german = "ID;\"Vollständiger Name\";Status;Bewertung;Bestwertung;\"Bewertung kann geändert \
                  werden\";\"Zuletzt geändert (Bewertung)\";\"Feedback als Kommentar\"\r\n\"Teilnehmer/in101\";\"Jürgen \
                  Groß\";-;;15,00;Ja;-;\"bitte kommentieren\"\r\nTeilnehmer/in102;B;-;;15,00;Nein;-;\r\n";
    let events = [of("101", Verdict::WrongAnswer, Some(50.0)), of("102", Verdict::Accepted, Some(100.0))];
    let (copy, notes) = filled_text(german, None, &events);
    assert_eq!(copy, german.replace("-;;15,00;Ja", "-;7,5;15,00;Ja"), "a comment of the teacher stays");
    assert!(notes.contains("unchanged, the grade cannot be changed: B"), "{notes}");
    let french = german.replace("ID;", "Identifiant;").replace("Bewertung;Bestwertung", "Note;Note maximale");
    let french = french.replace("Teilnehmer/in", "Participant ");
    assert!(matches!(error(&french, None), GradebookError::ColumnNeeded(_)));
    let (copy, _) = filled_text(&french, Some("Note"), &events);
    assert!(copy.contains(";7,5;15,00;"), "{copy}");
}

#[test]
fn a_gradebook_of_canvas_gets_the_column_that_the_user_names() {
    let events = [of("101", Verdict::WrongAnswer, Some(66.67)), of("102", Verdict::CompileError, Some(0.0))];
    assert!(matches!(error(CANVAS, None), GradebookError::ColumnNeeded(columns) if columns.len() == 2));
    for name in ["Pairs", "Pairs (7002)", "7002"] {
        let (copy, notes) = filled_text(CANVAS, Some(name), &events);
        assert_eq!(copy, CANVAS.replace("Group 1,,12.00", "Group 1,,10").replace("Group 1,7,,", "Group 1,7,0,"));
        let lines = [
            "copy.csv: 2 of 2 students have a grade in the column Pairs (7002)",
            "  grades replaced: Lovelace, Ada (12.00, now 10)",
        ];
        assert_eq!(notes, lines.join("\n"));
    }
    let missing = error(CANVAS, Some("Pears")).to_string();
    assert_eq!(missing, "the file has no column \"Pears\" for grades; it has \"Sums (7001)\", \"Pairs (7002)\"");
    let one = CANVAS.replace("Pairs (7002)", "Pairs");
    let (copy, _) = filled_text(&one, None, &events);
    assert!(copy.contains("Group 1,6.67,12.00") && copy.contains("Group 1,0,,"), "the only assignment: {copy}");
}

#[test]
fn names_are_compared_if_there_is_no_identifier_and_must_be_unique() {
    let sheet = "First name,Last name,ID number,Email address,Assignment: Sums (Real),Course total (Real)\n\
                 Jürgen,Groß,7,jg@example.org,-,-\nAda,Lovelace,8,ada@example.org,-,-\nAda,Lovelace,9,al@example.org,-,-\n\
                 Alan,Turing,0012,alan@example.org,-,-\n";
    let events = [
        finished("in/JU\u{308}RGEN GROSS.py", Verdict::Accepted, None),
        finished("in/ada lovelace.py", Verdict::Accepted, None),
        finished("in/0012/", Verdict::WrongAnswer, None),
        finished("in/nobody.py", Verdict::Accepted, None),
    ];
    let (copy, notes) = filled_text(sheet, None, &events);
    let expected =
        sheet.replace("jg@example.org,-", "jg@example.org,100").replace("alan@example.org,-", "alan@example.org,0");
    assert_eq!(copy, expected);
    let lines = [
        "copy.csv: 2 of 4 students have a grade in the column Assignment: Sums (Real)",
        "  without --points: the maximum for accepted programs, 0 for all others",
        "  the file states no maximum, so grades are points of 100",
        "  no row for: in/nobody.py",
        "  several rows for: in/ada lovelace.py",
    ];
    assert_eq!(notes, lines.join("\n"));
}

#[test]
fn the_latest_attempt_counts_and_unordered_attempts_do_not() {
    let run = |attempts: [Option<u32>; 2]| {
        let [one, two] = attempts;
        let events = [
            of_student(student("A", "101", one), Verdict::Accepted, Some(100.0)),
            of_student(student("A", "101", two), Verdict::WrongAnswer, Some(50.0)),
        ];
        filled_text(MOODLE, None, &events)
    };
    assert!(run([Some(1), Some(2)]).0.contains(",5,10.00,"));
    assert!(run([Some(3), Some(2)]).0.contains(",10,10.00,"));
    for unknown in [[None, None], [Some(1), Some(1)], [Some(1), None]] {
        let (copy, notes) = run(unknown);
        assert_eq!(copy, MOODLE);
        assert!(notes.contains("unchanged, several programs, of which none is known"), "{notes}");
    }
}

#[test]
fn a_judge_error_is_not_0_points() {
    for points in [None, Some(100.0)] {
        let events = [of("101", Verdict::JudgeError, None), of("102", Verdict::Accepted, points)];
        let (copy, notes) = filled_text(MOODLE, None, &events);
        assert_eq!(copy.matches("referee: ").count(), 1);
        assert!(copy.contains("grading\",,10.00,Yes,-,-,\n\"Participant 102"), "{copy}");
        assert!(notes.contains("not judged: Ada Lovelace (judge error: "), "{notes}");
    }
}

#[test]
fn a_filled_copy_can_be_filled_again() {
    let run = |text: &str, points| filled_text(text, None, &[of("101", Verdict::WrongAnswer, Some(points))]).0;
    assert_eq!(run(&run(MOODLE, 50.0), 25.0), run(MOODLE, 25.0));
}

#[test]
fn files_in_other_encodings_stay_in_them() {
    let events = [of("101", Verdict::Accepted, Some(100.0))];
    let text = MOODLE.replace("Ada Lovelace", "Ada Löwe");
    let single: Vec<u8> = text.trim_start_matches('\u{feff}').chars().map(|character| character as u8).collect();
    let (copy, _) = filled(&single, None, &events);
    assert!(copy.windows(8).any(|window| window == b"Ada L\xf6we"), "{copy:?}");
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (copy, _) = filled(&wide, None, &events);
    let units: Vec<u16> = copy.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let copy = String::from_utf16(&units).unwrap();
    assert!(copy.contains("Ada Löwe") && copy.contains(",10,10.00,"), "{copy}");
}

#[test]
fn a_column_that_is_not_for_grades_is_refused() {
    for column in ["Identifier", "Full name", "Status", "Maximum Grade", "Last modified (grade)", "Feedback comments"] {
        let found = error(MOODLE, Some(column));
        assert!(matches!(&found, GradebookError::ColumnMissing { wanted, .. } if wanted == column), "{found}");
    }
    for column in ["Student", "ID", "Section"] {
        let found = error(CANVAS, Some(column));
        assert!(matches!(&found, GradebookError::ColumnMissing { wanted, .. } if wanted == column), "{found}");
    }
}

#[test]
fn other_files_are_refused_with_their_columns() {
    assert!(matches!(error("a,b\n1,2\n", None), GradebookError::Unknown(columns) if columns == ["a", "b"]));
    assert_eq!(error("", None), GradebookError::Unknown(Vec::new()));
    assert_eq!(error("\0", None), GradebookError::NotText);
    assert_eq!(error(&MOODLE.replace("10.00", "Good"), None), GradebookError::NoMaximum);
    assert_eq!(
        error(&CANVAS.replace("    Points Possible,,,,,10.00,15.00", "x"), Some("Pairs")),
        GradebookError::NoMaximum
    );
    assert_eq!(error("Student,ID,Section\nA,1,x\n", None), GradebookError::NoColumn);
    let twice = CANVAS.replace("Sums (7001)", "Pairs (7001)");
    assert_eq!(error(&twice, Some("Pairs")), GradebookError::ColumnTwice("Pairs".to_owned()));
}
