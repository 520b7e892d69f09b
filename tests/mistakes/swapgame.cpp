// A solver of the black-and-white swap game that can make one of many typical mistakes.
//
//   ./mistakes N < case.in    solves with mistake N; 0 is the right solver
//   ./mistakes --list         prints "number<TAB>description" per line
//
// Each mistake is a switch, so that the program differs from the right solver only in this mistake. Test data
// that does not detect it would accept a real submission with the same mistake. The program has three methods
// (a search over boards, a search from both ends, and the cheapest assignment with walks), because each has
// typical mistakes. Without a mistake, all three run and must agree on the number of steps.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int kSide = 4;
constexpr int kCells = 16;
constexpr int kBoards = 1 << kCells;

enum Mistake {
    kRight = 0,
    // Reading
    kBlankLineExpected, kNoBlankLineExpected, kFixedPlaces, kRowsAsNumbers, kRowsAsOctal, kBoardsExchanged,
    kFirstBoardTwice, kGoalTransposed, kSnakeOrder, kSkipsWhiteRows, kStopsAtWhiteRow, kLastRowLost, kFirstDigitLost,
    kLastDigitLost, kColoursExchangedInGoal, kGoalUpsideDown, kGoalMirrored, kLinesAppended,
    // Which pieces may be exchanged
    kRowsJoined, kRowsAreRings, kColumnsAreRings, kDiagonalsToo, kAcrossOnly, kDownOnly, kLastColumnLeftOut,
    kFirstColumnLeftOut, kLastRowLeftOut, kFirstRowLeftOut, kFlipsBoth, kBlackGoesRightOrDown, kBlackGoesLeftOrUp,
    kLeapsOverOne, kAnyTwoPieces, kBlackOnGoalStays, kWhiteOnGoalStays, kWrongPiecesOnly, kNeverThroughTheCentre,
    // Searching over boards
    kDepthFirst, kGreedyByDifferences, kSeenTableTooSmall, kSeenByRows, kSeenByColumns, kSignedBoards, kTenStepsAtMost,
    kSixteenStepsAtMost, kNineteenStepsAtMost, kOneTooMany, kOneTooFew, kStartNotTested, kSmallQueue, kBackwards,
    kGoalWithoutLastRow, kNothingRemembered, kEndlessRecursion,
    // Searching from both ends
    kFirstHalfNotReversed, kSecondHalfReversed, kSecondHalfMissing, kFirstHalfMissing, kNineLevelsPerSide,
    kMeetingByCount, kMeetingStepMissing,
    // Assigning
    kReadingOrder, kNearestPairFirst, kNearestFreeGoal, kRowsBeforeColumns, kRowDistance, kColumnDistance,
    kKingDistance, kSquaredDistance, kStraightDistance, kDistanceWithoutAbs, kDearest, kShortestLongestWay,
    kOneImprovement, kSevenPairs, kWalksThrough, kRearFirst, kBlockedGivesUp, kDetourAroundBlack,
    // Counting without a search
    kHalfTheDifferences, kCrossedLines, kBothColoursCounted,
    // Printing
    kFromZero, kColumnFirst, kRowsFromBelow, kCellNumbers, kBlanksBetween, kBrackets, kCommasBetween, kNoCount,
    kCountAtTheEnd, kCountOnly, kFirstStepMissing, kLastStepMissing, kStepsTwice, kBoardsForSteps, kTargetOnly,
    kNoLineEnds, kSilentAtZero, kSaysDone, kDecimalCount, kNamesTheUnit, kPaddedCount, kOldCellTwice, kGoalShownToo,
    kEnd
};

