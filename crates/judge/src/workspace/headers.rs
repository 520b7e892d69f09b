//! Holds the precompiled headers of a run, and decides when a header is worth making.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::JudgeError;
use crate::workspace::folder::Folder;
use crate::workspace::workspace;

/// The number of programs of a run that begin with the same header before the judge precompiles it. Making the header
/// of GCC 12 takes 2.8 times as long as compiling a program with it, and saves 0.7 of this time for each later program.
/// A run with fewer programs would take longer. A header in the cache is used for the first program, too.
const PROGRAMS_BEFORE: usize = 4;

/// The precompiled headers of a run, by their keys.
#[derive(Debug, Default)]
pub(crate) struct Headers(Mutex<HashMap<String, State>>);

/// A precompiled header. Its folder exists as long as this value.
#[derive(Clone, Debug)]
pub(crate) struct PrecompiledHeader {
    folder: Arc<Folder>,
    /// The folder in which the compiler searches the header, relative to `folder`.
    below: PathBuf,
}

#[derive(Clone, Debug)]
enum State {
    /// The cache does not contain the header, or a worker still looks for it there. The value is the number of programs
    /// that would have used the header.
    Wanted(usize),
    /// A worker makes the header. Programs are compiled without it until it is ready.
    Making,
    Ready(PrecompiledHeader),
    /// The header cannot be made.
    Unusable,
}

/// The step that brings a header closer to being used.
enum Step {
    LookInCache,
    Make,
}

/// Maximum number of precompiled headers that exist at the same time. Each takes about 50 MB or 120 MB.
const MOST_SHARED: usize = 4;

/// Precompiled headers that several sessions share. Each is made from all `#include` lines with which a program begins.
#[derive(Debug)]
pub struct SharedHeaders {
    headers: Headers,
    /// The keys of the headers that were made, the oldest first.
    made: Mutex<VecDeque<String>>,
    workspace: Folder,
}

impl SharedHeaders {
    /// Fails if no temporary folder can be made.
    pub(crate) fn new() -> io::Result<SharedHeaders> {
        Ok(SharedHeaders { headers: Headers::default(), made: Mutex::default(), workspace: workspace()? })
    }

    /// The folder in which the headers are made.
    pub(crate) fn workspace(&self) -> &Path {
        self.workspace.path()
    }

    pub(crate) fn headers(&self) -> &Headers {
        &self.headers
    }

    /// Removes the oldest header if there are too many. A compiler that still uses it is not disturbed: its files exist
    /// until the last user drops it. `key` is the key of a header that was just made.
    pub(crate) fn made(&self, key: &str) {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.push_back(key.to_owned());
        if made.len() > MOST_SHARED
            && let Some(oldest) = made.pop_front()
        {
            self.headers.lock().remove(&oldest);
        }
    }
}

impl Headers {
    /// Returns the precompiled header with this key; `None` if there is none yet. `restore` copies the header from a
    /// cache, and `make` makes it. Each of them is called at most once for each key, and `make` only if enough programs
    /// of this run have asked for the header. Fails only if the run was interrupted.
    pub(crate) fn get(
        &self,
        key: &str,
        restore: impl FnOnce() -> Option<PrecompiledHeader>,
        make: impl FnOnce() -> Result<Option<PrecompiledHeader>, JudgeError>,
    ) -> Result<Option<PrecompiledHeader>, JudgeError> {
        let state = match self.next_step(key) {
            Err(ready) => return Ok(ready),
            Ok(Step::LookInCache) => match restore() {
                Some(restored) => State::Ready(restored),
                // Meanwhile other workers may have counted their programs.
                None => return Ok(None),
            },
            Ok(Step::Make) => match make() {
                Err(JudgeError::Interrupted) => return Err(JudgeError::Interrupted),
                Err(_) | Ok(None) => State::Unusable,
                Ok(Some(made)) => State::Ready(made),
            },
        };
        let ready = state.ready();
        self.lock().insert(key.to_owned(), state);
        Ok(ready)
    }

