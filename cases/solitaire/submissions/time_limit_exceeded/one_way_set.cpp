// Too slow: searches from the start only, eight moves deep, and stores every
// configuration in an ordered set. If the answer is NO, these are about 70,000
// configurations: fast enough for a few test cases, but not for a hundred.
// Exceeds the limit on secret/40-hundred-at-eight and secret/41-hundred-at-nine.
#include <algorithm>
#include <array>
#include <iostream>
#include <set>
#include <utility>
#include <vector>

using Square = std::pair<int, int>;
using Board = std::array<Square, 4>;  // ascending

bool inside(Square square) {
    return 1 <= square.first && square.first <= 8 && 1 <= square.second && square.second <= 8;
}

bool occupied(const Board& board, Square square) {
    return std::find(board.begin(), board.end(), square) != board.end();
}

std::vector<Board> neighbours(const Board& board) {
    std::vector<Board> found;
    for (int piece = 0; piece < 4; ++piece)
        for (Square direction : {Square{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
            Square to{board[piece].first + direction.first, board[piece].second + direction.second};
            if (occupied(board, to)) to = {to.first + direction.first, to.second + direction.second};
            if (!inside(to) || occupied(board, to)) continue;
            Board next = board;
            next[piece] = to;
            std::sort(next.begin(), next.end());
            found.push_back(next);
        }
    return found;
}

bool reachable(const Board& start, const Board& goal) {
    std::set<Board> seen{start};
    std::vector<Board> frontier{start};
    for (int move = 0; move < 8 && !seen.count(goal); ++move) {
        std::vector<Board> next;
        for (const Board& board : frontier)
            for (const Board& neighbour : neighbours(board))
                if (seen.insert(neighbour).second) next.push_back(neighbour);
        frontier.swap(next);
    }
    return seen.count(goal) > 0;
}

bool read(Board& board) {
    for (auto& [row, column] : board)
        if (!(std::cin >> row >> column)) return false;
    std::sort(board.begin(), board.end());
    return true;
}

int main() {
    Board start, goal;
    while (read(start) && read(goal)) std::cout << (reachable(start, goal) ? "YES" : "NO") << '\n';
}
