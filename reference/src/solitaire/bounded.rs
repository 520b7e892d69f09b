//! Breadth-first search from both ends on bit boards, pruned by the distance of the projections.
//!
//! **Method.** A configuration is a 64-bit mask. It has two projections: the multiset of the rows of its pieces, and
//! the multiset of their columns. A move changes exactly one of the two. This change is a move of a one-dimensional
//! puzzle. In that puzzle, a piece moves to the next line (row or column), or jumps over a piece on the next line to
//! the line behind it. So the distance between the row multisets plus the distance between the column multisets is
//! never more than the moves still needed. The search drops a configuration if this bound exceeds the moves left. There
//! are only 330 multisets, so a table holds all distances. The search never drops a configuration on a shortest path
//! within the limit, so it stays exact.
//!
//! **Complexity.** Without pruning, the search visits two balls of radius 4; such a ball holds all configurations
//! within 4 moves, 2,139 on average. With pruning, it visits a few hundred configurations in all. It only looks up the
//! last level in the hash table and does not store it. Sources: the statement; for the pruning, the admissible bounds
//! of A* (Hart, Nilsson, Raphael 1968).

use std::sync::LazyLock;

use super::{MOVES, PIECES, Pair, Path, SIDE};

/// The number of multisets of four lines out of eight: C(8 + 4 - 1, 4).
const MULTISETS: usize = 330;
/// The number of slots of the hash table: a power of two, and more than twice [`LARGEST_BALL`], because at most two
/// balls are stored.
const SLOTS: usize = 8192;
/// The maximum size of a ball, which holds all configurations within 4 moves of a start. The exhaustive comparison
/// checks that no ball is larger.
pub const LARGEST_BALL: usize = 3906;
/// The largest limit for which the hash table is large enough. Up to 4 levels are stored from the start. From the goal,
/// up to 4 levels are stored and 1 more is only looked up.
pub const DEEPEST: u32 = 9;

/// Returns a path of at most eight moves; `None` if there is none.
pub fn solve(pair: &Pair) -> Option<Path> {
    within(pair, MOVES)
}

/// Returns a path of at most `limit` moves; `None` if there is none. A limit above [`DEEPEST`] is reduced to
/// [`DEEPEST`].
pub fn within(pair: &Pair, limit: u32) -> Option<Path> {
    let limit = limit.min(DEEPEST) as u8;
    let projection = &*PROJECTION;
    let start = projection.node_of(pair.start.sorted());
    let goal = projection.node_of(pair.goal.sorted());
    if Target::new(projection, &goal).distance(start.rows, start.columns) > limit {
        return None;
    }
    let mut search = Search { projection, nodes: Vec::with_capacity(512), slots: vec![0; SLOTS] };
    let (from_start, from_goal) = (limit / 2, limit - limit / 2);
    search.store_levels(start, from_start, limit, &Target::new(projection, &goal));
    search.meet(goal, from_goal, limit, &Target::new(projection, &start))
}

/// A configuration with its projections and its parent.
#[derive(Clone, Copy, Debug)]
struct Node {
    mask: u64,
    /// The index of the multiset of rows.
    rows: u16,
    /// The index of the multiset of columns.
    columns: u16,
    /// The index of the node from which this one was reached; a root is its own parent.
    parent: u16,
}

/// The distances of all row multisets from the row multiset of one end (the start or the goal), and the same for
/// columns.
struct Target<'p> {
    rows: &'p [u8; MULTISETS],
    columns: &'p [u8; MULTISETS],
}

impl<'p> Target<'p> {
    fn new(projection: &'p Projection, end: &Node) -> Self {
        let distances = |multiset: u16| &projection.distance[multiset as usize];
        Target { rows: distances(end.rows), columns: distances(end.columns) }
    }

    fn distance(&self, rows: u16, columns: u16) -> u8 {
        self.rows[rows as usize] + self.columns[columns as usize]
    }
}

struct Search<'p> {
    projection: &'p Projection,
    nodes: Vec<Node>,
    /// A hash table with open addressing: each slot is an index into `nodes` plus one, or 0 if it is free.
    slots: Vec<u16>,
}

