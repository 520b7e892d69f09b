//! Removes temporary folders that killed judges left behind.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Once;

use crate::workspace::folder::remove_tree;
use referee_files::temporary;

/// Maximum number of names that are examined. Other users may have made any number of files in the folder.
const MOST_NAMES: usize = 100_000;

/// Removes the folders of killed judges in `folder`. Does nothing on later calls in this process.
pub(crate) fn remove_once(folder: &Path) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| remove(folder));
}

/// Removes the folders of killed judges in `folder`. Folders of other users stay, because another user may have made a
/// folder with the name of a judge's folder as a trap.
fn remove(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let user = rustix::process::geteuid().as_raw();
    for entry in entries.take(MOST_NAMES).filter_map(Result::ok) {
        let is_left = entry.file_name().to_str().is_some_and(temporary::is_stale);
        let is_own = || entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == user);
        if is_left && is_own() {
            // The next run tries again if the folder cannot be removed.
            let _ = remove_tree(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_a_judge_that_is_gone_go_and_others_stay() {
        let above = tempfile::tempdir().unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let live = temporary::prefix("") + "live";
        let gone = live.replace(&format!("-{}-", std::process::id()), &format!("-{}-", child.id()));
        for name in [&live, &gone] {
            fs::create_dir_all(above.path().join(name).join("program-x/below")).unwrap();
        }
        fs::write(above.path().join(format!("{gone}file")), "a file").unwrap();
        std::os::unix::fs::symlink(above.path().join(&live), above.path().join(format!("{gone}link"))).unwrap();
        remove(above.path());
        assert!(!above.path().join(&gone).exists());
        assert!(above.path().join(&live).join("program-x/below").is_dir());
        assert_eq!(fs::read_dir(above.path()).unwrap().count(), 3, "files and links with such a name stay");
    }
}
