// Mistake: depth-first search that never enters a configuration twice. If it enters
// one after seven moves, it goes only one move further, and later does not enter it
// by a shorter path. (Storing the depth as well would be right.)
// Caught by secret/29-depth-first-trap.
#include <algorithm>
#include <array>
#include <iostream>
#include <vector>

using Board = std::array<int, 4>;  // ascending squares 0..63

std::vector<int> entered(1 << 24);  // number of the test case that entered it last

int key(const Board& board) { return ((board[0] * 64 + board[1]) * 64 + board[2]) * 64 + board[3]; }

bool occupied(const Board& board, int square) {
    return board[0] == square || board[1] == square || board[2] == square || board[3] == square;
}

// Returns the next square in direction 0..3 (up, down, left, right); -1 at the border.
int beside(int square, int direction) {
    if (square < 0) return -1;
    if (direction == 0) return square >= 8 ? square - 8 : -1;
    if (direction == 1) return square < 56 ? square + 8 : -1;
    if (direction == 2) return square % 8 > 0 ? square - 1 : -1;
    return square % 8 < 7 ? square + 1 : -1;
}

bool search(const Board& board, const Board& goal, int moves_left, int test_case) {
    if (board == goal) return true;
    if (moves_left == 0) return false;
    for (int piece = 0; piece < 4; ++piece)
        for (int direction = 0; direction < 4; ++direction) {
            int to = beside(board[piece], direction);
            if (to >= 0 && occupied(board, to)) to = beside(to, direction);
            if (to < 0 || occupied(board, to)) continue;
            Board next = board;
            next[piece] = to;
            std::sort(next.begin(), next.end());
            if (entered[key(next)] == test_case) continue;
            entered[key(next)] = test_case;
            if (search(next, goal, moves_left - 1, test_case)) return true;
        }
    return false;
}

bool read(Board& board) {
    for (int& square : board) {
        int row, column;
        if (!(std::cin >> row >> column)) return false;
        square = 8 * (row - 1) + column - 1;
    }
    std::sort(board.begin(), board.end());
    return true;
}

int main() {
    Board start, goal;
    for (int test_case = 1; read(start) && read(goal); ++test_case) {
        entered[key(start)] = test_case;
        std::cout << (search(start, goal, 8, test_case) ? "YES" : "NO") << '\n';
    }
}
