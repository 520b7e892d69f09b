// Mistake: a piece jumps over a whole row of pieces to the first empty square
// behind it, as in variants of Chinese chequers. By the rule, it jumps over exactly
// one piece. Random data rarely detects this (0.2 % of uniform pairs).
// Caught by secret/08-no-jump-over-two.
#include <cstdint>
#include <iostream>
#include <unordered_set>
#include <vector>

using Board = std::uint64_t;

bool inside(int row, int column) { return 0 <= row && row < 8 && 0 <= column && column < 8; }
bool occupied(Board board, int row, int column) { return board >> (8 * row + column) & 1; }

std::vector<Board> neighbours(Board board) {
    static const int down[] = {-1, 1, 0, 0}, right[] = {0, 0, -1, 1};
    std::vector<Board> found;
    for (int square = 0; square < 64; ++square) {
        if (!(board >> square & 1)) continue;
        for (int d = 0; d < 4; ++d) {
            int row = square / 8 + down[d], column = square % 8 + right[d];
            while (inside(row, column) && occupied(board, row, column)) {
                row += down[d];
                column += right[d];
            }
            if (inside(row, column)) found.push_back((board ^ Board{1} << square) | Board{1} << (8 * row + column));
        }
    }
    return found;
}

std::unordered_set<Board> ball(Board centre) {
    std::unordered_set<Board> seen{centre};
    std::vector<Board> frontier{centre};
    for (int move = 0; move < 4; ++move) {
        std::vector<Board> next;
        for (Board board : frontier)
            for (Board neighbour : neighbours(board))
                if (seen.insert(neighbour).second) next.push_back(neighbour);
        frontier.swap(next);
    }
    return seen;
}

bool read(Board& board) {
    board = 0;
    for (int piece = 0, row, column; piece < 4; ++piece) {
        if (!(std::cin >> row >> column)) return false;
        board |= Board{1} << (8 * (row - 1) + column - 1);
    }
    return true;
}

int main() {
    Board start, goal;
    while (read(start) && read(goal)) {
        const auto around_goal = ball(goal);
        bool met = false;
        for (Board board : ball(start)) met = met || around_goal.count(board);
        std::cout << (met ? "YES" : "NO") << '\n';
    }
}
