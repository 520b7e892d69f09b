//! Holds what a run has prepared for compilers, precompiled headers and archives of the compilers' own classes, and
//! decides when it is worth making.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::JudgeError;
use crate::workspace::folder::Folder;
use crate::workspace::workspace;
use referee_language::{BINARY, PreparedFile};

/// The number of programs of a run that could use the same prepared files before the judge makes them. Making the header
/// of GCC 12 takes 2.8 times as long as compiling a program that begins with it, and saves 0.8 of this time for each
/// later program. A run with fewer programs would take longer. A header in the cache is used for the first program, too.
pub(crate) const PROGRAMS_BEFORE: usize = 4;

/// The same number for the mutants of a program that are compiled alone. Most programs have several mutants that survive,
/// and their header contains less, so it is soon worth making.
pub(crate) const MUTANTS_BEFORE: usize = 2;

/// If a run expects at least this many programs that may use prepared files, the first of them makes them. If no other
/// uses the same files, making them was in vain.
const MANY_PROGRAMS: usize = 8;

/// The prepared files of a run.
#[derive(Debug, Default)]
pub(crate) struct PreparedFiles {
    /// The states by their keys.
    states: Mutex<HashMap<String, State>>,
    /// The number of programs that may use prepared files.
    expected: AtomicUsize,
}

/// What the judge prepares for a compiler.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Header,
    Plugin,
    Archive,
}

/// A file or folder that the judge has prepared for a compiler. It exists as long as this value.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    folder: Arc<Folder>,
    kind: Kind,
    path: PathBuf,
}

#[derive(Clone, Debug)]
enum State {
    /// The cache does not contain the files, or a worker still looks for them there. The value is the number of programs
    /// that would have used them.
    Wanted(usize),
    /// A worker makes the files. Programs are compiled without them until they are ready.
    Making,
    Ready(Prepared),
    /// The files cannot be made.
    Unusable,
}

/// The step that brings prepared files closer to being used.
#[derive(PartialEq, Eq)]
enum Step {
    LookInCache,
    Make,
}

/// Maximum number of precompiled headers that exist at the same time. With GCC 12, each takes 50 MB to 160 MB.
const MOST_SHARED: usize = 4;

/// Precompiled headers that several sessions share. Each is made from all `#include` lines with which a program begins.
#[derive(Debug)]
pub struct SharedHeaders {
    headers: PreparedFiles,
    /// The keys of the headers that were made, the oldest first.
    made: Mutex<VecDeque<String>>,
    workspace: Folder,
}

impl SharedHeaders {
    /// Fails if no temporary folder can be made.
    pub(crate) fn new() -> io::Result<SharedHeaders> {
        Ok(SharedHeaders { headers: PreparedFiles::default(), made: Mutex::default(), workspace: workspace()? })
    }

    /// The folder in which the headers are made.
    pub(crate) fn workspace(&self) -> &Path {
        self.workspace.path()
    }

