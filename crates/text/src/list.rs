//! Lists in messages: a message about many files names the first ones and counts the rest.

/// Returns the first `most` names and the number of the others: `a, b, c and 4 more`.
pub fn first_names<S: AsRef<str>>(names: &[S], most: usize) -> String {
    let named = names.iter().take(most).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(most) {
        0 => named,
        others => format!("{named} and {others} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_say_how_many_names_they_leave_out() {
        assert_eq!(first_names(&["a", "b", "c"], 3), "a, b, c");
        assert_eq!(first_names(&["a", "b", "c", "d", "e"], 3), "a, b, c and 2 more");
        assert_eq!(first_names::<&str>(&[], 3), "");
    }
}
