use std::cell::RefCell;
use std::collections::HashMap;

use referee_event::{CaseFinished, Excerpt, Exchange, Exhibit, SubmissionSkipped};
use referee_grading::verdict::Verdict;

use super::*;

/// A word that stands in every text about secret test cases, and in nothing else.
const SECRET: &str = "Zugzwang";

/// The pages of a run, by their file names.
#[derive(Clone, Default)]
struct Kept(Rc<RefCell<HashMap<String, String>>>);

impl Pages for Kept {
    fn add(&mut self, page: &Page) -> io::Result<()> {
        self.0.borrow_mut().insert(page.file_name.clone(), page.html.clone());
        Ok(())
    }

    fn finish(self: Box<Self>, _: bool) -> io::Result<()> {
        Ok(())
    }
}

struct OneFile;

impl Sources for OneFile {
    fn of(&self, submission: &str) -> Vec<SourceFile> {
        let text = format!("# by {submission}\nprint(1/0) # </code><script>alert(1)</script> ]]>\0\u{202e}\n");
        let whole_bytes = text.len() as u64;
        let content = Ok(SourceText { bytes: text.into_bytes(), whole_bytes });
        vec![SourceFile { name: "main.py".to_owned(), content }]
    }
}

fn pages(shows_secret: bool, events: &[Event]) -> HashMap<String, String> {
    let kept = Kept::default();
    let ended = events.iter().filter_map(|event| match event {
        Event::SubmissionFinished(finished) => Some((finished.submission.as_str(), None)),
        Event::SubmissionSkipped(skipped) => Some((skipped.submission.as_str(), None)),
        _ => None,
    });
    let run = Run {
        heading: "Sum: 3 cases".to_owned(),
        case_details: None,
        sources: Rc::new(OneFile),
        file_names: FileNames::of(ended),
        shows_secret,
    };
    let mut report = Box::new(PerSubmission::new(run, vec![Box::new(kept.clone())]));
    for event in events {
        report.event(event).unwrap();
    }
    report.finish(true).unwrap();
    kept.0.take()
}

fn excerpt(text: &str) -> Excerpt {
    Excerpt { first_line: 1, whole_bytes: text.len(), bytes: text.as_bytes().to_vec() }
}

/// Returns a result in which every text contains `word`.
fn failure(submission: &str, case: &str, verdict: Verdict, word: &str) -> Event {
    let trace = "Traceback (most recent call last):\n  File \"main.py\", line 2, in <module>\nZeroDivisionError:";
    let exhibit = Exhibit {
        description: Some(format!("description {word}")),
        input: excerpt(&format!("input {word}\n")),
        expected: excerpt(&format!("expected {word}\n")),
        output: excerpt(&format!("output {word} {word}\n")),
        stderr: excerpt(&format!("{trace} {word}\n")),
        exchanges: (verdict == Verdict::TimeLimitExceeded).then(|| {
            let bytes = format!("message {word}\n").into_bytes();
            vec![Exchange { whole_bytes: bytes.len() as u64, bytes, ..Exchange::default() }]
        }),
    };
    let by_validator = matches!(verdict, Verdict::WrongAnswer | Verdict::JudgeError);
    Event::CaseFinished(CaseFinished {
        submission: submission.to_owned(),
        case: case.to_owned(),
        verdict,
        message: Some(if by_validator { format!("reason {word}") } else { "exit code 1".to_owned() }),
        team_message: Some(format!("team {word}")),
        exhibit: Some(Box::new(exhibit)),
        ..CaseFinished::accepted(0.25)
    })
}

fn ended(submission: &str, verdict: Verdict) -> Event {
    Event::SubmissionFinished(SubmissionFinished {
        submission: submission.to_owned(),
        language: "Python 3".to_owned(),
        verdict,
        score: None,
        max_score: None,
        message: Some(format!("message {SECRET}")),
        expected: None,
        as_expected: None,
        as_wanted: false,
        breaches: Vec::new(),
        cases_run: 3,
        cases_failed: 2,
        cases_skipped: 0,
        first_failing_case: Some(format!("secret/{SECRET}")),
        cpu_seconds_max: Some(0.25),
        memory_bytes_max: None,
        points: Some(33.333_333),
        student: None,
    })
}

