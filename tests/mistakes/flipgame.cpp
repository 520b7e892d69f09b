// A solver of the flip game that can make one of many typical mistakes.
//
//   ./mistakes N < case.in    solves with mistake N; 0 is the right solver
//   ./mistakes --list         prints "number<TAB>description" per line
//
// Each mistake is a switch, so that the program differs from the right solver only in this mistake. Test data
// that does not detect it would accept a real submission with the same mistake. The program has two methods
// (a search over boards, and forced rows), because each has typical mistakes. Without a mistake, both run and
// must agree.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr int kSide = 4;
constexpr int kCells = 16;
constexpr int kBoards = 1 << kCells;
constexpr int kAllBlack = kBoards - 1;
constexpr int kNone = 1000;

enum Mistake {
    kRight = 0,
    // Reading
    kThreeLines, kSkipsFirstLetter, kFirstLineTwice, kStopsAtWhiteLine, kStopsAtBlackLine, kOverlappingRows,
    kShiftedByOne, kNewlinesAsPieces, kSnakeOrder, kRowsExchanged, kLastLetterLost, kInvertsFirstLine,
    kLinesAppended,
    // Goals
    kWhiteOnly, kBlackOnly, kSignedMask, kBlackGoalMissesOnePiece, kBlackGoalThreeRows, kSumOfGoals, kMaxOfGoals,
    kZeroMeansUnsetWhite, kZeroMeansUnsetBlack, kChessboardGoal, kOneRowGoal,
    // Which pieces a round flips
    kWrapsRight, kWrapsLeft, kRingOfColumns, kRingOfRows, kCentreStays, kDiagonalsToo, kDiagonalsOnly, kNoUp, kNoLeft,
    kNoRight, kNoDown, kRightBoundTooSmall, kDownBoundTooSmall, kUpBoundTooSmall, kCornersFlipAlone,
    kInnerPressesOnly, kOnlyTurnsWhite, kWholeRowAndColumn, kIndicesSwapped, kPressesBlackOnly, kPressesWhiteOnly,
    kLastPieceNeverPressed, kFirstPieceNeverPressed,
    // Searching over boards
    kDepthFive, kDepthFour, kDepthThree, kSeenTableTooSmall, kSeenByCount, kOneTooMany, kOneTooFew, kStartNotTested,
    kStartTestedForWhiteOnly, kDepthFirst, kSmallQueue, kGreedy, kGoalOnlyAtEvenDepth, kSeenUpperRowsOnly,
    // Forced rows
    kHalfOfFirstRows, kNoPressFirstRowSkipped, kBoardNotRestored, kCountNotReset, kKeepsFirst, kKeepsLast,
    kFirstRowNotCounted, kLastRowNotCounted, kLastRowNotChecked, kLastRowCheckedPartly, kSixMeansNone,
    kPressesInsteadOfOr, kLooksAtOwnRow, kBelowForgotten,
    // Printing
    kLowerCase, kUpperCase, kExclamationMark, kMinusOne, kZeroForImpossible, kSilentIfImpossible, kNamesTheUnit,
    kPrintsBothGoals, kMisspelt, kFloat, kSaysYes,
    // Ending
    kEndlessRecursion, kEmptyQueueTaken, kNeverGivesUp,
    kEnd
};

