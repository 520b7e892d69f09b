//! The variables of a program. Each name can have a plain value and any number of elements.

mod array;
mod counts;
mod dense;
mod distinct;

use std::collections::HashSet;

use array::Array;
use distinct::are_distinct_tuples;

use crate::program::Slot;
use crate::value::Value;

/// All variables, with the approximate size of their values.
#[derive(Debug)]
pub(crate) struct Variables {
    all: Vec<Array>,
    /// The approximate size of all values, in bytes.
    pub(crate) bytes: usize,
}

impl Variables {
    pub(crate) fn new(count: usize) -> Variables {
        Variables { all: (0..count).map(|_| Array::default()).collect(), bytes: 0 }
    }

    /// Returns the plain value; `None` if it is not set.
    pub(crate) fn plain(&self, slot: Slot) -> Option<&Value> {
        self.all[slot].plain.as_ref()
    }

    /// Returns the plain value, or the element with these indices; `None` if it is not set.
    pub(crate) fn get(&self, slot: Slot, indices: &[Value]) -> Option<Value> {
        if indices.is_empty() { self.plain(slot).cloned() } else { self.all[slot].element(indices) }
    }

    /// Returns the plain value if it is a small integer.
    #[inline]
    pub(crate) fn small(&self, slot: Slot) -> Option<i64> {
        match self.plain(slot) {
            Some(Value::Small(number)) => Some(*number),
            _ => None,
        }
    }

    /// Returns the element with this index if finding it is simple. If the result is `None`, the element may still be
    /// set.
    pub(crate) fn small_element(&self, slot: Slot, index: i64) -> Option<i64> {
        self.all[slot].small_element(index)
    }

    /// Sets the plain value, or the element with these indices.
    pub(crate) fn set(&mut self, slot: Slot, indices: &[Value], value: Value) {
        self.change(slot, |array| array.set(indices, value));
    }

    /// Sets the plain value to a small integer.
    #[inline]
    pub(crate) fn set_plain(&mut self, slot: Slot, number: i64) {
        match &mut self.all[slot].plain {
            Some(Value::Small(old)) => *old = number,
            plain => *plain = Some(Value::Small(number)),
        }
    }

    /// Sets an element to a small integer. Returns `false` and changes nothing if that needs [`Variables::set`].
    pub(crate) fn set_small(&mut self, slot: Slot, index: i64, number: i64) -> bool {
        self.change(slot, |array| array.set_small(index, number))
    }

    /// Removes the plain value and all elements.
    pub(crate) fn unset(&mut self, slot: Slot) {
        self.change(slot, |array| *array = Array::default());
    }

    fn change<T>(&mut self, slot: Slot, change: impl FnOnce(&mut Array) -> T) -> T {
        let array = &mut self.all[slot];
        let before = array.bytes;
        let result = change(array);
        self.bytes = self.bytes - before + array.bytes;
        result
    }

    /// Returns whether the plain value or an element equals `value`.
    pub(crate) fn contains(&mut self, slot: Slot, value: &Value) -> bool {
        self.change(slot, |array| array.contains(value))
    }

    /// Returns whether all elements differ from each other and from the plain value.
    pub(crate) fn is_unique(&mut self, slot: Slot) -> bool {
        self.change(slot, Array::is_unique)
    }

    /// Combines the variables into tuples: one tuple of the plain values, and for each index one tuple of the elements
    /// with that index. Returns whether all tuples are different. All variables must have the same indices, and either
    /// all or none of them must have a plain value. Otherwise, fails with a variable that differs from the first one.
    pub(crate) fn are_unique(&self, slots: &[Slot]) -> Result<bool, Slot> {
        let [first, others @ ..] = slots else { return Ok(true) };
        if let Some(columns) = self.columns(slots) {
            return Ok(are_distinct_tuples(&columns));
        }
        let first = &self.all[*first];
        let count = first.size();
        for slot in others {
            let other = &self.all[*slot];
            let has_all = other.size() == count && first.keys().all(|key| other.element(&key).is_some());
            if !has_all || other.plain.is_some() != first.plain.is_some() {
                return Err(*slot);
            }
        }
        let mut tuples = HashSet::new();
        let tuple = |key: &[Value]| slots.iter().map(|slot| self.get(*slot, key)).collect::<Vec<_>>();
        let plain = first.plain.is_some().then(|| Box::from([]));
        Ok(first.keys().chain(plain).all(|key| tuples.insert(tuple(&key))))
    }

