// Cheapest assignment by dynamic programming over subsets.
// Only cells that differ matter: each surplus black is matched with a missing one,
// at the cost of their Manhattan distance. Then each black moves along an L-shaped
// path. A black that stands on the path moves on instead, and the first black takes
// its place. So a path of length m always costs exactly m exchanges.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using namespace std;

int manhattan(int a, int b) { return abs(a / 4 - b / 4) + abs(a % 4 - b % 4); }

string read_board() {
    string board, row;
    while (board.size() < 16 && cin >> row) board += row;
    return board;
}

// partner[i] is the index of the missing cell that is assigned to surplus cell i.
vector<int> cheapest(const vector<int> &surplus, const vector<int> &missing) {
    const int n = static_cast<int>(surplus.size());
    vector<int> cost(1 << n, 1000), last(1 << n, -1);
    cost[0] = 0;
    for (int used = 0; used < 1 << n; ++used) {
        const int i = __builtin_popcount(used);
        for (int j = 0; j < n; ++j) {
            if (used >> j & 1) continue;
            const int price = cost[used] + manhattan(surplus[i], missing[j]);
            if (price < cost[used | 1 << j]) {
                cost[used | 1 << j] = price;
                last[used | 1 << j] = j;
            }
        }
    }
    vector<int> partner(n);
    for (int used = (1 << n) - 1, i = n - 1; i >= 0; --i) {
        partner[i] = last[used];
        used ^= 1 << partner[i];
    }
    return partner;
}

vector<int> way(int from, int to) {
    vector<int> cells{from};
    while (from / 4 != to / 4) cells.push_back(from += from / 4 < to / 4 ? 4 : -4);
    while (from != to) cells.push_back(from += from < to ? 1 : -1);
    return cells;
}

void walk(string &board, const vector<int> &cells, vector<pair<int, int>> &moves) {
    int free_end = static_cast<int>(cells.size()) - 1;
    for (int i = free_end - 1; i >= 0; --i) {
        if (board[cells[i]] != '1') continue;
        for (int j = i; j < free_end; ++j) {
            swap(board[cells[j]], board[cells[j + 1]]);
            moves.push_back({cells[j], cells[j + 1]});
        }
        free_end = i;
    }
}

int main() {
    string board = read_board();
    const string goal = read_board();
    vector<int> surplus, missing;
    for (int cell = 0; cell < 16; ++cell) {
        if (board[cell] > goal[cell]) surplus.push_back(cell);
        if (board[cell] < goal[cell]) missing.push_back(cell);
    }
    const vector<int> partner = cheapest(surplus, missing);
    vector<pair<int, int>> moves;
    for (size_t i = 0; i < surplus.size(); ++i) {
        walk(board, way(surplus[i], missing[partner[i]]), moves);
    }
    printf("%zu\n", moves.size());
    for (auto [a, b] : moves) printf("%d%d%d%d\n", a / 4 + 1, a % 4 + 1, b / 4 + 1, b % 4 + 1);
}
