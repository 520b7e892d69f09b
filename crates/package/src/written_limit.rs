//! Writes a time limit into a package. In `problem.yaml`, every other byte stays as it is.
//!
//! The setter wrote `problem.yaml` and chose its comments and layout, so the judge does not regenerate the file. It
//! finds the position of `limits` and `time_limit` and changes the text only there. Then it parses the changed text to
//! check that only the limit has changed, and writes the file.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::NamedTempFile;

use super::Package;
use super::bounded;
use super::findings::Findings;
use super::links;
use super::yaml::{self, Key, Node, Position, Value};
use referee_files::temporary;

/// The largest file that [`write_time_limit`] changes, in bytes.
const LARGEST_BYTES: u64 = 4 << 20;

/// A change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The changed file.
    pub path: PathBuf,
    /// The line of the time limit before the change; `None` if there was no such line.
    pub before: Option<String>,
    /// The line of the time limit after the change.
    pub after: String,
}

/// The reason why a time limit could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file that could not be read or written.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file has a form that cannot be changed safely.
    #[error("{path}: {reason}")]
    Form {
        /// The file that is not changed.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

/// Writes the time limit as `limits.time_limit` into problem.yaml. For format versions without this key, writes it into
/// the file `.timelimit`, which DOMjudge reads. Fails if the file cannot be changed safely, or cannot be read or
/// written.
pub fn write_time_limit(package: &Package, limit: Duration) -> Result<Written, WriteError> {
    let seconds = limit.as_secs_f64();
    if package.version.is_legacy() {
        return write_timelimit_file(&package.root, seconds);
    }
    let path = package.root.join("problem.yaml");
    let form = |reason: String| WriteError::Form { path: path.clone(), reason };
    links::resolve(&package.root, &path).map_err(|refused| form(refused.reason()))?;
    let bytes = bounded::read(&path, LARGEST_BYTES).map_err(form)?;
    let text = String::from_utf8(bytes).map_err(|_| form("the file is not UTF-8".to_owned()))?;
    let (changed, before, after) = with_time_limit(&text, seconds, &path).map_err(form)?;
    replace(&path, changed.as_bytes())?;
    Ok(Written { path, before, after })
}

fn write_timelimit_file(root: &Path, seconds: f64) -> Result<Written, WriteError> {
    // This function writes `.timelimit`, because the judge reads that file first. If only domjudge-problem.ini exists,
    // the setter must change domjudge-problem.ini by hand.
    let ini = root.join("domjudge-problem.ini");
    let path = root.join(".timelimit");
    let form = |path: &Path, reason: &str| WriteError::Form { path: path.to_path_buf(), reason: reason.to_owned() };
    if ini.exists() && !path.exists() {
        return Err(form(&ini, "referee does not change this file; change 'timelimit' in it by hand"));
    }
    if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        return Err(form(&path, "is not a regular file"));
    }
    let old = if bounded::is_there(&path) {
        bounded::read(&path, 1 << 16).map_err(|reason| form(&path, &reason))?
    } else {
        Vec::new()
    };
    let old = String::from_utf8(old).map_err(|_| form(&path, "the file is not UTF-8"))?;
    let limit = old.lines().find(|line| line.split_once('=').is_some_and(|(key, _)| key.trim() == "timelimit"));
    // DOMjudge also reads lines `KEY=VALUE` from this file. The other keys stay.
    let (text, before, after) = if let Some(line) = limit {
        let after = format!("timelimit={seconds}");
        let lines = old.lines().map(|other| if other == line { after.as_str() } else { other });
        (lines.flat_map(|line| [line, "\n"]).collect(), Some(line.trim().to_owned()), after)
    } else {
        let before = Some(old.trim().to_owned()).filter(|_| bounded::is_there(&path));
        (format!("{seconds}\n"), before, seconds.to_string())
    };
    replace(&path, text.as_bytes())?;
    Ok(Written { path, before, after })
}

