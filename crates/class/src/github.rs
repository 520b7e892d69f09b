//! Names of the folders that `gh classroom clone student-repos` makes: `ASSIGNMENT-submissions/ASSIGNMENT-USER`.

/// Returns the users of these folders, if the names begin with the name of one assignment; `None` if they do not.
/// `parent` is the name of the folder around them.
pub(crate) fn users(parent: &str, folders: &[&str]) -> Option<Vec<String>> {
    let by_parent = parent.strip_suffix("-submissions").map(|assignment| format!("{assignment}-"));
    let prefix = by_parent
        .filter(|prefix| folders.iter().all(|name| is_user_after(name, prefix)))
        .or_else(|| common_prefix(folders))?;
    Some(folders.iter().map(|name| name[prefix.len()..].to_owned()).collect())
}

fn is_user_after(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|user| !user.is_empty())
}

/// Returns the longest beginning that ends with a hyphen and that all of several names have; `None` if there is none.
fn common_prefix(names: &[&str]) -> Option<String> {
    let (first, others) = names.split_first().filter(|(_, others)| !others.is_empty())?;
    let ends = first.match_indices('-').map(|(at, _)| at + 1).collect::<Vec<_>>();
    let is_common =
        |prefix: &str| is_user_after(first, prefix) && others.iter().all(|name| is_user_after(name, prefix));
    ends.into_iter().rev().map(|end| &first[..end]).find(|prefix| is_common(prefix)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_follow_the_name_of_the_assignment() {
        assert_eq!(users("hw-1-submissions", &["hw-1-ann", "hw-1-bob-x"]), Some(vec!["ann".into(), "bob-x".into()]));
        assert_eq!(users("clones", &["hw-1-ann", "hw-1-bob"]), Some(vec!["ann".into(), "bob".into()]));
        assert_eq!(users("hw-1-submissions", &["hw-1-ann"]), Some(vec!["ann".into()]));
        assert_eq!(users("clones", &["hw-1-ann"]), None, "one name does not show where the assignment's ends");
        assert_eq!(users("clones", &["ann", "bob"]), None);
    }
}
