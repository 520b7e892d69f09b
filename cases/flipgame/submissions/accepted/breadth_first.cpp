// Breadth-first search over boards packed into 16 bits, from the given board until a board of one colour
// is taken from the queue. At most 4,096 boards are reachable from any start, so the search is short.
#include <array>
#include <iostream>
#include <queue>
#include <string>

constexpr int kSide = 4;
constexpr int kBoards = 1 << (kSide * kSide);
constexpr int kUnseen = -1;

int pieces_flipped_by(int row, int column) {
    int mask = 0;
    const auto add = [&mask](int r, int c) {
        if (r >= 0 && r < kSide && c >= 0 && c < kSide) mask |= 1 << (r * kSide + c);
    };
    add(row, column);
    add(row - 1, column);
    add(row + 1, column);
    add(row, column - 1);
    add(row, column + 1);
    return mask;
}

int read_board() {
    int board = 0;
    for (int row = 0; row < kSide; ++row) {
        std::string line;
        std::cin >> line;
        for (int column = 0; column < kSide; ++column) {
            if (line.at(column) == 'b') board |= 1 << (row * kSide + column);
        }
    }
    return board;
}

int fewest_rounds(int start) {
    std::array<int, kBoards> rounds{};
    rounds.fill(kUnseen);
    std::queue<int> waiting;
    rounds[start] = 0;
    waiting.push(start);
    while (!waiting.empty()) {
        const int board = waiting.front();
        waiting.pop();
        if (board == 0 || board == kBoards - 1) return rounds[board];
        for (int cell = 0; cell < kSide * kSide; ++cell) {
            const int next = board ^ pieces_flipped_by(cell / kSide, cell % kSide);
            if (rounds[next] != kUnseen) continue;
            rounds[next] = rounds[board] + 1;
            waiting.push(next);
        }
    }
    return kUnseen;
}

int main() {
    const int rounds = fewest_rounds(read_board());
    if (rounds == kUnseen) {
        std::cout << "Impossible\n";
    } else {
        std::cout << rounds << '\n';
    }
}
