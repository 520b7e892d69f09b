//! The values of one variable name: a plain value, and elements with indices.

use std::collections::HashMap;

use super::counts::Counts;
use super::dense::{Dense, UNSET};
use super::distinct::are_distinct;
use crate::value::Value;

/// The approximate size of an element of an array, in bytes.
const ELEMENT_BYTES: usize = 24;

/// The approximate additional size of an element in [`Array::sparse`], in bytes.
pub(super) const KEY_BYTES: usize = 96;

/// `UNIQUE` compares all elements only if enough of them were set after the last comparison: at least their total
/// number divided by this number.
const CHANGED_SHARE: usize = 4;

/// The plain value and the elements of a name.
#[derive(Debug, Default)]
pub(super) struct Array {
    pub(super) plain: Option<Value>,
    /// Elements with one index, as long as the indices have few gaps.
    dense: Dense,
    /// All other elements.
    sparse: HashMap<Box<[Value]>, Value>,
    /// How often each value occurs among the elements; `None` until `UNIQUE` or `INARRAY` needs it.
    counts: Option<Counts>,
    /// How many times an element was set after `UNIQUE` last compared all elements.
    changes: usize,
    /// The approximate size of the values, in bytes.
    pub(super) bytes: usize,
}

impl Array {
    /// Returns the element with these indices; `None` if it is not set.
    pub(super) fn element(&self, indices: &[Value]) -> Option<Value> {
        let dense = match indices {
            [Value::Small(index)] => usize::try_from(*index).ok().and_then(|index| self.dense.get(index)),
            _ => None,
        };
        dense.or_else(|| self.sparse.get(indices).cloned())
    }

    /// Returns the element with this index if it is a small integer in [`Array::dense`].
    pub(super) fn small_element(&self, index: i64) -> Option<i64> {
        let Dense::Small(numbers) = &self.dense else { return None };
        numbers.get(usize::try_from(index).ok()?).copied().filter(|number| *number != UNSET)
    }

    /// Returns the index in [`Array::dense`] of the element with these indices. `None` if the element belongs to
    /// [`Array::sparse`].
    fn dense_index(&self, indices: &[Value]) -> Option<usize> {
        let [Value::Small(index)] = indices else { return None };
        let index = usize::try_from(*index).ok().filter(|index| *index <= 2 * self.dense.len() + 64)?;
        let is_sparse = !self.sparse.is_empty() && self.sparse.contains_key(indices);
        (!is_sparse).then_some(index)
    }

