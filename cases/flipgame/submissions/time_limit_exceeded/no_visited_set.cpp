// Tries every sequence of 0, 1, 2, ... rounds, without storing the fields already seen. On a solvable field, the
// search ends after at most 16^6 sequences; on an impossible field, it never ends. Three rules exclude most
// impossible fields: every round flips an even number of pieces of certain sets. A fourth rule is missing, so the
// program searches endlessly on the other impossible fields.
// Too slow on secret/36-chessboard, secret/41-impossible-hidden and secret/42-impossible-hidden-again.
#include <array>
#include <bitset>
#include <iostream>
#include <string>

constexpr unsigned kAllBlack = 0xffff;
constexpr int kMostRounds = 16;  // Choosing a piece twice is never necessary.
// Every round flips an even number of pieces of each set, so an odd number of black pieces stays odd.
constexpr std::array<unsigned, 3> kEvenSets = {0x6996, 0x9ff9, 0x7ac8};

std::array<unsigned, 16> presses;

void prepare_presses() {
    for (int cell = 0; cell < 16; ++cell) {
        for (int other = 0; other < 16; ++other) {
            const int rows = std::abs(other / 4 - cell / 4);
            const int columns = std::abs(other % 4 - cell % 4);
            if (rows + columns <= 1) presses[cell] |= 1u << other;
        }
    }
}

bool breaks_a_rule(unsigned board) {
    for (const unsigned set : kEvenSets) {
        if (std::bitset<16>(board & set).count() % 2 == 1) return true;
    }
    return false;
}

bool reaches_goal(unsigned board, int rounds_left) {
    if (rounds_left == 0) return board == 0 || board == kAllBlack;
    for (const unsigned press : presses) {
        if (reaches_goal(board ^ press, rounds_left - 1)) return true;
    }
    return false;
}

int main() {
    prepare_presses();
    unsigned board = 0;
    std::string line;
    for (int row = 0; row < 4 && std::cin >> line; ++row) {
        for (int column = 0; column < 4; ++column) {
            if (line.at(column) == 'b') board |= 1u << (4 * row + column);
        }
    }
    for (int rounds = 0; rounds <= kMostRounds && !breaks_a_rule(board); ++rounds) {
        if (reaches_goal(board, rounds)) {
            std::cout << rounds << '\n';
            return 0;
        }
    }
    std::cout << "Impossible\n";
}
