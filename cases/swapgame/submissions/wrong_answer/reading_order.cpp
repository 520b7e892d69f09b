// Pairs the first surplus black in reading order with the first missing one.
// The mistake: this pairing is the cheapest on a line, but not on a board, where the
// reading order jumps from the end of a row to the beginning of the next.
// Caught by secret/26-reading-order-fails.
#include <cstdio>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using namespace std;

void walk(string &board, int from, int to, vector<pair<int, int>> &moves) {
    vector<int> way{from};
    while (from / 4 != to / 4) way.push_back(from += from / 4 < to / 4 ? 4 : -4);
    while (from != to) way.push_back(from += from < to ? 1 : -1);
    int free_end = static_cast<int>(way.size()) - 1;
    for (int i = free_end - 1; i >= 0; --i) {
        if (board[way[i]] != '1') continue;
        for (int j = i; j < free_end; ++j) {
            swap(board[way[j]], board[way[j + 1]]);
            moves.push_back({way[j], way[j + 1]});
        }
        free_end = i;
    }
}

int main() {
    string board(16, '0'), goal(16, '0');
    for (char &c : board) cin >> c;
    for (char &c : goal) cin >> c;
    vector<pair<int, int>> moves;
    while (board != goal) {
        int from = 0, to = 0;
        while (board[from] <= goal[from]) ++from;
        while (board[to] >= goal[to]) ++to;
        walk(board, from, to, moves);
    }
    printf("%zu\n", moves.size());
    for (auto [a, b] : moves) printf("%d%d%d%d\n", a / 4 + 1, a % 4 + 1, b / 4 + 1, b % 4 + 1);
}
