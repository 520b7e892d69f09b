//! Makes smaller texts in any format: fewer lines, fewer words, smaller numbers, shorter words.
//!
//! The meaning of a format is unknown, but most formats have numbers that say how many items follow. So each removal is
//! tried in two ways: alone, and together with a reduction of one of the numbers before it. The package's input
//! validators decide which results are legal.

use std::collections::BTreeSet;

use super::tokens::TokenLines;

/// Numbers may count the removed items if they are in the first `HEAD_ROWS` lines of the text, in the `HEAD_ROWS` lines
/// before the line of the removal, or in that line itself. Other numbers are not reduced.
const HEAD_ROWS: usize = 3;

/// The maximum number of possible counts that are reduced, one at a time, for each removal.
const MOST_COUNTS: usize = 8;

/// Returns all texts that are one step smaller, the largest steps first. Each has a smaller [`TokenLines::measure`].
pub fn steps(lines: &TokenLines) -> impl Iterator<Item = TokenLines> + Send + '_ {
    let measure = lines.measure();
    blocks(lines)
        .chain(rows(lines))
        .chain(words(lines))
        .chain(columns(lines))
        .chain(crosses(lines))
        .chain(equal_numbers(lines))
        .chain(numbers(lines))
        .chain(letters(lines))
        .chain(sorted(lines))
        .filter(move |smaller| smaller.measure() < measure)
}

/// Splits `count` items into pieces: halves, quarters and so on, down to single items. Pieces of two and three are
/// always included, because items often come in pairs and triples.
fn pieces(count: usize) -> impl Iterator<Item = std::ops::Range<usize>> + Send {
    let halves = std::iter::successors(Some(count / 2), |size| Some(size / 2)).take_while(|size| *size > 3);
    let few = [3, 2, 1].into_iter().filter(move |size| *size < count || count == 1 && *size == 1);
    halves.chain(few).flat_map(move |size| (0..count).step_by(size).map(move |start| start..(start + size).min(count)))
}

/// Returns copies of the text. In each copy except the last, one number that may count the removed items is reduced by
/// `taken`. The last copy is unchanged. Only numbers before the given row and word are reduced.
fn recounted(lines: TokenLines, (row, word): (usize, usize), taken: usize) -> impl Iterator<Item = TokenLines> + Send {
    let in_head = |place: &(usize, usize)| place.0 < HEAD_ROWS || place.0 + HEAD_ROWS >= row;
    let places: Vec<_> = lines
        .places()
        .take_while(|place| *place < (row, word))
        .filter(in_head)
        .filter(|place| lines.number(*place).is_some_and(|count| count >= taken as i64))
        .collect();
    // The nearest numbers may count the items that follow directly. The first numbers of the text may count the items
    // of the whole input.
    let far = places.iter().take(MOST_COUNTS / 2);
    let near = places.iter().skip(MOST_COUNTS / 2).rev().take(MOST_COUNTS / 2);
    let places: Vec<_> = far.chain(near).copied().collect();
    let with = lines.clone();
    places
        .into_iter()
        .map(move |place| {
            let mut with = with.clone();
            let count = with.number(place).unwrap_or_default();
            with.set(place, (count - taken as i64).to_string());
            with
        })
        .chain(std::iter::once(lines))
}

/// Treats each number as a possible count of the lines after its own line. Removes the line of the number together with
/// the counted lines, because they may be one of several test cases in the input.
fn blocks(lines: &TokenLines) -> impl Iterator<Item = TokenLines> + Send + '_ {
    lines.places().flat_map(move |(row, word)| {
        let count = lines.number((row, word)).and_then(|count| usize::try_from(count).ok());
        let end = count.filter(|count| *count > 0 && row > 0).and_then(|count| row.checked_add(count + 1));
        let end = end.filter(|end| *end <= lines.rows.len());
        end.into_iter().flat_map(move |end| {
            let mut left = lines.clone();
            left.rows.drain(row..end);
            recounted(left, (row, 0), 1)
        })
    })
}

fn rows(lines: &TokenLines) -> impl Iterator<Item = TokenLines> + Send + '_ {
    pieces(lines.rows.len()).flat_map(move |range| {
        let mut left = lines.clone();
        let (start, taken) = (range.start, range.len());
        left.rows.drain(range);
        recounted(left, (start, 0), taken)
    })
}

