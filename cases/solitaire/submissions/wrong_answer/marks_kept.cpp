// Mistake: the marks of the goal's side are a global array that is not cleared
// between test cases, so a later start meets the goal of an earlier test case. An
// author who tries one test case at a time does not notice the mistake.
// Caught by secret/21-no-after-yes.
#include <algorithm>
#include <array>
#include <iostream>
#include <unordered_set>
#include <vector>

using Board = std::array<int, 4>;  // ascending squares 0..63

std::vector<bool> near_goal(1 << 24);

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
            std::sort(next.begin(), next.end());
            found.push_back(next);
        }
    return found;
}

std::vector<Board> ball(const Board& centre) {
    std::vector<Board> reached{centre};
    std::unordered_set<int> seen{key(centre)};
    std::size_t first = 0;
    for (int move = 0; move < 4; ++move)
        for (const std::size_t end = reached.size(); first < end; ++first)
            for (const Board& next : neighbours(Board(reached[first])))
                if (seen.insert(key(next)).second) reached.push_back(next);
    return reached;
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
        for (const Board& board : ball(goal)) near_goal[key(board)] = true;
        bool met = false;
        for (const Board& board : ball(start)) met = met || near_goal[key(board)];
        std::cout << (met ? "YES" : "NO") << '\n';
    }
}