const char* const kDescriptions[] = {
    "no mistake",
    "reads away a fifth line, blank or not", "takes the blank line for a row", "looks for the goal at byte 21",
    "reads rows as numbers and loses their leading zeros", "reads rows as numbers, octal after a zero",
    "exchanges the two boards", "reads the first board twice", "reads rows and columns of the goal the other way",
    "reads every second row from right to left", "skips rows without black pieces",
    "takes a row without black pieces for the end of its board", "loses the last row of the goal",
    "loses the first digit of every row", "loses the last digit of every row",
    "takes 0 for black in the goal", "fills the goal from below", "fills the rows of the goal from the right",
    "never clears the line buffer: lines pile up",
    "the last cell of a row touches the first of the next", "rows form rings", "columns form rings",
    "diagonal neighbours may be exchanged too", "exchanges within rows only", "exchanges within columns only",
    "the last column is never exchanged across", "the first column is never exchanged across",
    "the last row is never exchanged down", "the first row is never exchanged down",
    "turns over both pieces without a look at their colours", "black goes right or down only",
    "black goes left or up only", "exchanges pieces two cells apart too", "exchanges any two pieces",
    "a black piece on a black goal never moves", "a white piece on a white goal never moves",
    "exchanges only where both pieces are wrong", "never exchanges within the four cells of the centre",
    "depth-first: the first way is not the shortest", "greedy: takes the best step until none is better",
    "the table of seen boards has 4,096 places", "boards with equal rows' counts count as seen",
    "boards with equal columns' counts count as seen", "signed 16-bit boards: those below zero are dropped",
    "gives up after ten steps", "gives up after sixteen steps", "gives up after nineteen steps",
    "counts boards instead of steps", "counts the steps to the board before",
    "the start is not tested for the goal", "the queue holds 1,024 boards and drops the rest",
    "prints the steps from the last to the first", "the last row is not compared with the goal",
    "remembers no boards", "recursion without an end",
    "does not turn round the way to the meeting", "turns round the way from the meeting",
    "forgets the way from the meeting", "forgets the way to the meeting", "gives up after nine levels per side",
    "takes boards with equal rows' counts for a meeting", "forgets the step that leads to the meeting",
    "pairs blacks and goals in reading order", "pairs the closest two first",
    "every black in turn takes its nearest free goal", "pairs goals of the same row first, the others in order",
    "counts the rows between two cells only", "counts the columns between two cells only",
    "a diagonal step counts once", "takes squared distances", "takes straight-line distances",
    "distances without absolute values", "takes the dearest assignment",
    "makes the longest way as short as possible, not the sum",
    "improves the reading order by one exchange of goals only", "has room for seven pairs",
    "walks through black pieces", "of the blacks in a lane the rear one goes first", "stops in front of a black piece",
    "goes round a black piece",
    "half the differing cells is the number", "the crossed lines are the number", "counts the ways of both colours",
    "counts rows and columns from 0", "prints the column before the row", "counts rows from below",
    "numbers the cells from 1 to 16", "blanks between the digits", "cells in brackets", "commas between the cells",
    "prints no number", "prints the number after the steps", "prints the number only", "the first step is missing",
    "the last step is missing", "prints every step twice", "prints boards instead of steps",
    "prints only where the piece goes", "prints the steps without line ends", "prints nothing for zero steps",
    "prints a closing remark", "prints the number as a decimal fraction", "prints the word steps as well",
    "prints the number with two digits", "prints the old cell twice", "prints the goal after the steps",
};
static_assert(std::size(kDescriptions) == kEnd, "every mistake needs a description");

int mistake = kRight;
bool with(Mistake m) { return mistake == m; }
bool between(Mistake first, Mistake last) { return mistake >= first && mistake <= last; }

struct Step {
    int from, to;
};
using Steps = std::vector<Step>;
using Way = std::optional<Steps>;

int row_of(int cell) { return cell / kSide; }
int column_of(int cell) { return cell % kSide; }
bool is_black(int board, int cell) { return board >> cell & 1; }
int count_blacks(int board) { return __builtin_popcount(static_cast<unsigned>(board)); }

// ---- Reading ------------------------------------------------------------------------------------------------

