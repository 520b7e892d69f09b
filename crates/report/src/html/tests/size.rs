//! The size of a page, and which data a run with many results shows.

use super::*;
use referee_event::{BuildFinished, Partition};

/// Test cases with inputs and answers of 16 KiB.
struct LongCases;

impl CaseDetails for LongCases {
    fn case(&self, _: &str) -> Option<CaseTexts> {
        let text = Excerpt { first_line: 1, bytes: b"12345 7\n".repeat(2 << 10), whole_bytes: 16 << 10 };
        Some(CaseTexts { description: None, input: text.clone(), expected: Some(text) })
    }

    fn scenes(&self, _: &[u8], _: Option<&[u8]>) -> Vec<referee_picture::Scene> {
        Vec::new()
    }
}

/// Returns the page with long test cases.
fn page(events: impl Iterator<Item = Event>) -> String {
    let kept = Kept::default();
    let mut html = Box::new(Html::new(Box::new(kept.clone()), "A".to_owned(), Some(Rc::new(LongCases))));
    for event in events {
        html.event(&event).unwrap();
    }
    html.finish(true).unwrap();
    let page = kept.0.lock().unwrap();
    String::from_utf8(page.clone()).unwrap()
}

fn started(submissions: usize, cases: usize) -> RunStarted {
    RunStarted { planned: submissions * cases, cases, submissions: Some(submissions), ..RunStarted::default() }
}

fn row_count(lines: &[serde_json::Value]) -> usize {
    lines.iter().filter_map(|line| line["rows"].as_array()).map(Vec::len).sum()
}

/// Returns the number of rows with a message.
fn message_count(lines: &[serde_json::Value]) -> usize {
    let rows = lines.iter().filter_map(|line| line["rows"].as_array()).flatten();
    rows.filter(|row| row[7]["message"].is_string()).count()
}

#[test]
fn a_hundred_thousand_failures_fit_into_ten_megabytes() {
    let Event::CaseFinished(failed) = result(Verdict::RunTimeError, &[b'<'; 5000]) else { unreachable!() };
    let failure = |number: usize| {
        let is_late = number.is_multiple_of(2);
        Event::CaseFinished(CaseFinished {
            submission: format!("submission-{:03}.cpp", number / 100),
            case: format!("secret/{:02}", number % 100),
            verdict: if is_late { Verdict::TimeLimitExceeded } else { Verdict::RunTimeError },
            cpu_seconds: Some(12.345_678),
            wall_seconds: Some(15.345_678),
            memory_bytes: Some(2_147_483_648),
            exit_code: None,
            signal: Some(if is_late { 9 } else { 11 }),
            close: Some(is_late),
            cached: true,
            message: Some("<".repeat(4 << 10)),
            team_message: Some("<".repeat(4 << 10)),
            exhibit: failed.exhibit.clone().filter(|_| number % 7 < 3),
            ..failed.clone()
        })
    };
    let page = page(std::iter::once(Event::RunStarted(started(1000, 100))).chain((0..100_000).map(failure)));
    assert!(page.len() < 10_000_000, "{}", page.len());
    let lines = lines_of_page(&page);
    assert_eq!(row_count(&lines), 100_000);
    assert!(message_count(&lines) > 500, "{}", message_count(&lines));
}

#[test]
fn a_thousand_compile_errors_fit_into_ten_megabytes() {
    let build = |number: usize| {
        Event::BuildFinished(BuildFinished {
            submission: format!("{number}.cpp"),
            language: "C++".to_owned(),
            ok: false,
            seconds: 0.5,
            cached: false,
            tools: Vec::new(),
            remark: None,
            message: Some("<".repeat(8 << 10)),
        })
    };
    let page = page(std::iter::once(Event::RunStarted(started(1000, 100))).chain((0..1000).map(build)));
    assert!(page.len() < 10_000_000, "{}", page.len());
    let lines = lines_of_page(&page);
    let messages: Vec<_> = lines.iter().filter_map(|line| line["message"].as_str()).collect();
    assert_eq!(messages.len(), 1000);
    assert!(messages.iter().all(|message| message.ends_with("<…") && message.len() > 100));
}

