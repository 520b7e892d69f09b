// Mistake: distinguishes the pieces by their order in the input, so piece 1 must
// reach the first square of the goal, piece 2 the second, and so on. But the pieces
// are identical, and the orders in the two lines are unrelated.
// Caught by secret/02-identical-shuffled.
#include <algorithm>
#include <array>
#include <iostream>
#include <unordered_set>
#include <vector>

using Board = std::array<int, 4>;  // the square 0..63 of each piece, in the order of the input

int key(const Board& board) { return ((board[0] * 64 + board[1]) * 64 + board[2]) * 64 + board[3]; }

bool occupied(const Board& board, int square) {
    return std::find(board.begin(), board.end(), square) != board.end();
}

// Returns the next square in direction 0..3 (up, down, left, right); -1 at the border.
int beside(int square, int direction) {
    if (square < 0) return -1;
    if (direction == 0) return square >= 8 ? square - 8 : -1;
    if (direction == 1) return square < 56 ? square + 8 : -1;
    if (direction == 2) return square % 8 > 0 ? square - 1 : -1;
    return square % 8 < 7 ? square + 1 : -1;
}

std::vector<Board> neighbours(const Board& board) {
    std::vector<Board> found;
    for (int piece = 0; piece < 4; ++piece)
        for (int direction = 0; direction < 4; ++direction) {
            int to = beside(board[piece], direction);
            if (occupied(board, to)) to = beside(to, direction);
            if (to < 0 || occupied(board, to)) continue;
            Board next = board;
            next[piece] = to;
            found.push_back(next);
        }
    return found;
}

std::unordered_set<int> ball(const Board& centre) {
    std::vector<Board> reached{centre};
    std::unordered_set<int> seen{key(centre)};
    std::size_t first = 0;
    for (int move = 0; move < 4; ++move)
        for (const std::size_t end = reached.size(); first < end; ++first)
            for (const Board& next : neighbours(Board(reached[first])))
                if (seen.insert(key(next)).second) reached.push_back(next);
    return seen;
}

bool read(Board& board) {
    for (int& square : board) {
        int row, column;
        if (!(std::cin >> row >> column)) return false;
        square = 8 * (row - 1) + column - 1;
    }
    return true;
}

int main() {
    Board start, goal;
    while (read(start) && read(goal)) {
        const std::unordered_set<int> around_goal = ball(goal);
        bool met = false;
        for (int board : ball(start)) met = met || around_goal.count(board);
        std::cout << (met ? "YES" : "NO") << '\n';
    }
}
