// Breadth-first search with a queue in a fixed array of 2,048 places.
// Mistake: the size is a guess. A field that is far from both goals needs up to 4,096 places, so at() throws.
// Caught by secret/29-one-black-corner.
#include <array>
#include <iostream>
#include <string>
#include <vector>

constexpr int kAllBlack = 0xffff;

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
    std::array<int, 2048> queue{};
    std::size_t head = 0, tail = 0;
    rounds[start] = 0;
    queue.at(tail++) = start;
    while (head < tail) {
        const int board = queue.at(head++);
        if (board == 0 || board == kAllBlack) {
            std::cout << rounds[board] << '\n';
            return 0;
        }
        for (int cell = 0; cell < 16; ++cell) {
            const int next = board ^ press(cell);
            if (rounds[next] >= 0) continue;
            rounds[next] = rounds[board] + 1;
            queue.at(tail++) = next;
        }
    }
    std::cout << "Impossible\n";
}
