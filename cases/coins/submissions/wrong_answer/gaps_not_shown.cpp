// Two-ended search that prints the coins of a row without the empty cells between
// them.
// Caught by secret/08-five-alternating-exact.
#include <cstdint>
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

struct Row {
    uint64_t occupied = 0;
    uint64_t a = 0;
    bool operator==(const Row& other) const { return occupied == other.occupied && a == other.a; }
};

struct RowHash {
    size_t operator()(const Row& row) const {
        uint64_t h = row.occupied * 0x9E3779B97F4A7C15ull ^ (row.a + 0x165667B19E3779F9ull) * 0xC2B2AE3D27D4EB4Full;
        return h ^ (h >> 29);
    }
};

using Parents = std::unordered_map<Row, Row, RowHash>;

// A move changes the width by at most 2 cells. Within 40 moves a row of more than
// 9 + 2 * 20 cells cannot be reached and sorted again. The search leaves such rows
// out, so every row fits into 64 bits.
const uint64_t TOO_WIDE = 1ull << 49;

struct Side {
    Parents parent;
    std::vector<Row> frontier;

    bool add(const Row& row, const Row& from, std::vector<Row>& level) {
        if (row.occupied >= TOO_WIDE) return false;
        if (!parent.emplace(row, from).second) return false;
        level.push_back(row);
        return true;
    }
};

Row parse(const std::string& text) {
    Row row;
    for (size_t i = 0; i < text.size(); i++) {
        row.occupied |= 1ull << i;
        if (text[i] == 'A') row.a |= 1ull << i;
    }
    return row;
}

std::string show(const Row& row) {
    std::string text;
    for (int i = 0; row.occupied >> i; i++) {
        if (row.occupied >> i & 1) text += (row.a >> i & 1) ? 'A' : 'B';
    }
    return text;
}

template <typename Visit>
void each_move(Row row, Visit visit) {
    row.occupied <<= 2;  // two free cells for a pair that lands on the left
    row.a <<= 2;
    for (int p = 2; row.occupied >> (p + 1); p++) {
        uint64_t colours = row.a >> p & 3;
        if ((row.occupied >> p & 3) != 3 || colours == 0 || colours == 3) continue;
        for (int step : {-1, 1}) {
            int cell = step < 0 ? p - 1 : p + 2;
            if (!(row.occupied >> cell & 1)) continue;  // no coin to pass over
            while (row.occupied >> cell & 1) cell += step;
            int landing = step < 0 ? cell - 1 : cell;
            Row next{(row.occupied & ~(3ull << p)) | 3ull << landing, (row.a & ~(3ull << p)) | colours << landing};
            int shift = __builtin_ctzll(next.occupied);
            visit(Row{next.occupied >> shift, next.a >> shift});
        }
    }
}

// Expands one whole level; returns whether the other side knows a new row.
bool expand(Side& side, const Side& other, Row& meeting) {
    std::vector<Row> level;
    bool met = false;
    for (const Row& row : side.frontier) {
        each_move(row, [&](const Row& next) {
            if (side.add(next, row, level) && !met && other.parent.count(next)) {
                met = true;
                meeting = next;
            }
        });
    }
    side.frontier.swap(level);
    return met;
}

std::vector<Row> way_back(const Side& side, Row row) {
    std::vector<Row> rows{row};
    for (Row from = side.parent.at(row); !(from == row); from = side.parent.at(row)) rows.push_back(row = from);
    return rows;
}

void print(const Side& start, const Side& goal, const Row& meeting) {
    std::vector<Row> first = way_back(start, meeting), second = way_back(goal, meeting);
    std::cout << first.size() + second.size() - 2 << '\n';
    for (size_t i = first.size(); i-- > 0;) std::cout << show(first[i]) << '\n';
    for (size_t i = 1; i < second.size(); i++) std::cout << show(second[i]) << '\n';
}

int main() {
    std::string text;
    int limit = 0;
    std::cin >> text >> limit;
    std::string as, bs;
    for (char c : text) (c == 'A' ? as : bs) += c;

    Side start, goal;
    Row first = parse(text), left = parse(as + bs), right = parse(bs + as);
    start.add(first, first, start.frontier);
    goal.add(left, left, goal.frontier);
    goal.add(right, right, goal.frontier);

    Row meeting = first;
    bool met = first == left || first == right;
    for (int moves = 0; !met && moves < limit; moves++) {
        bool from_start = start.frontier.size() <= goal.frontier.size();
        met = from_start ? expand(start, goal, meeting) : expand(goal, start, meeting);
    }
    if (met) print(start, goal, meeting);
    else std::cout << "Impossible\n";
}
