//! Damages right answers in ways that are typical for wrong programs.

/// A damaged answer.
pub(crate) struct Damaged {
    /// A description of the damage for messages: "with ...".
    pub(crate) how: String,
    /// The output.
    pub(crate) output: String,
    /// Whether the damaged answer is wrong in every puzzle. If false, it may be another right answer.
    pub(crate) surely_wrong: bool,
}

/// Returns damaged copies of `answer`, the same copies in every run. Long answers are damaged at the start, in the
/// middle or at the end.
pub(crate) fn damaged(answer: &str) -> Vec<Damaged> {
    let lines: Vec<&str> = answer.lines().collect();
    let mut all = vec![
        surely("one more token", format!("{answer}0\n")),
        surely("one more word", format!("{answer}YES\n")),
        surely("everything twice", answer.repeat(2)),
        surely("nothing left", String::new()),
        perhaps("half of its bytes", answer[..answer.len() / 2].to_owned()),
        perhaps("all but two bytes", answer[..answer.len().saturating_sub(2)].to_owned()),
        perhaps("its lines in reverse", joined(lines.iter().rev())),
    ];
    for at in places(lines.len()) {
        all.extend(at_line(&lines, at));
    }
    all
}

fn at_line(lines: &[&str], at: usize) -> Vec<Damaged> {
    let number = at + 1;
    let mut without = lines.to_vec();
    without.remove(at);
    let mut twice = lines.to_vec();
    twice.insert(at, lines[at]);
    let mut swapped = lines.to_vec();
    swapped.swap(at, (at + 1) % lines.len());
    let raised = raise_first_digit(lines[at]);
    let mut changed = lines.to_vec();
    changed[at] = &raised;
    vec![
        surely(format!("line {number} left out"), joined(&without)),
        surely(format!("line {number} twice"), joined(&twice)),
        perhaps(format!("line {number} swapped with the next"), joined(&swapped)),
        perhaps(format!("line {number} changed"), joined(&changed)),
    ]
}

/// Increments the first digit (9 becomes 0), or replaces the first character if there is no digit.
fn raise_first_digit(line: &str) -> String {
    match line.char_indices().find_map(|(at, letter)| Some((at, letter.to_digit(10)?))) {
        Some((at, digit)) => format!("{}{}{}", &line[..at], (digit + 1) % 10, &line[at + 1..]),
        None => format!("A{}", line.get(1..).unwrap_or("")),
    }
}

fn places(lines: usize) -> Vec<usize> {
    let mut places = vec![0, 1, lines / 2, lines.saturating_sub(1)];
    places.retain(|place| *place < lines);
    places.sort_unstable();
    places.dedup();
    places
}

fn joined<'a>(lines: impl IntoIterator<Item = &'a &'a str>) -> String {
    lines.into_iter().flat_map(|line| [line, "\n"]).collect()
}

fn surely(how: impl Into<String>, output: String) -> Damaged {
    Damaged { how: how.into(), output, surely_wrong: true }
}

fn perhaps(how: impl Into<String>, output: String) -> Damaged {
    Damaged { how: how.into(), output, surely_wrong: false }
}