fn words(lines: &TokenLines) -> impl Iterator<Item = TokenLines> + Send + '_ {
    let rows = lines.rows.iter().enumerate().filter(|(_, row)| row.words.len() > 1);
    rows.flat_map(move |(index, row)| {
        pieces(row.words.len()).flat_map(move |range| {
            let mut left = lines.clone();
            let (start, taken) = (range.start, range.len());
            left.rows[index].remove(range);
            recounted(left, (index, start), taken)
        })
    })
}

/// Finds all tables and returns the range of lines of each. A table has at least two lines and at least two columns:
/// its lines are consecutive and have the same number of words.
fn tables(lines: &TokenLines) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for row in 1..=lines.rows.len() {
        let width = lines.rows[start].words.len();
        if lines.rows.get(row).is_none_or(|next| next.words.len() != width) {
            if row - start > 1 && width > 1 {
                found.push(start..row);
            }
            start = row;
        }
    }
    found
}

/// Removes one column from one of the [`tables`].
fn columns(lines: &TokenLines) -> impl Iterator<Item = TokenLines> + Send + '_ {
    let tables = if lines.rows.is_empty() { Vec::new() } else { tables(lines) };
    tables.into_iter().flat_map(move |table| {
        (0..lines.rows[table.start].words.len()).flat_map(move |column| {
            let mut left = lines.clone();
            left.rows[table.clone()].iter_mut().for_each(|row| row.remove(column..column + 1));
            recounted(left, (table.start, 0), 1)
        })
    })
}

/// Removes the row and the column with the same index from a square table.
fn crosses(lines: &TokenLines) -> impl Iterator<Item = TokenLines> + Send + '_ {
    let tables = if lines.rows.is_empty() { Vec::new() } else { tables(lines) };
    let square = move |table: &std::ops::Range<usize>| table.len() == lines.rows[table.start].words.len();
    tables.into_iter().filter(square).flat_map(move |table| {
        (0..table.len()).flat_map(move |number| {
            let mut left = lines.clone();
            left.rows[table.clone()].iter_mut().for_each(|row| row.remove(number..number + 1));
            left.rows.remove(table.start + number);
            recounted(left, (table.start, 0), 1)
        })
    })
}

/// Returns simpler replacements for a number n: 0, 1, |n|, then n - n/2, n - n/4, n - n/8, and so on. As in a binary
/// search, few such steps lead to the smallest number that still fails.
fn lesser(number: i64) -> impl Iterator<Item = i64> {
    let mut seen = BTreeSet::from([number]);
    [0, 1, number.checked_abs().unwrap_or(number)]
        .into_iter()
        .chain(halves(number).map(move |half| number - half))
        .filter(move |one| seen.insert(*one))
}

/// Returns half of a number, a quarter of it, and so on to 1 (or -1). For 1 and -1, returns the number itself.
fn halves(number: i64) -> impl Iterator<Item = i64> {
    let last = (number.unsigned_abs() == 1).then_some(number);
    last.into_iter().chain(std::iter::successors(Some(number / 2), |half| Some(half / 2)).take_while(|half| *half != 0))
}

