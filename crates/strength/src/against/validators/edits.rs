//! Makes small changes to a text. A careless validator may miss such changes. The changes concern whitespace, line
//! ends, signs, numbers, and the end of the text, among others. This module does no I/O.

use referee_random::Random;

/// The maximum number of changes of one text.
const MOST_EDITS: u64 = 3;

/// The size of the largest buffer that [`run`] tries to overflow, as a power of two: 2^13 bytes are 8 KiB. [`run`]
/// inserts at most twice as many bytes.
const LONGEST_RUN_BITS: u64 = 13;

/// The bytes that [`spliced`] writes into a text. It also uses bytes that the text already contains.
const LETTERS: [u8; 27] = *b" \t\n\r\0\x0b\x0c019-+.,/:@A[`aZz{~\x7f\xff";

/// Returns `text` with a few changes, mostly one. `other` is another text of the same kind, from which lines are taken.
pub(super) fn edited(text: Vec<u8>, other: &[u8], random: &mut Random) -> Vec<u8> {
    let count = if random.chance(2, 3) { 1 } else { random.between(2, MOST_EDITS) };
    (0..count).fold(text, |text, _| edit(text, other, random))
}

fn edit(text: Vec<u8>, other: &[u8], random: &mut Random) -> Vec<u8> {
    match random.below(16) {
        0..=2 => spliced(text, 0, random),
        3..=5 => spliced(text, 1, random),
        6 => without_a_letter(text, random),
        7 => neighbouring_letter(text, random),
        8 => swapped(text, random),
        9..=10 => of_a_number(text, random),
        11 => at_the_end(text, random),
        12 => of_lines(&text, other, random),
        13 => cut(text, random),
        14 => run(text, random),
        _ => text.to_ascii_uppercase().into_iter().zip(text).map(|(upper, letter)| other_case(upper, letter)).collect(),
    }
}

fn other_case(upper: u8, letter: u8) -> u8 {
    if upper == letter { letter.to_ascii_lowercase() } else { upper }
}

/// Returns a random position in the text. It is often the beginning or the end, because validators often check these
/// positions specially.
fn place(length: usize, random: &mut Random) -> usize {
    match random.below(8) {
        0 => 0,
        1 => length,
        2 => length.saturating_sub(1),
        _ => random.below(length as u64 + 1) as usize,
    }
}

/// Writes one random byte at a random position. The byte replaces the next `taken` bytes, or fewer if the text ends
/// before. If `taken` is 0, the byte is inserted.
fn spliced(mut text: Vec<u8>, taken: usize, random: &mut Random) -> Vec<u8> {
    let own = random.pick(&text).copied();
    let letter = if random.chance(1, 2) { own } else { None };
    let letter = letter.or_else(|| random.pick(&LETTERS).copied()).unwrap_or_default();
    let at = place(text.len(), random);
    let end = (at + taken).min(text.len());
    text.splice(at..end, [letter]);
    text
}

fn without_a_letter(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let at = place(text.len(), random);
    if at < text.len() {
        text.remove(at);
    }
    text
}

/// Replaces a byte with the next lower or the next higher byte, because comparisons often go wrong at the ends of
/// character ranges.
fn neighbouring_letter(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let up = random.chance(1, 2);
    let at = place(text.len(), random);
    if let Some(letter) = text.get_mut(at) {
        *letter = if up { letter.wrapping_add(1) } else { letter.wrapping_sub(1) };
    }
    text
}

fn swapped(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    if text.len() > 1 {
        let at = random.below(text.len() as u64 - 1) as usize;
        text.swap(at, at + 1);
    }
    text
}

/// Replaces one of the numbers in `text`, chosen at random, with `number`. Returns `text` unchanged if it contains no
/// number.
pub(super) fn with_number(text: Vec<u8>, number: i128, random: &mut Random) -> Vec<u8> {
    let count = numbers(&text).len() as u64;
    let index = if count == 0 { 0 } else { random.below(count) as usize };
    with_number_at(&text, index, number).unwrap_or(text)
}

/// Replaces the number with this index in `text` with `number`; `None` if `text` has fewer numbers.
pub(super) fn with_number_at(text: &[u8], index: usize, number: i128) -> Option<Vec<u8>> {
    let &(start, end) = numbers(text).get(index)?;
    let has_sign = start > 0 && text[start - 1] == b'-';
    let start = start - usize::from(has_sign);
    Some([&text[..start], number.to_string().as_bytes(), &text[end..]].concat())
}

