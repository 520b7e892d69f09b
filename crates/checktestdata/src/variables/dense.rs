//! The elements of an array whose indices have few gaps.

use crate::value::Value;

/// Stands in [`Dense::Small`] for an element that is not set.
pub(super) const UNSET: i64 = i64::MIN;

/// Elements by their index, from 0. An array keeps the form `Small` until it receives a value that this form cannot
/// store, because small integers take a third of the memory of other values.
#[derive(Debug)]
pub(super) enum Dense {
    /// Small integers except [`UNSET`].
    Small(Vec<i64>),
    /// Any values; `None` if the element is not set.
    Any(Vec<Option<Value>>),
}

impl Default for Dense {
    fn default() -> Dense {
        Dense::Small(Vec::new())
    }
}

impl Dense {
    /// The number of elements, with the gaps.
    pub(super) fn len(&self) -> usize {
        match self {
            Dense::Small(numbers) => numbers.len(),
            Dense::Any(values) => values.len(),
        }
    }

    /// Returns an element; `None` if it is not set.
    pub(super) fn get(&self, index: usize) -> Option<Value> {
        match self {
            Dense::Small(numbers) => numbers.get(index).copied().and_then(set),
            Dense::Any(values) => values.get(index)?.clone(),
        }
    }

    /// Sets an element, and returns its old value; `None` if it was not set. An index beyond the end adds elements.
    pub(super) fn replace(&mut self, index: usize, value: Value) -> Option<Value> {
        if let Dense::Small(numbers) = self {
            match value {
                Value::Small(number) if number != UNSET => {
                    if index >= numbers.len() {
                        numbers.resize(index + 1, UNSET);
                    }
                    return set(std::mem::replace(&mut numbers[index], number));
                }
                _ => *self = Dense::Any(numbers.iter().copied().map(set).collect()),
            }
        }
        let Dense::Any(values) = self else { return None };
        if index >= values.len() {
            values.resize(index + 1, None);
        }
        values[index].replace(value)
    }

    /// The elements that are set, with their indices.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, Value)> {
        (0..self.len()).filter_map(|index| Some((index, self.get(index)?)))
    }
}

fn set(number: i64) -> Option<Value> {
    (number != UNSET).then_some(Value::Small(number))
}
