//! Fuzzes the boards of the four puzzles: their parsers, their checkers, and the steps that shrink them.

use std::io::BufReader;

use referee_random::Random;
use reference::puzzle::{Instance, Puzzle, Value};
use reference::registry::ALL;
use reference::text::{Lines, Tokens};

/// The maximum length of the text of a generated instance, in bytes; longer ones are skipped. Solving a larger instance
/// can take minutes.
const MOST_BYTES: usize = 64;

/// The maximum number of shrink steps, and of changed bytes in an answer.
const MOST_STEPS: usize = 64;

fn puzzle(byte: u8) -> &'static dyn Puzzle {
    ALL[usize::from(byte) % ALL.len()]
}

/// Parses boards. The first byte selects the puzzle, and the rest is the input. The result must not depend on how the
/// reader splits the input, and each printed board must parse again.
pub fn boards(data: &[u8]) {
    let Some((&which, text)) = data.split_first() else { return };
    let puzzle = puzzle(which);
    let whole = read_all(puzzle, &mut Lines::new(text));
    let in_pieces = read_all(puzzle, &mut Lines::new(BufReader::with_capacity(1, text)));
    assert_eq!(whole, in_pieces, "{}", puzzle.name());
    let (printed, _) = whole;
    let text = printed.concat();
    let again = read_all(puzzle, &mut Lines::new(text.as_bytes()));
    assert_eq!(again, (printed, None), "{}", puzzle.name());
}

/// The printed instances, and the error that ended the reading; `None` at the end of the input.
type Read = (Vec<String>, Option<String>);

fn read_all(puzzle: &dyn Puzzle, lines: &mut Lines<'_>) -> Read {
    let mut printed = Vec::new();
    loop {
        match puzzle.read(lines, None) {
            Ok(Some(instance)) => printed.push(instance.print()),
            Ok(None) => return (printed, None),
            Err(error) => return (printed, Some(error.to_string())),
        }
    }
}

/// The puzzle, an instance generated for it, and the remaining bytes of the fuzzed data.
type Drawn<'a> = (&'static dyn Puzzle, Box<dyn Instance>, &'a [u8]);

fn drawn(data: &[u8]) -> Option<Drawn<'_>> {
    let (&[which, kind, seed], rest) = data.split_first_chunk()?;
    let puzzle = puzzle(which);
    let kinds = puzzle.kinds();
    let kind = kinds[usize::from(kind) % kinds.len()];
    let instance = puzzle.generate(kind.name, None, &mut Random::new(seed.into(), 0)).ok()?;
    (instance.print().len() <= MOST_BYTES).then_some((puzzle, instance, rest))
}

/// Checks answers. Three bytes select a generated instance. The checker must accept the solver's answer to it. Then
/// each pair of further bytes changes one byte of the answer. The checker must reject the changed answer if its value
/// is wrong or its moves do not lead to the goal.
pub fn checkers(data: &[u8]) {
    let Some((puzzle, instance, changes)) = drawn(data) else { return };
    let Ok(answer) = instance.solve(puzzle.solvers()[0].name) else { return };
    let check = |output: &[u8]| instance.check(&mut Tokens::new(output), &answer.value).is_ok();
    assert!(check(answer.text.as_bytes()), "{}:\n{}{}", puzzle.name(), instance.print(), answer.text);
    let mut output = answer.text.clone().into_bytes();
    for change in changes.chunks_exact(2).take(MOST_STEPS) {
        let (place, byte) = (usize::from(change[0]) % output.len().max(1), change[1]);
        if let Some(old) = output.get_mut(place) {
            *old = byte;
        }
        let film = instance.film_of_output(&mut Tokens::new(output.as_slice()));
        if check(&output) {
            assert!(has_value(&output, &answer.value), "{:?} for {}", output.escape_ascii().to_string(), answer.value);
            let ends_well = film.is_none_or(|film| film.end.is_none());
            assert!(ends_well, "{}:\n{}{}", puzzle.name(), instance.print(), output.escape_ascii());
        }
    }
}

/// Returns whether the first word of the output is the value, whatever the case of its letters.
fn has_value(output: &[u8], value: &Value) -> bool {
    // The checkers separate words at C's whitespace, which includes the vertical tab.
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let mut words = output.split(is_blank).filter(|word| !word.is_empty());
    let Some(first) = words.next().and_then(|word| std::str::from_utf8(word).ok()) else { return false };
    match value {
        Value::Minimum(moves) | Value::AtMost(moves) => first.parse() == Ok(*moves),
        other => first.eq_ignore_ascii_case(&other.to_string()),
    }
}

/// Shrinks boards. Three bytes select a generated instance. Each further byte replaces the instance with one of the
/// smaller instances that `shrink` returns. All of these must have a lower weight, and must parse again when printed.
pub fn shrinkers(data: &[u8]) {
    let Some((puzzle, mut instance, choices)) = drawn(data) else { return };
    for choice in choices.iter().take(MOST_STEPS) {
        let mut smaller = instance.shrink();
        for one in &smaller {
            let printed = one.print();
            assert!(one.weight() < instance.weight(), "{}:\n{printed}", puzzle.name());
            let (again, error) = read_all(puzzle, &mut Lines::new(printed.as_bytes()));
            assert_eq!((again.concat(), error), (printed, None), "{}", puzzle.name());
        }
        if smaller.is_empty() {
            return;
        }
        instance = smaller.swap_remove(usize::from(*choice) % smaller.len());
    }
}
