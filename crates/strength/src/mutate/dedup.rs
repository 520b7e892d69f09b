//! Turns the offers into the final changes: sorts them, and removes duplicates and changes after which the source no
//! longer parses.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::{InputEdit, Point};

use super::offers::Offer;
use super::parse::{Bounded, OldTree};
use super::{MOST, Mutation, Mutations};

/// Turns the offers into mutations, at most [`MOST`]. Drops duplicates (offers that give the same text), offers that
/// change the number of lines, and offers after which the source no longer parses.
pub(super) fn select(source: &str, mut offers: Vec<Offer>, parser: &mut Bounded, old: &OldTree<'_>) -> Mutations {
    offers.sort_by(|a, b| {
        let key = |offer: &Offer| (offer.span.start, Reverse(offer.span.end), offer.operator);
        key(a).cmp(&key(b)).then_with(|| a.replacement.cmp(&b.replacement))
    });
    let mut seen = HashSet::new();
    // The code after a change must keep its line number. Then equivalent mutants compile to the same code, even if that
    // code contains line numbers.
    offers.retain(|offer| lines_in(source.get(offer.span.clone()).unwrap_or_default()) == lines_in(&offer.replacement));
    offers.retain(|offer| minimal_change(source, offer).is_some_and(|change| seen.insert(change)));
    let lines = Lines::of(source);
    let (count, mut checked) = (offers.len(), 0);
    let mut kept: Vec<(usize, Mutation)> = Vec::new();
    let thinned: Vec<_> = thinned(offers).collect();
    for at in scattered(thinned.len()) {
        let (line, column) = lines.place(source, thinned[at].span.start);
        let Offer { operator, span, replacement } = thinned[at].clone();
        let mutation = Mutation { operator, span, replacement, line, column };
        let edit = edit(&mutation, &lines);
        match parser.still_parses(old, &edit, &mutation.apply(source)) {
            Some(true) => kept.push((at, mutation)),
            Some(false) => {}
            None => break,
        }
        checked += 1;
    }
    kept.sort_by_key(|(at, _)| *at);
    Mutations { list: kept.into_iter().map(|(_, mutation)| mutation).collect(), left_out: count - checked }
}

/// Returns all numbers below `count`, in an order whose beginning is already spread evenly over the range. Each number
/// is the previous one plus about 0.618 times `count` (the golden section), modulo `count`.
fn scattered(count: usize) -> impl Iterator<Item = usize> {
    let is_prime_to = |step: usize| {
        let (mut one, mut other) = (count, step);
        while other != 0 {
            (one, other) = (other, one % other);
        }
        one == 1
    };
    let golden = ((count as f64 * 0.618_034) as usize).max(1);
    let step = (golden..golden + count).find(|step| is_prime_to(*step)).unwrap_or(1);
    (0..count).scan(0, move |at, _| {
        let now = *at;
        *at = (*at + step) % count;
        Some(now)
    })
}

fn lines_in(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

/// Returns at most [`MOST`] offers, evenly chosen.
fn thinned(offers: Vec<Offer>) -> impl Iterator<Item = Offer> {
    let count = offers.len();
    let most = MOST.min(count);
    // From the first i offers, i * most / count offers are kept, rounded down. So an offer is kept if it increases this
    // number.
    let is_kept = move |at: usize| (at + 1) * most / count > at * most / count;
    offers.into_iter().enumerate().filter(move |(at, _)| is_kept(*at)).map(|(_, offer)| offer)
}

/// Returns the smallest change that gives the same text. It drops the prefix and suffix that the replacement shares
/// with the source. It then moves the change towards the start as far as possible, but by at most 256 bytes. Returns
/// `None` if the offer changes nothing.
fn minimal_change(source: &str, offer: &Offer) -> Option<(Range<usize>, Vec<u8>)> {
    let (bytes, mut new) = (source.as_bytes(), offer.replacement.as_bytes());
    let mut span = offer.span.clone();
    let common = |a: &mut dyn Iterator<Item = (u8, u8)>| a.take_while(|(a, b)| a == b).count();
    let before = common(&mut bytes.get(span.clone())?.iter().copied().zip(new.iter().copied()));
    span.start += before;
    new = &new[before..];
    let old = bytes.get(span.clone())?;
    let after = common(&mut old.iter().rev().copied().zip(new.iter().rev().copied()));
    span.end -= after;
    new = &new[..new.len() - after];
    let mut new = new.to_vec();
    if span.is_empty() && new.is_empty() {
        return None;
    }
    // In a text such as `aaa`, it does not matter which `a` is removed, or where another `a` is inserted. So the
    // earliest position is taken.
    for _ in 0..bytes.len().min(256) {
        if span.is_empty() && span.start > 0 && new.last() == Some(&bytes[span.start - 1]) {
            new.rotate_right(1);
        } else if !(new.is_empty() && span.start > 0 && bytes[span.end - 1] == bytes[span.start - 1]) {
            break;
        }
        span = span.start - 1..span.end - 1;
    }
    Some((span, new))
}

fn edit(mutation: &Mutation, lines: &Lines) -> InputEdit {
    let (start, end) = (mutation.span.start, mutation.span.end);
    let new_end = start + mutation.replacement.len();
    let start_position = lines.point(start);
    let more = mutation.replacement.matches('\n').count();
    let new_end_position = match mutation.replacement.rfind('\n') {
        Some(last) => Point::new(start_position.row + more, mutation.replacement.len() - last - 1),
        None => Point::new(start_position.row, start_position.column + mutation.replacement.len()),
    };
    InputEdit {
        start_byte: start,
        old_end_byte: end,
        new_end_byte: new_end,
        start_position,
        old_end_position: lines.point(end),
        new_end_position,
    }
}

/// The offsets at which the lines begin, in bytes.
struct Lines(Vec<usize>);

impl Lines {
    fn of(source: &str) -> Self {
        Self(std::iter::once(0).chain(memchr::memchr_iter(b'\n', source.as_bytes()).map(|at| at + 1)).collect())
    }

    /// Returns the row and the column of a byte, both counted from 0; the column is in bytes.
    fn point(&self, at: usize) -> Point {
        let row = self.0.partition_point(|&start| start <= at) - 1;
        Point::new(row, at - self.0[row])
    }

    /// Returns the line and the column of a byte, both counted from 1; the column is in characters.
    fn place(&self, source: &str, at: usize) -> (usize, usize) {
        let point = self.point(at);
        let before = source.get(self.0[point.row]..at).unwrap_or_default();
        (point.row + 1, before.chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_scattered_evenly_and_each_comes_once() {
        for count in [0, 1, 2, 3, 7, 100, 238, 4000] {
            let mut all: Vec<_> = scattered(count).collect();
            // The first tenth of the sequence has numbers from every fifth of the range.
            for part in 0..5 {
                let is_in_part = |at: &&usize| (count * part / 5..count * (part + 1) / 5).contains(at);
                assert!(count < 100 || all[..count / 10].iter().filter(is_in_part).count() > count / 100);
            }
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
    }
}
