//! Holds the precompiled headers of a run, and decides when a header is worth making.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::JudgeError;
use crate::workspace::folder::Folder;
use crate::workspace::workspace;

/// The number of programs of a run that begin with the same header before the judge precompiles it. Making the header
/// of GCC 12 takes 2.8 times as long as compiling a program that begins with it, and saves 0.8 of this time for each
/// later program. A run with fewer programs would take longer. A header in the cache is used for the first program, too.
pub(crate) const PROGRAMS_BEFORE: usize = 4;

/// If a run expects at least this many programs that may begin with a header, the first of them makes the header. If no
/// other begins with it, the run takes longer by the time for making the header.
const MANY_PROGRAMS: usize = 8;

/// The precompiled headers of a run.
#[derive(Debug, Default)]
pub(crate) struct Headers {
    /// The headers by their keys.
    states: Mutex<HashMap<String, State>>,
    /// The number of programs that may begin with a header.
    expected: AtomicUsize,
}

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
#[derive(PartialEq, Eq)]
enum Step {
    LookInCache,
    Make,
}

/// Maximum number of precompiled headers that exist at the same time. With GCC 12, each takes 50 MB to 140 MB.
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
    /// Says how many programs of the run may begin with a header.
    pub(crate) fn expect(&self, programs: usize) {
        self.expected.store(programs, Ordering::Relaxed);
    }

    /// Returns how many programs must ask for a header before one of them makes it. `for_most` says that most programs
    /// which begin with the header can use it.
    pub(crate) fn programs_before(&self, for_most: bool) -> usize {
        let are_many = self.expected.load(Ordering::Relaxed) >= MANY_PROGRAMS;
        if for_most && are_many { 1 } else { PROGRAMS_BEFORE }
    }

    /// Returns the precompiled header with this key; `None` if there is none yet. `restore` copies the header from a
    /// cache, and `make` makes it. Each of them is called at most once for each key, and `make` only if at least
    /// `programs_before` programs of this run have asked for the header. Fails only if the run was interrupted.
    pub(crate) fn get(
        &self,
        key: &str,
        programs_before: usize,
        restore: impl FnOnce() -> Option<PrecompiledHeader>,
        make: impl FnOnce() -> Result<Option<PrecompiledHeader>, JudgeError>,
    ) -> Result<Option<PrecompiledHeader>, JudgeError> {
        let step = match self.next_step(key, programs_before) {
            Err(ready) => return Ok(ready),
            Ok(step) => step,
        };
        let restored = if step == Step::LookInCache { restore() } else { None };
        let state = match restored {
            Some(restored) => State::Ready(restored),
            None if step == Step::LookInCache && !self.begins_to_make(key, programs_before) => return Ok(None),
            None => match make() {
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
    fn next_step(&self, key: &str, programs_before: usize) -> Result<Step, Option<PrecompiledHeader>> {
        let mut states = self.lock();
        let Some(state) = states.get_mut(key) else {
            states.insert(key.to_owned(), State::Wanted(1));
            return Ok(Step::LookInCache);
        };
        let State::Wanted(programs) = state else { return Err(state.ready()) };
        *programs += 1;
        if state.begins_to_make(programs_before) { Ok(Step::Make) } else { Err(None) }
    }

    /// Returns whether the caller, which did not find the header in the cache, must make it.
    fn begins_to_make(&self, key: &str, programs_before: usize) -> bool {
        // Meanwhile other workers may have counted their programs, and one of them may make the header.
        self.lock().get_mut(key).is_some_and(|state| state.begins_to_make(programs_before))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, State>> {
        // Every change is a single assignment, so the map is intact even after a panic.
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns whether the header is wanted by at least this many programs. If so, the caller must make it.
    fn begins_to_make(&mut self, programs_before: usize) -> bool {
        let is_due = matches!(self, State::Wanted(programs) if *programs >= programs_before);
        if is_due {
            *self = State::Making;
        }
        is_due
    }

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
        let first = headers.get("key", PROGRAMS_BEFORE, || Some(header()), || panic!("nothing to make")).unwrap();
        let second =
            headers.get("key", PROGRAMS_BEFORE, || panic!("copied twice"), || panic!("nothing to make")).unwrap();
        assert_eq!(first.unwrap().files(), second.unwrap().files());
    }

    #[test]
    fn of_the_shared_headers_only_the_newest_stay() {
        let shared = SharedHeaders::new().unwrap();
        let get = |key: &str, make: &dyn Fn() -> Option<PrecompiledHeader>| {
            let make = || Ok(make().inspect(|_| shared.made(key)));
            shared.headers().get(key, PROGRAMS_BEFORE, || None, make).unwrap().is_some()
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
        let get = |key| headers.get(key, PROGRAMS_BEFORE, || None, || Ok(Some(header()))).unwrap().is_some();
        assert_eq!([(); 5].map(|()| get("key")), [false, false, false, true, true]);
        assert!(!get("another key"));
        assert!(headers.get("key", PROGRAMS_BEFORE, || None, || panic!("made twice")).unwrap().is_some());
    }

    #[test]
    fn a_header_is_made_for_the_first_program_if_most_of_many_can_use_it() {
        let headers = Headers::default();
        headers.expect(MANY_PROGRAMS - 1);
        assert_eq!([true, false].map(|for_most| headers.programs_before(for_most)), [PROGRAMS_BEFORE; 2]);
        headers.expect(MANY_PROGRAMS);
        assert_eq!([true, false].map(|for_most| headers.programs_before(for_most)), [1, PROGRAMS_BEFORE]);
        let make = || {
            // Another worker that asks meanwhile does not wait.
            let other = headers.get("key", 1, || panic!("copied twice"), || panic!("made twice"));
            assert!(other.unwrap().is_none());
            Ok(Some(header()))
        };
        assert!(headers.get("key", 1, || None, make).unwrap().is_some());
    }

    #[test]
    fn a_header_that_cannot_be_made_is_not_tried_again() {
        for failure in [|| Ok(None), || Err(JudgeError::Package("no".to_owned()))] {
            let headers = Headers::default();
            let get = |make: fn() -> Result<Option<PrecompiledHeader>, JudgeError>| {
                headers.get("key", PROGRAMS_BEFORE, || None, make)
            };
            assert!([(); 4].iter().all(|()| get(failure).unwrap().is_none()));
            assert!(get(|| panic!("tried again")).unwrap().is_none());
        }
    }

    #[test]
    fn programs_do_not_wait_for_a_header() {
        let headers = Headers::default();
        let others =
            || assert!(headers.get("key", PROGRAMS_BEFORE, || None, || panic!("made twice")).unwrap().is_none());
        let restore = || {
            others();
            others();
            None
        };
        // The programs count that ask while a worker looks for the header in the cache.
        headers.get("key", PROGRAMS_BEFORE, restore, || Ok(None)).unwrap();
        let made = headers.get(
            "key",
            PROGRAMS_BEFORE,
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
        let get = || headers.get("key", PROGRAMS_BEFORE, || None, || Err(JudgeError::Interrupted));
        assert!((0..3).all(|_| get().is_ok()));
        assert!(matches!(get(), Err(JudgeError::Interrupted)));
    }
}