/// Replaces the file at `path`. Writes a temporary file with the mode of the old file and then renames it, so that no
/// reader ever sees a half-written file.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let failed = |source| WriteError::File { path: path.to_path_buf(), source };
    // If `path` is a link, its target is replaced and the link stays.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let file = NamedTempFile::new_in(target.parent().unwrap_or(Path::new(".")));
    let mut file = file.map_err(temporary::without_name).map_err(failed)?;
    file.as_file_mut().write_all(bytes).map_err(failed)?;
    let mode = fs::metadata(&target).map(|found| found.permissions());
    if mode.as_ref().is_ok_and(fs::Permissions::readonly) {
        // Renaming would replace a read-only file without an error, although its owner wants it unchanged.
        return Err(WriteError::Form { path: path.to_path_buf(), reason: "is read-only; make it writable".to_owned() });
    }
    let mode = mode.unwrap_or_else(|_| std::os::unix::fs::PermissionsExt::from_mode(0o644));
    file.as_file().set_permissions(mode).map_err(failed)?;
    file.persist(&target).map_err(|error| failed(error.error)).map(drop)
}

/// Returns the text with the time limit `seconds`, the old line of the limit, and the new line. The old line is `None`
/// if the text had no limit. Fails with a message if the text cannot be changed safely.
fn with_time_limit(text: &str, seconds: f64, path: &Path) -> Result<(String, Option<String>, String), String> {
    let old = parse(text, path)?;
    let limits = entry(&old, "limits").map(|(_, limits)| limits);
    if is_repeated(&old, "limits") || limits.is_some_and(|limits| is_repeated(limits, "time_limit")) {
        return Err("gives 'limits' or 'time_limit' twice; remove one of them".to_owned());
    }
    let changed = changed(text, &old, seconds)?;
    let new = parse(&changed, path)?;
    let is_there = limit_of(&new).and_then(|node| node.scalar()).and_then(|text| text.parse::<f64>().ok());
    if is_there != Some(seconds) || without_limit(&new) != without_limit(&old) {
        return Err("has a layout that cannot be changed safely; write limits.time_limit by hand".to_owned());
    }
    let line = |text: &str, node: &Node| text.lines().nth(node.place.0 as usize - 1).unwrap_or_default().to_owned();
    let before = limit_of(&old).map(|node| line(text, node));
    let after = limit_of(&new).map(|node| line(&changed, node)).unwrap_or_default();
    Ok((changed, before, after))
}

fn parse(text: &str, path: &Path) -> Result<Node, String> {
    let mut findings = Findings::default();
    yaml::parse(text, path, &mut findings).ok_or_else(|| findings.to_string())
}

fn entry<'a>(node: &'a Node, key: &str) -> Option<(Position, &'a Node)> {
    let Value::Map(entries) = &node.value else { return None };
    entries.iter().find(|(found, _)| found.text == key).map(|(found, node)| (found.place, node))
}

fn is_repeated(node: &Node, key: &str) -> bool {
    matches!(&node.value, Value::Map(entries) if entries.iter().filter(|(found, _)| found.text == key).count() > 1)
}

fn limit_of(node: &Node) -> Option<&Node> {
    entry(entry(node, "limits")?.1, "time_limit").map(|(_, node)| node)
}

fn changed(text: &str, root: &Node, seconds: f64) -> Result<String, String> {
    // New lines end like the existing ones.
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let Some((_, limits)) = entry(root, "limits") else {
        let start = if text.is_empty() || text.ends_with('\n') { "" } else { line_end };
        return Ok(format!("{text}{start}limits:{line_end}  time_limit: {seconds}{line_end}"));
    };
    if let Some((_, old)) = entry(limits, "time_limit") {
        let start = offset(text, old.place)?;
        let end = start + old.scalar().map_or(0, str::len);
        if text.get(start..end) != old.scalar() {
            return Err("has a time_limit in a form that cannot be changed safely; change it by hand".to_owned());
        }
        return Ok(format!("{}{seconds}{}", &text[..start], &text[end..]));
    }
    let Value::Map(entries) = &limits.value else {
        return Err("has a key `limits` whose value is not a map; write limits.time_limit by hand".to_owned());
    };
    let start = offset(text, limits.place)?;
    if text[start..].starts_with('{') {
        let comma = if entries.is_empty() { "" } else { ", " };
        return Ok(format!("{}{{time_limit: {seconds}{comma}{}", &text[..start], &text[start + 1..]));
    }
    let (key, _) = entries.first().ok_or("has an empty `limits` section; write limits.time_limit by hand")?;
    let start = offset(text, key.place)?;
    let indent = " ".repeat(key.place.1 as usize - 1);
    Ok(format!("{}time_limit: {seconds}{line_end}{indent}{}", &text[..start], &text[start..]))
}

