// Searches four moves deep from each end, and tests whether the two sets of
// configurations have a common element. A move can always be undone by one move,
// so the search from the goal uses the same moves as the search from the start.
#include <cstdint>
#include <iostream>
#include <unordered_set>
#include <vector>

using Board = std::uint64_t;  // bit 8 * row + column is set if a piece stands there
using Ball = std::unordered_set<Board>;

constexpr int kMovesFromEachEnd = 4;

bool inside(int row, int column) {
    return 0 <= row && row < 8 && 0 <= column && column < 8;
}

Board bit(int row, int column) { return Board{1} << (8 * row + column); }

// Returns the square that a piece reaches in one direction, as a bit; 0 if it cannot move there.
Board target(Board board, int row, int column, int down, int right) {
    row += down;
    column += right;
    if (!inside(row, column)) return 0;
    if (!(board & bit(row, column))) return bit(row, column);
    row += down;
    column += right;
    if (!inside(row, column) || (board & bit(row, column))) return 0;
    return bit(row, column);
}

void append_neighbours(Board board, std::vector<Board>& neighbours) {
    static constexpr int kDown[] = {-1, 1, 0, 0};
    static constexpr int kRight[] = {0, 0, -1, 1};
    for (Board rest = board; rest; rest &= rest - 1) {
        const int square = __builtin_ctzll(rest);
        const Board without = board ^ (Board{1} << square);
        for (int direction = 0; direction < 4; ++direction) {
            const Board to = target(board, square / 8, square % 8, kDown[direction], kRight[direction]);
            if (to) neighbours.push_back(without | to);
        }
    }
}

Ball ball_around(Board centre) {
    Ball seen{centre};
    std::vector<Board> frontier{centre};
    for (int move = 0; move < kMovesFromEachEnd; ++move) {
        std::vector<Board> neighbours, next;
        for (Board board : frontier) append_neighbours(board, neighbours);
        for (Board board : neighbours)
            if (seen.insert(board).second) next.push_back(board);
        frontier.swap(next);
    }
    return seen;
}

bool meet(const Ball& a, const Ball& b) {
    for (Board board : a)
        if (b.count(board)) return true;
    return false;
}

bool read(Board& board) {
    board = 0;
    for (int piece = 0; piece < 4; ++piece) {
        int row, column;
        if (!(std::cin >> row >> column)) return false;
        board |= bit(row - 1, column - 1);
    }
    return true;
}

int main() {
    Board start, goal;
    while (read(start) && read(goal))
        std::cout << (meet(ball_around(start), ball_around(goal)) ? "YES" : "NO") << '\n';
}
