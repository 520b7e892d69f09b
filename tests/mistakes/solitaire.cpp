// A solver of the puzzle solitaire that can make one of many typical mistakes.
// It searches four moves from each end. The number in argv[1] selects the
// mistake; 0 selects none. `--list` prints all mistakes. The test data must
// detect every mistake.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

enum Mistake {
    kNone,
    // Reading
    kFirstCaseOnly, kLastCaseLost, kLastCaseTwice, kStopsAtIdentical, kGoalTransposed,
    kAtMostTenCases, kAtMostFiftyCases, kEndsReadTogether,
    // State kept between test cases
    kStartMarksKept, kGoalMarksKept, kQueueKept, kYesKept, kGoalPiecesKept,
    // The order of the pieces
    kPiecesNotSorted, kGoalSideNotSorted, kSortedByRowOnly, kNotSortedAfterMove,
    // Keys
    kKeySum, kKeyProduct, kKeySixteenBits, kKeyBaseSeven, kKeyHalfBoard,
    // The board
    kBoardFromZeroToSeven, kBorderIsWall, kBoardWithoutRowEight, kBoardWithoutColumnOne,
    kStepWraps, kJumpWraps, kLandingCheckedAlways,
    // Moves
    kNoJumps, kOnlyJumps, kJumpsOverTwo, kJumpsOverNothing, kLandsOnPiece, kStepsOnPiece,
    kJumpedPieceRemoved, kChainOfJumps, kNoMoveUp, kNoJumpLeft, kJumpsOnlyAcross,
    kJumpsOnlyUpright, kDiagonalSteps, kDiagonalJumps, kBlockedDirectionEndsPiece,
    kLastPieceStays, kSlides, kJumpCostsTwo,
    // Search
    kSevenMoves, kNineMoves, kExactlyEight, kFrontiersOnly, kNoTestAtZero, kFrontierCapped,
    kDepthFirstMarks, kGreedy, kBoundIgnoresJumps, kBoundBySortedPairs, kFormula,
    kGoalJumpsMissing,
    // Output
    kMixedCase, kLowerCase, kOneAnswerPerFile, kNoLineEnds, kPrintsMoves, kAlwaysYes, kAlwaysNo,
    kSwappedWords, kNumberedCases,
    kMistakes
};

const char* const kDescriptions[kMistakes] = {
    "no mistake",
    "reads only the first test case",
    "stops before the last test case",
    "answers the last test case twice at the end of the file",
    "takes a test case with two identical lines for the end of the input",
    "reads the goal as column, row",
    "has room for ten test cases only",
    "has room for fifty test cases only",
    "reads all starts first, then all goals",
    "does not clear the marks of what was reached from the start: what is marked is not entered again",
    "does not clear the marks of what was reached from the goal: the search meets a goal of earlier",
    "leaves the previous start in the queue after a success",
    "does not reset the flag that says found",
    "appends the goal pieces to those of the previous test case",
    "takes pieces for different: never sorts them",
    "sorts the pieces in the search from the start but not in the search from the goal",
    "sorts the pieces by row only",
    "sorts the pieces once but not after a move",
    "identifies a configuration by the sum of its squares",
    "identifies a configuration by the product of its squares",
    "cuts the key of a configuration to sixteen bits",
    "packs the coordinates in base seven, so that keys coincide",
    "keeps only 32 of the 64 bits of a board",
    "reads coordinates 1 to 8 but checks them against 0 to 7",
    "takes the border squares for a wall that no piece moves onto",
    "never moves a piece onto row 8",
    "never moves a piece onto column 1",
    "steps over the end of a row to the next row",
    "jumps over the end of a row to the next row",
    "refuses a step where a jump would leave the board",
    "never jumps",
    "never steps",
    "jumps over two pieces as well",
    "jumps over an empty square",
    "lands on an occupied square: two pieces become one",
    "steps onto an occupied square: two pieces become one",
    "removes the piece that was jumped over",
    "counts a chain of jumps of one piece as one move",
    "forgets the direction up",
    "forgets the jump to the left",
    "jumps along rows only",
    "jumps along columns only",
    "steps diagonally",
    "jumps diagonally",
    "gives up the other directions of a piece after a blocked one",
    "moves the first three pieces only",
    "slides a piece until it is stopped",
    "counts a jump as two moves",
    "allows seven moves",
    "allows nine moves",
    "asks for exactly eight moves",
    "compares the outermost levels of both ends only",
    "tests for the goal only after a move",
    "has room for 200 configurations of a level",
    "searches depth first and never returns to a configuration, however deep it was seen",
    "follows only moves that bring the pieces nearer",
    "takes the distance of the pieces for a bound on the moves, forgetting jumps",
    "takes half the distance of the sorted pieces for a bound, though sorted pairs are not the nearest",
    "answers by the distance of the pieces without a search",
    "jumps in the search from the start but not in the search from the goal",
    "prints Yes and No",
    "prints yes and no",
    "prints one answer for the whole file",
    "prints no line ends between answers",
    "prints the number of moves instead of YES",
    "always prints YES",
    "always prints NO",
    "exchanges YES and NO",
    "numbers the answers",
};

