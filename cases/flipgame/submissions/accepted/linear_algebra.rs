//! Solves A x = b over GF(2): x says which pieces are pressed, A which pieces each press flips, b which pieces must
//! change. One Gauss-Jordan elimination serves both goals (all white, all black). The solutions for a goal are one
//! particular solution plus any sum of kernel vectors. There are at most 2^4 of them; the program takes the one with
//! the fewest presses.

use std::io::{self, Read};

const SIDE: usize = 4;
const CELLS: usize = SIDE * SIDE;
/// One row of the augmented matrix: the coefficients, then the two right sides.
const WHITE_SIDE: usize = CELLS;
const BLACK_SIDE: usize = CELLS + 1;

fn near(a: usize, b: usize) -> bool {
    let rows = (a / SIDE).abs_diff(b / SIDE);
    let columns = (a % SIDE).abs_diff(b % SIDE);
    rows + columns <= 1
}

fn equations(board: u32) -> Vec<u32> {
    (0..CELLS)
        .map(|cell| {
            let coefficients: u32 = (0..CELLS).filter(|&other| near(cell, other)).map(|other| 1 << other).sum();
            let is_black = board >> cell & 1;
            coefficients | is_black << WHITE_SIDE | (is_black ^ 1) << BLACK_SIDE
        })
        .collect()
}

/// Reduces the rows in place. Returns the pivot column of each row that has one; these rows come first.
fn eliminate(rows: &mut [u32]) -> Vec<usize> {
    let mut pivots = Vec::new();
    for column in 0..CELLS {
        let top = pivots.len();
        let Some(found) = (top..rows.len()).find(|&r| rows[r] >> column & 1 == 1) else { continue };
        rows.swap(top, found);
        let pivot = rows[top];
        for (r, row) in rows.iter_mut().enumerate() {
            if r != top && *row >> column & 1 == 1 {
                *row ^= pivot;
            }
        }
        pivots.push(column);
    }
    pivots
}

/// One basis vector of the kernel for each column without a pivot.
fn kernel(rows: &[u32], pivots: &[usize]) -> Vec<u32> {
    (0..CELLS)
        .filter(|column| !pivots.contains(column))
        .map(|free| {
            let bound = pivots.iter().zip(rows).filter(|(_, row)| **row >> free & 1 == 1);
            bound.fold(1 << free, |vector, (pivot, _)| vector | 1 << pivot)
        })
        .collect()
}

fn lightest(rows: &[u32], pivots: &[usize], kernel: &[u32], side: usize) -> Option<u32> {
    if rows[pivots.len()..].iter().any(|row| row >> side & 1 == 1) {
        return None;
    }
    let particular: u32 = pivots.iter().zip(rows).filter(|(_, row)| **row >> side & 1 == 1).map(|(p, _)| 1 << p).sum();
    (0..1_u32 << kernel.len())
        .map(|choice| {
            let chosen = kernel.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1);
            chosen.fold(particular, |x, (_, vector)| x ^ vector).count_ones()
        })
        .min()
}

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).expect("the input is text");
    let letters = text.chars().filter(|letter| !letter.is_whitespace());
    let board = letters.enumerate().filter(|&(_, letter)| letter == 'b').map(|(cell, _)| 1 << cell).sum();
    let mut rows = equations(board);
    let pivots = eliminate(&mut rows);
    let kernel = kernel(&rows, &pivots);
    let white = lightest(&rows, &pivots, &kernel, WHITE_SIDE);
    let black = lightest(&rows, &pivots, &kernel, BLACK_SIDE);
    match white.into_iter().chain(black).min() {
        Some(rounds) => println!("{rounds}"),
        None => println!("Impossible"),
    }
}
