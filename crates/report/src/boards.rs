//! Draws boards on a terminal.

use referee_picture::{Cell, Film, Grid, Scene};

use super::table::{DIM, painted, shortened};
use referee_text::columns::columns;

/// The gap between two boards, in columns.
const GAP: usize = 4;

/// The maximum width of a board that is drawn, in columns.
const MAX_BOARD_WIDTH: usize = 36;

/// Draws up to three boards of the first scene: the start, the position after the output's moves, and the goal. If
/// there is no goal, the third board is the position after the correct moves. The lines below the boards say how the
/// output's moves end. If no correct moves are known, these lines also give the correct answer. Returns no lines if a
/// board is too wide. No line ends in blanks or is wider than `width` columns.
pub(super) fn lines(scenes: &[Scene], width: usize) -> Vec<String> {
    let Some(scene) = scenes.first() else { return Vec::new() };
    let drawn = side_by_side(&boards(scene), width);
    if drawn.is_empty() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    if !scene.name.is_empty() {
        lines.push(painted(DIM, &shortened(&scene.name, width)));
    }
    lines.extend(drawn);
    let right = scene.right.as_ref().filter(|_| scene.expected.as_ref().is_none_or(|film| moves(film) == 0));
    lines.extend(right.map(|right| format!("correct answer: {right}")));
    let end = scene.actual.as_ref().and_then(|film| film.end.as_deref());
    lines.extend(end.map(|end| shortened(&format!("the output's moves: {end}"), width)));
    lines
}

/// Returns the boards of a scene, each with its caption.
fn boards(scene: &Scene) -> Vec<(String, &Grid)> {
    let films = [scene.actual.as_ref(), scene.expected.as_ref()];
    let Some(any) = films.into_iter().flatten().next() else { return Vec::new() };
    let mut boards = vec![("start".to_owned(), &any.frames[0].grid)];
    let played = scene.actual.as_ref().filter(|film| moves(film) > 0);
    boards.extend(played.map(|film| (format!("output, move {}", moves(film)), last(film))));
    let goal = any.goal.as_ref().map(|goal| ("goal".to_owned(), goal));
    let reached = scene.expected.as_ref().filter(|film| moves(film) > 0);
    let reached = reached.map(|film| (format!("correct, move {}", moves(film)), last(film)));
    boards.extend(goal.or(reached));
    boards
}

/// Returns the number of moves in a film. The first frame is the start, so a film has one more frame than moves.
fn moves(film: &Film) -> usize {
    film.frames.len() - 1
}

fn last(film: &Film) -> &Grid {
    &film.frames[film.frames.len() - 1].grid
}

fn side_by_side(boards: &[(String, &Grid)], room: usize) -> Vec<String> {
    let width = |grid: &Grid| grid.first().map_or(0, |row| 2 * row.len());
    if boards.iter().any(|(_, grid)| width(grid) > MAX_BOARD_WIDTH.min(room)) {
        return Vec::new();
    }
    let widths: Vec<usize> = boards.iter().map(|(caption, grid)| width(grid).max(columns(caption)) + GAP).collect();
    // Boards that do not fit beside the boards before them are left out; the first board always fits.
    let fitting = widths
        .iter()
        .scan(0, |used, column| {
            *used += column;
            Some(*used)
        })
        .take_while(|used| *used <= room + GAP)
        .count();
    let joined = |piece: &dyn Fn(&(String, &Grid)) -> String| {
        let pieces = boards.iter().zip(&widths).take(fitting).map(|(board, width)| {
            let piece = piece(board);
            let blanks = width.saturating_sub(columns(&piece));
            piece + &" ".repeat(blanks)
        });
        pieces.collect::<String>().trim_end().to_owned()
    };
    let rows = boards.iter().map(|(_, grid)| grid.len()).max().unwrap_or(0);
    let captions = painted(DIM, &joined(&|(caption, _)| caption.clone()));
    let drawn = (0..rows).map(|row| joined(&|(_, grid)| grid.get(row).map_or_else(String::new, |row| drawn(row))));
    std::iter::once(captions).chain(drawn).collect()
}

fn drawn(row: &[Cell]) -> String {
    let cells: Vec<String> = row.iter().map(|cell| symbol(*cell).to_string()).collect();
    cells.join(" ")
}

fn symbol(cell: Cell) -> char {
    match cell {
        Cell::Free => '·',
        Cell::White => '○',
        Cell::Black => '●',
        Cell::Coin(letter) => letter,
    }
}

#[cfg(test)]
mod tests {
    use referee_picture::Frame;

    use super::*;

    fn grid(rows: &[&str]) -> Grid {
        let cell = |letter: char| match letter {
            'w' => Cell::White,
            'b' => Cell::Black,
            '.' => Cell::Free,
            letter => Cell::Coin(letter),
        };
        rows.iter().map(|row| row.chars().map(cell).collect()).collect()
    }

    fn film(boards: &[&[&str]], goal: Option<&[&str]>, end: Option<&str>) -> Film {
        let frame = |rows: &&[&str]| Frame { caption: String::new(), grid: grid(rows), marks: Vec::new() };
        Film { goal: goal.map(grid), frames: boards.iter().map(frame).collect(), end: end.map(str::to_owned) }
    }

    fn none() -> Scene {
        Scene { name: String::new(), right: None, expected: None, actual: None, wrong: None }
    }

    fn plain(scene: Scene) -> Vec<String> {
        lines(&[scene], 74).iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect()
    }

    #[test]
    fn start_what_the_output_makes_of_it_and_the_goal_stand_beside_each_other() {
        let actual = film(&[&["bw", "ww"], &["wb", "ww"]], Some(&["ww", "wb"]), Some("step 2: no"));
        let scene = Scene { name: "board 2 of 3".to_owned(), actual: Some(actual), ..none() };
        let wanted = [
            "board 2 of 3",
            "start    output, move 1    goal",
            "● ○      ○ ●               ○ ○",
            "○ ○      ○ ○               ○ ●",
            "the output's moves: step 2: no",
        ];
        assert_eq!(plain(scene), wanted);
    }

    #[test]
    fn without_a_goal_the_right_end_is_shown_and_without_moves_the_start_alone() {
        let expected = film(&[&["BA"], &["AB"]], None, None);
        let scene = Scene { expected: Some(expected), ..none() };
        assert_eq!(plain(scene), ["start    correct, move 1", "B A      A B"]);
        let expected = film(&[&["b.w"]], None, None);
        let scene = Scene { right: Some("Impossible".to_owned()), expected: Some(expected), ..none() };
        assert_eq!(plain(scene), ["start", "● · ○", "correct answer: Impossible"]);
    }

    #[test]
    fn what_is_too_wide_is_not_drawn() {
        let row = "b".repeat(30);
        let scene = Scene { name: "board 2 of 3".to_owned(), expected: Some(film(&[&[&row]], None, None)), ..none() };
        assert_eq!(plain(scene), Vec::<String>::new());
    }
}
