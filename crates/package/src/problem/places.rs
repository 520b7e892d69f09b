//! Names the right places of keys that are misplaced in problem.yaml.

use super::limits;
use crate::yaml::OF_GROUPS;

/// The keys of problem.yaml that belong in its key `credits`, in the dated versions.
const CREDITS: [&str; 6] = ["authors", "contributors", "testers", "translators", "packagers", "acknowledgements"];

const TIME_LIMIT_FILE: &str = "the file .timelimit beside problem.yaml, as a number of seconds";

/// Returns the right place of a key that is unknown in problem.yaml of a legacy or dated version, and its name there if
/// it has another one. `None` if the key has no place anywhere.
pub(super) fn of_key(key: &str, is_legacy: bool) -> Option<String> {
    if is_legacy && key == limits::TIME_LIMIT {
        return Some(TIME_LIMIT_FILE.to_owned());
    }
    if limits::is_key(key) {
        return Some("limits".to_owned());
    }
    if !is_legacy && CREDITS.contains(&key) {
        return Some("credits".to_owned());
    }
    let (legacy, dated) = OF_GROUPS.into_iter().find(|&(legacy, dated)| key == legacy || key == dated)?;
    let (name, file) = if is_legacy { (legacy, "testdata.yaml") } else { (dated, "test_group.yaml") };
    let spelling = if key == name { String::new() } else { format!(", as {name}") };
    Some(format!("{file} in data/{spelling}"))
}

/// Returns the right place of a key that is unknown in `limits`; `None` if it has no place anywhere.
pub(super) fn of_limit(key: &str, is_legacy: bool) -> Option<String> {
    (is_legacy && key == limits::TIME_LIMIT).then(|| TIME_LIMIT_FILE.to_owned())
}
