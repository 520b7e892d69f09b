// Searches from the start only, but drops every configuration that is provably
// too far from the goal. A move changes one piece's row or its column, never
// both, and by at most two. So half the distance between the sorted rows, plus
// half the distance between the sorted columns (each rounded up), is a lower
// bound on the moves still needed.
use std::collections::HashSet;
use std::io::Read;

const MOVES: i32 = 8;

type Piece = (i32, i32);
type Board = [Piece; 4];

struct Goal {
    board: Board,
    rows: [i32; 4],
    columns: [i32; 4],
}

fn sorted(mut values: [i32; 4]) -> [i32; 4] {
    values.sort_unstable();
    values
}

impl Goal {
    fn new(board: Board) -> Self {
        let rows = sorted(board.map(|piece| piece.0));
        let columns = sorted(board.map(|piece| piece.1));
        Goal { board, rows, columns }
    }

    fn lower_bound(&self, board: &Board) -> i32 {
        let rows = sorted(board.map(|piece| piece.0));
        let columns = sorted(board.map(|piece| piece.1));
        (gap(&rows, &self.rows) + 1) / 2 + (gap(&columns, &self.columns) + 1) / 2
    }
}

fn gap(a: &[i32; 4], b: &[i32; 4]) -> i32 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum()
}

fn inside(piece: Piece) -> bool {
    (1..=8).contains(&piece.0) && (1..=8).contains(&piece.1)
}

fn destination(board: &Board, from: Piece, direction: Piece) -> Option<Piece> {
    let near = (from.0 + direction.0, from.1 + direction.1);
    let far = (near.0 + direction.0, near.1 + direction.1);
    if !board.contains(&near) {
        return inside(near).then_some(near);
    }
    (inside(far) && !board.contains(&far)).then_some(far)
}

fn neighbours(board: &Board) -> Vec<Board> {
    let mut found = Vec::with_capacity(16);
    for (index, &from) in board.iter().enumerate() {
        for direction in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            if let Some(to) = destination(board, from, direction) {
                let mut next = *board;
                next[index] = to;
                next.sort_unstable();
                found.push(next);
            }
        }
    }
    found
}

fn reachable(start: Board, goal: &Goal) -> bool {
    let mut seen = HashSet::from([start]);
    let mut frontier = vec![start];
    for moves_left in (0..=MOVES).rev() {
        frontier.retain(|board| goal.lower_bound(board) <= moves_left);
        if frontier.contains(&goal.board) {
            return true;
        }
        let reached: Vec<Board> = frontier.iter().flat_map(neighbours).collect();
        frontier = reached.into_iter().filter(|board| seen.insert(*board)).collect();
    }
    false
}

fn board_of(numbers: &[i32]) -> Board {
    let mut board = [(0, 0); 4];
    for (piece, pair) in board.iter_mut().zip(numbers.chunks(2)) {
        *piece = (pair[0], pair[1]);
    }
    board.sort_unstable();
    board
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("the input is text");
    let numbers: Vec<i32> =
        text.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    for case in numbers.chunks_exact(16) {
        let goal = Goal::new(board_of(&case[8..]));
        println!("{}", if reachable(board_of(&case[..8]), &goal) { "YES" } else { "NO" });
    }
}
