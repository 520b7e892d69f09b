//! Decides whether the submission is to blame if its interactor exceeds a time limit.
//!
//! An interactor that hangs uses up its time without a message. If messages passed recently, the interactor worked, and
//! the submission kept it busy. "Recently" is measured in the interactor's own time, so that a busy machine changes
//! nothing.

use std::time::Duration;

use super::super::Crossed;
use super::super::monitor::Monitor;
use super::Overload;
use super::channel::Channel;

/// The maximum age of a recent message when the interactor exceeds its limit, in the interactor's own time. For limits
/// below 2 s or above 10 s, [`OverloadWatch::blame`] uses another age.
const RECENT: Duration = Duration::from_secs(1);

/// Watches the messages of an interactive run.
#[derive(Default)]
pub(super) struct OverloadWatch {
    to_interactor: Activity,
    /// Deliveries to the interactor that made room in a full channel.
    from_full: Activity,
    to_submission: Activity,
}

/// The number of deliveries of one kind, and the interactor's time at the last delivery.
#[derive(Default)]
struct Activity {
    count: u64,
    last: Option<OwnTime>,
}

/// The time that the interactor has used.
#[derive(Clone, Copy)]
struct OwnTime {
    cpu: Duration,
    wall: Duration,
}

impl OverloadWatch {
    /// Notes which kinds of deliveries have occurred since the last call. `monitor` belongs to the interactor, and has
    /// just checked the limits.
    pub(super) fn update(&mut self, monitor: &Monitor<'_>, to_interactor: &Channel, to_submission: &Channel) {
        let now = OwnTime { cpu: monitor.cpu_seen(), wall: monitor.own_wall() };
        self.to_interactor.update(to_interactor.deliveries(), now);
        self.from_full.update(to_interactor.deliveries_from_full(), now);
        self.to_submission.update(to_submission.deliveries(), now);
    }

    /// Returns why the submission is to blame if the interactor exceeded the limit `crossed`; `None` if the submission
    /// is not to blame, or if `crossed` is not a time limit.
    pub(super) fn blame(&self, crossed: Crossed, monitor: &Monitor<'_>, to_interactor: &Channel) -> Option<Overload> {
        let limits = monitor.limits();
        let (now, limit, part): (_, _, fn(OwnTime) -> Duration) = match crossed {
            Crossed::Cpu => (monitor.cpu_seen(), limits.cpu, |time| time.cpu),
            Crossed::Wall => (monitor.own_wall(), limits.wall, |time| time.wall),
            _ => return None,
        };
        // An interactor may hang after its first message. At most the last half of the limit counts as recent, so that
        // this message is not recent any more when the interactor exceeds a short limit.
        let recent = RECENT.min(limit / 2).max(limit / 10);
        let is_recent = |activity: &Activity| activity.last.is_some_and(|last| now.saturating_sub(part(last)) < recent);
        let reads = is_recent(&self.to_interactor);
        if reads && (to_interactor.is_full() || is_recent(&self.from_full)) {
            Some(Overload::Flood)
        } else {
            (reads || is_recent(&self.to_submission)).then_some(Overload::EndlessTalk)
        }
    }
}

impl Activity {
    fn update(&mut self, count: u64, now: OwnTime) {
        if count > self.count {
            *self = Activity { count, last: Some(now) };
        }
    }
}