const char* const kDescriptions[] = {
    "no mistake",
    "reads three lines only", "skips the first letter of each line", "uses the first line for the second as well",
    "takes a white line for the end of the input", "takes a black line for the end of the input",
    "packs rows three bits apart, so that they overlap", "bits count from 1, the sixteenth is cut off",
    "reads 16 characters, line feeds among them", "reads every second line from right to left",
    "exchanges the third and the fourth line", "loses the last letter of the last line",
    "takes w for black in the first line", "never clears the line buffer: lines pile up",
    "tries the white goal only", "tries the black goal only", "a signed 16-bit mask is compared with 65535",
    "the black goal lacks one piece", "the black goal lacks one row", "adds the rounds of both goals",
    "takes the larger of both goals", "0 rounds to white means not found", "0 rounds to black means not found",
    "a chessboard counts as a goal too", "one colour in the first row is enough",
    "right neighbour of the last column wraps to the next row",
    "left neighbour of the first column wraps to the row before", "columns form a ring", "rows form a ring",
    "the chosen piece stays", "the diagonal neighbours flip too", "the diagonal neighbours flip instead",
    "the upper neighbour stays", "the left neighbour stays", "the right neighbour stays", "the lower neighbour stays",
    "the last column never flips as a right neighbour", "the last row never flips as a lower neighbour",
    "the first row never flips as an upper neighbour", "a corner flips alone", "only inner pieces are chosen",
    "black turns white, white stays", "the whole row and column flip", "the neighbours of (column, row) flip",
    "only black pieces may be chosen", "only white pieces may be chosen", "the last piece is never chosen",
    "the first piece is never chosen",
    "gives up after five rounds", "gives up after four rounds", "gives up after three rounds",
    "the table of seen boards has 2,048 places", "boards with equally many black pieces count as seen",
    "counts boards instead of rounds", "counts the rounds of the board before", "the start is not tested for a goal",
    "the start is tested for white only", "depth-first: the first way is not the shortest",
    "the queue holds 1,024 boards and drops the rest", "greedy: takes the best round until none is better",
    "tests for a goal at even depths only", "boards that differ in the last two rows only count as seen",
    "tries 8 of the 16 first rows", "does not try the first row without presses",
    "does not restore the board between two first rows", "does not reset the count between two first rows",
    "keeps the first solution", "keeps the last solution", "does not count the presses of the first row",
    "does not count the presses of the last row", "does not check the last row",
    "checks three pieces of the last row", "takes six rounds for the mark of nothing found",
    "joins presses with or where they must cancel", "presses where this row is wrong, not the row above",
    "forgets that a press flips the piece below",
    "impossible in lower case", "IMPOSSIBLE in upper case", "an exclamation mark after Impossible",
    "-1 for Impossible", "0 for Impossible", "prints nothing if impossible", "prints the word rounds as well",
    "prints a figure per goal", "Imposible", "prints a decimal fraction", "Possible, and no figure",
    "recursion without an end", "takes from the empty queue", "starts again for ever if nothing is found",
};
static_assert(std::size(kDescriptions) == kEnd, "every mistake needs a description");

int mistake = kRight;
bool with(Mistake m) { return mistake == m; }
bool between(Mistake first, Mistake last) { return mistake >= first && mistake <= last; }

// ---- Reading ------------------------------------------------------------------------------------------------

std::vector<std::string> read_lines() {
    if (with(kNewlinesAsPieces)) {
        std::vector<std::string> rows(kSide, std::string(kSide, 'w'));
        for (int i = 0; i < kCells; ++i) rows[i / kSide][i % kSide] = static_cast<char>(std::cin.get());
        return rows;
    }
    std::vector<std::string> rows;
    std::string buffer, line;
    while (static_cast<int>(rows.size()) < kSide && std::getline(std::cin, line)) {
        if (with(kStopsAtWhiteLine) && line == "wwww") break;
        if (with(kStopsAtBlackLine) && line == "bbbb") break;
        if (with(kThreeLines) && rows.size() == 3) break;
        buffer = with(kLinesAppended) ? buffer + line : line;
        if (with(kSkipsFirstLetter)) buffer.erase(0, 1);
        if (with(kSnakeOrder) && rows.size() % 2 == 1) std::reverse(buffer.begin(), buffer.end());
        rows.push_back(buffer);
    }
    rows.resize(kSide);
    if (with(kFirstLineTwice)) rows[1] = rows[0];
    if (with(kRowsExchanged)) std::swap(rows[2], rows[3]);
    if (with(kLastLetterLost)) rows[3].resize(kSide - 1);
    return rows;
}

int bit_of(int row, int column) {
    if (with(kOverlappingRows)) return row * 3 + column;
    if (with(kShiftedByOne)) return row * kSide + column + 1;
    return row * kSide + column;
}

int pack(const std::vector<std::string>& rows) {
    int board = 0;
    for (int row = 0; row < kSide; ++row) {
        for (int column = 0; column < kSide; ++column) {
            bool black = column < static_cast<int>(rows[row].size()) && rows[row][column] == 'b';
            if (with(kInvertsFirstLine) && row == 0) black = !black;
            if (black) board |= 1 << bit_of(row, column);
        }
    }
    return board & kAllBlack;
}