using Rows = std::vector<std::string>;

// Converts a row to a number and back, which loses the leading zeros.
std::string through_number(const std::string& row) {
    return std::to_string(std::stoi(row, nullptr, with(kRowsAsOctal) ? 0 : 10));
}

Rows read_board(bool is_goal) {
    static std::string buffer;
    Rows rows;
    std::string line;
    while (static_cast<int>(rows.size()) < kSide && std::getline(std::cin, line)) {
        const bool gap = is_goal && rows.empty() && line.empty();
        if (gap && !with(kNoBlankLineExpected)) continue;
        const bool white = line == "0000";
        if (with(kStopsAtWhiteRow) && white) break;
        if (with(kSkipsWhiteRows) && white) continue;
        if (with(kRowsAsNumbers) || with(kRowsAsOctal)) line = through_number(line);
        buffer = with(kLinesAppended) ? buffer + line : line;
        rows.push_back(buffer);
        if (with(kFirstDigitLost)) rows.back().erase(0, 1);
        if (with(kLastDigitLost)) rows.back().pop_back();
        if (with(kSnakeOrder) && rows.size() % 2 == 0) std::reverse(rows.back().begin(), rows.back().end());
    }
    rows.resize(kSide);
    if (with(kLastRowLost) && is_goal) rows[kSide - 1].clear();
    return rows;
}

int cell_read(int row, int column, bool is_goal) {
    if (is_goal && with(kGoalTransposed)) std::swap(row, column);
    if (is_goal && with(kGoalUpsideDown)) row = kSide - 1 - row;
    if (is_goal && with(kGoalMirrored)) column = kSide - 1 - column;
    return row * kSide + column;
}

int pack(const Rows& rows, bool is_goal) {
    const char black = is_goal && with(kColoursExchangedInGoal) ? '0' : '1';
    int board = 0;
    for (int row = 0; row < kSide; ++row) {
        for (int column = 0; column < kSide && column < static_cast<int>(rows[row].size()); ++column) {
            if (rows[row][column] == black) board |= 1 << cell_read(row, column, is_goal);
        }
    }
    return board;
}

// Four lines with their line ends are twenty bytes. This reader wrongly assumes that a blank line always
// follows.
std::pair<int, int> read_at_fixed_places() {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const auto rows_at = [&](std::size_t begin) {
        Rows rows(kSide);
        for (std::string& row : rows) {
            if (begin < text.size()) row = text.substr(begin, kSide);
            begin += kSide + 1;
        }
        return rows;
    };
    return {pack(rows_at(0), false), pack(rows_at(21), true)};
}

std::pair<int, int> read_boards() {
    if (with(kFixedPlaces)) return read_at_fixed_places();
    const int start = pack(read_board(false), false);
    if (with(kFirstBoardTwice)) return {start, start};
    std::string line;
    if (with(kBlankLineExpected)) std::getline(std::cin, line);
    const int goal = pack(read_board(true), true);
    return with(kBoardsExchanged) ? std::pair(goal, start) : std::pair(start, goal);
}

// ---- Which pieces may be exchanged --------------------------------------------------------------------------

bool touch_across(int a, int b) {
    const int rows = std::abs(row_of(a) - row_of(b)), columns = std::abs(column_of(a) - column_of(b));
    if (with(kRowsJoined) && std::abs(a - b) == 1) return true;
    if (with(kLastColumnLeftOut) && std::max(column_of(a), column_of(b)) == kSide - 1) return false;
    if (with(kFirstColumnLeftOut) && std::min(column_of(a), column_of(b)) == 0) return false;
    if (with(kRowsAreRings) && rows == 0 && columns == kSide - 1) return true;
    if (with(kLeapsOverOne) && rows == 0 && columns == 2) return true;
    return !with(kDownOnly) && rows == 0 && columns == 1;
}

