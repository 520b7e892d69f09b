//! Stores the output of a program: in memory while it is small, otherwise in an unlinked temporary file.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Deref;

use memmap2::Mmap;

/// Maximum size of an output in memory, in bytes. A larger output moves to an unlinked temporary file.
const MAX_MEMORY_BYTES: usize = 1 << 20;

/// The output of a program that has ended, up to the limit. The value dereferences to its bytes.
#[derive(Debug)]
pub struct Captured {
    store: Store,
    /// Whether the program wrote more than the limit. The rest of the output is lost.
    pub overflowed: bool,
}

#[derive(Debug)]
enum Store {
    Memory(Vec<u8>),
    Mapped(Mmap),
}

impl Deref for Captured {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.store {
            Store::Memory(bytes) => bytes,
            Store::Mapped(map) => map,
        }
    }
}

impl Captured {
    /// Makes an output of these bytes, as if a program had written them.
    pub fn of(bytes: Vec<u8>) -> Captured {
        Captured { store: Store::Memory(bytes), overflowed: false }
    }
}

/// An output that is still being written, up to a cap in bytes.
#[derive(Debug)]
pub(super) struct Spool {
    memory: Vec<u8>,
    file: Option<File>,
    written: u64,
    cap: u64,
    /// Whether bytes did not fit below the cap.
    has_excess: bool,
    /// Whether the bytes are stored; otherwise they are only counted.
    stores: bool,
    /// Whether bytes beyond the cap are discarded without an overflow.
    truncates: bool,
}

impl Spool {
    pub(super) fn new(cap: u64) -> Self {
        Spool { memory: Vec::new(), file: None, written: 0, cap, has_excess: false, stores: true, truncates: false }
    }

    /// Counts the bytes up to the cap and stores none.
    pub(super) fn counting(cap: u64) -> Self {
        Spool { stores: false, ..Spool::new(cap) }
    }

    /// Stores the bytes up to the cap and discards the rest, without an overflow.
    pub(super) fn truncating(cap: u64) -> Self {
        Spool { truncates: true, ..Spool::new(cap) }
    }

    /// Stores or counts the bytes that fit below the cap. If some do not fit, the output overflows, unless `truncates`
    /// is set.
    pub(super) fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        let free = usize::try_from(self.cap - self.written).unwrap_or(usize::MAX);
        self.has_excess |= bytes.len() > free;
        let bytes = &bytes[..bytes.len().min(free)];
        self.written += bytes.len() as u64;
        if !self.stores {
            return Ok(());
        }
        if let Some(file) = &mut self.file {
            return file.write_all(bytes);
        }
        self.memory.extend_from_slice(bytes);
        if self.memory.len() > MAX_MEMORY_BYTES { self.move_to_file() } else { Ok(()) }
    }

    /// Whether the stored bytes contain `words`. An output that does not fit into memory is not searched.
    pub(super) fn contains(&self, words: &[u8]) -> bool {
        self.memory.windows(words.len()).any(|window| window == words)
    }

    /// Sets the cap in bytes. It cannot become smaller than the number of bytes written so far.
    pub(super) fn cap_at(&mut self, cap: u64) {
        self.cap = cap.max(self.written);
    }

    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Sets the count of bytes to 0. Does nothing if the bytes are stored, or if the output has overflowed.
    pub(super) fn count_anew(&mut self) {
        if !self.stores && !self.overflowed() {
            self.written = 0;
        }
    }

    /// Whether bytes beyond the cap are discarded without an overflow.
    pub(super) fn is_truncating(&self) -> bool {
        self.truncates
    }

    /// Returns how many of the bytes written so far count against the output limit; 0 if the spool truncates.
    pub(super) fn counted(&self) -> u64 {
        if self.truncates { 0 } else { self.written }
    }

    pub(super) fn overflowed(&self) -> bool {
        self.has_excess && !self.truncates
    }

    pub(super) fn finish(self) -> io::Result<Captured> {
        let store = match self.file {
            None => Store::Memory(self.memory),
            // SAFETY: `tempfile` created the file without a name, or has unlinked it. This value owns its only
            // descriptor and is about to close it, so no other code can shorten or change the file while it is mapped.
            Some(file) => Store::Mapped(unsafe { Mmap::map(&file) }?),
        };
        Ok(Captured { store, overflowed: self.has_excess })
    }

    fn move_to_file(&mut self) -> io::Result<()> {
        let mut file = tempfile::tempfile()?;
        file.write_all(&self.memory)?;
        self.memory = Vec::new();
        self.file = Some(file);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_an_output_are_found() {
        let mut spool = Spool::new(20);
        spool.take(b"thread 'main'").unwrap();
        spool.take(b" has overflowed").unwrap();
        assert!(spool.contains(b"main' has"));
        assert!(!spool.contains(b"overflowed"), "the output is cut at 20 bytes");
        assert!(!Spool::new(20).contains(b"a"));
    }

    #[test]
    fn an_output_is_cut_at_its_cap_and_has_overflowed() {
        let mut spool = Spool::new(5);
        spool.take(b"abc").unwrap();
        assert!(!spool.overflowed());
        spool.take(b"def").unwrap();
        let captured = spool.finish().unwrap();
        assert_eq!((&*captured, captured.overflowed), (&b"abcde"[..], true));
    }

    #[test]
    fn a_truncated_output_exceeds_no_limit_and_is_known_to_be_truncated() {
        let mut spool = Spool::truncating(5);
        spool.take(b"abcde").unwrap();
        assert!(!spool.has_excess);
        spool.take(b"f").unwrap();
        assert!(!spool.overflowed());
        let captured = spool.finish().unwrap();
        assert_eq!((&*captured, captured.overflowed), (&b"abcde"[..], true));
    }

    #[test]
    fn an_output_just_at_its_cap_is_whole() {
        let mut spool = Spool::new(3);
        spool.take(b"abc").unwrap();
        assert!(!spool.finish().unwrap().overflowed);
    }

    #[test]
    fn a_large_output_comes_back_from_its_file_unchanged() {
        let mut spool = Spool::new(u64::MAX);
        let block: Vec<u8> = (0..=255).collect();
        for _ in 0..10_000 {
            spool.take(&block).unwrap();
        }
        assert!(spool.file.is_some());
        let captured = spool.finish().unwrap();
        assert_eq!(captured.len(), 2_560_000);
        assert!(captured.chunks(256).all(|chunk| chunk == block));
    }
}