// ---- Which pieces a round flips -----------------------------------------------------------------------------

bool neighbour_flips(int dr, int dc) {
    const bool diagonal = dr != 0 && dc != 0;
    if (dr == 0 && dc == 0) return !with(kCentreStays);
    if (diagonal) return with(kDiagonalsToo) || with(kDiagonalsOnly);
    if (with(kDiagonalsOnly)) return false;
    if (with(kNoUp) && dr < 0) return false;
    if (with(kNoDown) && dr > 0) return false;
    if (with(kNoLeft) && dc < 0) return false;
    return !(with(kNoRight) && dc > 0);
}

bool on_board(int row, int column, int dr, int dc) {
    if (with(kRightBoundTooSmall) && dc > 0 && column >= kSide - 1) return false;
    if (with(kDownBoundTooSmall) && dr > 0 && row >= kSide - 1) return false;
    if (with(kUpBoundTooSmall) && dr < 0 && row <= 0) return false;
    return row >= 0 && row < kSide && column >= 0 && column < kSide;
}

// Index of a neighbour, or -1 if there is none.
int neighbour(int row, int column, int dr, int dc) {
    row += dr;
    column += dc;
    if (with(kRingOfColumns)) column = (column + kSide) % kSide;
    if (with(kRingOfRows)) row = (row + kSide) % kSide;
    const int index = row * kSide + column;
    const bool wraps = (with(kWrapsRight) && dc > 0) || (with(kWrapsLeft) && dc < 0);
    if (wraps && index >= 0 && index < kCells) return index;
    return on_board(row, column, dr, dc) ? index : -1;
}

bool is_corner(int row, int column) { return row % 3 == 0 && column % 3 == 0; }
bool is_inner(int row, int column) { return row % 3 != 0 && column % 3 != 0; }

int flipped_by(int row, int column) {
    int mask = 0;
    if (with(kCornersFlipAlone) && is_corner(row, column)) return 1 << (row * kSide + column);
    for (int i = 0; with(kWholeRowAndColumn) && i < kSide; ++i) {
        mask |= 1 << (row * kSide + i) | 1 << (i * kSide + column);
    }
    if (with(kIndicesSwapped)) mask |= 1 << (row * kSide + column);
    if (with(kIndicesSwapped)) std::swap(row, column);
    for (int dr = -1; dr <= 1; ++dr) {
        for (int dc = -1; dc <= 1; ++dc) {
            if (with(kIndicesSwapped) && dr == 0 && dc == 0) continue;
            const int index = neighbour(row, column, dr, dc);
            if (index >= 0 && neighbour_flips(dr, dc)) mask |= 1 << index;
        }
    }
    return mask;
}

bool may_choose(int board, int cell) {
    const bool black = board >> cell & 1;
    if (with(kPressesBlackOnly)) return black;
    if (with(kPressesWhiteOnly)) return !black;
    if (with(kLastPieceNeverPressed)) return cell != kCells - 1;
    if (with(kFirstPieceNeverPressed)) return cell != 0;
    return !with(kInnerPressesOnly) || is_inner(cell / kSide, cell % kSide);
}

int after_round(int board, int cell) {
    const int mask = flipped_by(cell / kSide, cell % kSide);
    return with(kOnlyTurnsWhite) ? board & ~mask : board ^ mask;
}

// ---- Searching over boards ----------------------------------------------------------------------------------

bool is_black_goal(int board) {
    if (with(kSignedMask)) return static_cast<short>(board) == kAllBlack;
    if (with(kBlackGoalMissesOnePiece)) return board == kAllBlack >> 1;
    if (with(kBlackGoalThreeRows)) return board == kAllBlack >> kSide;
    return board == kAllBlack;
}

bool is_goal(int board) {
    if (with(kChessboardGoal) && (board == 0x5a5a || board == 0xa5a5)) return true;
    if (with(kOneRowGoal)) return (board & 15) == 0 || (board & 15) == 15;
    if (with(kWhiteOnly)) return board == 0;
    if (with(kBlackOnly)) return is_black_goal(board);
    return board == 0 || is_black_goal(board);
}