/// Changes all occurrences of a value at once, because equal numbers often name the same object. There are three kinds
/// of changes: a repeated value is reduced; a gap between values is closed or narrowed, by reducing all values above
/// it; two neighbouring values are exchanged.
fn equal_numbers(lines: &TokenLines) -> impl Iterator<Item = TokenLines> + Send + '_ {
    let mut seen = BTreeSet::new();
    let mut twice = BTreeSet::new();
    for number in lines.places().filter_map(|place| lines.number(place)) {
        if !seen.insert(number) {
            twice.insert(number);
        }
    }
    let changed = move |change: &dyn Fn(i64) -> i64| {
        let mut changed = lines.clone();
        for place in lines.places() {
            if let Some(number) = lines.number(place) {
                changed.set(place, change(number).to_string());
            }
        }
        changed
    };
    let together = twice.into_iter().flat_map(move |value| {
        lesser(value).map(move |less| changed(&|number| if number == value { less } else { number }))
    });
    // Returns the next smaller positive value in the text, or 0 if there is none. The values between it and `value` are
    // unused.
    let below = |value: i64| seen.range(1..value).next_back().copied().unwrap_or(0);
    let gaps: Vec<_> =
        seen.iter().filter(|value| **value > 1).map(|value| (*value, value - below(*value) - 1)).collect();
    let gaps = gaps.into_iter().filter(|(_, gap)| *gap > 0);
    let closed = gaps.flat_map(move |(value, gap)| {
        let steps = std::iter::once(gap).chain(halves(gap).filter(move |half| *half < gap));
        steps.map(move |less| changed(&|number| if number >= value { number - less } else { number }))
    });
    // Exchanges two values, because numbers are often only names. The caller drops each result that is not smaller than
    // the text.
    let values: Vec<_> = seen.iter().copied().collect();
    let pairs = (1..values.len()).map(move |at| (values[at - 1], values[at]));
    let exchanged = pairs.map(move |(less, more)| {
        changed(&|number| match number {
            _ if number == less => more,
            _ if number == more => less,
            other => other,
        })
    });
    together.chain(closed).chain(exchanged)
}

fn numbers(lines: &TokenLines) -> impl Iterator<Item = TokenLines> + Send + '_ {
    lines.places().flat_map(move |place| {
        lines.number(place).into_iter().flat_map(lesser).map(move |less| {
            let mut left = lines.clone();
            left.set(place, less.to_string());
            left
        })
    })
}

/// Changes words that are not numbers: shortens a word, or replaces one of its characters with the smallest character
/// that such words contain.
fn letters(lines: &TokenLines) -> impl Iterator<Item = TokenLines> + Send + '_ {
    let texts = lines.places().filter(|place| lines.number(*place).is_none());
    let first = texts.filter_map(|(row, word)| lines.rows[row].words[word].text.iter().min()).min().copied();
    let texts = lines.places().filter(|place| lines.number(*place).is_none());
    texts.flat_map(move |(row, word)| {
        let text = &lines.rows[row].words[word].text;
        let shorter = pieces(text.len()).filter(|range| range.len() < text.len()).flat_map(move |range| {
            let mut left = lines.clone();
            let taken = range.len();
            left.rows[row].words[word].text.drain(range);
            recounted(left, (row, word), taken)
        });
        let plainer = (0..text.len()).filter_map(move |at| {
            let mut left = lines.clone();
            left.rows[row].words[word].text[at] = first.filter(|first| *first < text[at])?;
            Some(left)
        });
        shorter.chain(plainer)
    })
}