    /// Sets the plain value, or the element with these indices.
    pub(super) fn set(&mut self, indices: &[Value], value: Value) {
        if indices.is_empty() {
            self.plain = Some(value);
            return;
        }
        self.changes += 1;
        let counted = self.counted_bytes();
        self.bytes += ELEMENT_BYTES + value.heap_bytes();
        if let Some(counts) = &mut self.counts {
            counts.add(&value);
        }
        let old = if let Some(index) = self.dense_index(indices) {
            self.dense.replace(index, value)
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

    /// Sets an element to a small integer, like [`Array::set`] but faster. Returns `false` and changes nothing if only
    /// [`Array::set`] can do it, for example because the element is not in [`Array::dense`].
    #[inline]
    pub(super) fn set_small(&mut self, index: i64, number: i64) -> bool {
        let (Dense::Small(numbers), Ok(index)) = (&mut self.dense, usize::try_from(index)) else { return false };
        if number == UNSET || self.counts.is_some() {
            return false;
        }
        let end = numbers.len();
        match numbers.get_mut(index) {
            Some(entry) if *entry != UNSET => *entry = number,
            None if index == end && self.sparse.is_empty() => {
                numbers.push(number);
                self.bytes += ELEMENT_BYTES;
            }
            _ => return false,
        }
        self.changes += 1;
        true
    }

    /// The memory of the counts, in bytes.
    fn counted_bytes(&self) -> usize {
        self.counts.as_ref().map_or(0, |counts| counts.different() * KEY_BYTES)
    }

    /// The number of elements.
    pub(super) fn size(&self) -> usize {
        self.dense.iter().count() + self.sparse.len()
    }

    /// The indices of all elements.
    pub(super) fn keys(&self) -> impl Iterator<Item = Box<[Value]>> {
        let dense = self.dense.iter().map(|(index, _)| Box::from([Value::Small(index as i64)]));
        dense.chain(self.sparse.keys().cloned())
    }

    /// Returns the elements, sorted by index. Returns `None` unless all elements are small integers, the indices start
    /// at 0 and have no gaps, and there is no plain value.
    pub(super) fn column(&self) -> Option<&[i64]> {
        let Dense::Small(numbers) = &self.dense else { return None };
        let is_complete = self.plain.is_none() && self.sparse.is_empty() && !numbers.contains(&UNSET);
        is_complete.then_some(numbers)
    }

    fn counts(&mut self) -> &Counts {
        if self.counts.is_none() {
            let mut counts = Counts::default();
            self.dense.iter().for_each(|(_, value)| counts.add(&value));
            self.sparse.values().for_each(|value| counts.add(value));
            self.counts = Some(counts);
            self.bytes += self.counted_bytes();
        }
        self.counts.get_or_insert_default()
    }

    /// Returns whether the plain value or an element equals `value`.
    pub(super) fn contains(&mut self, value: &Value) -> bool {
        self.plain.as_ref() == Some(value) || self.counts().contains(value)
    }

    /// Returns whether all elements differ from each other and from the plain value.
    pub(super) fn is_unique(&mut self) -> bool {
        if let Some(is_unique) = self.compare_elements() {
            return is_unique;
        }
        let plain = self.plain.clone();
        let counts = self.counts();
        counts.is_unique() && plain.is_none_or(|plain| !counts.contains(&plain))
    }

    /// Returns whether all elements differ from each other and from the plain value. Compares all of them, which needs
    /// less time and memory than counts. Returns `None` if there are counts already, if a value is not a small integer,
    /// or if an element is in [`Array::sparse`]. Also returns `None` if few elements were set after the last
    /// comparison, because a program that evaluates `UNIQUE` after each new element needs counts.
    fn compare_elements(&mut self) -> Option<bool> {
        let Dense::Small(numbers) = &self.dense else { return None };
        let plain = match &self.plain {
            None => None,
            Some(Value::Small(number)) => Some(*number),
            Some(_) => return None,
        };
        let is_worthwhile = self.changes.saturating_mul(CHANGED_SHARE) >= numbers.len();
        if self.counts.is_some() || !self.sparse.is_empty() || !is_worthwhile {
            return None;
        }
        self.changes = 0;
        Some(are_distinct(numbers.iter().copied().filter(|number| *number != UNSET).chain(plain)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use referee_random::Random;

    use super::*;

    fn value(random: &mut Random) -> Value {
        match random.below(40) {
            0 => Value::String(Arc::from(&b"x"[..])),
            1 => Value::Small(i64::MIN),
            2 => Value::Small(i64::MAX),
            _ => Value::Small(random.below(30) as i64),
        }
    }

    #[test]
    fn an_array_behaves_like_a_map() {
        for case in 0..2000 {
            let mut random = Random::new(1, case);
            let (mut array, mut map) = (Array::default(), BTreeMap::new());
            let indices = random.between(1, 200);
            for _ in 0..random.below(40) {
                let (index, value) = (random.below(indices) as i64 - 2, value(&mut random));
                let is_set = match &value {
                    Value::Small(number) if random.chance(4, 5) => array.set_small(index, *number),
                    _ => false,
                };
                if !is_set {
                    array.set(&[Value::Small(index)], value.clone());
                }
                map.insert(index, value);
                if random.chance(1, 10) {
                    let different = map.values().collect::<std::collections::HashSet<_>>().len();
                    assert_eq!(array.is_unique(), different == map.len(), "case {case}: {map:?}");
                }
                if random.chance(1, 40) {
                    let value = self::value(&mut random);
                    assert_eq!(array.contains(&value), map.values().any(|other| *other == value), "case {case}");
                }
            }
            for index in -2..=indices as i64 {
                assert_eq!(array.element(&[Value::Small(index)]).as_ref(), map.get(&index), "case {case}, {index}");
            }
            assert_eq!((array.size(), array.keys().count()), (map.len(), map.len()), "case {case}");
        }
    }

    #[test]
    fn an_element_stays_where_it_was_set_first() {
        let mut array = Array::default();
        array.set(&[Value::Small(100)], Value::Small(1));
        assert_eq!(array.sparse.len(), 1, "the gap is too large");
        for index in 0..=101 {
            if !array.set_small(index, 2) {
                array.set(&[Value::Small(index)], Value::Small(2));
            }
        }
        assert_eq!((array.size(), array.element(&[Value::Small(100)])), (102, Some(Value::Small(2))));
    }

    #[test]
    fn unique_counts_only_if_it_is_asked_often() {
        let mut array = Array::default();
        for index in 0..1000 {
            assert!(array.set_small(index, index * index));
        }
        for _ in 0..3 {
            assert!(array.is_unique());
            assert!(array.counts.is_none());
            (0..1000).for_each(|index| assert!(array.set_small(index, -index)));
        }
        for index in 1000..1010 {
            array.set(&[Value::Small(index)], Value::Small(index));
            assert!(array.is_unique());
        }
        assert!(array.counts.is_some(), "ten comparisons of 1000 elements take longer than counts");
    }

    #[test]
    fn a_plain_value_takes_part_in_unique() {
        let mut array = Array::default();
        assert!(array.set_small(0, 7) && array.set_small(1, 8));
        array.set(&[], Value::Small(7));
        assert!(!array.is_unique());
        array.set(&[], Value::Small(9));
        assert!(array.is_unique());
        array.set(&[], Value::float(num_rational::BigRational::from_integer(8.into())));
        assert!(!array.is_unique());
    }
}