int seen_key(int board) {
    if (with(kSeenTableTooSmall)) return board & 2047;
    if (with(kSeenUpperRowsOnly)) return board & 255;
    if (with(kSeenByCount)) return __builtin_popcount(static_cast<unsigned>(board));
    return board;
}

int deepest_level() {
    if (with(kDepthFive)) return 5;
    if (with(kDepthFour)) return 4;
    if (with(kDepthThree)) return 3;
    return kNone - 1;
}

bool counts_as_found(int board, int depth) {
    if (with(kStartNotTested) && depth == 0) return false;
    if (with(kStartTestedForWhiteOnly) && depth == 0) return board == 0;
    if (with(kGoalOnlyAtEvenDepth) && depth % 2 == 1) return false;
    return is_goal(board);
}

int rounds_of(int depth) {
    if (with(kOneTooMany)) return depth + 1;
    if (with(kOneTooFew)) return std::max(0, depth - 1);
    return depth;
}

int recurse_for_ever(int board, int depth) {
    if (is_goal(board)) return depth;
    volatile char frame[256] = {};  // Keeps the compiler from turning the recursion into a loop.
    frame[0] = static_cast<char>(board);
    return recurse_for_ever(after_round(board, 0), depth + 1) + frame[1];
}

int greedy(int board) {
    const auto unlike = [](int b) {
        const int black = __builtin_popcount(static_cast<unsigned>(b));
        return std::min(black, kCells - black);
    };
    for (int rounds = 0;; ++rounds) {
        if (is_goal(board)) return rounds;
        int best = board;
        for (int cell = 0; cell < kCells; ++cell) {
            const int next = after_round(board, cell);
            if (unlike(next) < unlike(best)) best = next;
        }
        if (best == board) return kNone;
        board = best;
    }
}

struct Waiting {
    int board;
    int depth;
};

int search(int start) {
    std::vector<bool> seen(kBoards);
    std::deque<Waiting> waiting{{start, 0}};
    seen[seen_key(start)] = !with(kStartNotTested) && !with(kStartTestedForWhiteOnly);
    while (!waiting.empty() || with(kEmptyQueueTaken)) {
        if (waiting.empty()) std::abort();  // As a checked container does if it is empty.
        const auto [board, depth] = with(kDepthFirst) ? waiting.back() : waiting.front();
        with(kDepthFirst) ? waiting.pop_back() : waiting.pop_front();
        if (counts_as_found(board, depth)) return rounds_of(depth);
        if (depth == deepest_level()) continue;
        for (int cell = 0; cell < kCells; ++cell) {
            if (!may_choose(board, cell)) continue;
            const int next = after_round(board, cell);
            if (seen[seen_key(next)]) continue;
            if (with(kSmallQueue) && waiting.size() >= 1024) continue;
            seen[seen_key(next)] = true;
            waiting.push_back({next, depth + 1});
        }
    }
    return kNone;
}

int by_search(int board) {
    if (with(kGreedy)) return greedy(board);
    if (with(kEndlessRecursion)) return recurse_for_ever(board, 0);
    int rounds = search(board);
    while (with(kNeverGivesUp) && rounds == kNone) rounds = search(board);
    return rounds;
}

// ---- Forced rows --------------------------------------------------------------------------------------------

using Rows = std::array<int, kSide>;  // Per row, the pieces that still have the wrong colour.

int popcount(int bits) { return __builtin_popcount(static_cast<unsigned>(bits)); }

void press_row(Rows& wrong, int row, int presses) {
    const int sideways = presses << 1 | presses >> 1;
    if (with(kPressesInsteadOfOr)) {
        wrong[row] ^= (presses | sideways) & 15;
    } else {
        wrong[row] ^= (presses ^ presses << 1 ^ presses >> 1) & 15;
    }
    if (row > 0) wrong[row - 1] ^= presses;
    if (row + 1 < kSide && !with(kBelowForgotten)) wrong[row + 1] ^= presses;
}

