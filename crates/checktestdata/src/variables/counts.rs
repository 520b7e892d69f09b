//! How often each value occurs in an array.

use std::collections::HashMap;

use crate::value::Value;

/// The number of elements with each value.
#[derive(Debug, Default)]
pub(super) struct Counts {
    of: HashMap<Value, usize>,
    /// The number of elements minus the number of different values.
    repeated: usize,
}

impl Counts {
    pub(super) fn add(&mut self, value: &Value) {
        let count = self.of.entry(value.clone()).or_insert(0);
        *count += 1;
        self.repeated += usize::from(*count > 1);
    }

    pub(super) fn remove(&mut self, value: &Value) {
        let Some(count) = self.of.get_mut(value) else { return };
        self.repeated -= usize::from(*count > 1);
        *count -= 1;
        if *count == 0 {
            self.of.remove(value);
        }
    }

    pub(super) fn contains(&self, value: &Value) -> bool {
        self.of.contains_key(value)
    }

    /// The number of different values.
    pub(super) fn different(&self) -> usize {
        self.of.len()
    }

    /// Returns whether no value occurs twice.
    pub(super) fn is_unique(&self) -> bool {
        self.repeated == 0
    }
}