Mistake chosen = kNone;
bool mistake(Mistake which) { return chosen == which; }

struct Square {
    int row, column;
    bool operator==(const Square& other) const { return row == other.row && column == other.column; }
    bool operator<(const Square& other) const {
        return std::pair(row, column) < std::pair(other.row, other.column);
    }
};
using Board = std::vector<Square>;
using Key = std::uint64_t;

void sort_pieces(Board& board) {
    if (mistake(kPiecesNotSorted)) return;
    if (mistake(kSortedByRowOnly)) {
        std::stable_sort(board.begin(), board.end(), [](Square a, Square b) { return a.row < b.row; });
        return;
    }
    std::sort(board.begin(), board.end());
}

Key key_of(const Board& board) {
    Key key = mistake(kKeyProduct) ? 1 : 0;
    for (const Square& piece : board) {
        const Key square = 8 * (piece.row - 1) + piece.column - 1;
        if (mistake(kKeySum)) key += square;
        else if (mistake(kKeyProduct)) key *= square + 1;
        else if (mistake(kKeyBaseSeven)) key = (key * 7 + piece.row - 1) * 7 + piece.column - 1;
        else if (mistake(kKeyHalfBoard)) key |= Key{1} << square % 32;
        else key = key << 10 | static_cast<Key>(piece.row + 4) << 5 | static_cast<Key>(piece.column + 4);
    }
    if (mistake(kKeySixteenBits)) key = (key ^ key >> 10) & 0xffff;
    return key;
}

bool inside(Square square) {
    const int least = mistake(kBoardFromZeroToSeven) ? 0 : mistake(kBorderIsWall) ? 2 : 1;
    const int most = mistake(kBoardFromZeroToSeven) || mistake(kBorderIsWall) ? 7 : 8;
    const int most_row = mistake(kBoardWithoutRowEight) ? 7 : most;
    const int least_column = mistake(kBoardWithoutColumnOne) ? 2 : least;
    return least <= square.row && square.row <= most_row && least_column <= square.column && square.column <= most;
}

bool occupied(const Board& board, Square square) {
    return std::find(board.begin(), board.end(), square) != board.end();
}

// A solver that stores squares as 0..63 and forgets the columns continues in the next
// row.
Square wrapped(Square square) {
    if (square.column < 1) return {square.row - 1, square.column + 8};
    if (square.column > 8) return {square.row + 1, square.column - 8};
    return square;
}

Square ahead(Square from, Square direction, int squares, bool wraps) {
    const Square to{from.row + squares * direction.row, from.column + squares * direction.column};
    return wraps ? wrapped(to) : to;
}

struct Reached {
    Board board;
    int cost;
};

class Mover {
public:
    explicit Mover(const Board& board, bool backwards) : board_(board), backwards_(backwards) {}

    std::vector<Reached> all() {
        const std::size_t pieces = mistake(kLastPieceStays) ? board_.size() - 1 : board_.size();
        for (std::size_t piece = 0; piece < pieces; ++piece) move_piece(piece);
        return std::move(reached_);
    }

private:
    void move_piece(std::size_t piece) {
        for (Square direction : {Square{1, 0}, Square{0, -1}, Square{0, 1}, Square{-1, 0}}) {
            if (mistake(kNoMoveUp) && direction.row < 0) continue;
            const std::size_t before = reached_.size();
            move(piece, direction);
            if (mistake(kBlockedDirectionEndsPiece) && reached_.size() == before) return;
        }
        if (mistake(kDiagonalSteps) || mistake(kDiagonalJumps))
            for (int row : {-1, 1})
                for (int column : {-1, 1}) move_diagonally(piece, {row, column});
    }