#[test]
fn a_part_of_a_run_shares_the_space_among_all_its_test_cases() {
    let started =
        RunStarted { submissions: Some(10_000), partition: Some(Partition { part: 1, of: 10 }), ..started(1000, 100) };
    let accepted =
        |number: usize| Event::CaseFinished(CaseFinished { case: number.to_string(), ..CaseFinished::accepted(0.1) });
    let lines = lines_of_page(&page(std::iter::once(Event::RunStarted(started)).chain((0..100).map(accepted))));
    let told: Vec<_> = lines.iter().filter(|line| line["type"] == "case_told").collect();
    assert_eq!(told.len(), 100);
    for case in told {
        assert!(case["input"]["text"].as_str().unwrap().len() > 3000, "{}", case["case"]);
    }
}

#[test]
fn a_small_run_shows_its_test_cases_in_full() {
    let accepted =
        |number: usize| Event::CaseFinished(CaseFinished { case: number.to_string(), ..CaseFinished::accepted(0.1) });
    let lines = lines_of_page(&page(std::iter::once(Event::RunStarted(started(1, 80))).chain((0..80).map(accepted))));
    let told: Vec<_> = lines.iter().filter(|line| line["type"] == "case_told").collect();
    assert_eq!(told.len(), 80);
    assert!(told.iter().all(|case| case["input"]["cut"] == false && case["expected"]["cut"] == false));
}

#[test]
fn each_of_a_thousand_failures_has_its_output() {
    let line = b"a line of an output that is wrong\n";
    let failure = |submission: usize| {
        let Event::CaseFinished(failed) = result(Verdict::WrongAnswer, &line.repeat(400)) else { unreachable!() };
        Event::CaseFinished(CaseFinished { submission: submission.to_string(), ..failed })
    };
    let started = RunStarted { planned: 100_000, submissions: Some(1000), ..RunStarted::default() };
    let events: Vec<_> = [Event::RunStarted(started)].into_iter().chain((0..1000).map(failure)).collect();
    let lines = lines_of_budget(OUTPUT_BYTES, &events);
    let exhibits: Vec<_> = lines.iter().filter(|line| line["type"] == "exhibit").collect();
    assert_eq!(exhibits.len(), 1000, "each failure has its output");
    assert!(exhibits.iter().map(|line| line.to_string().len()).sum::<usize>() < 10_000_000 / 2);
    for (index, least) in [(0, 1000), (999, 100)] {
        let exhibit = exhibits[index];
        assert!(exhibit["output"]["text"].as_str().unwrap().len() > least, "{exhibit}");
        assert_eq!(exhibit["output"]["cut"], true);
        assert!(exhibit["diff"].as_array().unwrap().len() > 1, "{exhibit}");
    }
}

#[test]
fn a_shortened_output_has_the_first_difference() {
    let expected: Vec<_> = (1..=2000).map(|number| format!("{number}\n")).collect();
    let mut changed = expected.clone();
    changed[1499] = "wrong\n".to_owned();
    let mut shorter = expected.clone();
    shorter.remove(1499);
    for (output, near) in [(changed, "\nwrong\n"), (shorter, "1499\n1501\n")] {
        let excerpt = |text: String| Excerpt { first_line: 1, whole_bytes: text.len(), bytes: text.into_bytes() };
        let exhibit = Exhibit {
            expected: excerpt(expected.concat()),
            output: excerpt(output.concat()),
            stderr: Excerpt { whole_bytes: 1 << 20, ..excerpt("first\n".to_owned() + &"more\n".repeat(3000)) },
            ..Exhibit::default()
        };
        let Event::CaseFinished(failed) = result(Verdict::WrongAnswer, b"") else { unreachable!() };
        let failed = Event::CaseFinished(CaseFinished { exhibit: Some(Box::new(exhibit)), ..failed });
        let lines = lines_of_page(&page([Event::RunStarted(started(1000, 100)), failed].into_iter()));
        let exhibit = lines.iter().find(|line| line["type"] == "exhibit").unwrap();
        let shown = exhibit["output"]["text"].as_str().unwrap();
        assert!(shown.len() < 5000 && shown.contains(near), "{shown}");
        let first: usize = shown.lines().next().unwrap().parse().unwrap();
        assert_eq!(exhibit["output"]["first_line"], first);
        let stderr = exhibit["stderr"]["text"].as_str().unwrap();
        assert!(stderr.starts_with("first\n") && stderr.len() < 5000, "a cut error output keeps its beginning");
    }
}
