// Minimum-cost flow on the 24 edges of the board: every surplus black is a unit
// of supply, every missing black a unit of demand, and an edge costs one exchange.
// Each round sends one unit along a cheapest path (Bellman-Ford; cancelling earlier
// flow costs -1). A cheapest flow has no cycle, so there is always a flow edge from
// a black to a white cell. The program plays these edges one by one.
use std::io::Read;

const CELLS: usize = 16;

fn neighbours(cell: usize) -> Vec<usize> {
    let mut found = Vec::new();
    if cell % 4 > 0 {
        found.push(cell - 1);
    }
    if cell % 4 < 3 {
        found.push(cell + 1);
    }
    if cell >= 4 {
        found.push(cell - 4);
    }
    if cell < 12 {
        found.push(cell + 4);
    }
    found
}

type Flow = [[i32; CELLS]; CELLS];

/// Sends one unit from any supply to the cheapest demand. Returns false if no supply is left.
fn send_one_unit(flow: &mut Flow, balance: &mut [i32; CELLS]) -> bool {
    let mut cost = [i32::MAX; CELLS];
    let mut parent = [CELLS; CELLS];
    for cell in 0..CELLS {
        if balance[cell] > 0 {
            cost[cell] = 0;
        }
    }
    for _ in 0..CELLS {
        for a in 0..CELLS {
            if cost[a] == i32::MAX {
                continue;
            }
            for b in neighbours(a) {
                let price = if flow[b][a] > 0 { -1 } else { 1 };
                if cost[a] + price < cost[b] {
                    cost[b] = cost[a] + price;
                    parent[b] = a;
                }
            }
        }
    }
    let demand = (0..CELLS).filter(|&c| balance[c] < 0).min_by_key(|&c| cost[c]);
    let Some(mut cell) = demand else { return false };
    balance[cell] += 1;
    while parent[cell] != CELLS {
        let before = parent[cell];
        if flow[cell][before] > 0 {
            flow[cell][before] -= 1;
        } else {
            flow[before][cell] += 1;
        }
        cell = before;
    }
    balance[cell] -= 1;
    true
}

fn play(board: &mut [i32; CELLS], flow: &mut Flow) -> Vec<String> {
    let mut moves = Vec::new();
    loop {
        let ready = (0..CELLS)
            .flat_map(|a| (0..CELLS).map(move |b| (a, b)))
            .find(|&(a, b)| flow[a][b] > 0 && board[a] == 1 && board[b] == 0);
        let Some((a, b)) = ready else { return moves };
        flow[a][b] -= 1;
        board[a] = 0;
        board[b] = 1;
        moves.push(format!("{}{}{}{}", a / 4 + 1, a % 4 + 1, b / 4 + 1, b % 4 + 1));
    }
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("input is text");
    let cells: Vec<i32> = text.bytes().filter(|b| b.is_ascii_digit()).map(|b| i32::from(b - b'0')).collect();
    let mut board = [0; CELLS];
    let mut balance = [0; CELLS];
    for cell in 0..CELLS {
        board[cell] = cells[cell];
        balance[cell] = cells[cell] - cells[CELLS + cell];
    }
    let mut flow = [[0; CELLS]; CELLS];
    while send_one_unit(&mut flow, &mut balance) {}
    let moves = play(&mut board, &mut flow);
    println!("{}", moves.len());
    for step in moves {
        println!("{step}");
    }
}
