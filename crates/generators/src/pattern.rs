//! Reads the key `match`: regular expressions that must match in the input or the answer of a test case.

use fancy_regex::{Regex, RegexBuilder};

use super::ending::Ending;

/// A regular expression and the file that it searches. As in BAPCtools, `^` and `$` match at line ends, and a dot
/// matches any character.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) ending: Ending,
    pub(super) written: String,
    regex: Regex,
}

/// The maximum number of backtracking steps of a search.
const MOST_STEPS: usize = 1_000_000;

impl Pattern {
    pub(super) fn new(ending: Ending, written: &str) -> Result<Pattern, String> {
        // Python writes `\Z` for the end of the text, and the library writes `\z`.
        let own = format!("(?ms){}", written.replace("\\Z", "\\z"));
        let built = RegexBuilder::new(&own).backtrack_limit(MOST_STEPS).build();
        let regex = built.map_err(|error| format!("{written:?} is not a valid regular expression: {error}"))?;
        Ok(Pattern { ending, written: written.to_owned(), regex })
    }

    /// Returns whether the pattern matches in the text. Fails with a message if the search needs too many steps.
    pub(super) fn is_in(&self, text: &[u8]) -> Result<bool, String> {
        let text = String::from_utf8_lossy(text).replace("\r\n", "\n").replace('\r', "\n");
        self.regex
            .is_match(&text)
            .map_err(|error| format!("the search for the pattern {:?} failed: {error}", self.written))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_python() {
        let finds = |pattern: &str, text: &str| Pattern::new("in", pattern).unwrap().is_in(text.as_bytes()).unwrap();
        assert!(finds("^3$", "2\r\n3\r\n"), "each line has a beginning and an end");
        assert!(finds("1.2", "1\n2"), "a dot is any letter");
        assert!(finds(r"2\Z", "1\n2") && !finds(r"1\Z", "1\n2"));
        assert!(finds(r"(\d)\1(?!3)", "22") && !finds(r"(\d)\1(?!3)", "223"));
        assert!(Pattern::new("in", "(").is_err());
    }

    #[test]
    fn a_pattern_that_takes_for_ever_is_given_up() {
        let pattern = Pattern::new("in", r"(x+x+)+\1y").unwrap();
        assert!(pattern.is_in("x".repeat(5000).as_bytes()).is_err());
    }
}
