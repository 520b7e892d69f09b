//! The range of scores that a group may have.

use super::Score;

/// The range of allowed scores of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The smallest allowed score; `None` if there is no lower limit.
    pub low: Option<Score>,
    /// The largest allowed score; `None` if there is no upper limit.
    pub high: Option<Score>,
}

impl Range {
    /// Returns whether the score is in the range.
    pub fn contains(&self, score: &Score) -> bool {
        self.low.as_ref().is_none_or(|low| low <= score) && self.high.as_ref().is_none_or(|high| score <= high)
    }

    /// Parses two numbers separated by whitespace, the smaller first. `-inf` and `inf` mean no limit. Returns `None`
    /// for any other text.
    pub fn read(text: &str) -> Option<Range> {
        let words: Vec<_> = text.split_whitespace().collect();
        let &[low, high] = words.as_slice() else { return None };
        let low = if ["-inf", "-Inf"].contains(&low) { None } else { Some(Score::parse(low)?) };
        let high = if ["inf", "+inf", "Inf"].contains(&high) { None } else { Some(Score::parse(high)?) };
        let is_range = low.as_ref().zip(high.as_ref()).is_none_or(|(low, high)| low <= high);
        is_range.then_some(Range { low, high })
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let end = |end: &Option<Score>, none: &str| end.as_ref().map_or(none.to_owned(), Score::to_string);
        write!(f, "{} to {}", end(&self.low, "-inf"), end(&self.high, "+inf"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_two_ends_or_none() {
        let range = Range::read("0 100").unwrap();
        assert!(
            range.contains(&Score::whole(0))
                && range.contains(&Score::whole(100))
                && !range.contains(&Score::whole(101))
        );
        let open = Range::read("-inf +inf").unwrap();
        assert_eq!(open, Range::default());
        assert!(open.contains(&Score::parse("-1e9").unwrap()));
        assert_eq!(Range::read("-0.5 inf").unwrap().to_string(), "-0.5 to +inf");
        for text in ["", "0", "1 0", "0 1 2", "a b", "inf 0", "nan nan", "0 -inf"] {
            assert_eq!(Range::read(text), None, "{text:?}");
        }
    }
}
