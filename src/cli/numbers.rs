//! Parses the numbers of options. An error names the allowed range.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Parses any whole number that fits, such as a seed.
pub(super) fn whole_number(text: &str) -> Result<u64, String> {
    whole_number_in(0..=u64::MAX)(text)
}

/// Returns a function that parses a whole number in this range.
pub(super) fn whole_number_in<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("allowed: a whole number from {} to {}", range.start(), range.end()))
    }
}

/// The largest number of seconds allowed for an option. A larger value is probably a mistake.
const LONGEST_SECONDS: f64 = 1e6;

/// Parses a time in seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= LONGEST_SECONDS => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("allowed: a number of seconds above 0 and up to 1000000, such as 1.5".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_must_be_in_its_range() {
        let parse = whole_number_in(1..=1024_u16);
        assert_eq!(["1", "1024"].map(&parse), [Ok(1), Ok(1024)]);
        for wrong in ["0", "1025", "70000", "-1", "x", "", "1.5"] {
            assert_eq!(parse(wrong), Err("allowed: a whole number from 1 to 1024".to_owned()), "{wrong}");
        }
    }
}
