//! The extensions that distinguish the files of a test case.

/// The part of a file name after the test case's name and a dot, such as `in.statement`.
pub(super) type Ending = &'static str;

/// Endings of files whose text a rule may contain. The hashes of a rule's texts are in this order.
pub(super) const TEXTS: [Ending; 9] =
    ["in", "ans", "out", "in.statement", "ans.statement", "in.download", "ans.download", "interaction", "yaml"];

/// Endings of pictures that visualizers draw.
pub(super) const PICTURES: [Ending; 4] = ["png", "jpg", "svg", "pdf"];

/// Endings of files for the statement and for download, which only samples have.
pub(super) const OF_SAMPLES: [Ending; 4] = ["in.statement", "ans.statement", "in.download", "ans.download"];

/// Endings of files that are hashed if a rule copies them.
pub(super) const HASHED: [Ending; 3] = ["in", "ans", "out"];

/// Returns the endings of all files that a test case may have.
pub(super) fn all() -> impl Iterator<Item = Ending> {
    TEXTS.into_iter().chain(PICTURES)
}

/// Returns the ending with this text; `None` if there is no such ending.
pub(super) fn known(text: &str) -> Option<Ending> {
    all().find(|ending| *ending == text)
}

/// Splits a file name into the test case's name and the longest matching ending; `None` if no ending matches.
pub(super) fn split(name: &str) -> Option<(&str, Ending)> {
    let fits = |ending: &Ending| name.strip_suffix(ending)?.strip_suffix('.').filter(|stem| !stem.is_empty());
    let (stem, ending) =
        all().filter_map(|ending| Some((fits(&ending)?, ending))).min_by_key(|(stem, _)| stem.len())?;
    Some((stem, ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_ending_counts() {
        assert_eq!(split("01-a.in"), Some(("01-a", "in")));
        assert_eq!(split("01.in.statement"), Some(("01", "in.statement")));
        assert_eq!(split("a.b.ans"), Some(("a.b", "ans")));
        assert_eq!(
            (split("test_group.yaml"), split(".in"), split("README")),
            (Some(("test_group", "yaml")), None, None)
        );
    }
}
