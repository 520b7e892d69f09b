// Iterative deepening: a depth-first search with one more move in each round,
// until it reaches a perimeter around the goals.
//
// A table holds all rows within PERIMETER_MOVES moves of a goal, with their
// exact distances. A row that is not in the table needs more moves than that,
// so the search gives it up if too few moves are left. For each row outside the
// table, the program also stores the largest number of moves that was not
// enough, so that it does not search below this row again with as many moves.
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{self, Read};

/// Multiplicative hashing. No attacker chooses the keys, which are integers.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 31)
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}

type Table = HashMap<u64, u8, BuildHasherDefault<Mix>>;

/// A row is packed into 64 bits. The low 54 bits say which cells are occupied,
/// counted from the first coin. Each bit above them stands for one coin, in the
/// order of the row, and is set if the coin is an A.
const CELLS: u32 = 54;
const CELL_MASK: u64 = (1 << CELLS) - 1;
/// A wider row cannot be sorted within 40 moves.
const WIDEST: u32 = 9 + 40;
const PERIMETER_MOVES: u8 = 15;

fn pack(text: &str) -> u64 {
    let occupied = (1u64 << text.len()) - 1;
    let colours = text.bytes().enumerate().filter(|&(_, c)| c == b'A');
    occupied | colours.map(|(rank, _)| 1u64 << (CELLS + rank as u32)).sum::<u64>()
}

fn show(row: u64) -> String {
    let (mut text, mut rank) = (String::new(), CELLS);
    for cell in 0..CELLS {
        if row >> cell & 1 == 0 {
            text.push('.');
        } else {
            text.push(if row >> rank & 1 == 1 { 'A' } else { 'B' });
            rank += 1;
        }
    }
    text.trim_end_matches('.').to_string()
}

/// Takes the two coins of `rank` and `rank + 1` out of the colours and puts
/// them back so that the first of them has rank `to`.
fn reorder(colours: u64, rank: u32, to: u32) -> u64 {
    let pair = colours >> rank & 3;
    let low = colours & ((1 << rank) - 1);
    let rest = low | (colours >> (rank + 2) << rank);
    let below = rest & ((1 << to) - 1);
    below | pair << to | (rest >> to << (to + 2))
}

fn moves(row: u64) -> Vec<u64> {
    let (occupied, colours) = ((row & CELL_MASK) << 2, row >> CELLS);
    let mut found = Vec::with_capacity(16);
    for cell in 2..CELLS + 1 {
        let rank = (occupied & ((1 << cell) - 1)).count_ones();
        let unlike = matches!(colours >> rank & 3, 1 | 2);
        if occupied >> cell & 3 != 3 || !unlike {
            continue;
        }
        let lifted = occupied & !(3 << cell);
        let above = (occupied >> (cell + 2)).trailing_ones();
        if above > 0 {
            push(&mut found, lifted | 3 << (cell + 2 + above), reorder(colours, rank, rank + above));
        }
        let below = (occupied << (64 - cell)).leading_ones();
        if below > 0 {
            push(&mut found, lifted | 3 << (cell - below - 2), reorder(colours, rank, rank - below));
        }
    }
    found
}

fn push(found: &mut Vec<u64>, occupied: u64, colours: u64) {
    let shifted = occupied >> occupied.trailing_zeros();
    if 64 - shifted.leading_zeros() <= WIDEST {
        found.push(shifted | colours << CELLS);
    }
}

fn perimeter(goals: [u64; 2]) -> Table {
    let mut distance: Table = goals.iter().map(|&goal| (goal, 0)).collect();
    let mut level: Vec<u64> = goals.to_vec();
    for moves_away in 1..=PERIMETER_MOVES {
        let mut next_level = Vec::new();
        for row in level.into_iter().flat_map(moves) {
            if let std::collections::hash_map::Entry::Vacant(free) = distance.entry(row) {
                free.insert(moves_away);
                next_level.push(row);
            }
        }
        level = next_level;
    }
    distance
}

struct Search {
    near: Table,
    /// For each row outside the perimeter, the largest number of moves that was not enough.
    given_up: Table,
    way: Vec<u64>,
}

impl Search {
    fn reach(&mut self, row: u64, left: u8) -> bool {
        let needed = self.near.get(&row).copied().unwrap_or(PERIMETER_MOVES + 1);
        if needed > left {
            return false;
        }
        if needed <= PERIMETER_MOVES {
            self.way.push(row);
            self.walk_down(row, needed);
            return true;
        }
        if self.given_up.get(&row).is_some_and(|&tried| tried >= left) {
            return false;
        }
        self.given_up.insert(row, left);
        self.way.push(row);
        for next in moves(row) {
            if self.reach(next, left - 1) {
                return true;
            }
        }
        self.way.pop();
        false
    }

    fn walk_down(&mut self, mut row: u64, mut distance: u8) {
        while distance > 0 {
            distance -= 1;
            let closer = moves(row).into_iter().find(|next| self.near.get(next) == Some(&distance));
            row = closer.unwrap_or(row);
            self.way.push(row);
        }
    }
}

fn main() {
    let mut input = String::new();
    if io::stdin().read_to_string(&mut input).is_err() {
        return;
    }
    let mut tokens = input.split_whitespace();
    let (text, limit) = (tokens.next().unwrap_or(""), tokens.next().unwrap_or("0"));
    let limit: u8 = limit.parse().unwrap_or(0);
    let only = |colour: char| text.chars().filter(|&c| c == colour).collect::<String>();
    let goals = [pack(&(only('A') + &only('B'))), pack(&(only('B') + &only('A')))];

    let mut search = Search { near: perimeter(goals), given_up: Table::default(), way: Vec::new() };
    for depth in 0..=limit {
        if search.reach(pack(text), depth) {
            println!("{}", search.way.len() - 1);
            search.way.iter().for_each(|&row| println!("{}", show(row)));
            return;
        }
    }
    println!("Impossible");
}
