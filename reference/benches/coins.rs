//! Measures the coin solvers on the alternating rows of seven and nine coins, and their speed relative to a textbook
//! search. The textbook search has a queue of printed rows and a set of the rows that it has seen.
//!
//! The ratios at the end take the fastest of several rounds in the same process, because other work on the machine only
//! adds time. The sweep over every start of ten coins is not compared, because a textbook search of every row would run
//! for hours.

use std::collections::{HashSet, VecDeque};
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use reference::coins::{Board, Coin, Outcome, bfs, bidirectional, dfs, sweep};

type Solve = fn(&Board) -> Option<usize>;

/// The name of a method, the numbers of measurements on seven and on nine coins, and the method's function.
type Method = (&'static str, [usize; 2], Solve);

const METHODS: [Method; 4] = [
    ("textbook", [10, 1], textbook),
    ("bidirectional", [400, 20], |board| bidirectional::solve(board).ok().and_then(moves)),
    ("dfs", [50, 3], |board| dfs::solve(board).ok().and_then(moves)),
    ("bfs", [50, 3], |board| bfs::solve(board).ok().and_then(moves)),
];

/// The rows with their limits. The rows need 14 and 30 moves.
const ROWS: [(&str, u32); 2] = [("ABABABA", 14), ("ABABABABA", 30)];

fn moves(outcome: Outcome) -> Option<usize> {
    if let Outcome::Reached(rows) = outcome { Some(rows.len() - 1) } else { None }
}

fn board(row: &str, limit: u32) -> Option<Board> {
    Board::new(row.chars().map(|letter| if letter == 'A' { Coin::A } else { Coin::B }).collect(), limit)
}

/// Searches breadth first over printed rows. Returns the number of moves to a sorted row; `None` if the limit does not
/// allow enough moves.
fn textbook(board: &Board) -> Option<usize> {
    let mut seen = HashSet::from([board.row()]);
    let mut queue = VecDeque::from([(board.row(), 0)]);
    while let Some((row, moves)) = queue.pop_front() {
        let bytes = row.as_bytes();
        if !row.contains('.') && bytes.windows(2).filter(|pair| pair[0] != pair[1]).count() == 1 {
            return Some(moves);
        }
        if moves as u32 == board.limit() {
            continue;
        }
        let widest = board.coins().len() + 2 * (board.limit() as usize - moves - 1);
        for next in textbook_moves(&row) {
            // A wider row cannot reach the goal within the limit. Without this bound, the search on the endless table
            // would visit far too many rows.
            if next.len() <= widest && seen.insert(next.clone()) {
                queue.push_back((next, moves + 1));
            }
        }
    }
    None
}

fn textbook_moves(row: &str) -> Vec<String> {
    let row = format!("..{row}..");
    let cells = row.as_bytes();
    let mut rows = Vec::new();
    for at in 2..cells.len() - 3 {
        if cells[at] == b'.' || cells[at + 1] == b'.' || cells[at] == cells[at + 1] {
            continue;
        }
        let right = (at + 2..cells.len()).find(|&cell| cells[cell] == b'.');
        let left = (0..at).rev().find(|&cell| cells[cell] == b'.').map(|cell| cell - 1);
        for to in [right.filter(|&to| to > at + 2), left.filter(|&to| to + 2 < at)].into_iter().flatten() {
            let mut moved = cells.to_vec();
            moved[at..at + 2].fill(b'.');
            moved[to..to + 2].copy_from_slice(&cells[at..at + 2]);
            rows.push(moved.iter().map(|&cell| char::from(cell)).collect::<String>().trim_matches('.').to_owned());
        }
    }
    rows
}

fn fastest<T>(times: usize, mut work: impl FnMut() -> T) -> f64 {
    let mut once = |_| {
        let began = Instant::now();
        black_box(work());
        began.elapsed().as_secs_f64() * 1e6
    };
    (0..times).map(&mut once).fold(f64::INFINITY, f64::min)
}

fn print_ratios() {
    for (turn, (row, limit)) in ROWS.into_iter().enumerate() {
        let Some(board) = board(row, limit) else { continue };
        let timed = METHODS.map(|(_, times, solve)| fastest(times[turn], || solve(black_box(&board))));
        for ((name, ..), microseconds) in METHODS.iter().zip(timed) {
            println!("coins/{row}/{name}: {microseconds:.1} us, {:.1} x textbook", timed[0] / microseconds);
        }
    }
    let seconds = fastest(3, || sweep::fewest_moves(black_box(10), 40)) / 1e6;
    println!("coins/every start of ten coins/sweep: {seconds:.3} s");
}

fn main() {
    let second = Duration::from_secs(1);
    let mut criterion =
        Criterion::default().sample_size(10).warm_up_time(second / 2).measurement_time(second).configure_from_args();
    for (row, limit) in ROWS {
        let Some(board) = board(row, limit) else { continue };
        // On nine coins, all methods except `bidirectional` take too long for many samples.
        for (name, _, solve) in METHODS.iter().filter(|(name, ..)| row.len() == 7 || *name == "bidirectional") {
            criterion
                .bench_function(&format!("coins/{row}/{name}"), |bencher| bencher.iter(|| solve(black_box(&board))));
        }
    }
    criterion.final_summary();
    print_ratios();
}
