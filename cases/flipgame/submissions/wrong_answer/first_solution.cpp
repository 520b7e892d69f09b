// Forced rows: the presses of the first row force all other presses.
// Mistake: takes the first choice that works for a colour. A colour that can be reached has 16 solutions.
// Caught by secret/23-five-white.
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
        if (wrong[3] == 0) return rounds;
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