impl Search<'_> {
    /// Stores all configurations up to `levels` moves from `root` that may lie on a path within the limit.
    fn store_levels(&mut self, root: Node, levels: u8, limit: u8, target: &Target<'_>) {
        let mut level = self.nodes.len();
        if let Err(slot) = self.find(root.mask) {
            self.store(slot, Node { parent: level as u16, ..root });
        }
        for depth in 1..=levels {
            let end = self.nodes.len();
            for parent in level..end {
                let node = self.nodes[parent];
                for_each_move(self.projection, node, target, limit - depth, |next| {
                    if let Err(slot) = self.find(next.mask) {
                        self.store(slot, Node { parent: parent as u16, ..next });
                    }
                    None::<()>
                });
            }
            level = end;
        }
    }

    /// Searches `levels` levels from the goal for a configuration that was stored from the start. Returns the path, or
    /// `None` if it finds no such configuration.
    fn meet(&mut self, goal: Node, levels: u8, limit: u8, target: &Target<'_>) -> Option<Path> {
        let stored_from_start = self.nodes.len();
        if let Ok(index) = self.find(goal.mask) {
            return Some(self.path_from_root(index));
        }
        self.store_root(goal);
        let mut level = stored_from_start;
        for depth in 1..=levels {
            let end = self.nodes.len();
            for parent in level..end {
                let node = self.nodes[parent];
                let found = for_each_move(self.projection, node, target, limit - depth, |next| {
                    match self.find(next.mask) {
                        Ok(index) if index < stored_from_start => return Some(index),
                        Err(slot) if depth < levels => self.store(slot, Node { parent: parent as u16, ..next }),
                        _ => {}
                    }
                    None
                });
                if let Some(index) = found {
                    let mut path = self.path_from_root(index);
                    let rest = self.path_from_root(parent);
                    path.extend(rest.into_iter().rev());
                    return Some(path);
                }
            }
            level = end;
        }
        None
    }

    fn store_root(&mut self, root: Node) {
        if let Err(slot) = self.find(root.mask) {
            self.store(slot, Node { parent: self.nodes.len() as u16, ..root });
        }
    }

    fn store(&mut self, slot: usize, node: Node) {
        self.nodes.push(node);
        self.slots[slot] = self.nodes.len() as u16;
    }

    /// Returns the index of the configuration. If it is not stored, fails with the slot in which it belongs.
    fn find(&self, mask: u64) -> Result<usize, usize> {
        // Multiplying by 2^64 divided by the golden ratio spreads neighbouring masks over the upper bits (Knuth, 6.4).
        let mut slot = (mask.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOTS.ilog2())) as usize;
        loop {
            match self.slots[slot] {
                0 => return Err(slot),
                stored => {
                    let index = stored as usize - 1;
                    if self.nodes[index].mask == mask {
                        return Ok(index);
                    }
                }
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    fn path_from_root(&self, mut index: usize) -> Path {
        let mut path = vec![fields(self.nodes[index].mask)];
        while self.nodes[index].parent as usize != index {
            index = self.nodes[index].parent as usize;
            path.push(fields(self.nodes[index].mask));
        }
        path.reverse();
        path
    }
}

fn fields(mut mask: u64) -> [u8; PIECES] {
    std::array::from_fn(|_| {
        let field = mask.trailing_zeros() as u8;
        mask &= mask.wrapping_sub(1);
        field
    })
}

/// Returns all configurations one move away, ascending, each with the distance between its projections and the
/// projections of `from`.
pub(super) fn neighbours(from: [u8; PIECES]) -> Vec<([u8; PIECES], u8)> {
    let projection = &*PROJECTION;
    let node = projection.node_of(from);
    let target = Target::new(projection, &node);
    let mut neighbours = Vec::new();
    for_each_move(projection, node, &target, u8::MAX, |next| {
        neighbours.push((fields(next.mask), target.distance(next.rows, next.columns)));
        None::<()>
    });
    neighbours.sort_unstable();
    neighbours
}

/// Visits the configurations one move from `node`, until `visit` returns a value. Leaves out the configurations whose
/// projections are more than `left` moves from the target.
#[inline]
fn for_each_move<T>(
    projection: &Projection,
    node: Node,
    target: &Target<'_>,
    left: u8,
    mut visit: impl FnMut(Node) -> Option<T>,
) -> Option<T> {
    let step_row = &projection.step[node.rows as usize];
    let step_column = &projection.step[node.columns as usize];
    let (row_distance, column_distance) = (target.rows[node.rows as usize], target.columns[node.columns as usize]);
    let mut pieces = node.mask;
    while pieces != 0 {
        let piece = pieces.trailing_zeros() as usize;
        pieces &= pieces - 1;
        let from = 1_u64 << piece;
        let (row, column) = (piece / 8, piece % 8);
        for direction in &DIRECTIONS[piece][..2] {
            let Some(to) = direction.landing(node.mask) else { continue };
            let rows = step_row[row * 8 + to / 8];
            if target.rows[rows as usize] + column_distance <= left {
                let found = visit(Node { mask: node.mask ^ from ^ (1 << to), rows, ..node });
                if found.is_some() {
                    return found;
                }
            }
        }
        for direction in &DIRECTIONS[piece][2..] {
            let Some(to) = direction.landing(node.mask) else { continue };
            let columns = step_column[column * 8 + to % 8];
            if row_distance + target.columns[columns as usize] <= left {
                let found = visit(Node { mask: node.mask ^ from ^ (1 << to), columns, ..node });
                if found.is_some() {
                    return found;
                }
            }
        }
    }
    None
}

/// One direction from one field: the masks of the next field and of the field behind that, 0 outside the board.
#[derive(Clone, Copy)]
struct Direction {
    near: u64,
    behind: u64,
}

impl Direction {
    /// Returns the field in which a move in this direction ends; `None` if there is no such move.
    #[inline]
    fn landing(self, occupied: u64) -> Option<usize> {
        let free = if self.near & occupied == 0 { self.near } else { self.behind & !occupied };
        (free != 0).then_some(free.trailing_zeros() as usize)
    }
}

/// The directions up, down, left and right for every field.
static DIRECTIONS: [[Direction; 4]; 64] = directions();

const fn directions() -> [[Direction; 4]; 64] {
    let mut all = [[Direction { near: 0, behind: 0 }; 4]; 64];
    let mut field = 0;
    while field < 64 {
        let bit = 1_u64 << field;
        let (left, right) = (0x0101_0101_0101_0101_u64, 0x8080_8080_8080_8080_u64);
        let west = (bit & !left) >> 1;
        let east = (bit & !right) << 1;
        all[field] = [
            Direction { near: bit >> 8, behind: bit >> 16 },
            Direction { near: bit << 8, behind: bit << 16 },
            Direction { near: west, behind: (west & !left) >> 1 },
            Direction { near: east, behind: (east & !right) << 1 },
        ];
        field += 1;
    }
    all
}

/// The one-dimensional puzzle: four pieces on eight lines, any number of them on the same line.
struct Projection {
    /// The multisets as sorted lines, ascending.
    multisets: Vec<[u8; PIECES]>,
    /// `step[m][8 * from + to]` is the multiset after a piece of `m` went from line `from` to line `to`.
    step: Vec<[u16; 64]>,
    /// The number of moves between any two multisets.
    distance: Vec<[u8; MULTISETS]>,
}

static PROJECTION: LazyLock<Projection> = LazyLock::new(Projection::new);

impl Projection {
    fn new() -> Self {
        let mut projection = Projection { multisets: multisets(), step: Vec::new(), distance: Vec::new() };
        projection.step = (0..MULTISETS).map(|multiset| projection.steps_of(multiset)).collect();
        projection.distance = (0..MULTISETS).map(|multiset| projection.distances_from(multiset)).collect();
        projection
    }

    fn index(&self, mut lines: [u8; PIECES]) -> u16 {
        lines.sort_unstable();
        self.multisets.partition_point(|multiset| *multiset < lines) as u16
    }

    fn node_of(&self, numbers: [u8; PIECES]) -> Node {
        let mask = numbers.iter().fold(0, |mask, number| mask | 1 << number);
        let (rows, columns) = (numbers.map(|number| number / SIDE), numbers.map(|number| number % SIDE));
        Node { mask, rows: self.index(rows), columns: self.index(columns), parent: 0 }
    }

    fn steps_of(&self, multiset: usize) -> [u16; 64] {
        let lines = self.multisets[multiset];
        let mut steps = [multiset as u16; 64];
        for (piece, &from) in lines.iter().enumerate() {
            for to in 0..SIDE {
                let mut moved = lines;
                moved[piece] = to;
                steps[(from * SIDE + to) as usize] = self.index(moved);
            }
        }
        steps
    }

    fn distances_from(&self, root: usize) -> [u8; MULTISETS] {
        let mut distance = [u8::MAX; MULTISETS];
        distance[root] = 0;
        let mut queue = vec![root];
        let mut read = 0;
        while let Some(&multiset) = queue.get(read) {
            read += 1;
            for next in self.projected_moves(multiset) {
                if distance[next] == u8::MAX {
                    distance[next] = distance[multiset] + 1;
                    queue.push(next);
                }
            }
        }
        distance
    }

    /// Returns the multisets after a step to the next line, or after a jump over a line with a piece.
    fn projected_moves(&self, multiset: usize) -> Vec<usize> {
        let lines = self.multisets[multiset];
        let mut moves = Vec::new();
        for from in lines {
            for to in 0..SIDE {
                let between = u8::midpoint(from, to);
                let jump = from.abs_diff(to) == 2 && lines.contains(&between);
                if from.abs_diff(to) == 1 || jump {
                    moves.push(self.step[multiset][(from * SIDE + to) as usize] as usize);
                }
            }
        }
        moves
    }
}

/// Returns all sorted quadruples of lines, ascending.
fn multisets() -> Vec<[u8; PIECES]> {
    let digits = |code: u16| [code >> 9, code >> 6, code >> 3, code].map(|line| (line & 7) as u8);
    (0..4096).map(digits).filter(|lines| lines.is_sorted()).collect()
}