/// Returns the ranges of all runs of digits, as start and end.
fn numbers(text: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, letter) in text.iter().chain(&[0]).enumerate() {
        match (letter.is_ascii_digit(), start) {
            (true, None) => start = Some(at),
            (false, Some(first)) => {
                found.push((first, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn of_a_number(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let numbers = numbers(&text);
    // The first number is often a count with limits.
    let first = numbers.first().copied().filter(|_| random.chance(1, 3));
    let Some((start, end)) = first.or_else(|| random.pick(&numbers).copied()) else { return text };
    let digits = String::from_utf8_lossy(&text[start..end]).into_owned();
    let value: u64 = digits.parse().unwrap_or(u64::MAX);
    let changed = match random.below(12) {
        0 => value.saturating_add(1).to_string(),
        1 => value.saturating_sub(1).to_string(),
        2 => format!("0{digits}"),
        3 => format!("+{digits}"),
        4 => format!("-{digits}"),
        5 => format!("{digits}.0"),
        6 => format!("{digits}0"),
        7 => random.below(100).to_string(),
        8 => 10_u64.pow(random.below(19) as u32).to_string(),
        9 => (10_u64.pow(random.below(19) as u32) - 1).to_string(),
        10 => (value.saturating_add(random.between(2, 9))).to_string(),
        _ => (u64::from(u32::MAX) + 1).saturating_add(value).to_string(),
    };
    text.splice(start..end, changed.into_bytes());
    text
}

fn at_the_end(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    match random.below(7) {
        0 => text.truncate(text.trim_ascii_end().len()),
        1 => text.push(b'\n'),
        2 => text.extend_from_slice(b" \n"),
        3 => text.push(0),
        4 => text.extend_from_slice(b"42\n"),
        5 => text.extend_from_slice(b"hello\n"),
        _ => {
            let letters = text.iter().flat_map(|letter| match letter {
                b'\n' => vec![b'\r', b'\n'],
                letter => vec![*letter],
            });
            return letters.collect();
        }
    }
    text
}

fn of_lines(text: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|letter| *letter == b'\n').collect();
    if lines.is_empty() {
        return other.to_vec();
    }
    let others: Vec<&[u8]> = other.split_inclusive(|letter| *letter == b'\n').collect();
    let at = random.below(lines.len() as u64) as usize;
    match random.below(5) {
        0 => _ = lines.remove(at),
        1 => lines.insert(at, lines[at]),
        2 => lines.insert(at, b"\n"),
        3 => lines.insert(at, random.pick(&others).copied().unwrap_or(b"\n")),
        _ => lines[at] = random.pick(&others).copied().unwrap_or(b"\n"),
    }
    lines.concat()
}

/// Cuts the text off at a random position.
fn cut(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    text.truncate(place(text.len(), random));
    text
}

/// Inserts a run of equal bytes. Its length is often close to a power of two, because buffers have such sizes.
fn run(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let at = place(text.len(), random);
    let letter = text.get(at).or(text.last()).copied().unwrap_or(b'1');
    let room = 1_u64 << random.between(1, LONGEST_RUN_BITS);
    let count = if random.chance(1, 2) { room + random.below(3) } else { random.between(2, 2 * room) };
    let at = at.min(text.len());
    text.splice(at..at, vec![letter; count as usize]);
    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn all(text: &[u8], seeds: u64) -> HashSet<Vec<u8>> {
        (0..seeds).map(|number| edited(text.to_vec(), b"7 8\n9\n", &mut Random::new(1, number))).collect()
    }

    #[test]
    fn what_input_validators_have_to_reject_is_tried() {
        let made = all(b"12 5\n3\n", 20_000);
        let wanted: [&[u8]; 14] = [
            b"12  5\n3\n",
            b" 12 5\n3\n",
            b"12 5 \n3\n",
            b"12 5\r\n3\r\n",
            b"12 5\n3",
            b"12 5\n3\n\n",
            b"012 5\n3\n",
            b"+12 5\n3\n",
            b"-12 5\n3\n",
            b"13 5\n3\n",
            b"11 5\n3\n",
            b"12 5\n3\n\0",
            b"12 5\n",
            b"",
        ];
        for text in wanted {
            assert!(made.contains(text), "{:?}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn a_number_is_written_into_every_place() {
        let texts: HashSet<_> =
            (0..200).map(|seed| with_number(b"5 -7\n".to_vec(), 101, &mut Random::new(1, seed))).collect();
        assert_eq!(texts, HashSet::from([b"101 -7\n".to_vec(), b"5 101\n".to_vec()]));
        assert_eq!(with_number(b"none".to_vec(), 1, &mut Random::new(1, 1)), b"none");
        let at = |index| with_number_at(b"5 -7\n", index, -8);
        assert_eq!((at(0), at(1), at(2)), (Some(b"-8 -7\n".to_vec()), Some(b"5 -8\n".to_vec()), None));
    }

    proptest! {
        #[test]
        fn any_text_is_changed_and_the_same_number_gives_the_same(
            text in prop::collection::vec(any::<u8>(), 0..40),
            other in prop::collection::vec(any::<u8>(), 0..40),
            number in any::<u64>(),
        ) {
            let once = edited(text.clone(), &other, &mut Random::new(1, number));
            prop_assert_eq!(&once, &edited(text, &other, &mut Random::new(1, number)));
            prop_assert!(once.len() < 1 << 16);
        }
    }
}
