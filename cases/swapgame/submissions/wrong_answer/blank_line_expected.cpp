// Breadth-first search that reads the input line by line.
// The mistake: it always skips the fifth line, as if that were the blank line. Without
// a blank line, the first row of the goal is lost and the last row is read as white.
// The answer can still be right if the goal's first row is white.
// Caught by secret/05-one-step-down.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using namespace std;

struct Came {
    int before = -1, a = 0, b = 0;
};

vector<pair<int, int>> all_edges() {
    vector<pair<int, int>> edges;
    for (int cell = 0; cell < 16; ++cell) {
        if (cell % 4 < 3) edges.push_back({cell, cell + 1});
        if (cell < 12) edges.push_back({cell, cell + 4});
    }
    return edges;
}

// A board with too few rows is filled with whites, so that the program can continue.
int read_board() {
    static bool first = true;
    string board, row;
    for (int line = 0; line < 4; ++line) {
        getline(cin, row);
        board += row;
        row.clear();
    }
    if (first) getline(cin, row);
    first = false;
    board.resize(16, '0');
    int mask = 0;
    for (int cell = 0; cell < 16; ++cell) mask |= (board[cell] - '0') << cell;
    return mask;
}

int main() {
    const int start = read_board(), goal = read_board();
    vector<Came> came(1 << 16);
    came[start].before = start;
    vector<int> queue{start};
    for (size_t i = 0; i < queue.size(); ++i) {
        const int board = queue[i];
        for (auto [a, b] : all_edges()) {
            const int reached = board ^ (1 << a | 1 << b);
            if ((board >> a & 1) == (board >> b & 1) || came[reached].before >= 0) continue;
            came[reached] = {board, a, b};
            queue.push_back(reached);
        }
    }
    if (came[goal].before < 0) {
        printf("-1\n");
        return 0;
    }
    vector<Came> moves;
    for (int board = goal; board != start; board = came[board].before) moves.push_back(came[board]);
    reverse(moves.begin(), moves.end());
    printf("%zu\n", moves.size());
    for (auto [before, a, b] : moves) {
        printf("%d%d%d%d\n", a / 4 + 1, a % 4 + 1, b / 4 + 1, b % 4 + 1);
    }
}