bool touch_down(int a, int b) {
    const int rows = std::abs(row_of(a) - row_of(b)), columns = std::abs(column_of(a) - column_of(b));
    if (with(kLastRowLeftOut) && std::max(row_of(a), row_of(b)) == kSide - 1) return false;
    if (with(kFirstRowLeftOut) && std::min(row_of(a), row_of(b)) == 0) return false;
    if (with(kColumnsAreRings) && columns == 0 && rows == kSide - 1) return true;
    if (with(kLeapsOverOne) && columns == 0 && rows == 2) return true;
    return !with(kAcrossOnly) && columns == 0 && rows == 1;
}

bool is_central(int cell) { return row_of(cell) % 3 != 0 && column_of(cell) % 3 != 0; }

bool touch(int a, int b) {
    if (with(kAnyTwoPieces)) return true;
    if (with(kNeverThroughTheCentre) && is_central(a) && is_central(b)) return false;
    const bool diagonal = std::abs(row_of(a) - row_of(b)) == 1 && std::abs(column_of(a) - column_of(b)) == 1;
    if (with(kDiagonalsToo) && diagonal) return true;
    return touch_across(a, b) || touch_down(a, b);
}

bool may_exchange(int board, int goal, int from, int to) {
    if (!touch(from, to)) return false;
    if (with(kFlipsBoth)) return from < to;
    if (!is_black(board, from) || is_black(board, to)) return false;
    if (with(kBlackGoesRightOrDown)) return from < to;
    if (with(kBlackGoesLeftOrUp)) return from > to;
    const bool black_is_right = is_black(goal, from), white_is_right = !is_black(goal, to);
    if (with(kBlackOnGoalStays)) return !black_is_right;
    if (with(kWhiteOnGoalStays)) return !white_is_right;
    return !with(kWrongPiecesOnly) || (!black_is_right && !white_is_right);
}

int after(int board, Step step) { return board ^ (1 << step.from | 1 << step.to); }

// Returns the allowed steps, each from black to white, in reading order of the black pieces.
Steps steps_from(int board, int goal) {
    Steps steps;
    for (int from = 0; from < kCells; ++from) {
        for (int to = 0; to < kCells; ++to) {
            if (may_exchange(board, goal, from, to)) steps.push_back({from, to});
        }
    }
    return steps;
}

// ---- Searching over boards ----------------------------------------------------------------------------------

int counts_of_rows(int board) {
    int key = 0;
    for (int row = 0; row < kSide; ++row) key = key * 5 + count_blacks(board >> row * kSide & 0x000f);
    return key;
}

int counts_of_columns(int board) {
    int key = 0;
    for (int column = 0; column < kSide; ++column) key = key * 5 + count_blacks(board >> column & 0x1111);
    return key;
}

int seen_key(int board) {
    if (with(kSeenTableTooSmall)) return board & 4095;
    if (with(kSeenByRows)) return counts_of_rows(board);
    if (with(kSeenByColumns)) return counts_of_columns(board);
    return board;
}

int most_steps() {
    if (with(kTenStepsAtMost)) return 10;
    if (with(kSixteenStepsAtMost)) return 16;
    if (with(kNineteenStepsAtMost)) return 19;
    return kBoards;
}

bool is_goal(int board, int goal, int depth) {
    if (with(kStartNotTested) && depth == 0) return false;
    if (with(kGoalWithoutLastRow)) return (board & 0x0fff) == (goal & 0x0fff);
    return board == goal;
}

int differences(int board, int goal) { return count_blacks(board ^ goal); }

Way greedy(int board, int goal) {
    Steps way;
    while (board != goal) {
        const Steps steps = steps_from(board, goal);
        const auto better = [&](Step a, Step b) {
            return differences(after(board, a), goal) < differences(after(board, b), goal);
        };
        const auto best = std::min_element(steps.begin(), steps.end(), better);
        if (best == steps.end() || differences(after(board, *best), goal) >= differences(board, goal)) return {};
        way.push_back(*best);
        board = after(board, *best);
    }
    return way;
}

