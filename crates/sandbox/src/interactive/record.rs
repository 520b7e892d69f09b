//! Records the last messages of an interactive run, for the transcript.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::{Exchange, Side};

/// Maximum number of messages in the transcript.
const MAX_EXCHANGES: usize = 40;

/// Maximum number of bytes of each message in the transcript.
const MAX_TEXT_BYTES: usize = 512;

/// The last messages of both sides.
pub(super) struct Record {
    started: Instant,
    last: VecDeque<Exchange>,
}

impl Record {
    pub(super) fn new(started: Instant) -> Record {
        Record { started, last: VecDeque::new() }
    }

    pub(super) fn add(&mut self, by: Side, bytes: &[u8]) {
        self.add_at(by, self.started.elapsed(), bytes);
    }

    fn add_at(&mut self, by: Side, at: Duration, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if self.last.back().is_none_or(|last| last.by != by) {
            // This reuses the buffer of the oldest message, because interactive runs have many messages.
            let old = if self.last.len() == MAX_EXCHANGES { self.last.pop_front() } else { None };
            let mut text = old.map(|old| old.text).unwrap_or_default();
            text.clear();
            self.last.push_back(Exchange { by, at, text, whole_bytes: 0 });
        }
        if let Some(last) = self.last.back_mut() {
            let free = MAX_TEXT_BYTES - last.text.len();
            last.text.extend(&bytes[..bytes.len().min(free)]);
            last.whole_bytes += bytes.len() as u64;
        }
    }

    pub(super) fn finish(self) -> Vec<Exchange> {
        self.last.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn what_one_side_says_in_pieces_is_one_exchange_at_the_time_of_the_first() {
        let mut record = Record::new(Instant::now());
        record.add_at(Side::Interactor, at(1), b"4");
        record.add_at(Side::Interactor, at(2), b"2\n");
        record.add_at(Side::Submission, at(3), b"yes\n");
        record.add_at(Side::Submission, at(4), b"");
        let exchange = |by, at, text: &[u8]| Exchange { by, at, text: text.to_vec(), whole_bytes: text.len() as u64 };
        assert_eq!(
            record.finish(),
            [exchange(Side::Interactor, at(1), b"42\n"), exchange(Side::Submission, at(3), b"yes\n")]
        );
    }

    #[test]
    fn only_the_last_exchanges_are_kept_and_of_each_the_beginning() {
        let mut record = Record::new(Instant::now());
        for number in 0..1000_u64 {
            let by = if number % 2 == 0 { Side::Interactor } else { Side::Submission };
            record.add_at(by, at(number), &vec![b'a'; 2000]);
        }
        let last = record.finish();
        assert_eq!(
            (last.len(), last[0].at, last[MAX_EXCHANGES - 1].at),
            (MAX_EXCHANGES, at(1000 - MAX_EXCHANGES as u64), at(999))
        );
        assert!(last.iter().all(|exchange| exchange.text.len() == MAX_TEXT_BYTES && exchange.whole_bytes == 2000));
    }
}
