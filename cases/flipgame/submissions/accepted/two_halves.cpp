// Meet in the middle: every set of presses consists of one of 256 sets in the upper two rows and one of 256
// in the lower two. A table holds the change that each upper set makes, with its number of rounds. No two
// upper sets make the same change, because the third row shows the presses of the second row, and the second
// row those of the first. For each lower set and each goal, the program looks up the change that is missing.
#include <algorithm>
#include <bitset>
#include <cstdint>
#include <iostream>
#include <string>
#include <unordered_map>

using Mask = std::uint32_t;
constexpr Mask kAllBlack = 0xffff;
constexpr int kNone = 99;

// The pressed piece and its neighbours.
Mask press(int cell) {
    Mask changed = 0;
    for (int other = 0; other < 16; ++other) {
        const int distance = std::abs(other / 4 - cell / 4) + std::abs(other % 4 - cell % 4);
        if (distance <= 1) changed |= Mask{1} << other;
    }
    return changed;
}

// Returns the pieces that a set of presses turns. Bit i of the 8-bit set is cell `first_cell` + i.
Mask change_of(Mask set, int first_cell) {
    Mask changed = 0;
    for (int i = 0; i < 8; ++i) {
        if (set >> i & 1) changed ^= press(first_cell + i);
    }
    return changed;
}

int weight(Mask set) { return static_cast<int>(std::bitset<16>(set).count()); }

int main() {
    Mask board = 0;
    std::string line;
    for (int row = 0; row < 4 && std::cin >> line; ++row) {
        for (int column = 0; column < 4; ++column) {
            board |= Mask{line.at(column) == 'b'} << (4 * row + column);
        }
    }
    std::unordered_map<Mask, int> upper_rounds;
    for (Mask set = 0; set < 256; ++set) upper_rounds[change_of(set, 0)] = weight(set);
    int best = kNone;
    for (Mask set = 0; set < 256; ++set) {
        for (const Mask goal : {Mask{0}, kAllBlack}) {
            const auto upper = upper_rounds.find(board ^ goal ^ change_of(set, 8));
            if (upper != upper_rounds.end()) best = std::min(best, upper->second + weight(set));
        }
    }
    if (best == kNone) {
        std::cout << "Impossible\n";
    } else {
        std::cout << best << '\n';
    }
}
