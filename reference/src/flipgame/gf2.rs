//! Linear algebra over GF(2). Only the set of rounds matters, not their order. So the solver looks for a set of rounds
//! x with A x = b. The matrix A says which round turns which piece, and b says which pieces have the wrong colour.
//! Sutner, "Linear cellular automata and the Garden-of-Eden", Mathematical Intelligencer 11 (1989).
//!
//! Elimination costs at most O(cells x width^2) word operations ([`elimination`]), so wide boards are feasible. Every
//! solution is the sum of one known solution and a vector in the kernel of A. The solver finds the lightest solution,
//! which has the fewest rounds. For this, it walks the kernel in Gray code order for each of the two goals. Each of the
//! 2^(dimension + 1) steps adds one vector. For a kernel larger than [`LARGEST_KERNEL`], the solver does not look for
//! the minimum. Instead, it makes one solution lighter by adding single kernel vectors, and marks its answer as an
//! upper bound.

mod elimination;

use elimination::{Eliminated, Vector};

use super::board::{Board, Presses, Solution};
use crate::puzzle::{Declined, Size};

/// The maximum dimension of a kernel that the solver walks.
pub const LARGEST_KERNEL: usize = 20;

/// Returns the fewest presses that make the board one colour. If the kernel is too large to be walked, returns a set of
/// presses that may not be the smallest.
pub fn solve(board: &Board) -> Result<Solution, Declined> {
    let system = Eliminated::new(board);
    let kernel = system.kernel();
    let walked = kernel.len() <= LARGEST_KERNEL;
    let lighten = if walked { lightest } else { lightened };
    let best = system.solutions().into_iter().flatten().map(|found| lighten(found, &kernel)).min_by_key(weight);
    Ok(match best.map(|presses| by_rows(&presses, board.size())) {
        None => Solution::Impossible,
        Some(presses) if walked => Solution::Fewest(presses),
        Some(presses) => Solution::Found(presses),
    })
}

/// Returns the smallest number of presses that makes the board white, and the smallest number that makes it black; each
/// is `None` if that colour cannot be reached. Returns `None` instead of the pair if the dimension of the kernel is
/// larger than [`LARGEST_KERNEL`].
pub fn fewest_to_each(board: &Board) -> Option<[Option<u32>; 2]> {
    let system = Eliminated::new(board);
    let kernel = system.kernel();
    let fewest = |found: Vector| weight(&lightest(found, &kernel));
    (kernel.len() <= LARGEST_KERNEL).then(|| system.solutions().map(|found| found.map(fewest)))
}

/// Returns a quiet pattern that contains an odd number of black pieces. (A pattern is quiet if pressing all of its
/// cells changes nothing.) This pattern proves that the board is Impossible (see the documentation of the parent
/// module). Returns `None` if there is no such pattern.
pub fn quiet_pattern(board: &Board) -> Option<Presses> {
    let patterns = Eliminated::new(board).kernel().into_iter().map(|pattern| by_rows(&pattern, board.size()));
    let overlap =
        |pattern: &Presses| -> u32 { pattern.iter().zip(board.rows()).map(|(a, b)| (a & b).count_ones()).sum() };
    patterns.into_iter().find(|pattern| overlap(pattern) % 2 == 1)
}

/// Returns the dimension of the space of presses that change nothing. Fails if the size is not allowed.
pub fn kernel_dimension(size: Size) -> Result<usize, String> {
    Ok(Eliminated::new(&Board::white(size)?).kernel().len())
}

/// Tries all sums of `start` and a subset of `kernel`. Returns the sum with the fewest set bits.
fn lightest(start: Vector, kernel: &[Vector]) -> Vector {
    let (mut best, mut now) = (start.clone(), start);
    let mut best_weight = weight(&best);
    for step in 1_u64..1 << kernel.len() {
        // Gray code: step number s adds the vector whose number is the count of trailing zeros of s.
        let now_weight = add(&mut now, &kernel[step.trailing_zeros() as usize]);
        if now_weight < best_weight {
            best_weight = now_weight;
            best.copy_from_slice(&now);
        }
    }
    best
}

/// Adds single vectors of `kernel` to `start` for as long as this reduces the number of set bits. Returns the result.
fn lightened(start: Vector, kernel: &[Vector]) -> Vector {
    let mut now = start;
    let mut helped = true;
    while helped {
        helped = false;
        for vector in kernel {
            let before = weight(&now);
            if add(&mut now, vector) < before {
                helped = true;
            } else {
                add(&mut now, vector);
            }
        }
    }
    now
}

/// Adds `vector` to `sum` and returns the weight of the result.
fn add(sum: &mut [u64], vector: &[u64]) -> u32 {
    let mut weight = 0;
    for (sum, word) in sum.iter_mut().zip(vector) {
        *sum ^= word;
        weight += sum.count_ones();
    }
    weight
}

fn weight(vector: &Vector) -> u32 {
    vector.iter().map(|word| word.count_ones()).sum()
}

fn by_rows(vector: &Vector, size: Size) -> Presses {
    let bit = |cell: usize| vector[cell / 64] >> (cell % 64) & 1;
    let row = |row: usize| (0..size.columns).fold(0, |bits, column| bits | bit(row * size.columns + column) << column);
    (0..size.rows).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_of_square_boards_have_the_known_dimensions() {
        // Independent programs measured these dimensions for n = 1 to 12, and the dimensions for n = 19 and 39 below.
        // OEIS A159257 lists the same numbers.
        let known = [0, 0, 0, 4, 2, 0, 0, 0, 8, 0, 6, 0];
        let found: Vec<usize> = (1..=12).map(|n| kernel_dimension(Size { rows: n, columns: n }).unwrap()).collect();
        assert_eq!(found, known);
        assert_eq!(kernel_dimension(Size { rows: 19, columns: 19 }), Ok(16));
        assert_eq!(kernel_dimension(Size { rows: 39, columns: 39 }), Ok(32));
    }

    #[test]
    fn white_only_is_wrong_on_761_boards_and_never_about_impossible() {
        let mut wrong = Vec::new();
        for packed in 0..=u16::MAX {
            let [white, black] = fewest_to_each(&Board::packed(packed)).unwrap();
            assert_eq!(white.is_some(), black.is_some(), "{packed:#06x}");
            if white > black {
                wrong.push(packed);
            }
        }
        assert_eq!(wrong.len(), 761);
        assert!(wrong.contains(&u16::MAX));
    }

    #[test]
    fn a_kernel_too_large_to_walk_gives_a_solution_that_is_called_no_minimum() {
        let size = Size { rows: 39, columns: 39 };
        let black = Board::white(size).unwrap().complement();
        assert_eq!(solve(&black), Ok(Solution::Found(vec![0; 39])));
        assert_eq!(fewest_to_each(&black), None);
    }
}
