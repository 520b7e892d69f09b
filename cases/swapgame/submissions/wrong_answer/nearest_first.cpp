// Pairs surplus blacks with missing ones greedily: always the closest pair left.
// The mistake: a close pair can leave two cells that are far apart, so the result need
// not be the cheapest assignment. Small boards rarely detect this.
// Caught by secret/24-nearest-first-fails.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using namespace std;

int manhattan(int a, int b) { return abs(a / 4 - b / 4) + abs(a % 4 - b % 4); }

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
        int from = -1, to = -1;
        for (int a = 0; a < 16; ++a) {
            for (int b = 0; b < 16; ++b) {
                if (board[a] <= goal[a] || board[b] >= goal[b]) continue;
                if (from < 0 || manhattan(a, b) < manhattan(from, to)) from = a, to = b;
            }
        }
        walk(board, from, to, moves);
    }
    printf("%zu\n", moves.size());
    for (auto [a, b] : moves) printf("%d%d%d%d\n", a / 4 + 1, a % 4 + 1, b / 4 + 1, b % 4 + 1);
}
