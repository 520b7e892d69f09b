// Searches all boards with a stack and prints the path on which it found the goal.
// The mistake: the first path of a depth-first search need not be a shortest one.
// Caught by secret/12-two-blacks-farthest.
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

int read_board() {
    int board = 0;
    for (int cell = 0; cell < 16; ++cell) {
        char digit;
        cin >> digit;
        board |= (digit - '0') << cell;
    }
    return board;
}

int main() {
    const int start = read_board(), goal = read_board();
    vector<Came> came(1 << 16);
    came[start].before = start;
    vector<int> stack{start};
    while (!stack.empty()) {
        const int board = stack.back();
        stack.pop_back();
        for (auto [a, b] : all_edges()) {
            const int reached = board ^ (1 << a | 1 << b);
            if ((board >> a & 1) == (board >> b & 1) || came[reached].before >= 0) continue;
            came[reached] = {board, a, b};
            stack.push_back(reached);
        }
    }
    vector<Came> moves;
    for (int board = goal; board != start; board = came[board].before) moves.push_back(came[board]);
    reverse(moves.begin(), moves.end());
    printf("%zu\n", moves.size());
    for (auto [before, a, b] : moves) {
        printf("%d%d%d%d\n", a / 4 + 1, a % 4 + 1, b / 4 + 1, b % 4 + 1);
    }
}
