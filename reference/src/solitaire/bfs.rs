//! Breadth-first search in one direction, from the start, up to eight levels.
//!
//! **Method.** Configurations are numbered from 0 to 635,375 by the combinatorial number system. The sorted fields a <
//! b < c < d have rank C(a,1) + C(b,2) + C(c,3) + C(d,4). One bit per rank records which configurations were seen.
//! Moves are made on a board with a wall two fields thick around it. So neither the edge nor a jump across it needs a
//! test of its own.
//!
//! **Complexity.** The search expands all configurations within 7 moves of the start: 36,685 on average, with about 14
//! moves each. Source: the textbook; ranks after Lehmer ("The machine tools of combinatorics", 1964).

use super::{MOVES, PIECES, Pair, Path, SIDE};

/// The number of configurations, C(64, 4).
pub const CONFIGURATIONS: usize = 635_376;

/// Returns a shortest path if it has at most eight moves; otherwise `None`.
pub fn solve(pair: &Pair) -> Option<Path> {
    let goal = pair.goal.sorted();
    let mut search = Search::new(pair.start.sorted());
    if search.steps[0].pieces == goal {
        return Some(search.path_to(0));
    }
    for _ in 0..MOVES {
        if let Some(index) = search.grow(Some(goal)) {
            return Some(search.path_to(index));
        }
    }
    None
}

/// Returns the configurations at the distances from 0 to `radius` from `start`, one list for each distance.
pub fn rings(start: [u8; PIECES], radius: u32) -> Vec<Vec<[u8; PIECES]>> {
    let mut search = Search::new(start);
    let mut ends = vec![1];
    for _ in 0..radius {
        search.grow(None);
        ends.push(search.steps.len());
    }
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let ring = |(from, to): (usize, usize)| search.steps[from..to].iter().map(|step| step.pieces).collect();
    starts.zip(ends.iter().copied()).map(ring).collect()
}

/// Returns the rank of a configuration. `pieces` must be sorted.
pub fn rank(pieces: [u8; PIECES]) -> usize {
    (0..PIECES).map(|piece| CHOOSE[piece][pieces[piece] as usize] as usize).sum()
}

/// `CHOOSE[k][n]` is C(n, k + 1).
static CHOOSE: [[u32; 64]; PIECES] = choose();

const fn choose() -> [[u32; 64]; PIECES] {
    let mut table = [[0; 64]; PIECES];
    let mut n = 1;
    while n < 64 {
        table[0][n] = n as u32;
        let mut k = 1;
        while k < PIECES {
            table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

/// A configuration that was reached, and the index of the configuration before it on its path.
#[derive(Clone, Copy)]
struct Step {
    pieces: [u8; PIECES],
    before: u32,
}

struct Search {
    steps: Vec<Step>,
    /// The index in `steps` at which the last level begins.
    level: usize,
    seen: Vec<u64>,
    board: Mailbox,
}

impl Search {
    fn new(start: [u8; PIECES]) -> Self {
        let mut seen = vec![0; CONFIGURATIONS.div_ceil(64)];
        set(&mut seen, rank(start));
        Search { steps: vec![Step { pieces: start, before: 0 }], level: 0, seen, board: Mailbox::new() }
    }

    /// Adds the next level. If the search reaches `goal`, stops and returns the index of the goal; otherwise returns
    /// `None`.
    fn grow(&mut self, goal: Option<[u8; PIECES]>) -> Option<usize> {
        let end = self.steps.len();
        for before in self.level..end {
            let mut reached = [[0; PIECES]; 4 * PIECES];
            let count = self.board.moves(self.steps[before].pieces, &mut reached);
            for &pieces in &reached[..count] {
                if set(&mut self.seen, rank(pieces)) {
                    self.steps.push(Step { pieces, before: before as u32 });
                    if goal == Some(pieces) {
                        return Some(self.steps.len() - 1);
                    }
                }
            }
        }
        self.level = end;
        None
    }

    fn path_to(&self, mut index: usize) -> Path {
        let mut path = vec![self.steps[index].pieces];
        while index > 0 {
            index = self.steps[index].before as usize;
            path.push(self.steps[index].pieces);
        }
        path.reverse();
        path
    }
}

/// Marks a rank as seen. Returns whether it is new.
fn set(seen: &mut [u64], rank: usize) -> bool {
    let bit = 1 << (rank % 64);
    let new = seen[rank / 64] & bit == 0;
    seen[rank / 64] |= bit;
    new
}

/// The number of columns of the board with its wall.
const WIDTH: usize = 12;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Free,
    Piece,
    Wall,
}

/// The board with a wall around it.
pub(super) struct Mailbox {
    cells: [Cell; WIDTH * WIDTH],
}

impl Mailbox {
    pub(super) fn new() -> Self {
        let mut cells = [Cell::Wall; WIDTH * WIDTH];
        for field in 0..SIDE * SIDE {
            cells[cell(field)] = Cell::Free;
        }
        Mailbox { cells }
    }

    /// Writes the configurations one move from `pieces` into `reached` and returns their number. The board is empty
    /// before and after.
    pub(super) fn moves(&mut self, pieces: [u8; PIECES], reached: &mut [[u8; PIECES]; 4 * PIECES]) -> usize {
        let mut count = 0;
        self.fill(pieces, Cell::Piece);
        for piece in 0..PIECES {
            let from = cell(pieces[piece]);
            for direction in [-(WIDTH as isize), -1, 1, WIDTH as isize] {
                if let Some(to) = self.landing(from, direction) {
                    reached[count] = moved(pieces, piece, to);
                    count += 1;
                }
            }
        }
        self.fill(pieces, Cell::Free);
        count
    }

    fn fill(&mut self, pieces: [u8; PIECES], content: Cell) {
        for piece in pieces {
            self.cells[cell(piece)] = content;
        }
    }

    fn landing(&self, from: usize, direction: isize) -> Option<u8> {
        let next = from.wrapping_add_signed(direction);
        let behind = next.wrapping_add_signed(direction);
        match self.cells[next] {
            Cell::Free => Some(field(next)),
            Cell::Piece if self.cells[behind] == Cell::Free => Some(field(behind)),
            _ => None,
        }
    }
}

fn cell(field: u8) -> usize {
    (field / SIDE + 2) as usize * WIDTH + (field % SIDE + 2) as usize
}

fn field(cell: usize) -> u8 {
    ((cell / WIDTH - 2) * SIDE as usize + cell % WIDTH - 2) as u8
}

fn moved(mut pieces: [u8; PIECES], piece: usize, to: u8) -> [u8; PIECES] {
    pieces[piece] = to;
    pieces.sort_unstable();
    pieces
}