/// Converts a line and a column to a byte offset. Both count from 1, the column in characters. Fails if the text has no
/// such line.
fn offset(text: &str, (line, column): Position) -> Result<usize, String> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..]
            .find('\n')
            .ok_or("has a layout that cannot be changed safely; write limits.time_limit by hand")?
            + 1;
    }
    let before: usize = text[start..].chars().take(column as usize - 1).map(char::len_utf8).sum();
    Ok(start + before)
}

/// Describes all values but the time limit, without source positions, so that two files can be compared.
fn without_limit(node: &Node) -> String {
    let Value::Map(entries) = &node.value else { return described(node) };
    let kept = entries.iter().filter_map(|(key, node)| {
        let description = match &node.value {
            _ if key.text != "limits" => described(node),
            Value::Map(own) => described_map(own.iter().filter(|(key, _)| key.text != "time_limit")),
            _ => described(node),
        };
        // A `limits` map with only the time limit counts as missing, because the change may have created it.
        (key.text != "limits" || description != "{}").then(|| format!("{:?}: {description}", key.text))
    });
    kept.collect::<Vec<_>>().join(", ")
}

/// Describes a value and everything in it, without source positions.
fn described(node: &Node) -> String {
    match &node.value {
        Value::Scalar { text, .. } => format!("{text:?}"),
        Value::List(nodes) => format!("[{}]", nodes.iter().map(described).collect::<Vec<_>>().join(", ")),
        Value::Map(entries) => described_map(entries.iter()),
    }
}