/// Sorts the words of one line, or swaps two neighbouring lines.
fn sorted(lines: &TokenLines) -> impl Iterator<Item = TokenLines> + Send + '_ {
    let rows = (0..lines.rows.len()).filter_map(move |index| {
        let mut texts: Vec<_> = lines.rows[index].words.iter().map(|word| word.text.clone()).collect();
        if texts.is_sorted() {
            return None;
        }
        texts.sort();
        let mut left = lines.clone();
        left.rows[index].words.iter_mut().zip(texts).for_each(|(word, text)| word.text = text);
        Some(left)
    });
    let neighbours = (1..lines.rows.len()).map(move |index| {
        let mut left = lines.clone();
        left.rows.swap(index - 1, index);
        left
    });
    rows.chain(neighbours)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Repeatedly replaces a text with its first step that satisfies `wanted`, until no step does.
    fn smallest(text: &str, wanted: impl Fn(&str) -> bool) -> String {
        let mut lines = TokenLines::read(text.as_bytes());
        let text = |lines: &TokenLines| String::from_utf8(lines.bytes()).unwrap();
        loop {
            let next = steps(&lines).find(|next| wanted(&text(next)));
            let Some(next) = next else { break };
            lines = next;
        }
        text(&lines)
    }

    #[test]
    fn a_bound_is_found_by_halves() {
        for (text, least) in [("999999\n", 73_211), ("5 999999\n", 73_211), ("1\n999999999999\n", 6_000_000_001)] {
            let tried = std::cell::Cell::new(0);
            let left = smallest(text, |text| {
                tried.set(tried.get() + 1);
                numbers_of(text).last().is_some_and(|number| *number >= least)
            });
            assert_eq!(left, format!("{least}\n"), "{text}");
            assert!(tried.get() < 1500, "{text}: {} tries", tried.get());
        }
    }

    fn numbers_of(text: &str) -> Vec<i64> {
        text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    }

    proptest! {
        #[test]
        fn every_step_is_smaller(text in "([0-9]{1,3}|[a-c]{1,4}|-[1-9]|\\n| ){0,25}") {
            let lines = TokenLines::read(text.as_bytes());
            let measure = lines.measure();
            for step in steps(&lines) {
                prop_assert!(step.measure() < measure);
            }
        }
    }

    #[test]
    fn a_list_that_says_its_length_stays_one() {
        let wanted = |text: &str| {
            let numbers = numbers_of(text);
            let is_list = numbers.first().is_some_and(|count| *count == numbers.len() as i64 - 1);
            is_list && text.lines().count() == 2 && numbers[1..].contains(&7)
        };
        assert_eq!(smallest("6\n10 3 7 7 8 2\n", wanted), "1\n7\n");
        // Removing a single number is never legal here, so two must be removed at a time.
        let even = |text: &str| wanted(text) && numbers_of(text)[0] % 2 == 0;
        assert_eq!(smallest("6\n10 3 7 7 8 2\n", even), "2\n0 7\n");
    }

    #[test]
    fn a_graph_loses_edges_and_vertices_and_keeps_what_is_wrong_with_it() {
        // n m, then m edges between vertices 1 to n; the text must contain a triangle.
        let wanted = |text: &str| {
            let numbers = numbers_of(text);
            let [n, m, ref rest @ ..] = numbers[..] else { return false };
            if rest.len() as i64 != 2 * m || text.lines().count() as i64 != m + 1 {
                return false;
            }
            let edges: BTreeSet<_> = rest.chunks(2).map(|edge| (edge[0].min(edge[1]), edge[0].max(edge[1]))).collect();
            let is_legal = edges.iter().all(|(a, b)| 1 <= *a && a < b && *b <= n);
            is_legal
                && edges.iter().any(|(a, b)| {
                    (1..=n).any(|c| {
                        edges.contains(&(*a, c)) && edges.contains(&(*b, c))
                            || edges.contains(&(c, *a)) && edges.contains(&(c, *b))
                    })
                })
        };
        let graph = "9 6\n1 2\n2 9\n4 9\n4 2\n5 6\n6 7\n";
        assert!(wanted(graph));
        let found = numbers_of(&smallest(graph, wanted));
        assert_eq!(found[..2], [3, 3], "{found:?}");
    }

    #[test]
    fn one_of_many_cases_is_left_with_its_own_lines() {
        let wanted = |text: &str| {
            let mut lines = text.lines();
            let mut count = || lines.next()?.parse::<usize>().ok();
            let Some(cases) = count() else { return false };
            let mut has_nine = false;
            for _ in 0..cases {
                let Some(length) = count() else { return false };
                for _ in 0..length {
                    match count() {
                        Some(value) => has_nine |= value == 9,
                        None => return false,
                    }
                }
            }
            has_nine && lines.next().is_none()
        };
        assert_eq!(smallest("3\n2\n4\n5\n3\n1\n9\n8\n1\n6\n", wanted), "1\n1\n9\n");
    }

    #[test]
    fn a_square_loses_a_line_and_a_column_at_once() {
        let wanted = |text: &str| {
            let mut lines = text.lines();
            let Some(size) = lines.next().and_then(|line| line.parse::<usize>().ok()) else { return false };
            let rows: Vec<_> = lines.map(numbers_of).collect();
            rows.len() == size
                && rows.iter().all(|row| row.len() == size)
                && rows.iter().flatten().any(|value| *value == 5)
        };
        assert_eq!(smallest("4\n1 2 3 4\n2 3 4 1\n0 0 5 0\n1 1 1 1\n", wanted), "1\n5\n");
    }

    #[test]
    fn words_get_shorter_with_the_number_that_counts_their_letters() {
        let wanted = |text: &str| {
            let words: Vec<_> = text.split_whitespace().collect();
            words.len() == 2 && words[0].parse() == Ok(words[1].len()) && words[1].contains("zz")
        };
        assert_eq!(smallest("7\nabzzzab\n", wanted), "2\nzz\n");
    }
}
