//! A hash table of rows with open addressing. A slot holds a row, and a small tag in the bits above the row.
//!
//! [`super::bidirectional`] and [`super::sweep`] use it. They never remove a row, so the table has no method for it.

use super::packed::{Packed, ROW_BITS};

const ROW_MASK: u64 = (1 << ROW_BITS) - 1;

/// Rows, each with the tag with which it was entered.
pub(super) struct Rows {
    /// The slots; their number is a power of two. No row is zero, so zero marks a free slot.
    slots: Vec<u64>,
    used: usize,
}

impl Rows {
    pub(super) fn new() -> Rows {
        Rows { slots: vec![0; 256], used: 0 }
    }

    /// Enters `row` with `tag`. If the row is already there, changes nothing and returns its tag.
    pub(super) fn enter(&mut self, row: Packed, tag: u16) -> Option<u16> {
        let at = self.slot(row);
        if self.slots[at] != 0 {
            return Some(tag_of(self.slots[at]));
        }
        self.slots[at] = row.0 | u64::from(tag) << ROW_BITS;
        self.used += 1;
        if self.used * 2 > self.slots.len() {
            self.grow();
        }
        None
    }

    /// Returns the tag with which `row` was entered; `None` if it was not.
    pub(super) fn tag(&self, row: Packed) -> Option<u16> {
        let slot = self.slots[self.slot(row)];
        (slot != 0).then_some(tag_of(slot))
    }

    /// Returns the slot of the row, or the free slot where it would be entered.
    fn slot(&self, row: Packed) -> usize {
        let mask = self.slots.len() - 1;
        // Fibonacci hashing: the high bits of the product depend on all bits of the row.
        let mut at = (row.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize & mask;
        while self.slots[at] != 0 && self.slots[at] & ROW_MASK != row.0 {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let larger = vec![0; self.slots.len() * 4];
        let old = std::mem::replace(&mut self.slots, larger);
        for slot in old.into_iter().filter(|&slot| slot != 0) {
            let at = self.slot(Packed(slot & ROW_MASK));
            self.slots[at] = slot;
        }
    }
}

fn tag_of(slot: u64) -> u16 {
    (slot >> ROW_BITS) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_keeps_its_first_tag_however_much_the_table_grows() {
        let mut rows = Rows::new();
        let row = |number: u64| Packed(number << 11 | (number % 7));
        for number in 1..5000 {
            assert_eq!(rows.enter(row(2 * number + 1), number as u16), None);
        }
        for number in 1..5000 {
            assert_eq!(rows.enter(row(2 * number + 1), 0), Some(number as u16));
            assert_eq!(rows.tag(row(2 * number + 1)), Some(number as u16));
            assert_eq!(rows.tag(row(2 * (number + 5000) + 1)), None);
        }
    }
}