    void move(std::size_t piece, Square direction) {
        const Square from = board_[piece];
        const Square near = ahead(from, direction, 1, mistake(kStepWraps) || mistake(kJumpWraps));
        if (!occupied(board_, near)) {
            if (!mistake(kOnlyJumps)) step(piece, direction, ahead(from, direction, 1, mistake(kStepWraps)));
            if (mistake(kJumpsOverNothing)) land(piece, ahead(from, direction, 2, false), 1);
            return;
        }
        if (mistake(kStepsOnPiece)) place(piece, near, 1);
        if (jumps_this_way(direction)) jump(piece, direction);
    }

    void step(std::size_t piece, Square direction, Square near) {
        if (!inside(near)) return;
        if (mistake(kLandingCheckedAlways) && !inside(ahead(near, direction, 1, false))) return;
        if (mistake(kSlides))
            for (Square next = ahead(near, direction, 1, false); inside(next) && !occupied(board_, next);
                 next = ahead(near, direction, 1, false))
                near = next;
        place(piece, near, 1);
    }

    static bool jumps_this_way(Square direction) {
        if (mistake(kNoJumps)) return false;
        if (mistake(kNoJumpLeft) && direction.column < 0) return false;
        if (mistake(kJumpsOnlyAcross) && direction.row != 0) return false;
        if (mistake(kJumpsOnlyUpright) && direction.column != 0) return false;
        return true;
    }

    void jump(std::size_t piece, Square direction) {
        if (mistake(kGoalJumpsMissing) && backwards_) return;
        const int cost = mistake(kJumpCostsTwo) ? 2 : 1;
        const Square far = ahead(board_[piece], direction, 2, mistake(kJumpWraps));
        if (mistake(kJumpsOverTwo) && occupied(board_, far)) {
            land(piece, ahead(board_[piece], direction, 3, false), cost);
            return;
        }
        const std::size_t before = reached_.size();
        land(piece, far, cost);
        if (reached_.size() == before) return;
        if (mistake(kJumpedPieceRemoved)) remove(ahead(board_[piece], direction, 1, false));
        if (mistake(kChainOfJumps)) continue_jumping(piece, far, {board_[piece]});
    }

    void continue_jumping(std::size_t piece, Square at, std::set<Square> visited) {
        visited.insert(at);
        Board others = board_;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(piece));
        for (Square direction : {Square{1, 0}, Square{0, -1}, Square{0, 1}, Square{-1, 0}}) {
            const Square far = ahead(at, direction, 2, false);
            if (!occupied(others, ahead(at, direction, 1, false)) || occupied(others, far)) continue;
            if (!inside(far) || visited.count(far)) continue;
            place(piece, far, 1);
            continue_jumping(piece, far, visited);
        }
    }

    void move_diagonally(std::size_t piece, Square direction) {
        const Square near = ahead(board_[piece], direction, 1, false);
        const bool blocked = occupied(board_, near);
        if (mistake(kDiagonalSteps) && !blocked) land(piece, near, 1);
        if (mistake(kDiagonalJumps) && blocked) land(piece, ahead(board_[piece], direction, 2, false), 1);
    }

    void land(std::size_t piece, Square square, int cost) {
        if (!inside(square)) return;
        if (occupied(board_, square) && !mistake(kLandsOnPiece)) return;
        place(piece, square, cost);
    }

    void place(std::size_t piece, Square square, int cost) {
        Board moved = board_;
        moved[piece] = square;
        const bool as_moved = mistake(kNotSortedAfterMove) || (mistake(kGoalSideNotSorted) && backwards_);
        if (!as_moved) sort_pieces(moved);
        if (mistake(kLandsOnPiece) || mistake(kStepsOnPiece))
            moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
        reached_.push_back({std::move(moved), cost});
    }

    void remove(Square square) {
        Board& moved = reached_.back().board;
        moved.erase(std::remove(moved.begin(), moved.end(), square), moved.end());
    }

    const Board& board_;
    bool backwards_;
    std::vector<Reached> reached_;
};

