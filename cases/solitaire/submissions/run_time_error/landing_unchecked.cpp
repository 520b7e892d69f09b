// Mistake: a step may not cross the border, but the landing square of a jump is not
// checked. `at` throws for the index 8; a plain array would read past its end.
// Crashes on secret/16-jumps-at-the-border.
#include <array>
#include <iostream>
#include <set>
#include <utility>
#include <vector>

using Pieces = std::set<std::pair<int, int>>;

class Board {
public:
    explicit Board(const Pieces& pieces) {
        for (auto [row, column] : pieces) squares_.at(row).at(column) = true;
    }
    bool occupied(int row, int column) const { return squares_.at(row).at(column); }

private:
    std::array<std::array<bool, 8>, 8> squares_{};
};

std::vector<Pieces> neighbours(const Pieces& pieces) {
    static const int down[] = {-1, 1, 0, 0}, right[] = {0, 0, -1, 1};
    const Board board(pieces);
    std::vector<Pieces> found;
    for (auto [from_row, from_column] : pieces)
        for (int d = 0; d < 4; ++d) {
            int row = from_row + down[d], column = from_column + right[d];
            if (row < 0 || row > 7 || column < 0 || column > 7) continue;
            if (board.occupied(row, column)) {
                row += down[d];
                column += right[d];
                if (board.occupied(row, column)) continue;
            }
            Pieces next = pieces;
            next.erase({from_row, from_column});
            next.insert({row, column});
            found.push_back(next);
        }
    return found;
}

std::set<Pieces> ball(const Pieces& centre) {
    std::set<Pieces> seen{centre};
    std::vector<Pieces> frontier{centre};
    for (int move = 0; move < 4; ++move) {
        std::vector<Pieces> next;
        for (const Pieces& pieces : frontier)
            for (const Pieces& neighbour : neighbours(pieces))
                if (seen.insert(neighbour).second) next.push_back(neighbour);
        frontier.swap(next);
    }
    return seen;
}

bool read(Pieces& pieces) {
    pieces.clear();
    int row, column;
    while (pieces.size() < 4 && std::cin >> row >> column) pieces.insert({row - 1, column - 1});
    return pieces.size() == 4;
}

int main() {
    Pieces start, goal;
    while (read(start) && read(goal)) {
        const std::set<Pieces> around_goal = ball(goal);
        bool met = false;
        for (const Pieces& pieces : ball(start)) met = met || around_goal.count(pieces);
        std::cout << (met ? "YES" : "NO") << '\n';
    }
}
