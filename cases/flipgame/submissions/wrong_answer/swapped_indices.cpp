// Breadth-first search with x and y mixed up.
// Mistake: the piece is (x, y), but its neighbours are those of (y, x). This is right only on the diagonal.
// Caught by secret/05-edge-on-white.
#include <iostream>
#include <queue>
#include <string>
#include <vector>

constexpr int kAllBlack = 0xffff;

// The chosen piece and its four neighbours.
int press(int cell) {
    const int x = cell / 4, y = cell % 4;
    int changed = 1 << cell;
    if (y > 0) changed |= 1 << ((y - 1) * 4 + x);
    if (y < 3) changed |= 1 << ((y + 1) * 4 + x);
    if (x > 0) changed |= 1 << (y * 4 + x - 1);
    if (x < 3) changed |= 1 << (y * 4 + x + 1);
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