int recurse_for_ever(int board, int goal) {
    const Steps steps = steps_from(board, goal);
    if (board == goal || steps.empty()) return 0;
    return recurse_for_ever(after(board, steps[0]), goal) + 1;
}

struct Reached {
    int board;
    int depth;
    int parent;  // Index among the boards reached, -1 for the start.
    Step step;
};

Steps way_to(const std::vector<Reached>& reached, int index) {
    Steps way;
    for (; reached[index].parent >= 0; index = reached[index].parent) way.push_back(reached[index].step);
    if (!with(kBackwards)) std::reverse(way.begin(), way.end());
    return way;
}

bool is_dropped(int board, std::size_t waiting) {
    if (with(kSignedBoards) && static_cast<short>(board) < 0) return true;
    return with(kSmallQueue) && waiting >= 1024;
}

Way by_search(int start, int goal) {
    if (with(kGreedyByDifferences)) return greedy(start, goal);
    if (with(kEndlessRecursion) && recurse_for_ever(start, goal) < 0) return {};
    std::vector<bool> seen(kBoards);
    std::vector<Reached> reached{{start, 0, -1, {}}};
    std::deque<int> waiting{0};
    seen[seen_key(start)] = !with(kStartNotTested);
    while (!waiting.empty()) {
        const int index = with(kDepthFirst) ? waiting.back() : waiting.front();
        with(kDepthFirst) ? waiting.pop_back() : waiting.pop_front();
        const auto [board, depth, parent, step_before] = reached[index];
        if (is_goal(board, goal, depth)) return way_to(reached, index);
        if (depth == most_steps()) continue;
        for (const Step step : steps_from(board, goal)) {
            const int next = after(board, step);
            if (seen[seen_key(next)] || is_dropped(next, waiting.size())) continue;
            seen[seen_key(next)] = !with(kNothingRemembered);
            waiting.push_back(static_cast<int>(reached.size()));
            reached.push_back({next, depth + 1, index, step});
        }
    }
    return {};
}

// ---- Searching from both ends -------------------------------------------------------------------------------

struct End {
    std::vector<int> via = std::vector<int>(kBoards, -1);  // Index into steps, -1 unseen.
    Steps steps{{0, 0}};                                   // The first one stands for the root.
    std::vector<int> frontier;
    int levels = 0;
    explicit End(int root) : frontier{root} { via[root] = 0; }
};

// Adds one level. Returns a board on which this end meets the other, or -1 if they do not meet.
int grow(End& end, const End& other) {
    std::vector<int> next;
    int meeting = -1;
    for (const int board : end.frontier) {
        for (const Step step : steps_from(board, board)) {
            const int reached = after(board, step);
            if (end.via[reached] >= 0) continue;
            end.via[reached] = static_cast<int>(end.steps.size());
            end.steps.push_back(step);
            next.push_back(reached);
            if (other.via[reached] >= 0) meeting = reached;
        }
    }
    end.frontier = next;
    ++end.levels;
    return meeting;
}

// Returns a board whose rows have the same counts as those of a board of the other end, or -1. A poor hash
// takes such a pair for a meeting.
int resembling(const End& end, const End& other) {
    for (const int board : end.frontier) {
        for (const int far : other.frontier) {
            if (counts_of_rows(board) == counts_of_rows(far)) return board;
        }
    }
    return -1;
}

Steps way_to_root(const End& end, int board) {
    Steps way;
    while (end.via[board] > 0) {
        const Step step = end.steps[end.via[board]];
        way.push_back(step);
        board = after(board, step);
    }
    return way;
}

