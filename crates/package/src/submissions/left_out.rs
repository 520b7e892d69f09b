//! Finds files and folders below `submissions/` that look like submissions but are not judged, each with the reason.

use std::path::{Path, PathBuf};

use crate::LeftOut;
use crate::data::name_below;
use crate::findings::Findings;
use crate::links::Boundary;
use crate::programs::{chosen_entries, is_document, is_header};
use crate::version::is_legal;
use referee_text::printable::printable;

const DISABLED: &str = "its name ends with .disabled, which disables a submission or folder, as in BAPCtools; remove \
                        this ending to enable it";
const ILLEGAL: &str =
    "its name is not allowed; rename it: names consist of letters, digits, _, - and . and do not begin with - or .";
const NO_FOLDER: &str = "submissions belong in folders below submissions/, such as accepted/; move the file there";

/// Returns whether the setter has disabled the submission. BAPCtools ignores files and folders with the extension
/// `.disabled`.
pub(super) fn is_disabled(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "disabled")
}

/// Returns the files and folders in the package's `submissions/` that are not judged, sorted by name, and warns about
/// them. Hidden files do not count, and neither do headers and documents in the subfolders, because they are not
/// submissions.
pub(crate) fn find(boundary: &Boundary, findings: &mut Findings) -> Vec<LeftOut> {
    let folder = boundary.package().join("submissions");
    let left_out = |path: &Path, reason: &str| LeftOut {
        name: printable(name_below(&folder, path).as_bytes()).replace('\n', "␊").replace('\t', "␉"),
        path: path.to_path_buf(),
        reason: reason.to_owned(),
        is_in_folder: path.parent() != Some(&folder),
    };
    let mut found = Vec::new();
    for path in visible(boundary, &folder) {
        if !path.is_dir() {
            if !path.ends_with("submissions.yaml") {
                warn(&path, NO_FOLDER, findings);
                found.push(left_out(&path, NO_FOLDER));
            }
            continue;
        }
        let of_folder = reason(&path);
        if let Some(reason) = of_folder {
            warn(&path, reason, findings);
        }
        for program in visible(boundary, &path).into_iter().filter(|path| !is_header(path) && !is_document(path)) {
            let own = reason(&program).filter(|_| of_folder.is_none());
            if let Some(reason) = own {
                warn(&program, reason, findings);
            }
            found.extend(of_folder.or(own).map(|reason| left_out(&program, reason)));
        }
    }
    found
}

/// Adds a warning. Adds none if the name is not allowed, because another check warns about such names in the whole
/// package.
fn warn(path: &Path, reason: &str, findings: &mut Findings) {
    match reason {
        ILLEGAL => {}
        // The file may be something other than a submission, so the message does not say "not judged".
        NO_FOLDER => findings.warning(path, format!("is not used: {reason}")),
        _ => findings.warning(path, format!("is not judged: {reason}")),
    }
}

/// Returns why a file or folder is not judged because of its name; `None` if the name is fine.
fn reason(path: &Path) -> Option<&'static str> {
    let name = path.file_name().and_then(|name| name.to_str());
    match name {
        _ if is_disabled(path) => Some(DISABLED),
        Some(name) if is_legal(name) => None,
        _ => Some(ILLEGAL),
    }
}

/// Returns the files and folders in a folder of the package, sorted by name, without hidden ones. Empty if `folder` is
/// a link that leads out of the boundary.
fn visible(boundary: &Boundary, folder: &Path) -> Vec<PathBuf> {
    chosen_entries(boundary, folder, |name| !name.as_encoded_bytes().starts_with(b"."))
}
