//! The variables of a program. Each name can have a plain value and any number of elements.

use std::collections::{HashMap, HashSet};

use crate::program::Slot;
use crate::value::Value;

/// The approximate size of an element of an array, in bytes.
const ELEMENT_BYTES: usize = 24;

/// The approximate additional size of an element in [`Array::sparse`], in bytes.
const KEY_BYTES: usize = 96;

/// All variables, with the approximate size of their values.
#[derive(Debug)]
pub(crate) struct Variables {
    all: Vec<Array>,
    /// The approximate size of all values, in bytes.
    pub(crate) bytes: usize,
}

/// The values of one name.
#[derive(Debug, Default)]
struct Array {
    plain: Option<Value>,
    /// Elements with one index, as long as the indices have few gaps.
    dense: Vec<Option<Value>>,
    /// All other elements.
    sparse: HashMap<Box<[Value]>, Value>,
    /// How often each value occurs among the elements; `None` until `UNIQUE` or `INARRAY` needs it.
    counts: Option<Counts>,
    /// The approximate size of the values, in bytes.
    bytes: usize,
}

#[derive(Debug, Default)]
struct Counts {
    of: HashMap<Value, usize>,
    /// The number of elements minus the number of different values.
    repeated: usize,
}

impl Counts {
    fn add(&mut self, value: &Value) {
        let count = self.of.entry(value.clone()).or_insert(0);
        *count += 1;
        self.repeated += usize::from(*count > 1);
    }

    fn remove(&mut self, value: &Value) {
        let Some(count) = self.of.get_mut(value) else { return };
        self.repeated -= usize::from(*count > 1);
        *count -= 1;
        if *count == 0 {
            self.of.remove(value);
        }
    }
}

impl Array {
    fn element(&self, indices: &[Value]) -> Option<&Value> {
        let dense = match indices {
            [Value::Small(index)] => usize::try_from(*index).ok().and_then(|index| self.dense.get(index)?.as_ref()),
            _ => None,
        };
        dense.or_else(|| self.sparse.get(indices))
    }

    /// Returns the element with these indices in [`Array::dense`], and makes room for it. `None` if the element belongs
    /// to [`Array::sparse`].
    fn dense_entry(&mut self, indices: &[Value]) -> Option<&mut Option<Value>> {
        let [Value::Small(index)] = indices else { return None };
        let index = usize::try_from(*index).ok().filter(|index| *index <= 2 * self.dense.len() + 64)?;
        if !self.sparse.is_empty() && self.sparse.contains_key(indices) {
            return None;
        }
        if index >= self.dense.len() {
            self.dense.resize(index + 1, None);
        }
        self.dense.get_mut(index)
    }

    fn set(&mut self, indices: &[Value], value: Value) {
        if indices.is_empty() {
            self.plain = Some(value);
            return;
        }
        let counted = self.counted_bytes();
        self.bytes += ELEMENT_BYTES + value.heap_bytes();
        if let Some(counts) = &mut self.counts {
            counts.add(&value);
        }
        let old = if let Some(entry) = self.dense_entry(indices) {
            entry.replace(value)
        } else {
            let old = self.sparse.insert(Box::from(indices), value);
            // An existing key stays, so its bytes are not counted again.
            self.bytes += if old.is_none() { KEY_BYTES + indices.len() * ELEMENT_BYTES } else { 0 };
            old
        };
        if let Some(old) = old {
            self.bytes = self.bytes.saturating_sub(ELEMENT_BYTES + old.heap_bytes());
            if let Some(counts) = &mut self.counts {
                counts.remove(&old);
            }
        }
        self.bytes = (self.bytes + self.counted_bytes()).saturating_sub(counted);
    }

    /// The memory of the counts, in bytes.
    fn counted_bytes(&self) -> usize {
        self.counts.as_ref().map_or(0, |counts| counts.of.len() * KEY_BYTES)
    }

    fn elements(&self) -> impl Iterator<Item = &Value> {
        self.dense.iter().flatten().chain(self.sparse.values())
    }

    /// The indices of all elements.
    fn keys(&self) -> impl Iterator<Item = Box<[Value]>> {
        let dense = self.dense.iter().enumerate().filter(|(_, value)| value.is_some());
        dense.map(|(index, _)| Box::from([Value::Small(index as i64)])).chain(self.sparse.keys().cloned())
    }

    fn counts(&mut self) -> &Counts {
        if self.counts.is_none() {
            let mut counts = Counts::default();
            self.elements().for_each(|value| counts.add(value));
            self.counts = Some(counts);
            self.bytes += self.counted_bytes();
        }
        self.counts.get_or_insert_default()
    }
}

impl Variables {
    pub(crate) fn new(count: usize) -> Variables {
        Variables { all: (0..count).map(|_| Array::default()).collect(), bytes: 0 }
    }

    /// Returns the plain value, or the element with these indices; `None` if it is not set.
    pub(crate) fn get(&self, slot: Slot, indices: &[Value]) -> Option<&Value> {
        let array = &self.all[slot];
        if indices.is_empty() { array.plain.as_ref() } else { array.element(indices) }
    }

    pub(crate) fn set(&mut self, slot: Slot, indices: &[Value], value: Value) {
        self.change(slot, |array| array.set(indices, value));
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
        let is_plain = self.all[slot].plain.as_ref() == Some(value);
        is_plain || self.change(slot, |array| array.counts().of.contains_key(value))
    }

    /// Returns whether all elements differ from each other and from the plain value.
    pub(crate) fn is_unique(&mut self, slot: Slot) -> bool {
        let plain = self.all[slot].plain.clone();
        self.change(slot, |array| {
            let counts = array.counts();
            counts.repeated == 0 && plain.is_none_or(|plain| !counts.of.contains_key(&plain))
        })
    }

    /// Combines the variables into tuples: one tuple of the plain values, and for each index one tuple of the elements
    /// with that index. Returns whether all tuples are different. Each variable must have the same indices as the first
    /// one, and a plain value exactly if the first one has one. Fails with the first variable that does not.
    pub(crate) fn are_unique(&self, slots: &[Slot]) -> Result<bool, Slot> {
        let [first, others @ ..] = slots else { return Ok(true) };
        let first = &self.all[*first];
        let size = |array: &Array| array.elements().count();
        let count = size(first);
        for slot in others {
            let other = &self.all[*slot];
            let has_all = size(other) == count && first.keys().all(|key| other.element(&key).is_some());
            if !has_all || other.plain.is_some() != first.plain.is_some() {
                return Err(*slot);
            }
        }
        let mut tuples = HashSet::new();
        let tuple = |key: &[Value]| slots.iter().map(|slot| self.get(*slot, key).cloned()).collect::<Vec<_>>();
        let plain = first.plain.is_some().then(|| Box::from([]));
        Ok(first.keys().chain(plain).all(|key| tuples.insert(tuple(&key))))
    }
}

#[cfg(test)]
mod tests {
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
            assert_eq!(variables.get(0, &small(&[index])), Some(&Value::Small(index * 2)), "{index}");
        }
        assert_eq!(variables.get(0, &small(&[3])), None);
        assert_eq!(variables.get(0, &small(&[1, 2])), Some(&Value::Small(7)));
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
