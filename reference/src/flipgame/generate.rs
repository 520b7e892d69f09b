//! Generates boards. A board has the property of its kind by construction, or the generator draws until a solver proves
//! the property.

use super::board::{Board, Solution};
use super::{gf2, table};
use crate::puzzle::{GenerateError, Kind, Size};
use referee_random::Random;

/// The maximum number of boards drawn for one request. After that the generator gives up, because the requested size
/// may have no board of the kind.
const MOST_DRAWS: u32 = 2_000;

pub(super) static KINDS: &[Kind] = &[
    Kind { name: "uniform", about: "every board equally likely (15 of 16 are Impossible on 4x4)" },
    Kind { name: "solvable", about: "every solvable board equally likely" },
    Kind { name: "impossible", about: "every Impossible board equally likely" },
    Kind { name: "rounds-0", about: "one colour already: all white or all black" },
    Kind { name: "rounds-1", about: "exactly 1 round" },
    Kind { name: "rounds-2", about: "exactly 2 rounds" },
    Kind { name: "rounds-3", about: "exactly 3 rounds" },
    Kind { name: "rounds-4", about: "exactly 4 rounds" },
    Kind { name: "rounds-5", about: "exactly 5 rounds" },
    Kind { name: "rounds-6", about: "exactly 6 rounds, the most on 4x4" },
    Kind { name: "black-nearer", about: "black takes fewer rounds: trying white only is wrong" },
    Kind { name: "white-nearer", about: "white takes fewer rounds: trying black only is wrong" },
    Kind { name: "one-piece", about: "a single piece differs from all others" },
    Kind { name: "almost", about: "Impossible, but turning one piece makes it solvable" },
    Kind { name: "sides", about: "rounds in the first and last column only: catches wraparound" },
];

/// Generates a board of `kind`.
pub(super) fn draw(kind: &str, size: Size, random: &mut Random) -> Result<Board, GenerateError> {
    let white = Board::white(size).map_err(|reason| GenerateError(format!("no {size} board: {reason}")))?;
    match kind {
        "uniform" => Ok(uniform(&white, random)),
        "solvable" => Ok(solvable(&white, random)),
        "impossible" => draw_until_accepted(kind, size, || Some(uniform(&white, random)).filter(is_impossible)),
        "rounds-0" => Ok(one_colour(&white, random)),
        "one-piece" => Ok(one_piece(&white, random)),
        "almost" => draw_until_accepted(kind, size, || almost(&white, random)),
        "sides" => Ok(sides(&white, random)),
        "black-nearer" => {
            draw_until_accepted(kind, size, || nearer_to_white(&white, random)).map(|board| board.complement())
        }
        "white-nearer" => draw_until_accepted(kind, size, || nearer_to_white(&white, random)),
        _ => match kind.strip_prefix("rounds-").map(str::parse) {
            Some(Ok(rounds @ 1..=6)) if KINDS.iter().any(|known| known.name == kind) => {
                of_rounds(kind, &white, rounds, random)
            }
            _ => Err(unknown(kind)),
        },
    }
}

fn unknown(kind: &str) -> GenerateError {
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    GenerateError(format!("flipgame has no kind '{kind}', allowed: {}", names.join(", ")))
}

/// Calls `draw` until it returns a board. Fails if no board of this size can have the kind, if gf2 cannot find minimums
/// for this size, or after [`MOST_DRAWS`] draws.
fn draw_until_accepted(
    kind: &str,
    size: Size,
    mut draw: impl FnMut() -> Option<Board>,
) -> Result<Board, GenerateError> {
    let none = || {
        let why = match (kind, gf2::kernel_dimension(size)) {
            ("impossible" | "almost", Ok(0)) => "every board of this size can be solved",
            ("impossible" | "almost", _) => "none of the random boards was of this kind",
            (_, Ok(dimension)) if dimension > gf2::LARGEST_KERNEL => "the fewest rounds are not known for this size",
            _ => "the size may be too small for it",
        };
        GenerateError(format!("no board of kind '{kind}' on {size}: {why}; choose another kind or size, such as 4x4"))
    };
    // Checks first whether a draw can succeed at this size at all. Without the check, a failure would be reported only
    // after thousands of eliminations.
    let dimension = gf2::kernel_dimension(size).unwrap_or(0);
    let hopeless = match kind {
        "impossible" | "almost" => dimension == 0,
        _ => dimension > gf2::LARGEST_KERNEL,
    };
    if hopeless {
        return Err(none());
    }
    (0..MOST_DRAWS).find_map(|_| draw()).ok_or_else(none)
}

