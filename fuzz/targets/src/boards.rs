//! Boards of the four puzzles: their parsers, their checkers against their solvers, and how they are made smaller.

use std::io::BufReader;

use reference::puzzle::{ALL, Instance, Puzzle, Value};
use reference::random::Random;
use reference::text::{Lines, Tokens};

/// Instances whose text is longer are not solved: some take minutes.
const MOST_BYTES: usize = 64;

/// So many steps are taken to make an instance smaller, and so many bytes of an answer changed.
const MOST_STEPS: usize = 64;

fn puzzle(byte: u8) -> &'static dyn Puzzle {
    ALL[usize::from(byte) % ALL.len()]
}

/// The first byte says of which puzzle the rest is an input. It is read alike in pieces of any size, and what was read
/// is read again from what it prints.
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

/// What instances print, and why no more were read.
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

/// An instance drawn by the first bytes, and the rest.
type Drawn<'a> = (&'static dyn Puzzle, Box<dyn Instance>, &'a [u8]);

fn drawn(data: &[u8]) -> Option<Drawn<'_>> {
    let (&[which, kind, seed], rest) = data.split_first_chunk()?;
    let puzzle = puzzle(which);
    let kinds = puzzle.kinds();
    let kind = kinds[usize::from(kind) % kinds.len()];
    let instance = puzzle.generate(kind.name, None, &mut Random::new(seed.into(), 0)).ok()?;
    (instance.print().len() <= MOST_BYTES).then_some((puzzle, instance, rest))
}

/// Three bytes draw an instance; each further two change a byte of its answer. The checker takes the answer that a
/// solver gives, and of the changed ones none that tells another value or whose moves do not lead to the goal.
pub fn checkers(data: &[u8]) {
    let Some((puzzle, instance, changes)) = drawn(data) else { return };
    let Ok(answer) = instance.solve(puzzle.solvers()[0].name) else { return };
    let check = |output: &[u8]| instance.check(&mut Tokens::new(output), &answer.value).is_ok();
    assert!(check(answer.text.as_bytes()), "{}:\n{}{}", puzzle.name(), instance.print(), answer.text);
    let mut output = answer.text.clone().into_bytes();
    for change in changes.chunks_exact(2).take(MOST_STEPS) {
        let (place, byte) = (usize::from(change[0]) % output.len().max(1), change[1]);
        if let Some(there) = output.get_mut(place) {
            *there = byte;
        }
        let film = instance.film_of_output(&mut Tokens::new(output.as_slice()));
        if check(&output) {
            assert!(tells(&output, &answer.value), "{:?} for {}", output.escape_ascii().to_string(), answer.value);
            let ends_well = film.is_none_or(|film| film.end.is_none());
            assert!(ends_well, "{}:\n{}{}", puzzle.name(), instance.print(), output.escape_ascii());
        }
    }
}

/// Whether the first word is the value.
fn tells(output: &[u8], value: &Value) -> bool {
    // Blank is what is so in C, the vertical tab too.
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let mut words = output.split(is_blank).filter(|word| !word.is_empty());
    let Some(first) = words.next().and_then(|word| std::str::from_utf8(word).ok()) else { return false };
    match value {
        Value::Minimum(moves) | Value::AtMost(moves) => first.parse() == Ok(*moves),
        other => first.eq_ignore_ascii_case(&other.to_string()),
    }
}

/// Three bytes draw an instance, each further one says which of the smaller ones is next. Every one is legal: it is
/// read again from what it prints.
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