int distance(const Board& a, const Board& b) {
    std::array<int, 4> order{0, 1, 2, 3};
    int least = 1000;
    do {
        int sum = 0;
        for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
            const Square& other = b[static_cast<std::size_t>(order[i]) % b.size()];
            sum += std::abs(a[i].row - other.row) + std::abs(a[i].column - other.column);
        }
        least = std::min(least, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    return least;
}

// Returns the distance between the sorted rows plus the distance between the sorted columns.
int projected_distance(const Board& a, const Board& b) {
    const auto sorted = [](const Board& board, int Square::*coordinate) {
        std::array<int, 4> values{};
        for (std::size_t i = 0; i < board.size(); ++i) values[i] = board[i].*coordinate;
        std::sort(values.begin(), values.end());
        return values;
    };
    int sum = 0;
    for (int Square::*coordinate : {&Square::row, &Square::column}) {
        const auto left = sorted(a, coordinate), right = sorted(b, coordinate);
        for (std::size_t i = 0; i < left.size(); ++i) sum += std::abs(left[i] - right[i]);
    }
    return sum;
}

int sorted_pairs_distance(const Board& a, const Board& b) {
    int sum = 0;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        sum += std::abs(a[i].row - b[i].row) + std::abs(a[i].column - b[i].column);
    return sum;
}

// The configurations within a number of moves of one end, level by level.
struct Ball {
    std::unordered_set<Key> seen;
    std::vector<std::vector<Board>> levels;

    // With one of the mistakes a jump costs two moves. So the cost of a configuration gives
    // its level.
    void grow(const Board& centre, int moves, bool backwards, const Board& target) {
        levels.resize(static_cast<std::size_t>(moves) + 1);
        levels[0].push_back(centre);
        if (!mistake(kExactlyEight)) seen.insert(key_of(centre));
        for (std::size_t depth = 0; depth < static_cast<std::size_t>(moves); ++depth) {
            if (mistake(kExactlyEight)) seen.clear();
            for (std::size_t i = 0; i < levels[depth].size(); ++i) {
                if (mistake(kFrontierCapped) && i >= 200) break;
                expand(Board(levels[depth][i]), depth, backwards, target);
            }
        }
    }

private:
    void expand(const Board& board, std::size_t depth, bool backwards, const Board& target) {
        for (Reached& next : Mover(board, backwards).all()) {
            const std::size_t level = depth + static_cast<std::size_t>(next.cost);
            if (level >= levels.size()) continue;
            if (mistake(kGreedy) && projected_distance(next.board, target) > projected_distance(board, target)) continue;
            if (mistake(kJumpCostsTwo) ? late(next, level) : !seen.insert(key_of(next.board)).second) continue;
            levels[level].push_back(std::move(next.board));
        }
    }

    // With costs 1 and 2, the first visit may not be the cheapest. So a
    // configuration may be visited once per level.
    bool late(const Reached& next, std::size_t level) {
        return !seen.insert(key_of(next.board) * 16 + level).second;
    }
};

// A depth-first search that never visits a configuration again, even at a
// smaller depth. So it misses configurations that it could still reach.
void grow_depth_first(Ball& ball, const Board& board, std::size_t depth) {
    if (depth >= ball.levels.size() || !ball.seen.insert(key_of(board)).second) return;
    ball.levels[depth].push_back(board);
    for (const Reached& next : Mover(board, false).all()) grow_depth_first(ball, next.board, depth + 1);
}

Ball start_ball, goal_ball;

void forget_previous_case(bool success) {
    const std::vector<std::vector<Board>> queue = std::move(start_ball.levels);
    start_ball.levels.clear();
    if (mistake(kQueueKept) && success) start_ball.levels.push_back({queue[0].back()});
    if (!mistake(kStartMarksKept)) start_ball.seen.clear();
    goal_ball = Ball{};
}

void grow_balls(const Board& start, const Board& goal) {
    if (mistake(kDepthFirstMarks)) {
        start_ball.levels.resize(5);
        goal_ball.levels.resize(5);
        grow_depth_first(start_ball, start, 0);
        grow_depth_first(goal_ball, goal, 0);
        return;
    }
    start_ball.grow(start, mistake(kNineMoves) ? 5 : 4, false, goal);
    goal_ball.grow(goal, mistake(kSevenMoves) ? 3 : 4, true, start);
}

constexpr int kNeverMet = 99;

// Returns the fewest moves from start to goal that the two balls show; kNeverMet if they do not
// meet.
int fewest_moves(const Board& start, const Board& goal) {
    static int fewest = kNeverMet;
    static std::unordered_map<Key, int> level_of;
    forget_previous_case(fewest != kNeverMet);
    grow_balls(start, goal);
    fewest = kNeverMet;
    const bool outermost = mistake(kFrontiersOnly) || mistake(kExactlyEight);
    if (!mistake(kGoalMarksKept)) level_of.clear();
    for (std::size_t level = outermost ? 4 : 0; level < goal_ball.levels.size(); ++level)
        for (const Board& board : goal_ball.levels[level]) level_of.emplace(key_of(board), static_cast<int>(level));
    for (std::size_t level = outermost ? 4 : 0; level < start_ball.levels.size(); ++level)
        for (const Board& board : start_ball.levels[level]) {
            const auto met = level_of.find(key_of(board));
            if (met != level_of.end()) fewest = std::min(fewest, static_cast<int>(level) + met->second);
        }
    return fewest;
}

bool reachable(const Board& start, const Board& goal) {
    static bool found = false;
    if (!mistake(kYesKept)) found = false;
    if (mistake(kAlwaysYes)) return true;
    if (mistake(kAlwaysNo)) return false;
    if (mistake(kFormula)) return distance(start, goal) <= 8;
    if (mistake(kBoundIgnoresJumps) && distance(start, goal) > 8) return false;
    if (mistake(kBoundBySortedPairs) && sorted_pairs_distance(start, goal) > 16) return false;
    if (mistake(kNoTestAtZero) && start == goal) return false;
    if (fewest_moves(start, goal) != kNeverMet) found = true;
    return found;
}

using Cases = std::vector<std::pair<Board, Board>>;

Board board_of(const int* numbers) {
    Board board;
    for (int piece = 0; piece < 4; ++piece) board.push_back({numbers[2 * piece], numbers[2 * piece + 1]});
    return board;
}

Cases read_cases() {
    const std::vector<int> numbers{std::istream_iterator<int>(std::cin), {}};
    std::vector<Board> boards;
    for (std::size_t i = 0; i + 8 <= numbers.size(); i += 8) boards.push_back(board_of(&numbers[i]));
    Cases cases;
    const std::size_t count = boards.size() / 2;
    for (std::size_t i = 0; i < count; ++i) {
        if (mistake(kEndsReadTogether)) cases.push_back({boards[i], boards[count + i]});
        else cases.push_back({boards[2 * i], boards[2 * i + 1]});
    }
    return cases;
}

void misread(Cases& cases) {
    if (mistake(kFirstCaseOnly)) cases.resize(1);
    if (mistake(kLastCaseLost)) cases.pop_back();
    if (mistake(kLastCaseTwice)) cases.push_back(cases.back());
    if (mistake(kAtMostTenCases) && cases.size() > 10) cases.resize(10);
    if (mistake(kAtMostFiftyCases) && cases.size() > 50) cases.resize(50);
    Board kept;
    for (auto& [start, goal] : cases) {
        if (mistake(kGoalTransposed))
            for (Square& piece : goal) std::swap(piece.row, piece.column);
        if (mistake(kGoalPiecesKept)) {
            kept.insert(kept.end(), goal.begin(), goal.end());
            goal.assign(kept.begin(), kept.begin() + 4);
        }
    }
}

std::string answer(const Board& start, const Board& goal, std::size_t number) {
    bool yes = reachable(start, goal);
    if (mistake(kSwappedWords)) yes = !yes;
    if (mistake(kMixedCase)) return yes ? "Yes" : "No";
    if (mistake(kLowerCase)) return yes ? "yes" : "no";
    if (mistake(kPrintsMoves)) return yes ? std::to_string(fewest_moves(start, goal)) : "NO";
    if (mistake(kNumberedCases)) return "Case " + std::to_string(number) + (yes ? ": YES" : ": NO");
    return yes ? "YES" : "NO";
}

void answer_all() {
    Cases cases = read_cases();
    misread(cases);
    std::size_t number = 0;
    bool all = true;
    for (auto& [start, goal] : cases) {
        if (mistake(kStopsAtIdentical) && start == goal) break;
        sort_pieces(start);
        if (!mistake(kGoalSideNotSorted)) sort_pieces(goal);
        const std::string word = answer(start, goal, ++number);
        all = all && word == "YES";
        if (!mistake(kOneAnswerPerFile)) std::cout << word << (mistake(kNoLineEnds) ? "" : "\n");
    }
    if (mistake(kOneAnswerPerFile)) std::cout << (all ? "YES\n" : "NO\n");
}

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: solitaire NUMBER < case.in, or solitaire --list\n";
        return 2;
    }
    const std::string argument = arguments[1];
    if (argument == "--list") {
        for (int i = 0; i < kMistakes; ++i) std::cout << i << '\t' << kDescriptions[i] << '\n';
        return 0;
    }
    const bool number = !argument.empty() && argument.size() <= 3 &&
                        argument.find_first_not_of("0123456789") == std::string::npos;
    if (!number || std::stoi(argument) >= kMistakes) {
        std::cerr << "unknown mistake: " << argument << '\n';
        return 2;
    }
    chosen = static_cast<Mistake>(std::stoi(argument));
    answer_all();
}
