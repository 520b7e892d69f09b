//! Narrows the marked part of long words. For example, in a word of a thousand digits only the wrong digits are marked.

use super::{Row, Side};

/// The length of a long word, in characters. A shorter word is marked as a whole.
const LONG_WORD: usize = 24;

/// Narrows the marks in each pair of an expected line and the output line that replaces it. If the two lines have the
/// same text but only one of them ends with a line feed, that line gets a marked symbol for its line feed.
pub(super) fn narrow(rows: &mut [Row]) {
    let mut start = 0;
    while start < rows.len() {
        let expected = rows[start..].iter().take_while(|row| is_of(row, Side::Expected)).count();
        let output = rows[start + expected..].iter().take_while(|row| is_of(row, Side::Output)).count();
        let (olds, news) = rows[start..start + expected + output].split_at_mut(expected);
        for (old, new) in olds.iter_mut().zip(news) {
            if let (Row::Line { parts: old, is_ended, .. }, Row::Line { parts: new, is_ended: is_new_ended, .. }) =
                (old, new)
            {
                long_words(old, new);
                if is_ended != is_new_ended && text(old) == text(new) {
                    let ended = if *is_ended { old } else { new };
                    ended.push((true, "⏎".to_owned()));
                }
            }
        }
        start += (expected + output).max(1);
    }
}

fn is_of(row: &Row, wanted: Side) -> bool {
    matches!(row, Row::Line { side, .. } if *side == wanted)
}

type Parts = Vec<(bool, String)>;

/// Compares one part of each line: the only part of the line, or else its only marked part. If both parts are long,
/// removes the mark from the characters that they share at the beginning and at the end.
fn long_words(old: &mut Parts, new: &mut Parts) {
    let (Some(at), Some(new_at)) = (only_word(old), only_word(new)) else { return };
    let (a, b): (Vec<char>, Vec<char>) = (old[at].1.chars().collect(), new[new_at].1.chars().collect());
    if a.len().min(b.len()) < LONG_WORD {
        return;
    }
    let before = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let most = a.len().min(b.len()) - before;
    let after = a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    if before + after == 0 {
        return;
    }
    split(old, at, before, &a, after);
    split(new, new_at, before, &b, after);
}

fn text(parts: &Parts) -> String {
    parts.iter().map(|(_, text)| text.as_str()).collect()
}

/// Returns the index of the line's only part. If the line has several parts, returns the index of the only marked part;
/// `None` if no part or more than one is marked.
fn only_word(parts: &Parts) -> Option<usize> {
    if parts.len() == 1 {
        return Some(0);
    }
    let mut all = parts.iter().enumerate().filter(|(_, (is_marked, _))| *is_marked).map(|(index, _)| index);
    all.next().filter(|_| all.next().is_none())
}

/// Splits the part with the index `at`, whose text is `word`, into up to three parts. Only the middle is marked,
/// without the first `before` and the last `after` characters.
fn split(parts: &mut Parts, at: usize, before: usize, word: &[char], after: usize) {
    let text = |characters: &[char]| characters.iter().collect::<String>();
    let end = word.len() - after;
    let pieces = [(false, text(&word[..before])), (true, text(&word[before..end])), (false, text(&word[end..]))];
    parts.splice(at..=at, pieces.into_iter().filter(|(_, text)| !text.is_empty()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(side: Side, parts: &[(bool, &str)]) -> Row {
        let parts = parts.iter().map(|(marked, text)| (*marked, (*text).to_owned())).collect();
        Row::Line { side, number: 1, parts, is_ended: true }
    }

    #[test]
    fn of_long_words_only_what_differs_stays_marked() {
        let word = "0123456789".repeat(5);
        let other = word.replacen("78", "7x8", 1);
        let mut rows = [
            row(Side::Both, &[(false, "same")]),
            row(Side::Expected, &[(false, "a "), (true, &word)]),
            row(Side::Output, &[(false, "a "), (true, &other)]),
        ];
        narrow(&mut rows);
        assert_eq!(rows[1], row(Side::Expected, &[(false, "a "), (false, "01234567"), (false, &word[8..])]));
        assert_eq!(rows[2], row(Side::Output, &[(false, "a "), (false, "01234567"), (true, "x"), (false, &word[8..])]));
    }

    #[test]
    fn a_line_of_one_long_word_is_marked_where_it_differs() {
        let (word, other) = ("x".repeat(30), format!("{}Y{}", "x".repeat(9), "x".repeat(20)));
        let mut rows = [row(Side::Expected, &[(false, &word)]), row(Side::Output, &[(false, &other)])];
        narrow(&mut rows);
        let parts = |middle| [(false, &word[..9]), (true, middle), (false, &word[..20])];
        assert_eq!(rows, [row(Side::Expected, &parts("x")), row(Side::Output, &parts("Y"))]);
    }

    #[test]
    fn short_words_stay_whole_and_lines_without_a_partner_as_they_are() {
        let mut rows = [row(Side::Expected, &[(true, "2.50")]), row(Side::Output, &[(true, "2.75")]), Row::Gap];
        let before = rows.clone();
        narrow(&mut rows);
        assert_eq!(rows, before);
    }

    #[test]
    fn a_line_feed_that_is_lacking_can_be_seen() {
        let lacking = |side| match row(side, &[(false, "5")]) {
            Row::Line { side, number, parts, .. } => Row::Line { side, number, parts, is_ended: false },
            Row::Gap => Row::Gap,
        };
        let mut rows = [row(Side::Expected, &[(false, "5")]), lacking(Side::Output)];
        narrow(&mut rows);
        assert_eq!(rows, [row(Side::Expected, &[(false, "5"), (true, "⏎")]), lacking(Side::Output)]);
    }
}