Steps joined(const End& front, const End& back, int meeting) {
    Steps first = way_to_root(front, meeting), second = way_to_root(back, meeting);
    if (with(kMeetingStepMissing) && !first.empty()) first.erase(first.begin());
    if (!with(kFirstHalfNotReversed)) std::reverse(first.begin(), first.end());
    if (with(kSecondHalfReversed)) std::reverse(second.begin(), second.end());
    if (with(kFirstHalfMissing)) return second;
    if (!with(kSecondHalfMissing)) first.insert(first.end(), second.begin(), second.end());
    return first;
}

Way by_both_ends(int start, int goal) {
    End front(start), back(goal);
    int meeting = start == goal ? start : -1;
    while (meeting < 0) {
        const bool forward = front.levels <= back.levels;
        if (with(kNineLevelsPerSide) && back.levels == 9) return {};
        meeting = forward ? grow(front, back) : grow(back, front);
        if (meeting < 0 && with(kMeetingByCount)) meeting = resembling(front, back);
    }
    return joined(front, back, meeting);
}

// ---- Assigning ----------------------------------------------------------------------------------------------

int distance(int a, int b) {
    int rows = row_of(a) - row_of(b), columns = column_of(a) - column_of(b);
    if (with(kDistanceWithoutAbs)) return rows + columns;
    rows = std::abs(rows);
    columns = std::abs(columns);
    if (with(kRowDistance)) return rows;
    if (with(kColumnDistance)) return columns;
    if (with(kKingDistance)) return std::max(rows, columns);
    if (with(kSquaredDistance)) return rows * rows + columns * columns;
    if (with(kStraightDistance)) return static_cast<int>(1000 * std::sqrt(rows * rows + columns * columns));
    return rows + columns;
}

using Cells = std::vector<int>;

int cost_of(const Cells& surplus, const Cells& missing) {
    int cost = 0;
    for (std::size_t i = 0; i < surplus.size(); ++i) {
        const int one = distance(surplus[i], missing[i]);
        cost = with(kShortestLongestWay) ? std::max(cost, one) : cost + one;
    }
    return with(kDearest) ? -cost : cost;
}

// Tries every order of the missing cells; eight cells have 40,320 orders.
Cells cheapest(const Cells& surplus, Cells missing) {
    Cells best = missing;
    std::sort(missing.begin(), missing.end());
    do {
        if (cost_of(surplus, missing) < cost_of(surplus, best)) best = missing;
    } while (std::next_permutation(missing.begin(), missing.end()));
    return best;
}

Cells nearest_pair_first(Cells surplus, Cells& missing) {
    for (std::size_t done = 0; done < surplus.size(); ++done) {
        std::size_t i = done, j = done;
        for (std::size_t a = done; a < surplus.size(); ++a) {
            for (std::size_t b = done; b < missing.size(); ++b) {
                if (distance(surplus[a], missing[b]) < distance(surplus[i], missing[j])) i = a, j = b;
            }
        }
        std::swap(surplus[done], surplus[i]);
        std::swap(missing[done], missing[j]);
    }
    return surplus;
}

Cells nearest_free_goals(const Cells& surplus, Cells missing) {
    for (std::size_t i = 0; i < surplus.size(); ++i) {
        const auto nearer = [&](int a, int b) { return distance(surplus[i], a) < distance(surplus[i], b); };
        std::iter_swap(missing.begin() + i, std::min_element(missing.begin() + i, missing.end(), nearer));
    }
    return missing;
}

Cells same_rows_first(const Cells& surplus, Cells missing) {
    for (std::size_t i = 0; i < surplus.size(); ++i) {
        const auto same_row = [&](int cell) { return row_of(cell) == row_of(surplus[i]); };
        const auto found = std::find_if(missing.begin() + i, missing.end(), same_row);
        if (found != missing.end()) std::iter_swap(missing.begin() + i, found);
    }
    return missing;
}

Cells improved_once(const Cells& surplus, const Cells& missing) {
    Cells best = missing;
    for (std::size_t i = 0; i < missing.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            Cells other = missing;
            std::swap(other[i], other[j]);
            if (cost_of(surplus, other) < cost_of(surplus, best)) best = other;
        }
    }
    return best;
}