bool finished(const Rows& wrong) {
    if (with(kLastRowNotChecked)) return true;
    if (with(kLastRowCheckedPartly)) return (wrong[kSide - 1] & 7) == 0;
    // The rows above are right by construction. If a mistake made one wrong, the solver does not notice it.
    return wrong[kSide - 1] == 0;
}

// Presses row after row so that each row corrects the one above. Returns the number of presses.
int chase(Rows& wrong, int first_row) {
    int count = with(kFirstRowNotCounted) ? 0 : popcount(first_row);
    press_row(wrong, 0, first_row);
    for (int row = 1; row < kSide; ++row) {
        const int presses = wrong[with(kLooksAtOwnRow) ? row : row - 1];
        press_row(wrong, row, presses);
        if (!(with(kLastRowNotCounted) && row == kSide - 1)) count += popcount(presses);
    }
    return count;
}

int rounds_to(int board, int goal_row) {
    Rows start{};
    for (int row = 0; row < kSide; ++row) start[row] = (board >> (row * kSide) & 15) ^ goal_row;
    Rows wrong = start;
    int best = with(kSixMeansNone) ? 6 : kNone;
    int count = 0;
    for (int first_row = with(kNoPressFirstRowSkipped); first_row < (with(kHalfOfFirstRows) ? 8 : 16); ++first_row) {
        if (!with(kBoardNotRestored)) wrong = start;
        const int presses = chase(wrong, first_row);
        count = with(kCountNotReset) ? count + presses : presses;
        if (!finished(wrong)) continue;
        if (with(kKeepsLast)) {
            best = count;
        } else {
            best = std::min(best, count);
        }
        if (with(kKeepsFirst)) break;
    }
    return with(kSixMeansNone) && best == 6 ? kNone : best;
}

int join(int white, int black) {
    if (with(kSumOfGoals)) return std::min(kNone, white + black);
    if (with(kMaxOfGoals)) return std::max(white, black);
    if (with(kZeroMeansUnsetWhite) && white == 0) return black;
    if (with(kZeroMeansUnsetBlack) && black == 0) return white;
    return std::min(white, black);
}

int by_forced_rows(int board) { return join(rounds_to(board, 0), rounds_to(board, 15)); }

// ---- Printing -----------------------------------------------------------------------------------------------

std::string word_for_impossible() {
    switch (mistake) {
        case kLowerCase: return "impossible";
        case kUpperCase: return "IMPOSSIBLE";
        case kExclamationMark: return "Impossible!";
        case kMinusOne: return "-1";
        case kZeroForImpossible: return "0";
        case kSilentIfImpossible: return "";
        case kMisspelt: return "Imposible";
        default: return "Impossible";
    }
}

std::string answer_for(int rounds) {
    if (rounds >= kNone) return word_for_impossible();
    if (with(kFloat)) return std::to_string(static_cast<double>(rounds));
    if (with(kSaysYes)) return "Possible";
    return std::to_string(rounds) + (with(kNamesTheUnit) ? " rounds" : "");
}

int solve(int board) {
    const bool rows = between(kSumOfGoals, kZeroMeansUnsetBlack) || between(kHalfOfFirstRows, kBelowForgotten);
    if (rows) return by_forced_rows(board);
    if (!with(kRight)) return by_search(board);
    const int rounds = by_search(board);
    if (rounds != by_forced_rows(board)) std::abort();
    return rounds;
}

int list() {
    for (int m = 0; m < kEnd; ++m) std::cout << m << '\t' << kDescriptions[m] << '\n';
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string argument = argc == 2 ? argv[1] : "";
    if (argument == "--list") return list();
    const bool is_number = !argument.empty() && argument.size() < 4 &&
                           argument.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number || std::stoi(argument) >= kEnd) {
        std::cerr << "usage: mistakes NUMBER < case.in, or mistakes --list\n";
        return 2;
    }
    mistake = std::stoi(argument);
    const int board = pack(read_lines());
    if (with(kPrintsBothGoals)) {
        std::cout << answer_for(rounds_to(board, 0)) << '\n' << answer_for(rounds_to(board, 15)) << '\n';
        return 0;
    }
    std::cout << answer_for(solve(board)) << '\n';
}
