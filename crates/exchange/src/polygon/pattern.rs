//! Path patterns of tests, such as `tests/%02d`, in the notation of C's `printf`.

/// A path that contains the number of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    before: String,
    width: usize,
    zeros: bool,
    after: String,
}

/// The largest width allowed for a number, in characters.
const WIDEST: usize = 20;

impl Pattern {
    /// Parses a pattern. Returns `None` unless the text has exactly one `%d`, which may have a width of at most
    /// `WIDEST`.
    pub(super) fn new(text: &str) -> Option<Pattern> {
        let (before, rest) = text.split_once('%')?;
        let (format, after) = rest.split_once('d')?;
        if after.contains('%') || !format.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let width = if format.is_empty() { 0 } else { format.parse().ok().filter(|&width| width <= WIDEST)? };
        Some(Pattern { before: before.to_owned(), width, zeros: format.starts_with('0'), after: after.to_owned() })
    }

    /// Returns the path of the test with this number.
    pub(super) fn path(&self, number: usize) -> String {
        let Pattern { before, width, zeros, after } = self;
        if *zeros { format!("{before}{number:0width$}{after}") } else { format!("{before}{number:width$}{after}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_c_writes_them() {
        let path = |pattern: &str, number| Pattern::new(pattern).map(|found| found.path(number));
        assert_eq!(path("tests/%02d", 7).as_deref(), Some("tests/07"));
        assert_eq!(path("tests/%02d.a", 123).as_deref(), Some("tests/123.a"));
        assert_eq!(path("t/%d.in", 7).as_deref(), Some("t/7.in"));
        assert_eq!(path("t/%3d", 7).as_deref(), Some("t/  7"));
    }

    #[test]
    fn what_is_no_pattern_is_none() {
        for text in ["tests/01", "%s", "%02d/%02d", "%", "%99999999999999999999d", "%-2d", "%n%d"] {
            assert_eq!(Pattern::new(text), None, "{text}");
        }
    }
}
