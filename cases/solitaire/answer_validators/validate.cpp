// Accepts one line YES or NO for every two lines of the input, and nothing else.
// Exit code 42: legal. 43: illegal, with the first error on standard error.
// Reads the answer from standard input. The first argument is the name of the input file.
#include <cstdio>
#include <fstream>
#include <string>

namespace {

constexpr int kLegal = 42;
constexpr int kIllegal = 43;
constexpr int kOtherwise = 1;

// Reads a line up to the line feed. Returns false at the end of the file, even within a line.
bool read_line(std::string& line) {
    constexpr std::size_t kLongest = 8;
    line.clear();
    for (int byte = std::getchar(); byte != EOF; byte = std::getchar()) {
        if (byte == '\n') return true;
        if (line.size() < kLongest) line += static_cast<char>(byte);
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    std::ifstream input(argc > 1 ? argv[1] : "");
    if (!input) {
        std::fprintf(stderr, "cannot read the input file, which is the first argument\n");
        return kOtherwise;
    }
    int wanted = 0;
    for (std::string start, goal; std::getline(input, start) && std::getline(input, goal);) ++wanted;

    int found = 0;
    std::string line;
    for (; read_line(line); ++found) {
        if (line == "YES" || line == "NO") continue;
        std::fprintf(stderr, "line %d: neither YES nor NO\n", found + 1);
        return kIllegal;
    }
    if (!line.empty()) {
        std::fprintf(stderr, "line %d: does not end with a line feed\n", found + 1);
        return kIllegal;
    }
    if (found != wanted) {
        std::fprintf(stderr, "%d lines, allowed: %d, one for each test case of the input\n", found, wanted);
        return kIllegal;
    }
    return kLegal;
}
