//! Makes new inputs from a legal one. Most of them are illegal; some are legal inputs of a kind that the setter did not
//! consider.

use referee_random::Random;

use super::tokens::{Row, TokenLines};

/// The maximum number of changes of one input.
const MOST_CHANGES: u64 = 3;

/// Returns a changed copy of `lines`. `other` is another input of the same problem, from which lines are taken.
pub fn changed(lines: &TokenLines, other: &TokenLines, random: &mut Random) -> TokenLines {
    let mut changed = lines.clone();
    for _ in 0..random.between(1, MOST_CHANGES) {
        change(&mut changed, other, random);
    }
    changed
}

fn change(lines: &mut TokenLines, other: &TokenLines, random: &mut Random) {
    match random.below(12) {
        0..=3 => another_number(lines, random),
        4 => equal_numbers(lines, random),
        5 => swapped_words(lines, random),
        6 => swapped_rows(lines, random),
        7 => fewer_rows(lines, random),
        8 => more_rows(lines, other, random),
        9 => fewer_words(lines, random),
        10 => one_more_word(lines, random),
        _ => another_letter(lines, random),
    }
}

fn place(lines: &TokenLines, random: &mut Random, wanted: impl Fn((usize, usize)) -> bool) -> Option<(usize, usize)> {
    let places: Vec<_> = lines.places().filter(|place| wanted(*place)).collect();
    random.pick(&places).copied()
}

fn number_place(lines: &TokenLines, random: &mut Random) -> Option<((usize, usize), i64)> {
    let place = place(lines, random, |place| lines.number(place).is_some())?;
    Some((place, lines.number(place)?))
}

/// Returns a replacement for `number`: a neighbour, 0 or 1, its negation, a random number with at most as many digits,
/// a common bound, or a number from elsewhere in the text.
fn near(number: i64, lines: &TokenLines, random: &mut Random) -> i64 {
    match random.below(8) {
        0 => number.saturating_add(1),
        1 => number.saturating_sub(1),
        2 => number_place(lines, random).map_or(0, |(_, other)| other),
        3 => 0,
        4 => 1,
        5 => number.saturating_neg(),
        // Any number with at most as many digits.
        6 => {
            let end = 10_u64.saturating_pow(number.unsigned_abs().checked_ilog10().unwrap_or(0) + 1).min(1 << 62);
            random.below(end) as i64
        }
        // Bounds are often round numbers or powers of two.
        _ => {
            let ends = [2, 10, 100, 1000, 100_000, 1_000_000, 1_000_000_000, 1 << 15, 1 << 16, i64::from(i32::MAX)];
            let end = random.pick(&ends).copied().unwrap_or_default();
            if random.chance(1, 4) { -end } else { end }
        }
    }
}

fn another_number(lines: &mut TokenLines, random: &mut Random) {
    if let Some((place, number)) = number_place(lines, random) {
        let number = near(number, lines, random);
        lines.set(place, number.to_string());
    }
}

/// Makes all numbers of a line equal.
fn equal_numbers(lines: &mut TokenLines, random: &mut Random) {
    let Some(((row, _), number)) = number_place(lines, random) else { return };
    for word in 0..lines.rows[row].words.len() {
        if lines.number((row, word)).is_some() {
            lines.set((row, word), number.to_string());
        }
    }
}

fn swapped_words(lines: &mut TokenLines, random: &mut Random) {
    let (one, other) = (place(lines, random, |_| true), place(lines, random, |_| true));
    if let (Some(one), Some(other)) = (one, other) {
        let text = |place: (usize, usize)| lines.rows[place.0].words[place.1].text.clone();
        let (first, second) = (text(one), text(other));
        lines.set(one, second);
        lines.set(other, first);
    }
}

fn row(lines: &TokenLines, random: &mut Random) -> Option<usize> {
    (!lines.rows.is_empty()).then(|| random.below(lines.rows.len() as u64) as usize)
}

fn swapped_rows(lines: &mut TokenLines, random: &mut Random) {
    if let (Some(one), Some(other)) = (row(lines, random), row(lines, random)) {
        lines.rows.swap(one, other);
    }
}

