//! When the files are read and when the queue is asked: often at first, and more seldom in a long run.

use std::time::Duration;

/// The intervals between two reads of the files.
const FILES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// The intervals between two questions to the queue. Administrators ask users not to run `squeue` more often.
const QUEUE: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// The interval between two questions to the queue while a task has probably ended.
const IN_DOUBT: Duration = Duration::from_secs(2);

/// An interval that grows by half each time, up to a maximum.
#[derive(Debug)]
struct Growing {
    shortest: Duration,
    longest: Duration,
    interval: Duration,
    /// When the next time is.
    next: Duration,
}

impl Growing {
    fn new((shortest, longest): (Duration, Duration)) -> Growing {
        Growing { shortest, longest, interval: shortest, next: Duration::ZERO }
    }

    fn is_due(&self, now: Duration) -> bool {
        now >= self.next
    }

    fn done(&mut self, now: Duration) {
        self.next = now + self.interval;
        self.interval = (self.interval * 3 / 2).min(self.longest);
    }

    fn restart(&mut self, now: Duration) {
        self.interval = self.shortest;
        self.next = now + self.shortest;
    }
}

/// The times of the next actions.
#[derive(Debug)]
pub(crate) struct Schedule {
    files: Growing,
    queue: Growing,
}

impl Schedule {
    pub(crate) fn new() -> Schedule {
        Schedule { files: Growing::new(FILES), queue: Growing::new(QUEUE) }
    }

    pub(crate) fn are_files_due(&self, now: Duration) -> bool {
        self.files.is_due(now)
    }

    pub(crate) fn files_read(&mut self, now: Duration) {
        self.files.done(now);
    }

    pub(crate) fn is_queue_due(&self, now: Duration) -> bool {
        self.queue.is_due(now)
    }

    /// Notes that the queue was asked. If `is_one_in_doubt`, it is asked again soon.
    pub(crate) fn queue_asked(&mut self, now: Duration, is_one_in_doubt: bool) {
        self.queue.done(now);
        if is_one_in_doubt {
            self.doubt(now);
        }
    }

    /// Lets the queue be asked soon, because a task has probably ended.
    pub(crate) fn doubt(&mut self, now: Duration) {
        self.queue.next = self.queue.next.min(now + IN_DOUBT);
    }

    /// Notes that a job was submitted.
    pub(crate) fn submitted(&mut self, now: Duration) {
        self.files.restart(now);
        self.queue.restart(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_become_rare_unless_a_task_is_in_doubt() {
        let mut schedule = Schedule::new();
        let mut times = Vec::new();
        for millisecond in 0..300_000 {
            let now = Duration::from_millis(millisecond);
            if schedule.is_queue_due(now) {
                times.push(now);
                schedule.queue_asked(now, false);
            }
        }
        assert!(times.len() < 25, "{times:?}");
        let last = *times.last().unwrap();
        schedule.doubt(last);
        assert!(schedule.is_queue_due(last + IN_DOUBT));
        schedule.queue_asked(last + IN_DOUBT, true);
        assert!(schedule.is_queue_due(last + IN_DOUBT * 2));
        schedule.submitted(last);
        assert!(schedule.is_queue_due(last + QUEUE.0) && schedule.are_files_due(last + FILES.0));
    }
}
