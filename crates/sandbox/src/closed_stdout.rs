//! Finds out whether standard output was open when the program was started.
//!
//! Before `main`, Rust's start-up opens `/dev/null` in place of each standard stream that is closed, so that no other
//! file gets its descriptor number. From then on, printed text is lost without an error, and nothing distinguishes the
//! stream from one that the user sent to `/dev/null`. So the check must run before Rust's start-up. [`crate::init()`]
//! cannot make this check, because `main` calls `init` after Rust's start-up.

use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Records before `main` whether standard output is open, for [`output_was_closed`]. Use it once in the root of a
/// binary.
#[macro_export]
macro_rules! record_closed_output {
    () => {
        const _: () = {
            #[used]
            #[unsafe(link_section = ".init_array")]
            static RECORD: extern "C" fn() = $crate::record_closed_output;
        };
    };
}

/// Records whether standard output is closed. [`record_closed_output!`](crate::record_closed_output!) makes the C
/// library call it before `main`.
#[doc(hidden)]
pub extern "C" fn record_closed_output() {
    // SAFETY: the call takes a descriptor's number and returns its flags. It touches no memory.
    let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
    WAS_CLOSED.store(flags == -1, Ordering::Relaxed);
}

/// Whether standard output was closed when the program was started; `false` in a binary that does not use
/// [`record_closed_output!`](crate::record_closed_output!).
pub fn output_was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}
