//! An index of the records of a file, in a few bytes for each record.

/// The places of the results of a file, which it finds by the beginning of a key. A file may have hundreds of thousands
/// of results, so the index does not store whole keys. The caller reads the key at a place, and compares it.
#[derive(Default)]
pub(super) struct RecordIndex {
    /// Ascending by the beginning of the key; of equal beginnings, the earlier record comes first.
    entries: Box<[(u64, Extent)]>,
}

/// The place of a result in its file. Both numbers have 32 bits, because no file is larger than 32 MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) offset: u32,
    pub(super) bytes: u32,
}

impl RecordIndex {
    /// Returns the index of these records.
    pub(super) fn new(mut entries: Vec<(u64, Extent)>) -> RecordIndex {
        entries.sort_unstable_by_key(|(beginning, place)| (*beginning, place.offset));
        RecordIndex { entries: entries.into() }
    }

    /// Returns the places of all results whose key may be `key`, the one that was added last first.
    pub(super) fn find(&self, key: &[u8; 32]) -> impl Iterator<Item = Extent> {
        let wanted = beginning(key);
        let start = self.entries.partition_point(|(beginning, _)| *beginning < wanted);
        let rest = &self.entries[start..];
        let same = rest.iter().take_while(|(beginning, _)| *beginning == wanted).count();
        rest[..same].iter().rev().map(|(_, place)| *place)
    }

    /// Iterates over the places of all results.
    pub(super) fn iter(&self) -> impl Iterator<Item = Extent> {
        self.entries.iter().map(|(_, place)| *place)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// Returns the part of a key by which the index finds it.
pub(super) fn beginning(key: &[u8; 32]) -> u64 {
    let [first, second, third, fourth, fifth, sixth, seventh, eighth, ..] = *key;
    u64::from_be_bytes([first, second, third, fourth, fifth, sixth, seventh, eighth])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_equal_beginnings_the_last_record_comes_first() {
        let place = |number| Extent { offset: number, bytes: 1 };
        let index = RecordIndex::new((0..1000).map(|number| (7, place(number * 617 % 1000))).collect());
        let key = {
            let mut key = [0; 32];
            key[7] = 7;
            key
        };
        assert!(index.find(&key).eq((0..1000).rev().map(place)));
    }

    #[test]
    fn records_with_an_equal_beginning_are_all_found_the_last_one_first() {
        let key = |first: u8, last: u8| {
            let mut key = [first; 32];
            key[31] = last;
            key
        };
        let keys = [key(9, 0), key(5, 1), key(1, 0), key(5, 2), key(5, 3)];
        let places: Vec<_> = (0..5).map(|number| Extent { offset: number * 100, bytes: number }).collect();
        let index = RecordIndex::new(keys.iter().map(beginning).zip(places.clone()).collect());
        assert_eq!(index.find(&key(5, 7)).collect::<Vec<_>>(), [places[4], places[3], places[1]]);
        assert_eq!(index.find(&key(9, 0)).collect::<Vec<_>>(), [places[0]]);
        assert_eq!(index.find(&key(4, 0)).count() + index.find(&key(255, 0)).count(), 0);
        assert_eq!((index.iter().count(), index.is_empty(), RecordIndex::default().is_empty()), (5, false, true));
    }
}
