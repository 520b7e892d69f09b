// Mistake: `while (!cin.eof())`. `eof()` is true only after a read past the end of
// the file, so the loop runs once more and answers the last test case twice.
// Caught by secret/22-one-case-yes.
#include <cstdint>
#include <iostream>
#include <unordered_set>
#include <vector>

using Board = std::uint64_t;  // bit 8 * row + column is set if a piece stands there

bool inside(int row, int column) { return 0 <= row && row < 8 && 0 <= column && column < 8; }
bool occupied(Board board, int row, int column) { return board >> (8 * row + column) & 1; }

void append_neighbours(Board board, std::vector<Board>& found) {
    static const int down[] = {-1, 1, 0, 0}, right[] = {0, 0, -1, 1};
    for (int square = 0; square < 64; ++square) {
        if (!(board >> square & 1)) continue;
        for (int d = 0; d < 4; ++d) {
            int row = square / 8 + down[d], column = square % 8 + right[d];
            if (inside(row, column) && occupied(board, row, column)) {
                row += down[d];
                column += right[d];
            }
            if (!inside(row, column) || occupied(board, row, column)) continue;
            found.push_back((board ^ Board{1} << square) | Board{1} << (8 * row + column));
        }
    }
}

std::unordered_set<Board> ball(Board centre) {
    std::unordered_set<Board> seen{centre};
    std::vector<Board> frontier{centre};
    for (int move = 0; move < 4; ++move) {
        std::vector<Board> found, next;
        for (Board board : frontier) append_neighbours(board, found);
        for (Board board : found)
            if (seen.insert(board).second) next.push_back(board);
        frontier.swap(next);
    }
    return seen;
}

bool meet(Board start, Board goal) {
    const auto around_goal = ball(goal);
    for (Board board : ball(start))
        if (around_goal.count(board)) return true;
    return false;
}

void read(Board& board) {
    int coordinates[8];
    for (int& coordinate : coordinates)
        if (!(std::cin >> coordinate)) return;
    board = 0;
    for (int i = 0; i < 8; i += 2) board |= Board{1} << (8 * (coordinates[i] - 1) + coordinates[i + 1] - 1);
}

int main() {
    Board start = 0, goal = 0;
    while (!std::cin.eof()) {
        read(start);
        read(goal);
        std::cout << (meet(start, goal) ? "YES" : "NO") << '\n';
    }
}
