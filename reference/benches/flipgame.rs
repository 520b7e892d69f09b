//! Measures the flip game's solvers and the textbook `bfs` on the same random boards. Prints their ratios at the end.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use referee_random::Random;
use reference::flipgame::{Board, Flipgame, bfs, gf2, rows, table};
use reference::puzzle::{Puzzle, Size};

const BOARDS: u64 = 4096;

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    let boards = random_boards("uniform");
    let solvable = random_boards("solvable");
    one_board(&mut criterion, &boards);
    larger_boards(&mut criterion);
    criterion.final_summary();
    ratios(&boards, &solvable);
}

/// Returns random boards of the package's size, rebuilt from their printed text.
fn random_boards(kind: &str) -> Vec<Board> {
    let draw = |index| {
        let instance = Flipgame.generate(kind, None, &mut Random::new(1, index)).ok()?;
        let text = instance.print();
        let blacks = text.bytes().filter(|byte| *byte != b'\n').rev().map(|byte| u16::from(byte == b'b'));
        Some(Board::packed(blacks.fold(0, |bits, black| (bits << 1) | black)))
    };
    (0..BOARDS).filter_map(draw).collect()
}

fn one_board(criterion: &mut Criterion, boards: &[Board]) {
    let mut group = criterion.benchmark_group("flipgame/4x4 uniform");
    let mut next = boards.iter().cycle();
    let mut board = || next.next().unwrap_or(&boards[0]);
    group.bench_function("rows", |b| b.iter(|| rows::solve(black_box(board()))));
    group.bench_function("table, built before", |b| b.iter(|| table::solve(black_box(board()))));
    group.bench_function("gf2", |b| b.iter(|| gf2::solve(black_box(board()))));
    group.bench_function("bfs", |b| b.iter(|| bfs::solve(black_box(board()))));
    group.bench_function("building the table", |b| b.iter(table::build_anew));
    group.finish();
}

/// Measures large boards. The time of `rows` doubles with every column. The time of `gf2` doubles with every dimension
/// of the kernel up to `LARGEST_KERNEL`.
fn larger_boards(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("flipgame/larger");
    for (rows, columns) in [(10, 10), (19, 19), (24, 24), (30, 30), (39, 39), (64, 64)] {
        let mut random = Random::new(2, rows);
        let size = Size { rows: rows as usize, columns };
        let Ok(mut board) = Board::white(size) else { continue };
        let black = board.complement();
        (0..board.rows().len()).for_each(|row| board.set_row(row, random.bits()));
        group.bench_function(format!("gf2 {size} uniform"), |b| b.iter(|| gf2::solve(black_box(&board))));
        group.bench_function(format!("gf2 {size} black"), |b| b.iter(|| gf2::solve(black_box(&black))));
        if columns <= rows::LONGEST_FIRST_ROW {
            group.bench_function(format!("rows {size} uniform"), |b| b.iter(|| rows::solve(black_box(&board))));
            group.bench_function(format!("rows {size} black"), |b| b.iter(|| rows::solve(black_box(&black))));
        }
    }
    group.finish();
}

/// Prints one line per solver and kind of boards: name, nanoseconds per board, ratio to the textbook `bfs`. The last
/// two lines compare `bfs` and `table` on all 65,536 boards.
fn ratios(uniform: &[Board], solvable: &[Board]) {
    for (kind, boards) in [("uniform", uniform), ("solvable", solvable)] {
        let textbook = nanoseconds_per_board(boards, 1, |board| bfs::solve(board).is_ok());
        line(&format!("4x4 {kind}: bfs (textbook)"), textbook, textbook);
        let rows = nanoseconds_per_board(boards, 100, |board| rows::solve(board).is_ok());
        line(&format!("4x4 {kind}: rows"), rows, textbook);
        let looked_up = nanoseconds_per_board(boards, 100, |board| table::solve(board).is_ok());
        line(&format!("4x4 {kind}: table, built before"), looked_up, textbook);
        let gf2 = nanoseconds_per_board(boards, 10, |board| gf2::solve(board).is_ok());
        line(&format!("4x4 {kind}: gf2"), gf2, textbook);
    }
    let all: Vec<Board> = (0..=u16::MAX).map(Board::packed).collect();
    let textbook = nanoseconds_per_board(&all, 1, |board| bfs::solve(board).is_ok()) * all.len() as f64;
    line("4x4 all 65,536 boards: bfs (textbook), in all", textbook, textbook);
    let sweep = nanoseconds_per_board(&all[..1], 500, |_| !table::build_anew().rounds().is_empty());
    line("4x4 all 65,536 boards: table from scratch, in all", sweep, textbook);
}

/// Returns the time per board in the fastest of three rounds. A round solves all boards `repeats` times. More than
/// [`BOARDS`] boards get only one round.
fn nanoseconds_per_board(boards: &[Board], repeats: u32, solve: impl Fn(&Board) -> bool) -> f64 {
    let round = || {
        let start = Instant::now();
        for _ in 0..repeats {
            for board in boards {
                black_box(solve(black_box(board)));
            }
        }
        start.elapsed().as_secs_f64()
    };
    let rounds = if boards.len() > BOARDS as usize { 1 } else { 3 };
    let fastest = (0..rounds).map(|_| round()).fold(f64::INFINITY, f64::min);
    fastest * 1e9 / f64::from(repeats) / boards.len() as f64
}

fn line(name: &str, nanoseconds: f64, textbook: f64) {
    println!("{name:52} {nanoseconds:14.1} ns   1 : {:.1}", textbook / nanoseconds);
}