/// In three of four calls, adds `by` to a random number before the position `end`. That number may count the words or
/// lines that were added or removed. A number that would become negative is not chosen.
fn recount(lines: &mut TokenLines, end: (usize, usize), by: i64, random: &mut Random) {
    let before = place(lines, random, |place| place < end && lines.number(place).is_some_and(|count| count + by >= 0));
    if let Some(place) = before.filter(|_| random.chance(3, 4)) {
        let count = lines.number(place).unwrap_or_default();
        lines.set(place, (count + by).to_string());
    }
}

fn fewer_rows(lines: &mut TokenLines, random: &mut Random) {
    let Some(start) = row(lines, random) else { return };
    let taken = random.between(1, 3).min((lines.rows.len() - start) as u64) as usize;
    lines.rows.drain(start..start + taken);
    recount(lines, (start, 0), -(taken as i64), random);
}

fn more_rows(lines: &mut TokenLines, other: &TokenLines, random: &mut Random) {
    let Some(at) = row(lines, random) else { return };
    let from = if random.chance(1, 2) { &lines.rows } else { &other.rows };
    let Some(row) = random.pick(from).cloned() else { return };
    lines.rows.insert(at, row);
    recount(lines, (at, 0), 1, random);
}

fn fewer_words(lines: &mut TokenLines, random: &mut Random) {
    let Some((row, word)) = place(lines, random, |_| true) else { return };
    lines.rows[row].remove(word..word + 1);
    recount(lines, (row, word), -1, random);
}

fn one_more_word(lines: &mut TokenLines, random: &mut Random) {
    let Some((row, at)) = place(lines, random, |_| true) else { return };
    let Row { words, .. } = &mut lines.rows[row];
    let mut word = words[random.below(words.len() as u64) as usize].clone();
    // The whitespace before the new word is copied from the second word of the line. If the line has only one word, the
    // new word follows after a space.
    if let Some(second) = words.get(1) {
        word.before.clone_from(&second.before);
    } else {
        word.before = b" ".to_vec();
    }
    words.insert(at + 1, word);
    recount(lines, (row, at), 1, random);
}

/// Replaces a character of a word with a character from elsewhere in the text. Numbers are neither changed nor used.
fn another_letter(lines: &mut TokenLines, random: &mut Random) {
    let is_text = |place: (usize, usize)| lines.number(place).is_none();
    let (Some(one), Some((row, word))) = (place(lines, random, is_text), place(lines, random, is_text)) else { return };
    let from = lines.rows[one.0].words[one.1].text.clone();
    let text = &mut lines.rows[row].words[word].text;
    let at = random.below(text.len() as u64) as usize;
    if let (Some(letter), Some(place)) = (random.pick(&from).copied(), text.get_mut(at)) {
        *place = letter;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_can_be_changed_and_the_same_seed_changes_it_alike(
            text in "[ \\n0-9a-c-]{0,40}", other in "[ \\n0-9]{0,20}", seed in 0..1000_u64
        ) {
            let (lines, other) = (TokenLines::read(text.as_bytes()), TokenLines::read(other.as_bytes()));
            let once = changed(&lines, &other, &mut Random::new(seed, 0));
            prop_assert_eq!(once.bytes(), changed(&lines, &other, &mut Random::new(seed, 0)).bytes());
        }
    }

    #[test]
    fn changes_of_every_kind_come_about() {
        let lines = TokenLines::read(b"3 5\nabc\n1 2 3\n");
        let made: std::collections::BTreeSet<_> =
            (0..2000).map(|index| changed(&lines, &lines, &mut Random::new(7, index)).bytes()).collect();
        assert!(made.len() > 500, "{}", made.len());
        for wanted in ["4 5\nabc\n1 2 3\n", "3 5\nabc\n", "3 5\nbbc\n1 2 3\n", "3 5\nabc\n1 1 1\n", "3 5\nabc\n1 2\n"] {
            assert!(made.contains(wanted.as_bytes()), "{wanted:?}");
        }
    }
}
