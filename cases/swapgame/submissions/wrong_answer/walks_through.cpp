// Tries all pairings for the cheapest assignment; then every black moves to its goal.
// The mistake: a black moves straight through other blacks. The number is right,
// but an exchange of two equal pieces is no legal step.
// Caught by secret/21-blocked-lane.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using namespace std;

int manhattan(int a, int b) { return abs(a / 4 - b / 4) + abs(a % 4 - b % 4); }

struct Pairing {
    vector<int> surplus, missing, order, best;
    int best_cost = INT_MAX;

    void extend(size_t i, int cost) {
        if (cost >= best_cost) return;
        if (i == surplus.size()) {
            best_cost = cost;
            best = order;
            return;
        }
        for (size_t j = i; j < order.size(); ++j) {
            swap(order[i], order[j]);
            extend(i + 1, cost + manhattan(surplus[i], order[i]));
            swap(order[i], order[j]);
        }
    }
};

void walk(string &board, int from, int to, vector<pair<int, int>> &moves) {
    const int first = from;
    while (from != to) {
        int next = from + (from < to ? 1 : -1);
        if (from / 4 != to / 4) next = from + (from / 4 < to / 4 ? 4 : -4);
        moves.push_back({from, next});
        from = next;
    }
    swap(board[first], board[to]);
}

int main() {
    string board(16, '0'), goal(16, '0');
    for (char &c : board) cin >> c;
    for (char &c : goal) cin >> c;
    Pairing pairing;
    for (int cell = 0; cell < 16; ++cell) {
        if (board[cell] > goal[cell]) pairing.surplus.push_back(cell);
        if (board[cell] < goal[cell]) pairing.missing.push_back(cell);
    }
    pairing.order = pairing.missing;
    pairing.extend(0, 0);
    vector<pair<int, int>> moves;
    for (size_t i = 0; i < pairing.surplus.size(); ++i) {
        walk(board, pairing.surplus[i], pairing.best[i], moves);
    }
    printf("%zu\n", moves.size());
    for (auto [a, b] : moves) printf("%d%d%d%d\n", a / 4 + 1, a % 4 + 1, b / 4 + 1, b % 4 + 1);
}