#[test]
fn a_page_contains_no_text_of_a_secret_test_case_unless_asked_for() {
    let name = format!("secret/{SECRET}");
    for verdict in [
        Verdict::WrongAnswer,
        Verdict::RunTimeError,
        Verdict::TimeLimitExceeded,
        Verdict::MemoryLimitExceeded,
        Verdict::OutputLimitExceeded,
        Verdict::JudgeError,
    ] {
        let events = [failure("a.py", &name, verdict, SECRET), ended("a.py", verdict)];
        let page = &pages(false, &events)["a.py.html"];
        assert!(!page.contains(SECRET), "{verdict}: {page}");
        assert!(page.contains("Test case 1, secret"), "{page}");
        let all = &pages(true, &events)["a.py.html"];
        assert!(all.contains(SECRET), "{verdict}: {all}");
    }
}

#[test]
fn a_sample_is_shown_with_its_texts_and_a_secret_crash_with_its_line() {
    let events = [
        failure("a.py", "sample/1", Verdict::WrongAnswer, "w"),
        failure("a.py", "secret/1", Verdict::RunTimeError, SECRET),
        ended("a.py", Verdict::WrongAnswer),
    ];
    let page = &pages(false, &events)["a.py.html"];
    for part in [
        "Wrong answer, 33.33 of 100 points",
        "1 of 3",
        "input w",
        "expected",
        "team w",
        "exit code 1",
        "ZeroDivisionError",
        "<a href=\"#failed-here\">line 2</a>",
        "<li id=\"failed-here\" class=\"marked\">",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("reason w"), "the message to the judges: {page}");
    assert!(pages(true, &events)["a.py.html"].contains("reason w"));
    assert!(page.starts_with(std::str::from_utf8(BEGINNING).unwrap()));
}

#[test]
fn a_page_contains_nothing_of_another_submission() {
    let skipped = |name: &str| {
        Event::SubmissionSkipped(SubmissionSkipped {
            submission: name.to_owned(),
            reason: "it is a PDF".to_owned(),
            hint: None,
            student: None,
        })
    };
    let events = [
        failure("first.py", "sample/1", Verdict::WrongAnswer, "own_of_first"),
        ended("first.py", Verdict::WrongAnswer),
        skipped("second.pdf"),
        failure("third.py", "sample/1", Verdict::RunTimeError, "own_of_third"),
        ended("third.py", Verdict::RunTimeError),
    ];
    let pages = pages(false, &events);
    assert_eq!(pages.len(), 3);
    for (name, page) in &pages {
        for other in ["first", "second", "third"] {
            assert_eq!(page.contains(other), name.starts_with(other), "{name} {other}: {page}");
        }
    }
    let not_judged = &pages["second.pdf.html"];
    assert!(not_judged.contains("Not judged") && not_judged.contains("it is a PDF"));
    assert!(!not_judged.contains("main.py"), "the files of a submission that was not judged are unknown");
}

#[test]
fn hostile_text_stays_text() {
    let name = "x</title><script>alert(1)</script>\0\u{202e}\"'";
    let events = [failure(name, "sample/1", Verdict::WrongAnswer, "<img src=x>"), ended(name, Verdict::WrongAnswer)];
    let pages = pages(false, &events);
    let page = pages.values().next().unwrap();
    assert_eq!(pages.keys().next().unwrap(), "script_____.html", "the name after the last slash");
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains(['\0', '\u{202e}']), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; ]]&gt;␀\\u{202e}"), "{page}");
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn the_message_of_a_compiler_begins_with_the_first_error_whose_line_is_marked() {
    let build = BuildFinished {
        submission: "a.py".to_owned(),
        language: "Python 3".to_owned(),
        ok: false,
        seconds: 0.1,
        cached: false,
        tools: Vec::new(),
        remark: None,
        message: Some("main.py:1:1: warning: odd\nmain.py:2:1: error: no\nmain.py:1:1: note: here\n".to_owned()),
    };
    let page = &pages(false, &[Event::BuildFinished(build), ended("a.py", Verdict::CompileError)])["a.py.html"];
    assert!(page.contains(">main.py:2:1: error: no") && !page.contains("warning"), "{page}");
    assert!(page.contains("<li id=\"failed-here\" class=\"marked\"><code>print"), "{page}");
}