fn described_map<'a>(entries: impl Iterator<Item = &'a (Key, Node)>) -> String {
    let entries = entries.map(|(key, node)| format!("{:?}: {}", key.text, described(node)));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, seconds: f64) -> Result<String, String> {
        with_time_limit(text, seconds, Path::new("problem.yaml")).map(|(text, ..)| text)
    }

    #[test]
    fn a_limit_is_replaced_and_its_comment_stays() {
        let text = "name: a\nlimits:\n  memory: 5 # MiB\n  time_limit: 2.5   # by hand\nkeywords: [b]\n";
        let wanted = "name: a\nlimits:\n  memory: 5 # MiB\n  time_limit: 4   # by hand\nkeywords: [b]\n";
        assert_eq!(written(text, 4.0).unwrap(), wanted);
    }

    #[test]
    fn a_limit_is_put_where_the_others_are() {
        assert_eq!(
            written("limits:\n    memory: 5\nname: a\n", 1.5).unwrap(),
            "limits:\n    time_limit: 1.5\n    memory: 5\nname: a\n"
        );
        assert_eq!(written("limits: {memory: 5}\n", 2.0).unwrap(), "limits: {time_limit: 2, memory: 5}\n");
        assert_eq!(written("limits: {}\n", 2.0).unwrap(), "limits: {time_limit: 2}\n");
        assert_eq!(written("name: é # ü", 2.0).unwrap(), "name: é # ü\nlimits:\n  time_limit: 2\n");
        assert_eq!(
            written("{name: é, limits: {time_limit: 1}}\n", 2.0).unwrap(),
            "{name: é, limits: {time_limit: 2}}\n"
        );
    }

    #[test]
    fn lines_end_as_the_others_do() {
        assert_eq!(
            written("limits:\r\n  memory: 5\r\n", 1.5).unwrap(),
            "limits:\r\n  time_limit: 1.5\r\n  memory: 5\r\n"
        );
        assert_eq!(written("name: a\r\n", 2.0).unwrap(), "name: a\r\nlimits:\r\n  time_limit: 2\r\n");
        assert_eq!(
            written("limits:\r\n  time_limit: 1 # s\r\nname: a\r\n", 2.0).unwrap(),
            "limits:\r\n  time_limit: 2 # s\r\nname: a\r\n"
        );
    }

    #[test]
    fn a_file_that_is_read_only_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("problem.yaml");
        fs::write(&path, "name: a\n").unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o444)).unwrap();
        assert!(replace(&path, b"name: b\n").unwrap_err().to_string().contains("is read-only"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "name: a\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
    }

    fn write(text: &str, beside: &[(&str, &str)], limit: f64) -> (tempfile::TempDir, Result<Written, String>) {
        let folder = tempfile::tempdir().unwrap();
        let files = [("problem.yaml", text), ("submissions/accepted/a.py", ""), ("data/secret/1.in", "1\n")];
        for (name, text) in files.iter().chain(&[("data/secret/1.ans", "1\n")]).chain(beside) {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let package = crate::load(folder.path()).unwrap();
        let written = write_time_limit(&package, Duration::from_secs_f64(limit)).map_err(|error| error.to_string());
        (folder, written)
    }

    #[test]
    fn a_file_keeps_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("problem.yaml");
        let mode = |path: &Path| std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path).unwrap().permissions());
        fs::write(&path, "name: a\n").unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o664)).unwrap();
        replace(&path, b"name: b\n").unwrap();
        assert_eq!(mode(&path) & 0o777, 0o664);
        let new = folder.path().join(".timelimit");
        replace(&new, b"1\n").unwrap();
        assert_eq!(mode(&new) & 0o777, 0o644, "others read it, too");
    }

    #[test]
    fn of_old_the_file_that_states_the_limit_already_is_left_to_its_owner() {
        let (folder, written) = write("name: A\n", &[("domjudge-problem.ini", "timelimit = 5\n")], 2.0);
        assert!(written.unwrap_err().contains("referee does not change this file; change 'timelimit' in it by hand"));
        assert!(!folder.path().join(".timelimit").exists());
        let both = [("domjudge-problem.ini", "timelimit = 5\n"), (".timelimit", "3\n")];
        let (folder, written) = write("name: A\n", &both, 2.0);
        let written = written.unwrap();
        assert_eq!((written.before.as_deref(), written.after.as_str()), (Some("3"), "2"));
        assert_eq!(fs::read_to_string(folder.path().join(".timelimit")).unwrap(), "2\n");
    }

    #[test]
    fn other_keys_beside_an_old_limit_stay() {
        for (old, new) in [
            ("color='#ff0000'\ntimelimit='9'\nspecial_run=x\n", "color='#ff0000'\ntimelimit=2\nspecial_run=x\n"),
            ("9\n", "2\n"),
        ] {
            let (folder, written) = write("name: A\n", &[(".timelimit", old)], 2.0);
            written.unwrap();
            assert_eq!(fs::read_to_string(folder.path().join(".timelimit")).unwrap(), new);
        }
    }

    #[test]
    fn nothing_is_written_through_a_link_that_leads_out_of_the_package() {
        let text = "problem_format_version: 2025-09\nname: A\nuuid: 00000000-0000-4000-8000-00000000a005\n";
        let (folder, written) = write(text, &[], 2.0);
        assert_eq!(written.unwrap().after, "  time_limit: 2");
        let mine = tempfile::NamedTempFile::new().unwrap();
        fs::write(mine.path(), text).unwrap();
        let package = crate::load(folder.path()).unwrap();
        fs::remove_file(folder.path().join("problem.yaml")).unwrap();
        std::os::unix::fs::symlink(mine.path(), folder.path().join("problem.yaml")).unwrap();
        let failed = write_time_limit(&package, Duration::from_secs(3)).unwrap_err().to_string();
        assert!(failed.contains("is a link that leads out of the package"), "{failed}");
        assert_eq!(fs::read_to_string(mine.path()).unwrap(), text);
    }

    #[test]
    fn what_cannot_be_changed_safely_is_left_alone() {
        for text in [
            "limits: &a\n  memory: 5\nb: *a\n",
            "limits: 5\n",
            "limits:\n  time_limit: '2'\n",
            "limits:\n",
            "limits: {time_limit: &a 2}\nb: *a\n",
            "limits: {time_limit: 1}\nlimits: {time_limit: 1}\n",
            "a: b: c\n",
            "name: a\n...\n",
        ] {
            let changed = written(text, 3.0);
            assert!(changed.is_err(), "{text}: {changed:?}");
        }
    }
}
