//! Parses `/proc/PID/stat` and `/proc/PID/task/TID/stat`.

use std::str::FromStr;
use std::time::Duration;

use super::syscall;

/// A line of such a file. Its fields have the numbers of proc(5), which begins with 1 for the process number.
pub(super) struct StatLine<'a> {
    /// The fields after the name of the program, beginning with [`FIRST`].
    fields: Vec<&'a str>,
}

/// The number of the first field after the name of the program: the state.
const FIRST: usize = 3;

impl<'a> StatLine<'a> {
    /// Splits a line. The fields begin after the last parenthesis, because the name of the program may contain
    /// parentheses. `None` if there is no parenthesis.
    pub(super) fn split(line: &'a str) -> Option<StatLine<'a>> {
        Some(StatLine { fields: line.rsplit_once(')')?.1.split_whitespace().collect() })
    }

    /// Returns a field as a value; `None` if it is missing or no such value.
    pub(super) fn get<T: FromStr>(&self, number: usize) -> Option<T> {
        self.fields.get(number.checked_sub(FIRST)?)?.parse().ok()
    }

    /// Returns a field that counts clock ticks as a time; `None` if it is missing.
    pub(super) fn time(&self, number: usize) -> Option<Duration> {
        Some(Duration::from_millis(self.get::<u64>(number)?.saturating_mul(1000) / syscall::clock_ticks_per_second()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_does_not_shift_the_fields() {
        let line = StatLine::split("7 (a) b (c) S 4 5 6 -1").unwrap();
        assert_eq!((line.get(3), line.get(4), line.get(7)), (Some('S'), Some(4), Some(-1)));
        assert_eq!((line.get::<u64>(7), line.get::<u64>(8), line.get::<u64>(2)), (None, None, None));
        let second = Duration::from_secs(1);
        let line = format!("7 (a) S {}", syscall::clock_ticks_per_second());
        assert_eq!(StatLine::split(&line).unwrap().time(4), Some(second));
        assert!(StatLine::split("no name").is_none());
    }
}
