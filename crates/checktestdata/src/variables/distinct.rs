//! Finds out whether integers are different, without a table of their values.

use std::cmp::Ordering;

/// The maximum size of the bit set in [`have_distinct_bits`], in bits per integer of the list. It is the size of two
/// integers.
const BITS_EACH: usize = 128;

/// Returns whether no two of the numbers are equal.
pub(super) fn are_distinct(numbers: impl Iterator<Item = i64> + Clone) -> bool {
    let (mut count, mut least, mut most) = (0_usize, i64::MAX, i64::MIN);
    for number in numbers.clone() {
        (count, least, most) = (count + 1, least.min(number), most.max(number));
    }
    let range = most.abs_diff(least);
    match usize::try_from(range) {
        Ok(range) if range / BITS_EACH <= count => have_distinct_bits(numbers, least, range),
        _ => {
            let mut sorted: Vec<i64> = numbers.collect();
            sorted.sort_unstable();
            sorted.windows(2).all(|pair| pair[0] != pair[1])
        }
    }
}

/// Returns whether no two of the numbers are equal. All numbers must be from `least` to `least + range`.
fn have_distinct_bits(mut numbers: impl Iterator<Item = i64>, least: i64, range: usize) -> bool {
    let mut seen = vec![0_u64; range / 64 + 1];
    numbers.all(|number| {
        let offset = number.abs_diff(least) as usize;
        let (word, bit) = (&mut seen[offset / 64], 1 << (offset % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    })
}

/// Returns whether no two tuples are equal. A tuple consists of the numbers of all columns with the same index. All
/// columns are equally long.
pub(super) fn are_distinct_tuples(columns: &[&[i64]]) -> bool {
    let count = columns.first().map_or(0, |column| column.len());
    let mut order: Vec<usize> = (0..count).collect();
    let compare = |left: usize, right: usize| {
        let orders = columns.iter().map(|column| column[left].cmp(&column[right]));
        orders.fold(Ordering::Equal, Ordering::then)
    };
    order.sort_unstable_by(|left, right| compare(*left, *right));
    order.windows(2).all(|pair| compare(pair[0], pair[1]).is_ne())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distinct(numbers: &[i64]) -> bool {
        are_distinct(numbers.iter().copied())
    }

    #[test]
    fn equal_numbers_are_found_in_every_range() {
        for spread in [1, 100, 1_000_003, i64::MAX / 2000] {
            let mut numbers: Vec<_> = (0..2000).map(|index| (index * 7919 % 2000 - 1000) * spread).collect();
            assert!(distinct(&numbers), "{spread}");
            numbers[1999] = numbers[3];
            assert!(!distinct(&numbers), "{spread}");
        }
    }

    #[test]
    fn the_extremes_of_64_bits_are_compared() {
        assert!(distinct(&[]));
        assert!(distinct(&[i64::MIN, i64::MAX, 0]));
        assert!(!distinct(&[i64::MIN, i64::MAX, i64::MIN]));
        assert!(distinct(&[i64::MAX, i64::MAX - 1]));
        assert!(!distinct(&[i64::MAX, i64::MAX]));
    }

    #[test]
    fn tuples_differ_if_one_of_their_numbers_does() {
        assert!(are_distinct_tuples(&[&[1, 1, 2], &[1, 2, 1]]));
        assert!(!are_distinct_tuples(&[&[1, 2, 1], &[1, 1, 1]]));
        assert!(are_distinct_tuples(&[&[1, 1, 1], &[5, 5, 5], &[3, 1, 2]]));
        assert!(are_distinct_tuples(&[&[], &[]]));
    }
}
