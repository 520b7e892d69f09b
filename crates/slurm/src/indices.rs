//! A list of task numbers as Slurm writes it: `1-3,7`.

use std::fmt;

/// Task numbers in ascending order, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Indices(Vec<usize>);

impl Indices {
    /// Returns the list of these numbers, in any order.
    pub fn new(numbers: impl IntoIterator<Item = usize>) -> Indices {
        let mut all: Vec<_> = numbers.into_iter().collect();
        all.sort_unstable();
        all.dedup();
        Indices(all)
    }

    /// Returns the numbers.
    pub fn numbers(&self) -> &[usize] {
        &self.0
    }

    /// Parses the form of [`fmt::Display`]. Returns `None` if a number is not from 1 to `most`.
    pub(crate) fn parse(text: &str, most: usize) -> Option<Indices> {
        let number = |text: &str| text.parse().ok().filter(|found| (1..=most).contains(found));
        let mut all = Vec::new();
        for piece in text.split(',') {
            let (first, last) = match piece.split_once('-') {
                Some((first, last)) => (number(first)?, number(last)?),
                None => (number(piece)?, number(piece)?),
            };
            all.extend(first..=last);
            // Overlapping ranges of a forged list could take more memory than all numbers.
            if all.len() > most {
                return None;
            }
        }
        Some(Indices::new(all))
    }
}

impl fmt::Display for Indices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for range in self.0.chunk_by(|one, next| one + 1 == *next) {
            match (range.first(), range.last()) {
                (Some(first), Some(last)) if first < last => write!(f, "{separator}{first}-{last}")?,
                (Some(only), _) => write!(f, "{separator}{only}")?,
                (None, _) => {}
            }
            separator = ",";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_ranges_and_read_back() {
        for (numbers, text) in [(vec![1], "1"), (vec![3, 1, 2, 7, 2], "1-3,7"), (vec![1, 2, 4, 5, 9], "1-2,4-5,9")] {
            let indices = Indices::new(numbers);
            assert_eq!(indices.to_string(), text);
            assert_eq!(Indices::parse(text, 9), Some(indices));
        }
        assert_eq!(Indices::new([]).to_string(), "");
    }

    #[test]
    fn numbers_outside_the_parts_are_refused() {
        for text in ["", "0", "1-10", "10", "a", "1,", "1-2-3", "-1", "1-9,1-9"] {
            assert_eq!(Indices::parse(text, 9), None, "{text:?}");
        }
    }
}
