// Accepts exactly four lines of four letters 'w' or 'b', each ended by one line feed, and nothing else.
// Exit code 42: legal. 43: illegal, with the first error on standard error.
// Reads byte by byte. A tolerant reader (>> or getline) would hide carriage returns, blanks at the end of a
// line and a missing last line feed. These break programs that read single characters.
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kLegal = 42;
constexpr int kIllegal = 43;
constexpr int kSide = 4;

void print_byte(int byte) {
    if (byte == EOF) {
        std::fprintf(stderr, "the end of the file");
    } else if (byte == '\n') {
        std::fprintf(stderr, "the end of the line");
    } else if (byte > ' ' && byte < 0x7f) {
        std::fprintf(stderr, "'%c'", byte);
    } else {
        std::fprintf(stderr, "byte 0x%02x", static_cast<unsigned>(byte));
    }
}

[[noreturn]] void refuse(int line, int column, int found, const char* allowed) {
    std::fprintf(stderr, "line %d, column %d: found ", line, column);
    print_byte(found);
    std::fprintf(stderr, ", allowed here: %s\n", allowed);
    std::exit(kIllegal);
}

void check_row(int line) {
    for (int column = 1; column <= kSide; ++column) {
        const int byte = std::getchar();
        if (byte != 'w' && byte != 'b') refuse(line, column, byte, "'w' or 'b'");
    }
    const int end = std::getchar();
    if (end != '\n') refuse(line, kSide + 1, end, "the end of the line");
}

}  // namespace

int main() {
    for (int line = 1; line <= kSide; ++line) check_row(line);
    const int end = std::getchar();
    if (end != EOF) refuse(kSide + 1, 1, end, "the end of the file");
    return kLegal;
}
