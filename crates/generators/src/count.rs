//! Reads the key `count`. A rule with this key makes several test cases.

use referee_package::yaml::{Node, Value};

/// The maximum number of test cases of one rule.
const MOST: usize = 100;

/// The numbers of a rule's test cases, and the format of the number at the end of their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) numbers: Vec<i64>,
    /// The minimum number of digits; shorter numbers are padded with zeros.
    width: usize,
}

impl Count {
    /// Reads `count: 3`, `count: [1, 5]` or `count: 2..=4`. Fails with a message for any other value.
    pub(super) fn read(node: &Node) -> Result<Count, String> {
        let wrong = || {
            format!(
                "found {}, allowed: a number from 1 to {MOST}, a list of at most {MOST} different whole numbers, or a \
                 range such as 2..=5",
                node.quoted()
            )
        };
        let numbers = match &node.value {
            Value::List(nodes) => nodes
                .iter()
                .map(|node| node.as_whole_number().filter(|number| is_near(*number)))
                .collect::<Option<Vec<_>>>(),
            Value::Map(_) => None,
            Value::Scalar { text, .. } => match node.as_whole_number() {
                Some(most) => Some((1..=most.min(MOST as i64 + 1)).collect()),
                None => range(text),
            },
        };
        let numbers = numbers.filter(|numbers| (1..=MOST).contains(&numbers.len())).ok_or_else(wrong)?;
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(wrong());
        }
        let is_consecutive = sorted.windows(2).all(|pair| pair[1] - pair[0] == 1);
        let width = if is_consecutive { sorted.iter().map(|number| number.to_string().len()).max() } else { None };
        Ok(Count { numbers, width: width.unwrap_or(0) })
    }

    /// Returns the suffix of a test case's name for this number.
    pub(super) fn suffix(&self, number: i64) -> String {
        format!("-{number:0width$}", width = self.width)
    }
}

/// The largest absolute value allowed for a number. Arithmetic with numbers up to this limit cannot overflow.
const LARGEST: i64 = 1 << 53;

fn is_near(number: i64) -> bool {
    (-LARGEST..=LARGEST).contains(&number)
}

fn range(text: &str) -> Option<Vec<i64>> {
    let (low, high) = text.split_once("..=")?;
    let number = |text: &str| text.parse().ok().filter(|number| !text.starts_with('+') && is_near(*number));
    let (low, high) = (number(low)?, number(high)?);
    Some((low..=high.min(low + MOST as i64)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: Value) -> Result<Count, String> {
        Count::read(&Node { place: (1, 1), value })
    }

    fn word(text: &str) -> Value {
        Value::Scalar { text: text.to_owned(), plain: true }
    }

    fn list(texts: &[&str]) -> Value {
        Value::List(texts.iter().map(|text| Node { place: (1, 1), value: word(text) }).collect())
    }

    fn names(value: Value) -> Vec<String> {
        let count = of(value).unwrap();
        count.numbers.iter().map(|&number| count.suffix(number)).collect()
    }

    #[test]
    fn numbers_in_a_row_are_filled_with_zeros() {
        assert_eq!(names(word("3")), ["-1", "-2", "-3"]);
        assert_eq!(names(word("10"))[..2], ["-01", "-02"]);
        assert_eq!(names(word("8..=10")), ["-08", "-09", "-10"]);
        assert_eq!(names(word("-1..=1")), ["--1", "-00", "-01"], "BAPCtools pads to the width of -1");
    }

    #[test]
    fn numbers_with_gaps_are_written_as_they_are() {
        assert_eq!(names(list(&["5", "1", "10"])), ["-5", "-1", "-10"]);
        assert_eq!(names(list(&["10", "9"])), ["-10", "-09"]);
    }

    #[test]
    fn nothing_else_is_a_count() {
        let none: [Value; 9] = [
            word("0"),
            word("-3"),
            word("101"),
            word("a"),
            word("1..5"),
            word("5..=4"),
            word("1..=101"),
            list(&[]),
            list(&["1", "1"]),
        ];
        for value in none {
            assert!(of(value.clone()).is_err(), "{value:?}");
        }
        assert!(of(word("99999999999999999999")).is_err());
        assert!(of(list(&["9223372036854775807", "-9223372036854775808"])).is_err());
    }
}