// Returns the goal of each surplus black piece, in the order of `surplus`.
Cells assigned(Cells& surplus, Cells missing) {
    if (with(kSevenPairs) && surplus.size() > 7) {
        surplus.resize(7);
        missing.resize(7);
    }
    if (with(kReadingOrder)) return missing;
    if (with(kNearestFreeGoal)) return nearest_free_goals(surplus, missing);
    if (with(kRowsBeforeColumns)) return same_rows_first(surplus, missing);
    if (with(kOneImprovement)) return improved_once(surplus, missing);
    if (!with(kNearestPairFirst)) return cheapest(surplus, missing);
    surplus = nearest_pair_first(surplus, missing);
    return missing;
}

int next_cell(int board, int cell, int goal) {
    const int down = row_of(cell) < row_of(goal) ? kSide : -kSide;
    const int across = column_of(cell) < column_of(goal) ? 1 : -1;
    if (row_of(cell) == row_of(goal)) return cell + across;
    if (column_of(cell) == column_of(goal)) return cell + down;
    const bool blocked = with(kDetourAroundBlack) && is_black(board, cell + across);
    return blocked ? cell + down : cell + across;
}

Cells way_between(int board, int from, int to) {
    Cells way{from};
    while (way.back() != to) way.push_back(next_cell(board, way.back(), to));
    return way;
}

void take(Steps& steps, int& board, int from, int to) {
    steps.push_back({from, to});
    if (is_black(board, from) != is_black(board, to)) board = after(board, {from, to});
}

// The last black piece on the way moves to its end, the one before takes the cell that it left, and so on. So
// the number of steps is always the length of the way.
void walk(Steps& steps, int& board, const Cells& way) {
    int end = static_cast<int>(way.size()) - 1;
    if (with(kWalksThrough) || with(kDetourAroundBlack)) {
        for (int j = 0; j < end; ++j) steps.push_back({way[j], way[j + 1]});
        board = after(board, {way[0], way[end]});
        return;
    }
    if (with(kBlockedGivesUp)) {
        for (int j = 0; j < end && !is_black(board, way[j + 1]); ++j) take(steps, board, way[j], way[j + 1]);
        return;
    }
    Cells blacks;
    for (int i = end - 1; i >= 0; --i) {
        if (is_black(board, way[i])) blacks.push_back(i);
    }
    if (with(kRearFirst)) std::reverse(blacks.begin(), blacks.end());
    for (const int black : blacks) {
        for (int j = black; j < end; ++j) take(steps, board, way[j], way[j + 1]);
        end = black;
    }
}

Way by_assignment(int start, int goal) {
    Cells surplus, missing;
    for (int cell = 0; cell < kCells; ++cell) {
        if (is_black(start & ~goal, cell)) surplus.push_back(cell);
        if (is_black(goal & ~start, cell)) missing.push_back(cell);
    }
    if (surplus.size() != missing.size()) return {};
    missing = assigned(surplus, missing);
    Steps steps;
    int board = start;
    for (std::size_t i = 0; i < surplus.size(); ++i) walk(steps, board, way_between(board, surplus[i], missing[i]));
    return steps;
}

// ---- Counting without a search ------------------------------------------------------------------------------

// Counts how often black pieces must cross a line between two rows or two columns. This is a lower bound on
// the number of steps, and often exact.
int crossed_lines(int start, int goal) {
    int crossed = 0, rows = 0, columns = 0;
    for (int line = 0; line < kSide; ++line) {
        rows += count_blacks(start >> line * kSide & 0x000f) - count_blacks(goal >> line * kSide & 0x000f);
        columns += count_blacks(start >> line & 0x1111) - count_blacks(goal >> line & 0x1111);
        crossed += std::abs(rows) + std::abs(columns);
    }
    return crossed;
}

