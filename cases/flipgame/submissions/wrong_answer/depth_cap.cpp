// Breadth-first search that goes no deeper than five rounds.
// Mistake: the author found the limit by trying some fields. The hardest 256 fields need six rounds.
// Caught by secret/25-six-both (Impossible instead of 6).
#include <iostream>
#include <queue>
#include <string>
#include <vector>

constexpr int kAllBlack = 0xffff;

// The chosen piece and its neighbours.
int press(int cell) {
    int changed = 0;
    for (int other = 0; other < 16; ++other) {
        const int rows = std::abs(other / 4 - cell / 4);
        const int columns = std::abs(other % 4 - cell % 4);
        if (rows + columns <= 1) changed |= 1 << other;
    }
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
        if (rounds[board] == 5) continue;
        for (int cell = 0; cell < 16; ++cell) {
            const int next = board ^ press(cell);
            if (rounds[next] >= 0) continue;
            rounds[next] = rounds[board] + 1;
            waiting.push(next);
        }
    }
    std::cout << "Impossible\n";
}
