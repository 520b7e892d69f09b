// Breadth-first search for the all-black field.
// Mistake: tries only black. The author remembered the puzzle as "turn all the lights on".
// Caught by secret/01-all-white (4 instead of 0).
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
        if (board == kAllBlack) {
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
