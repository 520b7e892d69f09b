// Breadth-first search that computes the rows and columns of neighbours modulo 4.
// Mistake: the remainder is a legal index, but it makes opposite edges neighbours.
// Caught by secret/03-corner-on-white.
#include <iostream>
#include <queue>
#include <string>
#include <vector>

constexpr int kAllBlack = 0xffff;

// The pieces that a round flips, on a field whose opposite edges are joined.
int press(int cell) {
    const int row = cell / 4, column = cell % 4;
    int changed = 1 << cell;
    changed |= 1 << ((row + 1) % 4 * 4 + column) | 1 << ((row + 3) % 4 * 4 + column);
    changed |= 1 << (row * 4 + (column + 1) % 4) | 1 << (row * 4 + (column + 3) % 4);
    return changed;
}

int main() {
    int start = 0;
    std::string line;
    for (int row = 0; row < 4 && std::cin >> line; ++row) {
        for (int column = 0; column < 4; ++column) {
            if (line.at(column) == 'b') start |= 1 << (4 * row + column);
        }
    }
    std::vector<int> rounds(kAllBlack + 1, -1);
    std::queue<int> waiting;
    rounds[start] = 0;
    waiting.push(start);
    while (!waiting.empty()) {
        const int board = waiting.front();
        waiting.pop();
        if (board == 0 || board == kAllBlack) {
            std::cout << rounds[board] << '\n';
            return 0;
        }
        for (int cell = 0; cell < 16; ++cell) {
            const int next = board ^ press(cell);
            if (rounds[next] >= 0) continue;
            rounds[next] = rounds[board] + 1;
            waiting.push(next);
        }
    }
    std::cout << "Impossible\n";
}
