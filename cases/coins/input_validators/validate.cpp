// Strict input validator: it checks every byte of the input.
//
//   line 1: 2 to 9 letters A or B, both present
//   line 2: an integer from 0 to 40 without sign or leading zeros
//   then the end of the file
//
// Exit code: 42 for a legal input; 43 for an illegal one, with the position on stderr.
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>

const int ILLEGAL = 43, LEGAL = 42;
const size_t MIN_COINS = 2, MAX_COINS = 9;
const int MAX_LIMIT = 40;

struct Reader {
    std::string text;
    size_t at = 0;
    size_t line = 1, column = 1;

    bool at_end() const { return at == text.size(); }
    char peek() const { return at_end() ? '\0' : text[at]; }
    char take() {
        char c = text[at++];
        column++;
        return c;
    }

    [[noreturn]] void fail(const std::string& wanted) const {
        std::cerr << "line " << line << ", column " << column << ": found " << found() << ", expected " << wanted << '\n';
        std::exit(ILLEGAL);
    }

    std::string found() const {
        if (at_end()) return "the end of the file";
        unsigned char c = static_cast<unsigned char>(text[at]);
        if (c == '\n') return "the end of the line";
        if (c > ' ' && c < 0x7f) return std::string("'") + text[at] + "'";
        return "byte " + std::to_string(static_cast<int>(c));
    }

    void end_of_line() {
        if (at_end() || peek() != '\n') fail("the end of the line (one LF)");
        at++;
        line++;
        column = 1;
    }
};

void read_row(Reader& in) {
    size_t a = 0, b = 0;
    while (!in.at_end() && (in.peek() == 'A' || in.peek() == 'B')) {
        if (a + b == MAX_COINS) in.fail("at most 9 coins");
        (in.take() == 'A' ? a : b)++;
    }
    if (in.at_end() || in.peek() != '\n') in.fail("a coin A or B, or the end of the line");
    if (a + b < MIN_COINS) in.fail("at least 2 coins");
    if (a == 0 || b == 0) in.fail("coins of both letters in the row");
    in.end_of_line();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void read_limit(Reader& in) {
    if (!is_digit(in.peek())) in.fail("the move limit, a digit");
    int limit = in.take() - '0';
    if (limit == 0 && is_digit(in.peek())) in.fail("no leading zero");
    while (is_digit(in.peek())) {
        limit = limit * 10 + (in.peek() - '0');
        if (limit > MAX_LIMIT) in.fail("a move limit of at most 40");
        in.take();
    }
    in.end_of_line();
}

int main() {
    Reader in;
    in.text.assign(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
    read_row(in);
    read_limit(in);
    if (!in.at_end()) in.fail("the end of the file after line 2");
    return LEGAL;
}
