//! Groups the answers of a histogram into so few rows that they fit on a screen.

use std::collections::BTreeMap;

/// The maximum number of rows for numeric answers. If there are more numeric answers, they are grouped into ranges.
const MOST_ROWS: usize = 26;

/// Returns rows. Each row has one answer, or a range of answers, and the number of boards with it. Numeric answers are
/// in ascending order, in ranges if there are many. Other answers, such as `Impossible`, follow.
pub(super) fn rows(histogram: &BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let number = |answer: &String| answer.parse::<u32>().ok();
    let mut numbers: Vec<_> = histogram.iter().filter_map(|(answer, &count)| Some((number(answer)?, count))).collect();
    numbers.sort_unstable();
    let words = histogram.iter().filter(|(answer, _)| number(answer).is_none());
    let words = words.map(|(answer, &count)| (answer.clone(), count));
    let largest = numbers.last().map_or(0, |&(number, _)| number);
    let width = if numbers.len() > MOST_ROWS { (largest + 1).div_ceil(MOST_ROWS as u32) } else { 1 };
    let mut ranges: BTreeMap<u32, u64> = BTreeMap::new();
    for (number, count) in numbers {
        *ranges.entry(number / width).or_default() += count;
    }
    let named = ranges.into_iter().map(|(range, count)| (name(range * width, width), count));
    named.chain(words).collect()
}

fn name(from: u32, width: u32) -> String {
    if width == 1 { from.to_string() } else { format!("{from}-{}", from + width - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(rows: &[(&str, u64)]) -> BTreeMap<String, u64> {
        rows.iter().map(|&(answer, count)| (answer.to_owned(), count)).collect()
    }

    #[test]
    fn numbers_come_in_their_own_order_and_words_last() {
        let shown = rows(&histogram(&[("10", 1), ("9", 2), ("Impossible", 3)]));
        assert_eq!(shown, [("9".to_owned(), 2), ("10".to_owned(), 1), ("Impossible".to_owned(), 3)]);
    }

    #[test]
    fn many_numbers_are_gathered_and_none_is_lost() {
        let many: BTreeMap<_, _> = (0..333).map(|number| (number.to_string(), 1)).collect();
        let shown = rows(&many);
        assert!(shown.len() <= MOST_ROWS);
        assert_eq!(shown[0], ("0-12".to_owned(), 13));
        assert_eq!(shown.iter().map(|(_, count)| count).sum::<u64>(), 333);
    }
}
