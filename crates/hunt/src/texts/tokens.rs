//! Represents a text as lines, and each line as words, with all whitespace. Removing or changing a word leaves the
//! other words unchanged.

/// A text, split into lines and words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenLines {
    /// The lines.
    pub rows: Vec<Row>,
}

/// A line of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The words, each with the whitespace before it.
    pub(crate) words: Vec<Token>,
    /// The whitespace after the last word, including the line end if there is one.
    pub(crate) end: Vec<u8>,
}

/// A run of bytes without whitespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The whitespace before the word.
    pub(crate) before: Vec<u8>,
    /// The bytes of the word.
    pub(crate) text: Vec<u8>,
}

impl TokenLines {
    /// Splits a text into lines and words.
    pub fn read(bytes: &[u8]) -> TokenLines {
        TokenLines { rows: bytes.split_inclusive(|byte| *byte == b'\n').map(Row::read).collect() }
    }

    /// Returns the bytes of the text, exactly as they were read if nothing was changed.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for row in &self.rows {
            for word in &row.words {
                bytes.extend_from_slice(&word.before);
                bytes.extend_from_slice(&word.text);
            }
            bytes.extend_from_slice(&row.end);
        }
        bytes
    }

    /// Returns the text's size for comparisons. Of two texts, the text with fewer words is smaller. If the numbers of
    /// words are equal, the text with fewer bytes is smaller; if these are equal, too, the first text in byte order.
    pub(crate) fn measure(&self) -> (usize, usize, Vec<u8>) {
        let bytes = self.bytes();
        (self.rows.iter().map(|row| row.words.len()).sum(), bytes.len(), bytes)
    }

    /// Returns the number at a position, given as the row and the index of the word in it. Returns `None` if the word
    /// is not a number.
    pub(crate) fn number(&self, (row, word): (usize, usize)) -> Option<i64> {
        self.rows.get(row)?.words.get(word)?.number()
    }

    pub(crate) fn set(&mut self, (row, word): (usize, usize), text: impl Into<Vec<u8>>) {
        if let Some(word) = self.rows.get_mut(row).and_then(|row| row.words.get_mut(word)) {
            word.text = text.into();
        }
    }

    /// Iterates over the positions of all words, as row and index.
    pub(crate) fn places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.rows.iter().enumerate().flat_map(|(row, line)| (0..line.words.len()).map(move |word| (row, word)))
    }
}

impl Row {
    fn read(line: &[u8]) -> Row {
        let mut row = Row::default();
        let mut rest = line;
        loop {
            let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let letters = rest[blanks..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
            if letters == 0 {
                row.end = rest.to_vec();
                return row;
            }
            let (word, after) = rest.split_at(blanks + letters);
            row.words.push(Token { before: word[..blanks].to_vec(), text: word[blanks..].to_vec() });
            rest = after;
        }
    }

    /// Removes words. The indentation of the line stays: the word that is now first gets the whitespace that was before
    /// the old first word.
    pub(crate) fn remove(&mut self, range: std::ops::Range<usize>) {
        let first = self.words.first().map(|word| word.before.clone());
        self.words.drain(range);
        if let (Some(word), Some(before)) = (self.words.first_mut(), first) {
            word.before = before;
        }
    }
}

impl Token {
    /// Returns the word's value; `None` unless it is an integer in the usual notation.
    pub(crate) fn number(&self) -> Option<i64> {
        let value: i64 = std::str::from_utf8(&self.text).ok()?.parse().ok()?;
        (value.to_string().as_bytes() == self.text).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn nothing_is_lost(text in "[ \\t\\r\\n0-9a-z-]{0,60}") {
            prop_assert_eq!(TokenLines::read(text.as_bytes()).bytes(), text.as_bytes());
        }
    }

    #[test]
    fn words_are_taken_out_with_the_blanks_before_them() {
        let mut lines = TokenLines::read(b"  10 20\t30 \n-0 +1 007 -12\n");
        assert_eq!(lines.number((0, 1)), Some(20));
        let numbers: Vec<_> = (0..5).map(|word| lines.number((1, word))).collect();
        assert_eq!(numbers, [None, None, None, Some(-12), None]);
        lines.rows[0].remove(0..1);
        assert_eq!(lines.bytes(), b"  20\t30 \n-0 +1 007 -12\n");
        lines.rows[0].remove(1..2);
        lines.set((1, 3), "5");
        assert_eq!(lines.bytes(), b"  20 \n-0 +1 007 5\n");
    }
}
