// Breadth-first search with the neighbours found by shifting bits.
// Mistake: no mask at the row ends, so the right neighbour of the last column is the first piece of the
// next row. The upper and lower edges need no mask, so the mistake is easy to make.
// Caught by secret/07-right-edge-on-white.
#include <iostream>
#include <queue>
#include <string>
#include <vector>

constexpr int kAllBlack = 0xffff;

// Shifts the chosen piece by one and by four places.
int press(int cell) {
    const int piece = 1 << cell;
    return (piece | piece << 1 | piece >> 1 | piece << 4 | piece >> 4) & kAllBlack;
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
