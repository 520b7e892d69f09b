//! Finds the known name that a misspelt word most probably means.

/// The maximum length of a word that is compared, in bytes. A longer word is not a typing error, and the comparison
/// would take long.
const LONGEST: usize = 40;

/// Returns the name from which `wanted` differs by the fewest typing errors. Allows no error in a name of at most two
/// bytes, one in a name of three to five, and two in a longer name. Ignores letter case in `wanted` and blanks around
/// it. Of equally near names, returns the first. Returns `None` if no name is near enough.
pub fn nearest<'a>(wanted: &str, names: &[&'a str]) -> Option<&'a str> {
    if wanted.len() > LONGEST {
        return None;
    }
    let wanted = wanted.trim().to_lowercase();
    let slips = |name: &&'a str| (strsim::osa_distance(&wanted, name), *name);
    let most = |name: &str| match name.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    let near = names.iter().map(slips).filter(|(slips, name)| *slips <= most(name));
    near.min_by_key(|(slips, _)| *slips).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn one_slip_in_a_short_name_and_two_in_a_long_one_are_found() {
        let names = ["data", "id", "invalid_input", "sample"];
        assert_eq!(nearest("dta", &names), Some("data"));
        assert_eq!(nearest("Data", &names), Some("data"));
        assert_eq!(nearest("smple", &names), Some("sample"));
        assert_eq!(nearest("invalid_inputs", &names), Some("invalid_input"));
        for wanted in ["", "dt", "ix", "hidden", &"data".repeat(1000)] {
            assert_eq!(nearest(wanted, &names), None, "{wanted}");
        }
    }
}
