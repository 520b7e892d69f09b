//! The numbers in worksheets, exact to hundredths.

/// A number in hundredths. It is at least 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hundredths(u64);

/// The largest number, in hundredths. No gradebook has a larger maximum.
const LARGEST: u64 = 100_000_000_000;

impl Hundredths {
    /// The points of a submission with full marks.
    pub(super) const FULL: Hundredths = Hundredths(100 * 100);

    pub(super) const ZERO: Hundredths = Hundredths(0);

    /// Returns points, which have at most two decimals.
    pub(super) fn of_points(points: f64) -> Hundredths {
        Hundredths((points * 100.0).round().clamp(0.0, 10_000.0) as u64)
    }

    /// Parses a number with a decimal point or a decimal comma. `None` for any other text, for a negative number, and
    /// for one with more than two decimals other than 0.
    pub(super) fn parse(text: &str) -> Option<Hundredths> {
        let (whole, decimals) = text.trim().split_once(['.', ',']).unwrap_or((text.trim(), ""));
        let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_number(whole) || !is_number(decimals) {
            return None;
        }
        let decimals = format!("{:0<2}", decimals.trim_end_matches('0'));
        let number: u64 = format!("{whole}{decimals}").parse().ok().filter(|_| decimals.len() == 2)?;
        (number <= LARGEST).then_some(Hundredths(number))
    }

    pub(super) fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Returns these points of 100 as a grade of at most `most`, rounded to hundredths, half up.
    pub(super) fn scaled_to(self, most: Hundredths) -> Hundredths {
        let full = u128::from(Hundredths::FULL.0);
        let scaled = (2 * u128::from(self.0) * u128::from(most.0) + full) / (2 * full);
        Hundredths(u64::try_from(scaled).unwrap_or(LARGEST))
    }

    /// Returns the number in its shortest form. `mark` is the decimal point or comma.
    pub(super) fn text(self, mark: char) -> String {
        let (whole, decimals) = (self.0 / 100, format!("{:02}", self.0 % 100));
        match decimals.trim_end_matches('0') {
            "" => whole.to_string(),
            decimals => format!("{whole}{mark}{decimals}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Hundredths {
        Hundredths::parse(text).unwrap_or_else(|| panic!("{text} is a number"))
    }

    #[test]
    fn numbers_have_a_point_or_a_comma() {
        for (text, hundredths) in
            [("10", 1000), ("10.00", 1000), ("10,5", 1050), ("0.25", 25), (" 7 ", 700), ("1.500", 150)]
        {
            assert_eq!(number(text), Hundredths(hundredths), "{text}");
        }
        for text in ["", "-", "-1", "1.2.3", "1.234", "x", "1 0", ".5", "1e3", "99999999999999999999", "(read only)"] {
            assert_eq!(Hundredths::parse(text), None, "{text}");
        }
    }

    #[test]
    fn points_are_scaled_and_rounded_half_up() {
        let scaled = |points: f64, most: &str| Hundredths::of_points(points).scaled_to(number(most)).text('.');
        assert_eq!(scaled(100.0, "15"), "15");
        assert_eq!(scaled(33.33, "10"), "3.33");
        assert_eq!(scaled(66.67, "3"), "2");
        assert_eq!(scaled(50.0, "0.01"), "0.01", "half a hundredth");
        assert_eq!(scaled(12.5, "10"), "1.25");
        assert_eq!((scaled(0.0, "10"), scaled(100.0, "0")), ("0".to_owned(), "0".to_owned()));
        assert_eq!(Hundredths::of_points(62.5).text(','), "62,5");
    }
}
