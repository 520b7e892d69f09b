//! "Did you mean ...?": finds the known name that is most similar to an unknown one.

use std::path::Path;

use super::mistaken::is_archive;

/// The minimum similarity of a suggested name, from 0 to 1.
const MIN_SIMILARITY: f64 = 0.82;

/// Returns the hint `rest`. If a name is similar to `wanted`, puts "did you mean NAME?" before it.
pub(super) fn hint<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>, rest: &str) -> String {
    match nearest(wanted, names) {
        Some(name) => format!("did you mean {name}? {rest}"),
        None => rest.to_owned(),
    }
}

/// Returns the name most similar to `wanted`; `None` if none is similar enough.
fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let similarity = |name: &'a str| (strsim::jaro_winkler(&wanted, &name.to_lowercase()), name);
    // Of equally similar names, the first one wins.
    let best = names.into_iter().map(similarity).reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.filter(|(similarity, _)| *similarity >= MIN_SIMILARITY).map(|(_, name)| name)
}

/// The number of entries of a folder after which the search for a similar name stops.
const MOST_ENTRIES: usize = 10_000;

/// Returns the path of the package whose name is most similar to the file name of `path`. The package is a folder or an
/// archive in the same folder as `path`. `None` if no name is similar enough.
pub(super) fn package(path: &Path) -> Option<String> {
    path_among(path, |found| found.is_dir() || is_archive(found))
}

/// Returns the path of the program whose name is most similar to the file name of `path`. The program is any file or
/// folder in the same folder as `path`, except a problem package. `None` if no name is similar enough.
pub(super) fn program(path: &Path) -> Option<String> {
    path_among(path, |found| !is_archive(found) && !found.join("problem.yaml").exists())
}

fn path_among(path: &Path, is_meant: impl Fn(&Path) -> bool) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = folder.unwrap_or(Path::new(".")).read_dir().ok()?.take(MOST_ENTRIES);
    let entries = entries.filter_map(Result::ok).filter(|entry| is_meant(&entry.path()));
    let mut names: Vec<_> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
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
        let path = |name: &str| folder.path().join(name);
        let found = |name: &str| Some(path(name).display().to_string());
        std::fs::write(path("solver.py"), "").unwrap();
        assert_eq!(program(&path("slover.py")), found("solver.py"));
        assert_eq!(package(&path("slover.py")), None, "a source is no package");
        assert_eq!(program(&path("nothing like it")), None);
        assert_eq!(program(&path("no folder/solver.py")), None);
        std::fs::create_dir(path("nosub")).unwrap();
        std::fs::write(path("nosub/problem.yaml"), "").unwrap();
        std::fs::write(path("archive.zip"), "").unwrap();
        assert_eq!((program(&path("nosuch.py")), program(&path("archives.zip"))), (None, None), "they are packages");
        assert_eq!((package(&path("nosup")), package(&path("archives.zip"))), (found("nosub"), found("archive.zip")));
    }
}
