//! Divides the test cases into classes by the time that the unchanged program needs for them. Mutants are run on the
//! quick test cases first, because most mutants that are killed at all are killed there.
//!
//! Times differ a little from measurement to measurement. So a new class begins only at a large gap between two times,
//! and the order of the test cases within a class does not depend on times.

use std::time::Duration;

/// A time begins a new class if it is at least this many times as long as the next shorter time.
const GAP: u32 = 3;

/// Shorter times are all in the first class: most of such a time is the start of the program.
const SHORTEST: Duration = Duration::from_millis(30);

/// Returns the class of each test case, given the program's CPU time on it. The quickest test cases have class 0.
pub(super) fn classes(times: &[Duration]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by_key(|index| times[*index]);
    let (mut classes, mut class, mut before) = (vec![0; times.len()], 0, None);
    for index in order {
        let time = times[index];
        if before.is_some_and(|before: Duration| time >= SHORTEST && time >= before * GAP) {
            class += 1;
        }
        classes[index] = class;
        before = Some(time);
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes_of<const N: usize>(milliseconds: [u64; N]) -> Vec<usize> {
        classes(&milliseconds.map(Duration::from_millis))
    }

    #[test]
    fn a_large_gap_between_two_times_begins_a_class() {
        assert_eq!(classes_of([20, 900, 25, 130, 1000, 40, 125]), [0, 2, 0, 1, 2, 0, 1]);
        assert_eq!(classes_of([2000, 50, 50]), [1, 0, 0]);
    }

    #[test]
    fn times_without_a_gap_and_short_times_have_one_class() {
        assert_eq!(classes_of([10, 20, 40, 80, 160]), [0; 5]);
        assert_eq!(classes_of([1, 9, 29]), [0; 3]);
        assert_eq!(classes_of([]), [0; 0]);
    }
}
