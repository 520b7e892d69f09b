// Iterative deepening over sequences of moves, with a lower bound from the numbers
// of blacks per row and per column. The program stores no boards.
// The mistake: if the bound is too low, the program searches whole levels of the
// exponential tree in vain. The bound is exact on most boards, so the program seems
// fast. It is 0 if opposite quarters exchange their pieces.
// Caught by secret/31-quarters-change-sides.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using namespace std;

string board(16, '0'), goal(16, '0');
vector<pair<int, int>> edges, moves;

// Numbers of blacks that must cross each of the three lines between rows, and between columns.
int bound() {
    int crossing = 0, row_sum = 0, column_sum = 0;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            row_sum += board[4 * i + j] - goal[4 * i + j];
            column_sum += board[4 * j + i] - goal[4 * j + i];
        }
        crossing += abs(row_sum) + abs(column_sum);
    }
    return crossing;
}

bool deepen(int left) {
    const int need = bound();
    if (need > left) return false;
    if (need == 0 && board == goal) return true;
    if (left == 0) return false;
    for (auto [a, b] : edges) {
        if (board[a] == board[b]) continue;
        if (!moves.empty() && moves.back() == make_pair(a, b)) continue;
        swap(board[a], board[b]);
        moves.push_back({a, b});
        if (deepen(left - 1)) return true;
        moves.pop_back();
        swap(board[a], board[b]);
    }
    return false;
}

int main() {
    for (char &c : board) cin >> c;
    for (char &c : goal) cin >> c;
    for (int cell = 0; cell < 16; ++cell) {
        if (cell % 4 < 3) edges.push_back({cell, cell + 1});
        if (cell < 12) edges.push_back({cell, cell + 4});
    }
    int limit = bound();
    // Each step changes the bound's parity, so only every second limit can succeed.
    while (!deepen(limit)) limit += 2;
    printf("%d\n", limit);
    for (auto [a, b] : moves) printf("%d%d%d%d\n", a / 4 + 1, a % 4 + 1, b / 4 + 1, b % 4 + 1);
}
