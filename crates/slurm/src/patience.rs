//! How long the waiting process goes on while Slurm does not answer or accepts no job.

use std::time::Duration;

/// How long neither the queue nor a file may say anything: an hour. A controller that is being replaced comes back sooner.
const LONGEST_SILENCE: Duration = Duration::from_secs(3600);

/// After this many submissions in a row that Slurm did not accept, the run ends.
const MOST_REFUSALS: u32 = 10;

/// After this many questions without an answer, the user hears of it.
const QUIET_QUESTIONS: u32 = 3;

/// What Slurm has left unanswered so far. Times are those since the start of the waiting.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    /// When the queue answered, a job was accepted or a report grew for the last time.
    last_word: Duration,
    /// The number of questions in a row that the queue did not answer.
    unanswered: u32,
    /// The number of submissions in a row that Slurm did not accept.
    refused: u32,
}

impl Patience {
    /// Notes that a report grew.
    pub(crate) fn heard(&mut self, now: Duration) {
        self.last_word = now;
    }

    /// Notes that Slurm accepted a job.
    pub(crate) fn accepted(&mut self, now: Duration) {
        self.refused = 0;
        self.last_word = now;
    }

    /// Notes that Slurm did not accept a job. Returns whether the run ends.
    pub(crate) fn ends_by_refusal(&mut self) -> bool {
        self.refused += 1;
        self.refused >= MOST_REFUSALS
    }

    /// Notes that the queue answered. Returns whether the user has heard that it did not.
    pub(crate) fn ends_silence(&mut self, now: Duration) -> bool {
        self.last_word = now;
        std::mem::take(&mut self.unanswered) >= QUIET_QUESTIONS
    }

    /// Notes that the queue did not answer. Returns whether the user has to hear of it.
    pub(crate) fn begins_silence(&mut self) -> bool {
        self.unanswered += 1;
        self.unanswered == QUIET_QUESTIONS
    }

    /// Returns whether the silence has lasted so long that the run ends.
    pub(crate) fn ends_by_silence(&self, now: Duration) -> bool {
        now.saturating_sub(self.last_word) > LONGEST_SILENCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: u64) -> Duration {
        Duration::from_secs(60 * minutes)
    }

    #[test]
    fn the_tenth_refusal_in_a_row_ends_the_run() {
        let mut patience = Patience::default();
        let refusals = |patience: &mut Patience| (1..=20).find(|_| patience.ends_by_refusal());
        assert_eq!(refusals(&mut patience), Some(10));
        patience.accepted(at(1));
        assert_eq!(refusals(&mut patience), Some(10));
    }

    #[test]
    fn the_user_hears_once_of_a_silent_queue_which_ends_the_run_after_an_hour() {
        let mut patience = Patience::default();
        assert_eq!([1, 2, 3, 4].map(|_| patience.begins_silence()), [false, false, true, false]);
        assert!(!patience.ends_by_silence(at(60)) && patience.ends_by_silence(at(61)));
        assert!(patience.ends_silence(at(62)) && !patience.ends_silence(at(62)));
        assert!(!patience.ends_by_silence(at(120)));
        assert!(!patience.begins_silence(), "an answer starts the count again");
    }

    #[test]
    fn a_report_that_grows_and_an_accepted_job_count_as_words() {
        let mut patience = Patience::default();
        patience.heard(at(50));
        assert!(!patience.ends_by_silence(at(100)) && patience.ends_by_silence(at(111)));
        patience.accepted(at(100));
        assert!(!patience.ends_by_silence(at(150)) && patience.ends_by_silence(at(161)));
    }
}
