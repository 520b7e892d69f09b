// Output validator: replays the moves, because optimal answers are not unique.
// Call: validate input answer feedback_dir < output
// Exit code: 42 accepted, 43 rejected, 1 if the package itself is wrong.
// Reads token by token and stops at the first error, so that neither an
// endless output nor an endless token uses much memory.
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>

namespace {

constexpr int kAccept = 42;
constexpr int kReject = 43;
constexpr int kJudgeError = 1;
constexpr int kSide = 4;
constexpr int kCells = kSide * kSide;
// Longer than any legal token. The rest of a longer token is not stored.
constexpr std::size_t kTokenKept = 24;

using Board = std::array<char, kCells>;

std::string feedback_file;

[[noreturn]] void finish(int code, const std::string &message) {
    std::ofstream(feedback_file) << message << "\n";
    std::cerr << message << "\n";
    std::exit(code);
}

struct Token {
    std::string text;
    long line = 0;
    bool present() const { return !text.empty(); }
};

bool is_blank(int byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

class Tokens {
  public:
    explicit Tokens(std::istream &in) : bytes_(*in.rdbuf()) {}

    Token next() {
        int byte = bytes_.sbumpc();
        for (; is_blank(byte); byte = bytes_.sbumpc()) line_ += byte == '\n';
        Token token;
        token.line = line_;
        for (; byte != EOF && !is_blank(byte); byte = bytes_.sbumpc()) {
            token.text += static_cast<char>(byte);
            if (token.text.size() > kTokenKept) break;
        }
        line_ += byte == '\n';
        return token;
    }

  private:
    std::streambuf &bytes_;
    long line_ = 1;
};

// Returns the token for a message: printable, and cut if it is far too long.
std::string shown(const Token &token) {
    std::string text;
    for (const char c : token.text.substr(0, kTokenKept)) {
        text += c > ' ' && c < 127 ? c : '?';
    }
    return "\"" + text + (token.text.size() > kTokenKept ? "...\"" : "\"");
}

std::string at(const Token &token) { return "line " + std::to_string(token.line) + ": "; }

// Returns a count; -1 if the token is not a number in normal form, or has more than six digits.
int count_of(const std::string &text) {
    if (text.empty() || text.size() > 6) return -1;
    if (text.size() > 1 && text[0] == '0') return -1;
    for (const char c : text) {
        if (c < '0' || c > '9') return -1;
    }
    return std::stoi(text);
}

Board read_board(std::istream &in) {
    Board board{};
    for (char &cell : board) {
        // Skips blanks and the optional blank line.
        if (!(in >> cell) || (cell != '0' && cell != '1')) {
            finish(kJudgeError, "the input file is not two boards of 0 and 1");
        }
    }
    return board;
}

int minimum_of(const char *path) {
    std::ifstream in(path);
    std::string text;
    in >> text;
    const int minimum = count_of(text);
    if (minimum < 0) finish(kJudgeError, "the answer file does not begin with a count");
    return minimum;
}

int cell_of(char row, char column) { return (row - '1') * kSide + (column - '1'); }

bool names_two_cells(const std::string &text) {
    if (text.size() != 4) return false;
    for (const char c : text) {
        if (c < '1' || c > '0' + kSide) return false;
    }
    return true;
}

void replay(Board &board, const Token &token, const std::string &which) {
    const std::string where = at(token) + which + " " + shown(token);
    if (!names_two_cells(token.text)) {
        finish(kReject, where + " is not four digits from 1 to 4");
    }
    const std::string &t = token.text;
    if (std::abs(t[0] - t[2]) + std::abs(t[1] - t[3]) != 1) {
        finish(kReject, where + " names two cells that are not neighbours");
    }
    char &one = board[cell_of(t[0], t[1])];
    char &other = board[cell_of(t[2], t[3])];
    if (one == other) {
        const std::string colour = one == '1' ? "black" : "white";
        finish(kReject, where + " exchanges two " + colour + " pieces");
    }
    std::swap(one, other);
}

std::string first_difference(const Board &board, const Board &goal) {
    for (int cell = 0; cell < kCells; ++cell) {
        if (board[cell] == goal[cell]) continue;
        return "row " + std::to_string(cell / kSide + 1) + ", column " +
               std::to_string(cell % kSide + 1) + " is " + board[cell] + ", wanted " + goal[cell];
    }
    return "";
}

int read_count(Tokens &tokens, int minimum) {
    const Token token = tokens.next();
    if (!token.present()) finish(kReject, "the output is empty");
    const int count = count_of(token.text);
    if (count < 0) {
        finish(kReject, at(token) + shown(token) + " is not a number of steps");
    }
    if (count > minimum) {
        finish(kReject, at(token) + std::to_string(count) + " steps, but " +
                            std::to_string(minimum) + " are enough");
    }
    return count;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 4) {
        std::cerr << "usage: validate input answer feedback_dir < output\n";
        return kJudgeError;
    }
    feedback_file = std::string(argv[3]) + "/judgemessage.txt";
    std::ifstream input(argv[1]);
    Board board = read_board(input);
    const Board goal = read_board(input);
    const int minimum = minimum_of(argv[2]);

    Tokens tokens(std::cin);
    const int count = read_count(tokens, minimum);
    for (int step = 1; step <= count; ++step) {
        const std::string which =
            "step " + std::to_string(step) + " of " + std::to_string(count);
        const Token token = tokens.next();
        if (!token.present()) finish(kReject, which + " is missing: the output ends before it");
        replay(board, token, which);
    }
    const Token extra = tokens.next();
    if (extra.present()) {
        finish(kReject, at(extra) + shown(extra) + " follows after the last step");
    }
    if (board != goal) {
        finish(kReject, "after step " + std::to_string(count) +
                            " the board is not the goal: " + first_difference(board, goal));
    }
    // If a legal sequence is shorter than the answer file's, the answer file is wrong.
    if (count < minimum) {
        finish(kJudgeError, "the answer file says " + std::to_string(minimum) +
                                " steps, but the output needs only " + std::to_string(count));
    }
    finish(kAccept, "accepted: " + std::to_string(count) + " steps");
}
