// Accepts exactly one line: a whole number from 0 to 16 without a sign or a zero in front, or the word Impossible.
// Exit code 42: legal. 43: illegal, with the text that was found on standard error.
// Reads the answer from standard input. Ignores the first argument, the name of the input file.
// No solvable field needs more than 16 rounds, because choosing a piece twice changes nothing.
#include <cstdio>
#include <string>

namespace {

constexpr int kLegal = 42;
constexpr int kIllegal = 43;
constexpr std::size_t kLongest = 64;

std::string first_bytes() {
    std::string text;
    for (int byte = std::getchar(); byte != EOF && text.size() < kLongest; byte = std::getchar()) {
        text += static_cast<char>(byte);
    }
    return text;
}

}  // namespace

int main() {
    const std::string found = first_bytes();
    for (int rounds = 0; rounds <= 16; ++rounds) {
        if (found == std::to_string(rounds) + "\n") return kLegal;
    }
    if (found == "Impossible\n") return kLegal;
    std::fprintf(stderr, "%zu bytes (%zu at most are read), allowed: a line with 0 to 16 or Impossible\n", found.size(),
                 kLongest);
    return kIllegal;
}
