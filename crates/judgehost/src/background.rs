//! Makes a request in a thread of its own, so that the judgehost judges meanwhile.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::api::Blame;
use crate::trouble::Trouble;

/// A request that is on its way, and whose answer is a `T`.
pub(crate) enum Background<'scope, T> {
    /// Its thread. The thread returns `None` if the request was not made.
    Running(ScopedJoinHandle<'scope, Option<T>>),
    /// The answer, because there was no thread.
    Answered(Option<T>),
}

impl<'scope, T: Send + 'scope> Background<'scope, T> {
    /// Starts the request. If the system allows no further thread, waits for the answer.
    pub(crate) fn start(
        scope: &'scope Scope<'scope, '_>,
        request: impl FnOnce() -> T + Send + 'scope,
    ) -> Background<'scope, T> {
        // A thread that cannot be started drops its closure, so the request is shared.
        let request = Arc::new(Mutex::new(Some(request)));
        let own = Arc::clone(&request);
        match Builder::new().spawn_scoped(scope, move || called(&own)) {
            Ok(running) => Background::Running(running),
            Err(_) => Background::Answered(called(&request)),
        }
    }

    /// Waits for the answer.
    pub(crate) fn wait(self) -> Result<T, Trouble> {
        let answer = match self {
            Background::Running(running) => running.join().ok().flatten(),
            Background::Answered(answer) => answer,
        };
        answer.ok_or_else(|| Trouble::Internal {
            blame: Blame::Host,
            description: "the thread of a request panicked".to_owned(),
        })
    }
}

/// Makes the request if no other thread has.
fn called<T, F: FnOnce() -> T>(request: &Mutex<Option<F>>) -> Option<T> {
    let request = request.lock().unwrap_or_else(PoisonError::into_inner).take();
    request.map(|request| request())
}
