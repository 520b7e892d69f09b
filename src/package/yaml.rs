//! The only place that knows which library reads YAML.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::findings::Findings;

/// YAML files of a package are small; a larger one is a mistake or an attack.
const LARGEST_BYTES: u64 = 4 << 20;

/// Reads a YAML file. What is wrong with it goes to `findings`; an empty file is an empty map.
pub(super) fn read<T: DeserializeOwned + Default>(path: &Path, findings: &mut Findings) -> Option<T> {
    let text = text(path, findings)?;
    if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Some(T::default());
    }
    match serde_saphyr::from_str(&text) {
        Ok(value) => Some(value),
        Err(error) => {
            let place = error.location().map(|location| (location.line(), location.column()));
            findings.error_at(path, place, message(error.without_snippet()));
            None
        }
    }
}

/// The library ends its messages with the place, which [`super::Finding`] tells already.
fn message(error: &serde_saphyr::Error) -> String {
    let text = error.to_string();
    let cut = text.find(" at line ").unwrap_or(text.len());
    text[..cut].to_owned()
}

fn text(path: &Path, findings: &mut Findings) -> Option<String> {
    let size = std::fs::metadata(path).map(|metadata| metadata.len());
    match size.and_then(|size| if size > LARGEST_BYTES { Ok(None) } else { std::fs::read(path).map(Some) }) {
        Ok(Some(bytes)) => String::from_utf8(bytes).map_err(|_| findings.error(path, "the file is not UTF-8")).ok(),
        Ok(None) => {
            findings.error(path, format!("the file is larger than {} MiB", LARGEST_BYTES >> 20));
            None
        }
        Err(error) => {
            findings.error(path, format!("cannot be read: {error}"));
            None
        }
    }
}
