// Forced rows: the presses of the first row force all other presses.
// Mistake: never checks that the last row is right, so no field is ever impossible.
// Caught by secret/40-impossible-by-last-piece.
#include <algorithm>
#include <array>
#include <bitset>
#include <iostream>
#include <string>

using Rows = std::array<unsigned, 4>;  // Per row, the pieces that have the wrong colour.
constexpr int kNone = 99;

int press_row(Rows& wrong, int row, unsigned presses) {
    wrong[row] ^= (presses ^ presses << 1 ^ presses >> 1) & 15;
    if (row > 0) wrong[row - 1] ^= presses;
    if (row < 3) wrong[row + 1] ^= presses;
    return static_cast<int>(std::bitset<4>(presses).count());
}

int fewest(const Rows& start) {
    int best = kNone;
    for (unsigned first = 0; first < 16; ++first) {
        Rows wrong = start;
        int rounds = press_row(wrong, 0, first);
        for (int row = 1; row < 4; ++row) rounds += press_row(wrong, row, wrong[row - 1]);
        best = std::min(best, rounds);
    }
    return best;
}

int main() {
    Rows white{}, black{};
    std::string line;
    for (int row = 0; row < 4 && std::cin >> line; ++row) {
        for (int column = 0; column < 4; ++column) {
            (line.at(column) == 'b' ? white : black)[row] |= 1u << column;
        }
    }
    const int best = std::min(fewest(white), fewest(black));
    if (best == kNone) {
        std::cout << "Impossible\n";
    } else {
        std::cout << best << '\n';
    }
}