fn uniform(white: &Board, random: &mut Random) -> Board {
    let mut board = white.clone();
    (0..white.size().rows).for_each(|row| board.set_row(row, random.bits()));
    board
}

/// Returns a random solvable board. All solvable boards are equally likely, because all sets of rounds are equally
/// likely and the same number of sets leads to each board.
fn solvable(white: &Board, random: &mut Random) -> Board {
    let rounds = uniform(white, random);
    let (size, mut board) = (white.size(), one_colour(white, random));
    for cell in 0..board.cells() {
        if rounds.is_black(cell / size.columns, cell % size.columns) {
            play(&mut board, cell);
        }
    }
    board
}

fn one_colour(white: &Board, random: &mut Random) -> Board {
    if random.chance(1, 2) { white.clone() } else { white.complement() }
}

fn one_piece(white: &Board, random: &mut Random) -> Board {
    let mut board = one_colour(white, random);
    turn_one(&mut board, random);
    board
}

fn turn_one(board: &mut Board, random: &mut Random) {
    let cell = random.below(board.cells() as u64) as usize;
    board.turn_piece(cell / board.size().columns, cell % board.size().columns);
}

fn almost(white: &Board, random: &mut Random) -> Option<Board> {
    let mut board = solvable(white, random);
    turn_one(&mut board, random);
    is_impossible(&board).then_some(board)
}

fn sides(white: &Board, random: &mut Random) -> Board {
    let (mut board, columns) = (one_colour(white, random), white.size().columns);
    for row in 0..white.size().rows {
        for column in [0, columns - 1] {
            if random.chance(1, 2) {
                play(&mut board, row * columns + column);
            }
        }
    }
    board
}

/// Draws a board that is a few rounds away from white. Returns `None` unless gf2 finds that white takes fewer rounds
/// than black.
fn nearer_to_white(white: &Board, random: &mut Random) -> Option<Board> {
    let rounds = random.between(0, white.cells() as u64 / 4 + 1);
    let board = after_rounds(white.clone(), rounds as usize, random);
    match gf2::fewest_to_each(&board)? {
        [Some(to_white), Some(to_black)] if to_white < to_black => Some(board),
        _ => None,
    }
}

/// Returns a board that needs `rounds` rounds. If the solver `table` accepts the size, all such boards are equally
/// likely. Otherwise the generator repeatedly plays `rounds` random rounds on a new board of one colour. It takes the
/// first board for which gf2 proves that no fewer rounds are enough. Fails if no such board is found.
fn of_rounds(kind: &str, white: &Board, rounds: u8, random: &mut Random) -> Result<Board, GenerateError> {
    let size = white.size();
    let Ok(table) = table::of_size(size) else {
        let needed = |board: &Board| matches!(gf2::solve(board), Ok(found @ Solution::Fewest(_)) if found.rounds() == Some(u32::from(rounds)));
        return draw_until_accepted(kind, size, || {
            let start = one_colour(white, random);
            Some(after_rounds(start, usize::from(rounds), random)).filter(needed)
        });
    };
    let boards: Vec<u32> =
        (0_u32..).zip(table.rounds()).filter(|(_, found)| **found == rounds).map(|(b, _)| b).collect();
    let Some(&blacks) = random.pick(&boards) else {
        return Err(GenerateError(format!(
            "no {size} board needs {rounds} rounds; choose a kind with fewer rounds, or a larger size"
        )));
    };
    let mut board = white.clone();
    (0..size.rows).for_each(|row| board.set_row(row, u64::from(blacks) >> (row * size.columns)));
    Ok(board)
}

/// Returns the board after `rounds` rounds on different pieces.
fn after_rounds(mut board: Board, rounds: usize, random: &mut Random) -> Board {
    let mut cells: Vec<usize> = (0..board.cells()).collect();
    random.shuffle(&mut cells);
    cells.into_iter().take(rounds).for_each(|cell| play(&mut board, cell));
    board
}

fn is_impossible(board: &Board) -> bool {
    gf2::quiet_pattern(board).is_some()
}

/// Plays one round.
fn play(board: &mut Board, cell: usize) {
    let (size, row, column) = (board.size(), cell / board.size().columns, cell % board.size().columns);
    let cross = 1_u64 << column;
    let rows = board.rows().to_vec();
    board.set_row(row, rows[row] ^ cross ^ cross << 1 ^ cross >> 1);
    for next in [row.checked_sub(1), Some(row + 1).filter(|&next| next < size.rows)].into_iter().flatten() {
        board.set_row(next, rows[next] ^ cross);
    }
}
