// Accepts exactly the inputs of the statement: 1 to 100 test cases of two lines.
// A line has eight digits 1..8 with one space between them, the coordinates of
// four different squares. Every line ends with one line feed; nothing follows.
// Exit code 42: valid. 43: invalid, with line and column on standard error.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>

constexpr int kMaxTestCases = 100;
constexpr int kPieces = 4;

// Reads byte by byte and counts lines and columns, so that every error has a position.
class Reader {
public:
    explicit Reader(std::string text) : text_(std::move(text)) {}

    bool at_end() const { return next_ == text_.size(); }

    int coordinate() {
        if (at_end() || text_[next_] < '1' || text_[next_] > '8') refuse("a digit from 1 to 8");
        return text_[next_++] - '0';
    }

    void byte(char wanted, const char* name) {
        if (at_end() || text_[next_] != wanted) refuse(name);
        ++next_;
        if (wanted == '\n') {
            ++line_;
            line_begin_ = next_;
        }
    }

    [[noreturn]] void refuse(const std::string& wanted) const {
        complain("expected " + wanted + ", found " + found());
    }

    [[noreturn]] void complain(const std::string& message) const {
        std::cerr << "line " << line_ << ", column " << next_ - line_begin_ + 1 << ": " << message << '\n';
        std::exit(43);
    }

private:
    std::string found() const {
        if (at_end()) return "the end of the file";
        const unsigned char byte = static_cast<unsigned char>(text_[next_]);
        if (byte > ' ' && byte < 127) return std::string("'") + text_[next_] + "'";
        char name[16];
        std::snprintf(name, sizeof name, "byte 0x%02x", byte);
        return name;
    }

    std::string text_;
    std::size_t next_ = 0;
    std::size_t line_begin_ = 0;
    int line_ = 1;
};

void read_configuration(Reader& reader) {
    bool taken[9][9] = {};
    for (int piece = 0; piece < kPieces; ++piece) {
        if (piece > 0) reader.byte(' ', "one space");
        const int row = reader.coordinate();
        reader.byte(' ', "one space");
        const int column = reader.coordinate();
        if (taken[row][column])
            reader.complain("two pieces on square " + std::to_string(row) + " " + std::to_string(column));
        taken[row][column] = true;
    }
    reader.byte('\n', "a line feed after four pieces");
}

int main() {
    Reader reader(std::string(std::istreambuf_iterator<char>(std::cin), {}));
    int test_cases = 0;
    do {
        if (test_cases == kMaxTestCases)
            reader.complain("more than " + std::to_string(kMaxTestCases) + " test cases");
        read_configuration(reader);
        read_configuration(reader);
        ++test_cases;
    } while (!reader.at_end());
    return 42;
}
