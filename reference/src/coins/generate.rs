//! Generates boards of every kind. For some kinds, a table ([`fewest()`]) has the rows with the property of the kind. For
//! the other kinds, the construction of the row guarantees the property.

use super::{Board, Coin, LARGEST_LIMIT_READ, MOST_COINS_READ, bidirectional, exhaust, fewest};
use crate::puzzle::{GenerateError, Kind, Size};
use referee_random::Random;

macro_rules! kinds {
    ($($name:literal: $about:literal),* $(,)?) => { &[$(Kind { name: $name, about: $about }),*] };
}

pub(super) const KINDS: &[Kind] = kinds! {
    "uniform": "any row of 2 to 9 coins, any limit",
    "nine": "any row of 9 coins, limit 40",
    "sorted": "already sorted: 0 moves",
    "moves-1": "needs exactly 1 move", "moves-3": "needs exactly 3 moves",
    "moves-4": "needs exactly 4 moves", "moves-5": "needs exactly 5 moves", "moves-6": "needs exactly 6 moves",
    "moves-8": "needs exactly 8 moves", "moves-10": "needs exactly 10 moves", "moves-12": "needs exactly 12 moves",
    "long": "needs at least 14 moves",
    "invariant": "impossible with any limit: the sums of positions differ",
    "exception": "impossible although the sums agree, such as ABBBA",
    "limit-short": "impossible because the limit is one too low",
    "limit-exact": "the limit is just enough",
    "limit-zero": "limit 0",
    "limit-forty": "limit 40",
    "alternating": "ABAB..., of any length",
    "near-alternating": "an odd alternating row with two neighbours exchanged",
    "lone": "one coin differs from all others",
};

/// Rows that are impossible although the invariants allow them; found by searching all rows of up to ten coins.
const EXCEPTIONS: [&str; 8] = ["ABBBA", "BBAAB", "BAABB", "BBAABB", "BAAAB", "AABBA", "ABBAA", "AABBAA"];

/// Generates a board of `kind`. Fails if the kind is unknown, or if a size is requested.
pub(super) fn board(kind: &str, size: Option<Size>, random: &mut Random) -> Result<Board, GenerateError> {
    if let Some(size) = size {
        return Err(GenerateError(format!(
            "coins has no board size, because its boards are rows of 2 to 9 coins; leave out the size {size}"
        )));
    }
    let (row, limit) = draw(kind, random)?;
    Board::new(row, limit).ok_or_else(|| GenerateError(format!("no board of kind '{kind}' was drawn")))
}

fn draw(kind: &str, random: &mut Random) -> Result<(Vec<Coin>, u32), GenerateError> {
    let drawn = match kind {
        "uniform" => (uniform(random), any_limit(random)),
        "nine" => (mixed(MOST_COINS_READ, random), LARGEST_LIMIT_READ),
        "sorted" => (fewest(random, |moves| moves == 0)?.0, any_limit(random)),
        "long" => with_sufficient_limit(fewest(random, |moves| moves >= 14)?, random),
        "invariant" => (provably_impossible(random), any_limit(random)),
        "exception" => (letters(random.pick(&EXCEPTIONS).copied().unwrap_or("ABBBA")), any_limit(random)),
        "limit-short" => fewest(random, |moves| moves > 0).map(|(row, moves)| (row, moves - 1))?,
        "limit-exact" => fewest(random, |moves| moves > 0)?,
        "limit-zero" => (uniform(random), 0),
        "limit-forty" => (uniform(random), LARGEST_LIMIT_READ),
        "alternating" => (alternating(random.between(2, 9), random), any_limit(random)),
        "near-alternating" => (near_alternating(random), any_limit(random)),
        "lone" => (lone(random), any_limit(random)),
        _ => {
            let wanted = wanted_moves(kind)?;
            with_sufficient_limit(fewest(random, |moves| moves == wanted)?, random)
        }
    };
    Ok(drawn)
}

/// Returns the number in a kind called `moves-<number>`. Fails if there is no such kind.
fn wanted_moves(kind: &str) -> Result<u32, GenerateError> {
    let known = KINDS.iter().any(|known| known.name == kind);
    kind.strip_prefix("moves-").filter(|_| known).and_then(|number| number.parse().ok()).ok_or_else(|| {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        GenerateError(format!("coins has no kind '{kind}', allowed: {}", names.join(", ")))
    })
}

/// Adds a random limit that allows at least the row's fewest moves.
fn with_sufficient_limit((row, moves): (Vec<Coin>, u32), random: &mut Random) -> (Vec<Coin>, u32) {
    (row, random.between(u64::from(moves), u64::from(LARGEST_LIMIT_READ)) as u32)
}

fn any_limit(random: &mut Random) -> u32 {
    random.between(0, u64::from(LARGEST_LIMIT_READ)) as u32
}

fn uniform(random: &mut Random) -> Vec<Coin> {
    let length = random.between(2, MOST_COINS_READ as u64) as usize;
    mixed(length, random)
}

/// Returns a row of `length` coins with both letters, each such row equally likely.
fn mixed(length: usize, random: &mut Random) -> Vec<Coin> {
    let bits = random.between(1, (1 << length) - 2);
    row(length, bits as u32)
}

fn row(length: usize, bits: u32) -> Vec<Coin> {
    (0..length).map(|at| if bits >> at & 1 == 1 { Coin::B } else { Coin::A }).collect()
}

fn letters(text: &str) -> Vec<Coin> {
    text.chars().map(|letter| if letter == 'A' { Coin::A } else { Coin::B }).collect()
}

/// Returns a row and its fewest moves, which satisfy `wanted`. All such rows of 2 to 9 coins are equally likely.
fn fewest(random: &mut Random, wanted: impl Fn(u32) -> bool) -> Result<(Vec<Coin>, u32), GenerateError> {
    let fitting: Vec<_> = fewest::solvable().filter(|(_, moves)| wanted(*moves)).collect();
    random.pick(&fitting).cloned().ok_or_else(|| GenerateError("no row of 2 to 9 coins has this property".to_owned()))
}

/// Returns a row that the sums of positions prove impossible.
fn provably_impossible(random: &mut Random) -> Vec<Coin> {
    let rows: Vec<_> = exhaust::rows().filter(|row| bidirectional::prove_impossible(row).is_some()).collect();
    random.pick(&rows).cloned().unwrap_or_else(|| letters("ABAB"))
}

fn alternating(length: u64, random: &mut Random) -> Vec<Coin> {
    let first = random.below(2);
    (0..length).map(|at| if (at + first).is_multiple_of(2) { Coin::A } else { Coin::B }).collect()
}

fn near_alternating(random: &mut Random) -> Vec<Coin> {
    let length = 5 + 2 * random.below(3);
    let mut row = alternating(length, random);
    let at = random.below(length - 1) as usize;
    row.swap(at, at + 1);
    row
}

fn lone(random: &mut Random) -> Vec<Coin> {
    let (length, coin) = (random.between(3, MOST_COINS_READ as u64), letters(random.pick(&["A", "B"]).unwrap_or(&"A")));
    let mut row = vec![coin[0]; length as usize];
    let at = random.below(length) as usize;
    row[at] = coin[0].other();
    row
}