    /// Returns the elements of each variable, sorted by index. Returns `None` if [`Array::column`] returns `None`
    /// for a variable, or if the variables do not have equally many elements.
    fn columns(&self, slots: &[Slot]) -> Option<Vec<&[i64]>> {
        let columns: Vec<_> = slots.iter().map(|slot| self.all[*slot].column()).collect::<Option<_>>()?;
        columns.windows(2).all(|pair| pair[0].len() == pair[1].len()).then_some(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::array::KEY_BYTES;
    use super::*;

    fn small(numbers: &[i64]) -> Vec<Value> {
        numbers.iter().copied().map(Value::Small).collect()
    }

    #[test]
    fn elements_with_and_without_gaps_are_found_again() {
        let mut variables = Variables::new(1);
        for index in [0, 1, 1_000_000, 2, -5, 200, 500, 1_000_000] {
            variables.set(0, &small(&[index]), Value::Small(index * 2));
        }
        variables.set(0, &small(&[1, 2]), Value::Small(7));
        for index in [0, 1, 2, 200, 500, 1_000_000, -5] {
            assert_eq!(variables.get(0, &small(&[index])), Some(Value::Small(index * 2)), "{index}");
        }
        assert_eq!(variables.get(0, &small(&[3])), None);
        assert_eq!(variables.get(0, &small(&[1, 2])), Some(Value::Small(7)));
        assert!(variables.is_unique(0));
    }

    #[test]
    fn replacing_an_element_takes_no_more_memory() {
        let mut variables = Variables::new(1);
        for indices in [[1, 2].as_slice(), &[1_000_000], &[3]] {
            variables.set(0, &small(indices), Value::Small(0));
        }
        let bytes = variables.bytes;
        for _ in 0..1000 {
            for indices in [[1, 2].as_slice(), &[1_000_000], &[3]] {
                variables.set(0, &small(indices), Value::Small(0));
            }
        }
        assert_eq!(variables.bytes, bytes);
        assert!(!variables.is_unique(0));
        let counted = variables.bytes;
        for round in 1..100 {
            variables.set(0, &small(&[3]), Value::Small(round));
        }
        assert_eq!(variables.bytes, counted + KEY_BYTES, "two different values are counted instead of one");
    }

    #[test]
    fn counts_follow_every_change() {
        let mut variables = Variables::new(1);
        for (index, value) in [(0, 5), (1, 6), (2, 5)] {
            variables.set(0, &small(&[index]), Value::Small(value));
        }
        assert!(!variables.is_unique(0));
        variables.set(0, &small(&[2]), Value::Small(7));
        assert!(variables.is_unique(0));
        assert!(variables.contains(0, &Value::Small(7)) && variables.contains(0, &Value::Small(5)));
        variables.set(0, &[], Value::Small(7));
        assert!(!variables.is_unique(0));
        variables.unset(0);
        assert!(variables.is_unique(0) && !variables.contains(0, &Value::Small(5)));
        assert_eq!(variables.bytes, variables.all[0].bytes);
    }

    #[test]
    fn tuples_need_the_same_indices() {
        let mut variables = Variables::new(2);
        for (index, x, y) in [(0, 1, 1), (1, 1, 2), (2, 2, 1)] {
            variables.set(0, &small(&[index]), Value::Small(x));
            variables.set(1, &small(&[index]), Value::Small(y));
        }
        assert_eq!(variables.are_unique(&[0, 1]), Ok(true));
        variables.set(1, &small(&[1]), Value::Small(1));
        assert_eq!(variables.are_unique(&[0, 1]), Ok(false));
        variables.set(1, &small(&[9]), Value::Small(1));
        assert_eq!(variables.are_unique(&[0, 1]), Err(1));
    }
}
