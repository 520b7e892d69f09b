//! The judge's current activities, for progress displays. Verdicts do not depend on them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The judge's current activities.
#[derive(Debug, Default)]
pub struct Activity {
    doing: Mutex<Doing>,
}

#[derive(Debug, Default)]
struct Doing {
    begun: u64,
    now: BTreeMap<u64, String>,
}

impl Activity {
    /// Returns one text for each current activity, such as `b.py on sample/1`. The activity that began first comes
    /// first.
    pub fn now(&self) -> Vec<String> {
        self.lock().now.values().cloned().collect()
    }

    /// Begins the activity `what`. It ends when the returned value is dropped.
    pub(crate) fn begin(&self, what: String) -> Busy<'_> {
        let mut doing = self.lock();
        doing.begun += 1;
        let number = doing.begun;
        doing.now.insert(number, what);
        Busy { activity: self, number }
    }

    fn lock(&self) -> MutexGuard<'_, Doing> {
        self.doing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An activity that ends when this value is dropped. See [`Activity::begin`].
pub(crate) struct Busy<'a> {
    activity: &'a Activity,
    number: u64,
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.activity.lock().now.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_is_told_as_long_as_it_is_done() {
        let activity = Activity::default();
        let first = activity.begin("a.py: compiling".to_owned());
        let _second = activity.begin("b.py: sample/1".to_owned());
        assert_eq!(activity.now(), ["a.py: compiling", "b.py: sample/1"]);
        drop(first);
        assert_eq!(activity.now(), ["b.py: sample/1"]);
    }
}
