// Mistake: squares have the numbers 0 to 63, and a move adds -8, 8, -1 or 1. The
// only check is for 0..63, so a piece at the end of a row moves into the next row.
// Caught by secret/14-no-step-round-row-end.
#include <algorithm>
#include <array>
#include <iostream>
#include <set>
#include <vector>

using Board = std::array<int, 4>;  // ascending squares

bool occupied(const Board& board, int square) {
    return std::find(board.begin(), board.end(), square) != board.end();
}

std::vector<Board> neighbours(const Board& board) {
    std::vector<Board> found;
    for (int piece = 0; piece < 4; ++piece)
        for (int offset : {-8, 8, -1, 1}) {
            int to = board[piece] + offset;
            if (occupied(board, to)) to += offset;
            if (to < 0 || to > 63 || occupied(board, to)) continue;
            Board next = board;
            next[piece] = to;
            std::sort(next.begin(), next.end());
            found.push_back(next);
        }
    return found;
}

std::set<Board> ball(const Board& centre) {
    std::set<Board> seen{centre};
    std::vector<Board> frontier{centre};
    for (int move = 0; move < 4; ++move) {
        std::vector<Board> next;
        for (const Board& board : frontier)
            for (const Board& neighbour : neighbours(board))
                if (seen.insert(neighbour).second) next.push_back(neighbour);
        frontier.swap(next);
    }
    return seen;
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
    while (read(start) && read(goal)) {
        const std::set<Board> around_goal = ball(goal);
        bool met = false;
        for (const Board& board : ball(start)) met = met || around_goal.count(board);
        std::cout << (met ? "YES" : "NO") << '\n';
    }
}
