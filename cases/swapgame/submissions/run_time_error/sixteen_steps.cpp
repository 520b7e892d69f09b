// Breadth-first search that stores the path in an array of sixteen steps.
// The mistake: the author assumed at most sixteen steps for sixteen pieces. The
// farthest boards are 20 steps apart, and the checked access throws.
// Caught by secret/18-eight-blacks-farthest.
#include <algorithm>
#include <array>
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
    array<Came, 16> moves;
    size_t count = 0;
    for (int board = goal; board != start; board = came[board].before) {
        moves.at(count++) = came[board];
    }
    reverse(moves.begin(), moves.begin() + count);
    printf("%zu\n", count);
    for (size_t i = 0; i < count; ++i) {
        const auto [before, a, b] = moves[i];
        printf("%d%d%d%d\n", a / 4 + 1, a % 4 + 1, b / 4 + 1, b % 4 + 1);
    }
}
