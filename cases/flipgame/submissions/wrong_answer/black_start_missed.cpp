// Breadth-first search that first tests whether the start is white, then tests each field that it finds.
// Mistake: the first test looks only for white; the search looks for both colours.
// Caught by secret/02-all-black (2 instead of 0).
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
    if (start == 0) {
        std::cout << "0\n";
        return 0;
    }
    while (!waiting.empty()) {
        const int board = waiting.front();
        waiting.pop();
        for (int cell = 0; cell < 16; ++cell) {
            const int next = board ^ press(cell);
            if (rounds[next] >= 0) continue;
            rounds[next] = rounds[board] + 1;
            if (next == 0 || next == kAllBlack) {
                std::cout << rounds[next] << '\n';
                return 0;
            }
            waiting.push(next);
        }
    }
    std::cout << "Impossible\n";
}
