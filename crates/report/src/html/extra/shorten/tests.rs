use super::*;

fn row(sign: char, text: &str) -> DiffRow {
    DiffRow { sign, line: Some(1), parts: vec![(sign != ' ', text.to_owned())] }
}

fn signs(rows: &[DiffRow]) -> String {
    rows.iter().map(|row| row.sign).collect()
}

fn text(shown: String, focus: usize) -> Text {
    Text { whole_bytes: shown.len(), shown, first_line: 1, cut: false, focus }
}

fn exhibit(output: Text, diff: Option<Vec<DiffRow>>, boards: Vec<Pictures>) -> Extra<'static> {
    let (submission, case) = ("a.py", "secret/1");
    Extra::Exhibit { submission, case, output, stderr: None, why: None, diff, talk: None, talk_left_out: 0, boards }
}

fn boards(size: usize) -> Vec<Pictures> {
    vec![Pictures { name: "x".repeat(size), right: None, expected: None, actual: None, wrong: None }]
}

#[test]
fn a_shorter_diff_keeps_the_expected_and_the_actual_line() {
    for all in ["  -+ ", "  -+  ", "  -+  -+", "  --++  "] {
        let mut rows: Vec<_> = all.chars().map(|sign| row(sign, "a line")).collect();
        assert!(halve_diff(&mut rows));
        assert_eq!(signs(&rows), format!("{}…", all.replace(' ', "")));
        while halve_diff(&mut rows) {}
        assert_eq!(signs(&rows), "-+…", "{all}");
        assert_eq!(rows[2].parts, [(false, "further lines are left out".to_owned())]);
    }
    let mut pair = vec![row('-', "3"), row('+', "4")];
    assert!(!halve_diff(&mut pair));
    assert_eq!(signs(&pair), "-+");
}

#[test]
fn a_shorter_row_has_its_first_difference() {
    let mut parts = vec![(false, "a".repeat(300)), (true, "X".to_owned()), (false, "b".repeat(100))];
    shorten_row(&mut parts, 40);
    let kept = [(false, "…".to_owned()), (false, "a".repeat(10)), (true, "X".to_owned()), (false, "b".repeat(29))];
    assert_eq!(parts, [&kept[..], &[(false, "…".to_owned())]].concat());
    let mut end = vec![(false, "ä".repeat(100)), (true, "X".to_owned())];
    shorten_row(&mut end, 21);
    assert_eq!(end, [(false, "…".to_owned()), (false, "ä".repeat(10)), (true, "X".to_owned())]);
    let mut equal = vec![(false, "0123456789".to_owned())];
    shorten_row(&mut equal, 4);
    assert_eq!(equal, [(false, "0123".to_owned()), (false, "…".to_owned())]);
}

#[test]
fn a_shorter_conversation_has_its_last_messages_and_the_number_of_the_others() {
    let message = |text: String| MessageRow { by_submission: true, at_seconds: 0.0, whole_bytes: 1, cut: false, text };
    let mut messages: Vec<_> = (0..11).map(|number| message(format!("{number:0200}"))).collect();
    let mut left_out = 0;
    assert!(halve_talk(&mut messages, &mut left_out) && halve_talk(&mut messages, &mut left_out));
    assert_eq!((messages.len(), left_out, messages[2].text.as_str()), (3, 8, &*format!("{:0200}", 10)));
    assert!(halve_talk(&mut messages, &mut left_out) && messages.iter().all(|message| message.cut));
    assert_eq!((messages[0].text.len(), left_out), (100, 8));
    while halve_talk(&mut messages, &mut left_out) {}
    assert_eq!((messages.len(), messages[0].text.len(), left_out), (3, 50, 8));
}

#[test]
fn a_shorter_text_has_its_focus() {
    let lines: Vec<_> = (1..=1000).map(|number| format!("{number}\n")).collect();
    for wrong in [1, 40, 500, 1000] {
        let focus = lines[..wrong - 1].iter().map(String::len).sum();
        let mut text = text(lines.concat(), focus);
        while text.halve() {
            let first: usize = text.shown.lines().next().unwrap().parse().unwrap();
            assert_eq!(first, text.first_line, "{wrong}");
            assert!(text.shown[text.focus..].starts_with(&wrong.to_string()), "{wrong}: {}", text.shown);
        }
        assert!(text.cut && text.shown.len() <= SHORT_BYTES);
    }
    let mut one_line = text("ä".repeat(500), 777);
    while one_line.halve() {}
    assert!(one_line.shown.len() > SHORT_BYTES / 3, "{}", one_line.shown);
}

#[test]
fn large_pictures_go_first_and_small_ones_last() {
    let mut large = exhibit(text("x".repeat(1000), 0), None, boards(600));
    assert!(large.drop_large_pictures(500).unwrap());
    let Extra::Exhibit { output, boards: rest, .. } = &large else { unreachable!() };
    assert_eq!((output.shown.len(), rest.len()), (1000, 0));

    let mut small = exhibit(text("x".repeat(1000), 0), Some(vec![row('-', "3"), row('+', "4")]), boards(10));
    assert!(!small.drop_large_pictures(500).unwrap());
    let mut lengths = Vec::new();
    while small.halve() {
        let Extra::Exhibit { output, boards, .. } = &small else { unreachable!() };
        lengths.push((output.shown.len(), boards.len()));
    }
    assert_eq!(lengths, [(500, 1), (250, 1), (125, 1), (62, 1), (62, 0)]);
}
