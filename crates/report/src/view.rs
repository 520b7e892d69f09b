//! The choices of the user for the terminal report, and what is known in advance about its table.

use std::cmp::Ordering;

use referee_text::columns::columns;

/// Which submissions get details below the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Details {
    /// Every submission that is not as expected. The details are short if there are many such submissions.
    #[default]
    ShortIfMany,
    /// Every submission that is not as expected.
    Failing,
    /// Every submission with a failed case or a score, also if that is expected.
    All,
    /// No submission.
    None,
}

/// The order of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// By name. Numbers in names are compared by their value.
    Name,
    /// Accepted submissions first, and submissions that were not judged last.
    Verdict,
    /// Most points first. Submissions without points are last; without any points, the scores count.
    Points,
    /// Slowest first.
    Time,
}

/// How the table of submissions and the details are shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct View {
    /// Which submissions get details.
    pub details: Details,
    /// The order of the rows; `None` for the order in which the submissions are judged.
    pub sort: Option<Sort>,
    /// The width of the longest name of a submission and of a test case. `None` if they are not known in advance: then
    /// the table is printed after the last submission.
    pub longest: Option<Longest>,
}

/// The widths of the longest names, in columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Longest {
    /// The width of the longest name of a submission.
    pub submission: usize,
    /// The width of the longest name of a test case.
    pub case: usize,
}

impl Longest {
    /// Measures the names of submissions and test cases.
    pub fn of<'a>(submissions: impl Iterator<Item = &'a str>, cases: impl Iterator<Item = &'a str>) -> Longest {
        let longest = |width: Option<usize>| width.unwrap_or(0);
        Longest { submission: longest(submissions.map(columns).max()), case: longest(cases.map(columns).max()) }
    }
}

/// Compares two names as people sort them: without regard to case, and numbers by their value, so that `a9` is before
/// `a10`. Names that differ in nothing else are compared exactly.
pub(super) fn natural_order(one: &str, other: &str) -> Ordering {
    let (mut a, mut b) = (one, other);
    loop {
        let (x, y) = (token(&mut a), token(&mut b));
        let order = match (x, y) {
            (None, None) => return one.cmp(other),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(x), Some(y)) => compared_tokens(x, y),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Takes the digits at the start of `text`, or else its first character. `None` if the text is empty.
fn token<'a>(text: &mut &'a str) -> Option<&'a str> {
    let first = text.chars().next()?;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (token, rest) = text.split_at(digits.max(first.len_utf8()));
    *text = rest;
    Some(token)
}

fn compared_tokens(one: &str, other: &str) -> Ordering {
    let is_number = |token: &str| token.starts_with(|first: char| first.is_ascii_digit());
    if is_number(one) && is_number(other) {
        let value = |digits: &str| digits.trim_start_matches('0').to_owned();
        let (one, other) = (value(one), value(other));
        return one.len().cmp(&other.len()).then_with(|| one.cmp(&other));
    }
    one.chars().flat_map(char::to_lowercase).cmp(other.chars().flat_map(char::to_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_as_people_do() {
        let mut names =
            ["b.py", "a10.py", "A9.py", "a009.py", "a.py", "É.py", "", "a10", "a99999999999999999999999.py"];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(
            names,
            ["", "a.py", "A9.py", "a009.py", "a10", "a10.py", "a99999999999999999999999.py", "b.py", "É.py"]
        );
    }

    #[test]
    fn the_longest_names_are_measured_in_columns() {
        let longest = Longest::of(["王小明.py", "a"].into_iter(), std::iter::empty());
        assert_eq!(longest, Longest { submission: 9, case: 0 });
    }
}