    pub(crate) fn headers(&self) -> &PreparedFiles {
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

impl PreparedFiles {
    /// Says how many programs of the run may use prepared files.
    pub(crate) fn expect(&self, programs: usize) {
        self.expected.store(programs, Ordering::Relaxed);
    }

    /// Returns how many programs must ask for prepared files before one of them makes these files.
    pub(crate) fn programs_before(&self) -> usize {
        if self.expected.load(Ordering::Relaxed) < MANY_PROGRAMS { PROGRAMS_BEFORE } else { 1 }
    }

    /// Returns the prepared files with this key; `None` if there are none yet. `restore` copies them from a cache, and
    /// `make` makes them. Each of them is called at most once for each key, and `make` only if at least
    /// `programs_before` programs of this run have asked for them. Fails only if the run was interrupted.
    pub(crate) fn get(
        &self,
        key: &str,
        programs_before: usize,
        restore: impl FnOnce() -> Option<Prepared>,
        make: impl FnOnce() -> Result<Option<Prepared>, JudgeError>,
    ) -> Result<Option<Prepared>, JudgeError> {
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

    /// Returns the step that the caller must take, or else the result of [`PreparedFiles::get`]. Returns each step only once
    /// for each key.
    fn next_step(&self, key: &str, programs_before: usize) -> Result<Step, Option<Prepared>> {
        let mut states = self.lock();
        let Some(state) = states.get_mut(key) else {
            states.insert(key.to_owned(), State::Wanted(1));
            return Ok(Step::LookInCache);
        };
        let State::Wanted(programs) = state else { return Err(state.ready()) };
        *programs += 1;
        if state.begins_to_make(programs_before) { Ok(Step::Make) } else { Err(None) }
    }

    /// Returns whether the caller, which did not find the files in the cache, must make them.
    fn begins_to_make(&self, key: &str, programs_before: usize) -> bool {
        // Meanwhile other workers may have counted their programs, and one of them may make the files.
        self.lock().get_mut(key).is_some_and(|state| state.begins_to_make(programs_before))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, State>> {
        // Every change is a single assignment, so the map is intact even after a panic.
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns whether at least this many programs want the files. If so, the caller must make them.
    fn begins_to_make(&mut self, programs_before: usize) -> bool {
        let is_due = matches!(self, State::Wanted(programs) if *programs >= programs_before);
        if is_due {
            *self = State::Making;
        }
        is_due
    }

    /// Returns the files; `None` if they are not ready.
    fn ready(&self) -> Option<Prepared> {
        if let State::Ready(files) = self { Some(files.clone()) } else { None }
    }
}

/// The folder of a precompiled header, relative to the folder in which it is made.
pub(crate) const HEADERS: &str = "headers";

impl Prepared {
    /// Returns what a compiler has made in `folder`.
    pub(crate) fn new(folder: Folder, kind: Kind) -> Prepared {
        let path = folder.path().join(if matches!(kind, Kind::Header) { HEADERS } else { BINARY });
        Prepared { folder: Arc::new(folder), kind, path }
    }

    /// The folder that contains all files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The file or folder that the compiler is given.
    pub(crate) fn file(&self) -> PreparedFile<'_> {
        match self.kind {
            Kind::Header => PreparedFile::Headers(&self.path),
            Kind::Plugin => PreparedFile::Plugin(&self.path),
            Kind::Archive => PreparedFile::Archive(&self.path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Prepared {
        Prepared::new(Folder::new_in(&std::env::temp_dir(), "referee-test-", 0o755).unwrap(), Kind::Header)
    }

    #[test]
    fn a_header_in_the_cache_is_used_at_once_and_copied_once() {
        let headers = PreparedFiles::default();
        let first = headers.get("key", PROGRAMS_BEFORE, || Some(header()), || panic!("nothing to make")).unwrap();
        let second =
            headers.get("key", PROGRAMS_BEFORE, || panic!("copied twice"), || panic!("nothing to make")).unwrap();
        assert_eq!(first.unwrap().folder(), second.unwrap().folder());
    }

    #[test]
    fn of_the_shared_headers_only_the_newest_stay() {
        let shared = SharedHeaders::new().unwrap();
        let get = |key: &str, make: &dyn Fn() -> Option<Prepared>| {
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
        let headers = PreparedFiles::default();
        let get = |key| headers.get(key, PROGRAMS_BEFORE, || None, || Ok(Some(header()))).unwrap().is_some();
        assert_eq!([(); 5].map(|()| get("key")), [false, false, false, true, true]);
        assert!(!get("another key"));
        assert!(headers.get("key", PROGRAMS_BEFORE, || None, || panic!("made twice")).unwrap().is_some());
    }

    #[test]
    fn a_header_is_made_for_the_first_program_if_many_are_expected() {
        let headers = PreparedFiles::default();
        headers.expect(MANY_PROGRAMS - 1);
        assert_eq!(headers.programs_before(), PROGRAMS_BEFORE);
        headers.expect(MANY_PROGRAMS);
        assert_eq!(headers.programs_before(), 1);
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
            let headers = PreparedFiles::default();
            let get =
                |make: fn() -> Result<Option<Prepared>, JudgeError>| headers.get("key", PROGRAMS_BEFORE, || None, make);
            assert!([(); 4].iter().all(|()| get(failure).unwrap().is_none()));
            assert!(get(|| panic!("tried again")).unwrap().is_none());
        }
    }

    #[test]
    fn programs_do_not_wait_for_a_header() {
        let headers = PreparedFiles::default();
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
        let headers = PreparedFiles::default();
        let get = || headers.get("key", PROGRAMS_BEFORE, || None, || Err(JudgeError::Interrupted));
        assert!((0..3).all(|_| get().is_ok()));
        assert!(matches!(get(), Err(JudgeError::Interrupted)));
    }
}
