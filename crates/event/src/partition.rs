//! Splits the submissions of a run into parts that are judged separately, on other machines or in other jobs.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The largest number of parts allowed. A larger number is probably a typing error.
const MOST: usize = 100_000;

/// A part of the submissions of a run: every `of`-th submission, starting with submission number `part`. Similar
/// submissions are often neighbours in the list, so this puts them into different parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Partition {
    /// The number of this part, counted from 1.
    pub part: usize,
    /// The number of parts of the run.
    pub of: usize,
}

impl Partition {
    /// Returns whether the part contains the submission with this index, counted from 0.
    pub fn contains(self, index: usize) -> bool {
        index % self.of == self.part - 1
    }

    /// Returns whether the numbers describe an existing part.
    pub fn is_legal(self) -> bool {
        (1..=self.of).contains(&self.part) && self.of <= MOST
    }

    /// Returns how many of `all` submissions are in this part.
    pub fn share(self, all: usize) -> usize {
        all / self.of + usize::from(all % self.of >= self.part)
    }
}

impl FromStr for Partition {
    type Err = String;

    fn from_str(text: &str) -> Result<Partition, String> {
        let numbers = text.split_once('/').map(|(part, of)| (part.parse(), of.parse()));
        match numbers {
            Some((Ok(part), Ok(of))) if (Partition { part, of }).is_legal() => Ok(Partition { part, of }),
            _ => Err(format!("allowed: I/N for part I of N parts, such as 1/4, with I from 1 to N and N up to {MOST}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_submission_belongs_to_one_part() {
        for of in 1..6 {
            for all in 0..20 {
                let parts: Vec<_> = (1..=of).map(|part| Partition { part, of }).collect();
                for index in 0..all {
                    assert_eq!(parts.iter().filter(|part| part.contains(index)).count(), 1, "{index} of {of}");
                }
                for part in parts {
                    assert_eq!(
                        part.share(all),
                        (0..all).filter(|&index| part.contains(index)).count(),
                        "{part:?} {all}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_share_of_any_number_is_known() {
        assert_eq!(Partition { part: 1, of: 2 }.share(usize::MAX), 1 << (usize::BITS - 1));
    }

    #[test]
    fn a_part_is_written_as_its_number_and_theirs() {
        assert_eq!("2/3".parse(), Ok(Partition { part: 2, of: 3 }));
        for wrong in ["", "1", "0/3", "4/3", "-1/3", "1/0", "1/", "/2", "1/2/3", "a/b", "1/100001"] {
            assert!(wrong.parse::<Partition>().unwrap_err().contains("I/N"), "{wrong}");
        }
    }
}
