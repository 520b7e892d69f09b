//! Lets the sandbox remember between runs that this machine enforces everything.

use std::sync::OnceLock;

use referee_files::memo::Memo;
use referee_sandbox::{Memory, Mode, remember_with};

/// Lets the sandbox use the file `sandbox` of the user's cache, unless the user requires the strict sandbox: then every
/// run tests the machine. Call it before the sandbox is used.
pub(super) fn use_for(mode: Mode) {
    if mode == Mode::Auto {
        remember_with(Memory {
            recall: |question| memo().recall(question),
            store: |question, answer| memo().replace(question, answer),
        });
    }
}

fn memo() -> &'static Memo {
    static MEMO: OnceLock<Memo> = OnceLock::new();
    MEMO.get_or_init(|| Memo::of_user("sandbox"))
}
