// Output validator: replays the contestant's rows.
//
//   validate INPUT ANSWER FEEDBACK_DIR < OUTPUT
//
// An output is right if it is "Impossible" like the answer, or if it is the answer's number n and n + 1 rows: the
// start, then n rows. Each row is one legal move after the row before (up to shifting the whole row), and the last
// row is a goal. Rows have no empty cells at their ends. Numbers have no sign and no leading zero. Exit code: 42 if
// the output is right, 43 if it is wrong, 1 if the input or the answer file is wrong. The answer file is also wrong
// if the output needs fewer moves.
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

const int RIGHT = 42, WRONG = 43, JUDGE_ERROR = 1;
// The longest token of a right output: 9 coins, spread by 40 moves of two cells each.
const size_t LONGEST_ROW = 9 + 2 * 40;
const size_t SHOWN_BYTES = 60;

std::string feedback_dir;

[[noreturn]] void finish(int code, const std::string& message) {
    std::ofstream(feedback_dir + "judgemessage.txt") << message << '\n';
    std::exit(code);
}

// Makes any bytes printable on one line of a message.
std::string shown(const std::string& token) {
    std::string text;
    for (size_t i = 0; i < token.size() && i < SHOWN_BYTES; i++) {
        text += token[i] > ' ' && token[i] < 0x7f ? token[i] : '?';
    }
    return '"' + text + (token.size() > SHOWN_BYTES ? "...\"" : "\"");
}

// Splits the output at blanks and counts lines. Holds only one token of bounded
// length at a time, even if the output is very long.
struct Tokens {
    std::istreambuf_iterator<char> at{std::cin}, end{};
    size_t line = 1;

    static bool blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

    bool next(std::string& token) {
        token.clear();
        for (; at != end && blank(*at); ++at) line += *at == '\n';
        for (; at != end && !blank(*at) && token.size() <= LONGEST_ROW; ++at) token += *at;
        return !token.empty();
    }
    std::string place() const { return "line " + std::to_string(line) + ": "; }
};

// The row from its first to its last coin.
std::string trimmed(const std::string& row) {
    size_t first = row.find_first_not_of('.');
    if (first == std::string::npos) return "";
    return row.substr(first, row.find_last_not_of('.') - first + 1);
}

bool is_goal(const std::string& row) {
    size_t changes = 0;
    for (size_t i = 1; i < row.size(); i++) changes += row[i] != row[i - 1];
    return changes == 1 && row.find('.') == std::string::npos;
}

std::string after(std::string row, size_t pair, size_t landing) {
    std::string coins = row.substr(pair, 2);
    row.replace(pair, 2, "..");
    return trimmed(row.replace(landing, 2, coins));
}

bool is_one_move(const std::string& from, const std::string& to) {
    const std::string row = ".." + from + "..";  // a pair may land beyond either end
    for (size_t p = 2; p + 3 < row.size(); p++) {
        if (row[p] == '.' || row[p + 1] == '.' || row[p] == row[p + 1]) continue;
        size_t right = row.find('.', p + 2);
        if (right > p + 2 && after(row, p, right) == to) return true;
        size_t left = row.rfind('.', p - 1);
        if (left < p - 1 && after(row, p, left - 1) == to) return true;
    }
    return false;
}

// A non-negative integer below 1000 in plain digits, or -1.
int to_count(const std::string& token) {
    if (token.empty() || token.size() > 3) return -1;
    if (token[0] == '0' && token.size() > 1) return -1;
    for (unsigned char c : token) {
        if (!std::isdigit(c)) return -1;
    }
    return std::stoi(token);
}

struct Case {
    std::string start;
    int limit = 0;
    int judge_moves = -1;  // -1: the answer is Impossible
};

Case read_case(const char* input, const char* answer) {
    Case c;
    std::string first;
    if (!(std::ifstream(input) >> c.start >> c.limit)) finish(JUDGE_ERROR, "the input file cannot be read");
    if (!(std::ifstream(answer) >> first)) finish(JUDGE_ERROR, "the answer file cannot be read");
    c.judge_moves = to_count(first);
    if (c.judge_moves < 0 && first != "Impossible") finish(JUDGE_ERROR, "the answer file starts with " + shown(first));
    return c;
}

void expect_end(Tokens& out) {
    std::string token;
    if (out.next(token)) finish(WRONG, out.place() + "more output after the answer: " + shown(token));
}

std::string read_row(Tokens& out, int number, int moves) {
    std::string token;
    const std::string name = "row " + std::to_string(number) + " of " + std::to_string(moves + 1);
    if (!out.next(token)) finish(WRONG, out.place() + "the output ends before " + name);
    if (token.size() > LONGEST_ROW || token.find_first_not_of("AB.") != std::string::npos) {
        finish(WRONG, out.place() + name + " is not a row of A, B and '.': " + shown(token));
    }
    if (token != trimmed(token)) finish(WRONG, out.place() + name + " has empty cells at an end: " + shown(token));
    return token;
}

void check_rows(Tokens& out, const Case& c, int moves) {
    std::string row = read_row(out, 1, moves);
    if (row != c.start) finish(WRONG, out.place() + "the first row is " + shown(row) + ", not the start " + c.start);
    for (int move = 1; move <= moves; move++) {
        const std::string next = read_row(out, move + 1, moves);
        if (!is_one_move(row, next)) {
            finish(WRONG, out.place() + "move " + std::to_string(move) + ": no legal move leads from " + row + " to " + shown(next));
        }
        row = next;
    }
    if (!is_goal(row)) finish(WRONG, out.place() + "the last row " + row + " is not a goal");
    expect_end(out);
}

int main(int argc, char** argv) {
    if (argc < 4) {
        std::cerr << "usage: validate INPUT ANSWER FEEDBACK_DIR < OUTPUT\n";
        return JUDGE_ERROR;
    }
    feedback_dir = std::string(argv[3]) + "/";
    const Case c = read_case(argv[1], argv[2]);
    Tokens out;
    std::string first;
    if (!out.next(first)) finish(WRONG, "the output is empty");
    if (first == "Impossible") {
        if (c.judge_moves >= 0) finish(WRONG, "Impossible, but the judges need " + std::to_string(c.judge_moves) + " moves");
        expect_end(out);
        finish(RIGHT, "Impossible");
    }
    const int moves = to_count(first);
    if (moves < 0) finish(WRONG, out.place() + "neither Impossible nor a number of moves: " + shown(first));
    if (moves > c.limit) finish(WRONG, out.place() + std::to_string(moves) + " moves, but the limit is " + std::to_string(c.limit));
    if (c.judge_moves >= 0 && moves > c.judge_moves) {
        finish(WRONG, out.place() + std::to_string(moves) + " moves, but " + std::to_string(c.judge_moves) + " are enough");
    }
    check_rows(out, c, moves);
    if (moves != c.judge_moves) finish(JUDGE_ERROR, "judge error: the contestant needs only " + std::to_string(moves) + " moves");
    finish(RIGHT, std::to_string(moves) + " moves");
}
