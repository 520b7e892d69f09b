//! "Did you mean ...?": the name that is nearest to one that there is not.

use std::path::Path;

/// How like each other two names are at least, from 0 to 1, for one to be taken for a slip of the other.
const ALIKE: f64 = 0.82;

/// A hint that begins with the name that was probably meant, if there is one, and goes on with `rest`.
pub(super) fn hint<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>, rest: &str) -> String {
    match nearest(wanted, names) {
        Some(name) => format!("did you mean {name}? {rest}"),
        None => rest.to_owned(),
    }
}

/// The name that `wanted` is most like.
fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let likeness = |name: &'a str| (strsim::jaro_winkler(&wanted, &name.to_lowercase()), name);
    // Of equals the first; the order of the names is that of their list.
    let best = names.into_iter().map(likeness).reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.filter(|(likeness, _)| *likeness >= ALIKE).map(|(_, name)| name)
}

/// More entries of a folder are not looked at.
const MOST_ENTRIES: usize = 10_000;

/// The path beside `path` whose name is most like its own.
pub(super) fn path(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = folder.unwrap_or(Path::new(".")).read_dir().ok()?.take(MOST_ENTRIES);
    let mut names: Vec<_> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    let name = nearest(wanted, names.iter().map(String::as_str))?;
    Some(folder.map_or_else(|| name.to_owned(), |folder| folder.join(name).display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLES: [&str; 4] = ["flipgame", "swapgame", "solitaire", "coins"];

    #[test]
    fn a_slip_of_the_finger_finds_the_name() {
        for (wanted, meant) in
            [("flipgam", "flipgame"), ("coin", "coins"), ("soliatire", "solitaire"), ("Swap-Game", "swapgame")]
        {
            assert_eq!(nearest(wanted, PUZZLES), Some(meant), "{wanted}");
        }
    }

    #[test]
    fn another_word_is_no_slip() {
        for wanted in ["", "chess", "game", "x"] {
            assert_eq!(nearest(wanted, PUZZLES), None, "{wanted}");
        }
        assert_eq!(nearest("coins", []), None);
    }

    #[test]
    fn a_path_is_looked_for_beside_itself() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("solver.py"), "").unwrap();
        let wanted = folder.path().join("slover.py");
        assert_eq!(path(&wanted), Some(folder.path().join("solver.py").display().to_string()));
        assert_eq!(path(&folder.path().join("nothing like it")), None);
        assert_eq!(path(&folder.path().join("no folder/solver.py")), None);
    }
}