int number_of_steps(int start, int goal, const Steps& steps) {
    const int number = static_cast<int>(steps.size());
    if (with(kOneTooMany)) return number + 1;
    if (with(kOneTooFew)) return std::max(0, number - 1);
    if (with(kHalfTheDifferences)) return differences(start, goal) / 2;
    if (with(kCrossedLines)) return crossed_lines(start, goal);
    return with(kBothColoursCounted) ? 2 * number : number;
}

// ---- Printing -----------------------------------------------------------------------------------------------

std::string cell_name(int cell) {
    int row = row_of(cell) + 1, column = column_of(cell) + 1;
    if (with(kCellNumbers)) return std::to_string(cell + 1);
    if (with(kFromZero)) --row, --column;
    if (with(kRowsFromBelow)) row = kSide + 1 - row;
    if (with(kColumnFirst)) std::swap(row, column);
    if (with(kBlanksBetween)) return std::to_string(row) + " " + std::to_string(column);
    if (with(kBrackets)) return "(" + std::to_string(row) + "," + std::to_string(column) + ")";
    return std::to_string(row) + std::to_string(column);
}

std::string step_name(Step step) {
    if (with(kTargetOnly)) return cell_name(step.to);
    if (with(kOldCellTwice)) return cell_name(step.from) + cell_name(step.from);
    const char* const gap = with(kCommasBetween) ? "," : with(kBlanksBetween) ? " " : "";
    return cell_name(step.from) + gap + cell_name(step.to);
}

std::string board_text(int board) {
    std::string text;
    for (int cell = 0; cell < kCells; ++cell) {
        text += is_black(board, cell) ? '1' : '0';
        if (column_of(cell) == kSide - 1) text += '\n';
    }
    return text;
}

void print_number(int number) {
    if (with(kPaddedCount) && number < 10) std::cout << '0';
    std::cout << (with(kDecimalCount) ? std::to_string(static_cast<double>(number)) : std::to_string(number));
    std::cout << (with(kNamesTheUnit) ? " steps\n" : "\n");
}

void print_steps(int board, Steps steps) {
    if (with(kFirstStepMissing) && !steps.empty()) steps.erase(steps.begin());
    if (with(kLastStepMissing) && !steps.empty()) steps.pop_back();
    for (const Step step : steps) {
        board = after(board, step);
        const std::string text = with(kBoardsForSteps) ? board_text(board) : step_name(step);
        const char* const line_end = with(kNoLineEnds) ? "" : "\n";
        std::cout << text << line_end;
        if (with(kStepsTwice)) std::cout << text << line_end;
    }
}

void print_answer(int start, int goal, const Way& way) {
    if (!way) {
        std::cout << "-1\n";
        return;
    }
    const int number = number_of_steps(start, goal, *way);
    if (with(kSilentAtZero) && number == 0) return;
    if (!with(kNoCount) && !with(kCountAtTheEnd)) print_number(number);
    if (!with(kCountOnly)) print_steps(start, *way);
    if (with(kCountAtTheEnd)) print_number(number);
    if (with(kSaysDone)) std::cout << "done\n";
    if (with(kGoalShownToo)) std::cout << board_text(goal);
}

// -------------------------------------------------------------------------------------------------------------

Way solve(int start, int goal) {
    if (between(kFirstHalfNotReversed, kMeetingStepMissing)) return by_both_ends(start, goal);
    if (between(kReadingOrder, kDetourAroundBlack)) return by_assignment(start, goal);
    const Way way = by_search(start, goal);
    if (!with(kRight)) return way;
    const Way other = by_both_ends(start, goal), third = by_assignment(start, goal);
    if (!way || !other || !third || way->size() != other->size() || way->size() != third->size()) std::abort();
    return way;
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
    const auto [start, goal] = read_boards();
    print_answer(start, goal, solve(start, goal));
}
