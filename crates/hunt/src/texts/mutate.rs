//! Makes new inputs from a legal one. Most of them are illegal; some are legal inputs that the setter overlooked.

use referee_random::Random;

use super::tokens::{Row, TokenLines};

/// The maximum number of changes of one input.
const MOST_CHANGES: u64 = 3;

/// Returns a changed copy of `sheet`. `other` is another input of the same problem, from which lines are taken.
pub fn changed(sheet: &TokenLines, other: &TokenLines, random: &mut Random) -> TokenLines {
    let mut changed = sheet.clone();
    for _ in 0..random.between(1, MOST_CHANGES) {
        change(&mut changed, other, random);
    }
    changed
}

fn change(sheet: &mut TokenLines, other: &TokenLines, random: &mut Random) {
    match random.below(12) {
        0..=3 => another_number(sheet, random),
        4 => equal_numbers(sheet, random),
        5 => swapped_words(sheet, random),
        6 => swapped_rows(sheet, random),
        7 => fewer_rows(sheet, random),
        8 => more_rows(sheet, other, random),
        9 => fewer_words(sheet, random),
        10 => one_more_word(sheet, random),
        _ => another_letter(sheet, random),
    }
}

fn place(sheet: &TokenLines, random: &mut Random, wanted: impl Fn((usize, usize)) -> bool) -> Option<(usize, usize)> {
    let places: Vec<_> = sheet.places().filter(|place| wanted(*place)).collect();
    random.pick(&places).copied()
}

fn number_place(sheet: &TokenLines, random: &mut Random) -> Option<((usize, usize), i64)> {
    let place = place(sheet, random, |place| sheet.number(place).is_some())?;
    Some((place, sheet.number(place)?))
}

/// Returns a number close to `number`, a common bound, or a number from elsewhere in the text.
fn near(number: i64, sheet: &TokenLines, random: &mut Random) -> i64 {
    match random.below(8) {
        0 => number.saturating_add(1),
        1 => number.saturating_sub(1),
        2 => number_place(sheet, random).map_or(0, |(_, other)| other),
        3 => 0,
        4 => 1,
        5 => number.saturating_neg(),
        // Any number with as many digits.
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

fn another_number(sheet: &mut TokenLines, random: &mut Random) {
    if let Some((place, number)) = number_place(sheet, random) {
        let number = near(number, sheet, random);
        sheet.set(place, number.to_string());
    }
}

/// Makes all numbers of a line equal.
fn equal_numbers(sheet: &mut TokenLines, random: &mut Random) {
    let Some(((row, _), number)) = number_place(sheet, random) else { return };
    for word in 0..sheet.rows[row].words.len() {
        if sheet.number((row, word)).is_some() {
            sheet.set((row, word), number.to_string());
        }
    }
}

fn swapped_words(sheet: &mut TokenLines, random: &mut Random) {
    let (one, other) = (place(sheet, random, |_| true), place(sheet, random, |_| true));
    if let (Some(one), Some(other)) = (one, other) {
        let text = |place: (usize, usize)| sheet.rows[place.0].words[place.1].text.clone();
        let (first, second) = (text(one), text(other));
        sheet.set(one, second);
        sheet.set(other, first);
    }
}

fn row(sheet: &TokenLines, random: &mut Random) -> Option<usize> {
    (!sheet.rows.is_empty()).then(|| random.below(sheet.rows.len() as u64) as usize)
}

fn swapped_rows(sheet: &mut TokenLines, random: &mut Random) {
    if let (Some(one), Some(other)) = (row(sheet, random), row(sheet, random)) {
        sheet.rows.swap(one, other);
    }
}

/// Often adds `by` to a number before `end`, because that number may count the tokens or lines that were added or
/// removed.
fn recount(sheet: &mut TokenLines, end: (usize, usize), by: i64, random: &mut Random) {
    let before = place(sheet, random, |place| place < end && sheet.number(place).is_some_and(|count| count + by >= 0));
    if let Some(place) = before.filter(|_| random.chance(3, 4)) {
        let count = sheet.number(place).unwrap_or_default();
        sheet.set(place, (count + by).to_string());
    }
}

fn fewer_rows(sheet: &mut TokenLines, random: &mut Random) {
    let Some(start) = row(sheet, random) else { return };
    let taken = random.between(1, 3).min((sheet.rows.len() - start) as u64) as usize;
    sheet.rows.drain(start..start + taken);
    recount(sheet, (start, 0), -(taken as i64), random);
}

fn more_rows(sheet: &mut TokenLines, other: &TokenLines, random: &mut Random) {
    let Some(at) = row(sheet, random) else { return };
    let from = if random.chance(1, 2) { &sheet.rows } else { &other.rows };
    let Some(row) = random.pick(from).cloned() else { return };
    sheet.rows.insert(at, row);
    recount(sheet, (at, 0), 1, random);
}

fn fewer_words(sheet: &mut TokenLines, random: &mut Random) {
    let Some((row, word)) = place(sheet, random, |_| true) else { return };
    sheet.rows[row].remove(word..word + 1);
    recount(sheet, (row, word), -1, random);
}

fn one_more_word(sheet: &mut TokenLines, random: &mut Random) {
    let Some((row, at)) = place(sheet, random, |_| true) else { return };
    let Row { words, .. } = &mut sheet.rows[row];
    let mut word = words[random.below(words.len() as u64) as usize].clone();
    // The new token gets the usual whitespace between two tokens of the line.
    if let Some(second) = words.get(1) {
        word.before.clone_from(&second.before);
    } else {
        word.before = b" ".to_vec();
    }
    words.insert(at + 1, word);
    recount(sheet, (row, at), 1, random);
}

/// Replaces a character of a word by another character of the text.
fn another_letter(sheet: &mut TokenLines, random: &mut Random) {
    let is_text = |place: (usize, usize)| sheet.number(place).is_none();
    let (Some(one), Some((row, word))) = (place(sheet, random, is_text), place(sheet, random, is_text)) else { return };
    let from = sheet.rows[one.0].words[one.1].text.clone();
    let text = &mut sheet.rows[row].words[word].text;
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
            let (sheet, other) = (TokenLines::read(text.as_bytes()), TokenLines::read(other.as_bytes()));
            let once = changed(&sheet, &other, &mut Random::new(seed, 0));
            prop_assert_eq!(once.bytes(), changed(&sheet, &other, &mut Random::new(seed, 0)).bytes());
        }
    }

    #[test]
    fn changes_of_every_kind_come_about() {
        let sheet = TokenLines::read(b"3 5\nabc\n1 2 3\n");
        let made: std::collections::BTreeSet<_> =
            (0..2000).map(|index| changed(&sheet, &sheet, &mut Random::new(7, index)).bytes()).collect();
        assert!(made.len() > 500, "{}", made.len());
        for wanted in ["4 5\nabc\n1 2 3\n", "3 5\nabc\n", "3 5\nbbc\n1 2 3\n", "3 5\nabc\n1 1 1\n", "3 5\nabc\n1 2\n"] {
            assert!(made.contains(wanted.as_bytes()), "{wanted:?}");
        }
    }
}