    /// Returns the step that the caller must take, or else the result of [`Headers::get`]. Returns each step only once
    /// for each key.
    fn next_step(&self, key: &str) -> Result<Step, Option<PrecompiledHeader>> {
        let mut states = self.lock();
        let Some(state) = states.get_mut(key) else {
            states.insert(key.to_owned(), State::Wanted(1));
            return Ok(Step::LookInCache);
        };
        let State::Wanted(programs) = state else { return Err(state.ready()) };
        *programs += 1;
        if *programs < PROGRAMS_BEFORE {
            return Err(None);
        }
        *state = State::Making;
        Ok(Step::Make)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, State>> {
        // Every change is a single assignment, so the map is intact even after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns the header; `None` if it is not ready.
    fn ready(&self) -> Option<PrecompiledHeader> {
        if let State::Ready(header) = self { Some(header.clone()) } else { None }
    }
}

impl PrecompiledHeader {
    /// Returns the header in `folder`. The compiler searches it in the folder `below`, a path relative to `folder`.
    pub(crate) fn new(folder: Folder, below: &str) -> PrecompiledHeader {
        PrecompiledHeader { folder: Arc::new(folder), below: below.into() }
    }

    /// The folder that contains all files of the header.
    pub(crate) fn files(&self) -> &Path {
        self.folder.path()
    }

    /// The folder in which the compiler searches the header.
    pub(crate) fn searched(&self) -> PathBuf {
        self.folder.path().join(&self.below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> PrecompiledHeader {
        PrecompiledHeader::new(Folder::new_in(&std::env::temp_dir(), "referee-test-", 0o755).unwrap(), "headers")
    }

    #[test]
    fn a_header_in_the_cache_is_used_at_once_and_copied_once() {
        let headers = Headers::default();
        let first = headers.get("key", || Some(header()), || panic!("nothing to make")).unwrap();
        let second = headers.get("key", || panic!("copied twice"), || panic!("nothing to make")).unwrap();
        assert_eq!(first.unwrap().files(), second.unwrap().files());
    }

    #[test]
    fn of_the_shared_headers_only_the_newest_stay() {
        let shared = SharedHeaders::new().unwrap();
        let get = |key: &str, make: &dyn Fn() -> Option<PrecompiledHeader>| {
            let make = || Ok(make().inspect(|_| shared.made(key)));
            shared.headers().get(key, || None, make).unwrap().is_some()
        };
        let keys: Vec<_> = (0..=MOST_SHARED).map(|number| number.to_string()).collect();
        for key in &keys {
            assert!((0..PROGRAMS_BEFORE).any(|_| get(key, &|| Some(header()))), "{key}");
        }
        let held: Vec<_> = keys.iter().map(|key| get(key, &|| panic!("made again"))).collect();
        assert_eq!(held, [vec![false], vec![true; MOST_SHARED]].concat());
    }

    #[test]
    fn a_header_is_made_once_for_the_fourth_program() {
        let headers = Headers::default();
        let get = |key| headers.get(key, || None, || Ok(Some(header()))).unwrap().is_some();
        assert_eq!([(); 5].map(|()| get("key")), [false, false, false, true, true]);
        assert!(!get("another key"));
        assert!(headers.get("key", || None, || panic!("made twice")).unwrap().is_some());
    }

    #[test]
    fn a_header_that_cannot_be_made_is_not_tried_again() {
        for failure in [|| Ok(None), || Err(JudgeError::Package("no".to_owned()))] {
            let headers = Headers::default();
            let get = |make: fn() -> Result<Option<PrecompiledHeader>, JudgeError>| headers.get("key", || None, make);
            assert!([(); 4].iter().all(|()| get(failure).unwrap().is_none()));
            assert!(get(|| panic!("tried again")).unwrap().is_none());
        }
    }

    #[test]
    fn programs_do_not_wait_for_a_header() {
        let headers = Headers::default();
        let others = || assert!(headers.get("key", || None, || panic!("made twice")).unwrap().is_none());
        let restore = || {
            others();
            others();
            None
        };
        // The programs count that ask while a worker looks for the header in the cache.
        headers.get("key", restore, || Ok(None)).unwrap();
        let made = headers.get(
            "key",
            || None,
            || {
                others();
                Ok(Some(header()))
            },
        );
        assert!(made.unwrap().is_some());
    }

    #[test]
    fn an_interruption_is_passed_on() {
        let headers = Headers::default();
        let get = || headers.get("key", || None, || Err(JudgeError::Interrupted));
        assert!((0..3).all(|_| get().is_ok()));
        assert!(matches!(get(), Err(JudgeError::Interrupted)));
    }
}
