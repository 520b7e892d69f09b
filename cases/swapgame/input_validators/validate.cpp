// Input validator: it checks every byte of the input.
// A legal input has four lines of four digits 0 or 1, at most one empty line, and four
// more such lines. LF ends every line. Both boards have equally many 1s.
#include <cstdlib>
#include <iostream>
#include <string>

namespace {

constexpr int kAccept = 42;
constexpr int kReject = 43;
constexpr int kSide = 4;

class Reader {
  public:
    int peek() { return std::cin.peek(); }

    int next() {
        const int byte = std::cin.get();
        if (byte == '\n') {
            ++line_;
            column_ = 1;
        } else {
            ++column_;
        }
        return byte;
    }

    [[noreturn]] void reject(const std::string &wanted) {
        std::cerr << "line " << line_ << ", column " << column_ << ": expected " << wanted
                  << ", found " << name(peek()) << "\n";
        std::exit(kReject);
    }

    void expect_newline() {
        if (peek() != '\n') reject("the end of the line");
        next();
    }

  private:
    static std::string name(int byte) {
        if (byte == EOF) return "the end of the file";
        if (byte == '\n') return "the end of the line";
        if (byte > ' ' && byte < 127) return std::string("'") + static_cast<char>(byte) + "'";
        return "byte " + std::to_string(byte);
    }

    int line_ = 1;
    int column_ = 1;
};

int read_board_counting_blacks(Reader &in) {
    int blacks = 0;
    for (int row = 0; row < kSide; ++row) {
        for (int column = 0; column < kSide; ++column) {
            const int byte = in.peek();
            if (byte != '0' && byte != '1') in.reject("a digit 0 or 1");
            blacks += byte == '1';
            in.next();
        }
        in.expect_newline();
    }
    return blacks;
}

}  // namespace

int main() {
    Reader in;
    const int start_blacks = read_board_counting_blacks(in);
    if (in.peek() == '\n') in.next();
    const int goal_blacks = read_board_counting_blacks(in);
    if (in.peek() != EOF) in.reject("the end of the file");
    // Exchanges never change the number of blacks. So if the numbers differ, there is no answer.
    if (start_blacks != goal_blacks) {
        std::cerr << "the boards differ in their number of 1s: " << start_blacks << " and "
                  << goal_blacks << "\n";
        return kReject;
    }
    return kAccept;
}
