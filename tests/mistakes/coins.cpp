// A solver of the coin puzzle that can make one of many typical mistakes.
//
//   mistakes NUMBER < case.in    0 is the solver without a mistake
//   mistakes --list              number, tab, description
//
// The solver searches from the start and from the goals, and stores rows as
// strings. Each mistake is a switch at the place where a real solver would make
// it.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

#define MISTAKES(X) \
    X(limit_first_digit, "reads only the first digit of the limit") \
    X(limit_last_digit, "keeps only the last digit of the limit") \
    X(limit_ignored, "searches up to 40 moves whatever the limit is") \
    X(limit_exclusive, "allows fewer than L moves instead of at most L") \
    X(limit_one_more, "allows one move too many") \
    X(limit_capped_at_30, "never searches deeper than 30 moves") \
    X(limit_zero_is_none, "takes limit 0 for no limit") \
    X(row_cut_at_8, "has room for eight coins only") \
    X(row_first_letter_lost, "loses the first coin when reading") \
    X(row_last_letter_lost, "takes the last coin for the line end") \
    X(goal_a_left_only, "wants all A on the left") \
    X(goal_b_left_only, "wants all B on the left") \
    X(goal_keeps_first_letter, "wants the kind on the left that is there at the start") \
    X(goal_majority_left, "wants the kind with more coins on the left") \
    X(goal_gap_inside, "accepts a gap inside one kind") \
    X(goal_three_groups, "accepts an outer coin that lies on the wrong side") \
    X(zero_moves_missed, "looks for the goal only after a move") \
    X(zero_limit_impossible, "says Impossible whenever the limit is 0") \
    X(pair_alike, "moves pairs of equal coins as well") \
    X(pair_ab_only, "moves AB but not BA") \
    X(pair_turned, "turns the pair round when it moves") \
    X(pass_one, "passes over a single coin only") \
    X(pass_three, "passes over at most three coins") \
    X(pass_nobody, "lets a pair slide two cells when no coin touches it") \
    X(last_pair_fixed, "never moves the last two coins") \
    X(first_pair_fixed, "never moves the first two coins") \
    X(right_only, "moves pairs to the right only") \
    X(left_only, "moves pairs to the left only") \
    X(outside_only, "never lands in a gap") \
    X(gap_never_opened, "pushes the coins together where the pair was") \
    X(overlapping_pairs_missed, "goes on behind a pair and misses one that overlaps it") \
    X(even_cells_only, "looks for pairs on every other cell") \
    X(first_block_only, "looks for pairs in the first block only") \
    X(first_pair_only, "tries only the first pair of a row") \
    X(depth_first, "searches depth first without deepening") \
    X(seen_without_gaps, "forgets the gaps when it compares rows") \
    X(seen_without_kinds, "forgets the kinds when it compares rows") \
    X(seen_hash_small, "compares rows by a 16-bit hash only") \
    X(rows_capped_100, "gives up after a hundred rows") \
    X(rows_capped_50000, "gives up after fifty thousand rows") \
    X(width_plus_2, "has room for two cells more than coins") \
    X(width_plus_4, "has room for four cells more than coins") \
    X(mirrors_merged, "takes mirror images for one row and prints them so") \
    X(even_impossible, "says Impossible for every even number of coins") \
    X(balanced_impossible, "says Impossible when there are as many A as B") \
    X(few_b_impossible, "takes rows with a single B for impossible") \
    X(always_possible, "prints the start and a goal where it finds no way") \
    X(prints_rows, "prints the number of rows instead of moves") \
    X(prints_limit, "prints the limit instead of the minimum") \
    X(prints_goal_first, "prints the rows from the goal to the start") \
    X(start_missing, "does not print the start") \
    X(goal_missing, "does not print the last row") \
    X(meeting_twice, "prints the row where the searches meet twice") \
    X(second_half_reversed, "prints the second half of the way backwards") \
    X(gaps_left_out, "prints the coins without the gaps") \
    X(gaps_as_underscore, "prints empty cells as underscores") \
    X(gap_as_one_dot, "prints one dot per gap") \
    X(lower_case_rows, "prints the coins in lower case") \
    X(lower_case_impossible, "prints impossible") \
    X(minus_one, "prints -1 instead of Impossible") \
    X(count_missing, "does not print the number of moves") \
    X(zero_without_row, "prints no row when no move is needed") \
    X(no_output_when_impossible, "prints nothing when it finds no way")

enum Mistake {
    none,
#define NAME(name, text) name,
    MISTAKES(NAME)
#undef NAME
};

const char* const DESCRIPTIONS[] = {
    "no mistake",
#define TEXT(name, text) text,
    MISTAKES(TEXT)
#undef TEXT
};

using std::string;
using Rows = std::vector<string>;
int chosen = none;
size_t coins = 0;

bool on(Mistake mistake) { return chosen == mistake; }

const size_t WIDEST = 9 + 40;  // nothing wider can be sorted within 40 moves

size_t widest() {
    if (on(width_plus_2)) return coins + 2;
    return on(width_plus_4) ? coins + 4 : WIDEST;
}

string trimmed(const string& row) {
    size_t first = row.find_first_not_of('.');
    return first == string::npos ? "" : row.substr(first, row.find_last_not_of('.') - first + 1);
}

string without_gaps(string row) {
    row.erase(std::remove(row.begin(), row.end(), '.'), row.end());
    return row;
}

// Moves the pair to `landing`, and adds the trimmed row to `found`. `row` has two free cells at
// both ends.
void land(const string& row, size_t pair, size_t landing, Rows& found) {
    if (landing + 2 > row.size() || row[landing] != '.' || row[landing + 1] != '.') return;
    if (on(outside_only) && landing != 0 && landing + 2 != row.size()) return;
    string next = row, taken = row.substr(pair, 2);
    if (on(pair_turned)) std::swap(taken[0], taken[1]);
    next.replace(pair, 2, "..").replace(landing, 2, taken);
    if (on(gap_never_opened)) next.erase(pair, 2);
    next = trimmed(next);
    if (next.size() <= widest()) found.push_back(next);
}

bool passes(size_t count) {
    if (on(pass_one)) return count == 1;
    if (on(pass_three)) return count >= 1 && count <= 3;
    return count >= 1 || on(pass_nobody);
}

bool is_pair(const string& row, size_t p) {
    if (row[p] == '.' || row[p + 1] == '.') return false;
    if (on(pair_ab_only)) return row[p] == 'A' && row[p + 1] == 'B';
    if (on(last_pair_fixed) && p + 4 == row.size()) return false;
    if (on(first_pair_fixed) && p == 2) return false;
    return row[p] != row[p + 1] || on(pair_alike);
}

Rows moves(const string& from) {
    const string row = ".." + from + "..";
    Rows found;
    for (size_t p = 2; p + 3 < row.size(); p++) {
        if (on(first_block_only) && row[p] == '.') break;
        if (on(even_cells_only) && p % 2 == 1) continue;
        if (!is_pair(row, p)) continue;
        size_t right = row.find('.', p + 2), left = row.rfind('.', p - 1);
        if (!on(left_only) && passes(right - p - 2)) land(row, p, right, found);
        if (!on(right_only) && passes(p - 1 - left)) land(row, p, left - 1, found);
        if (on(overlapping_pairs_missed)) p++;
        if (on(first_pair_only)) break;
    }
    return found;
}

Rows goals(const string& start) {
    const size_t a = std::count(start.begin(), start.end(), 'A'), b = start.size() - a;
    const string as(a, 'A'), bs(b, 'B');
    if (on(goal_a_left_only)) return {as + bs};
    if (on(goal_b_left_only)) return {bs + as};
    if (on(goal_keeps_first_letter)) return {start[0] == 'A' ? as + bs : bs + as};
    if (on(goal_majority_left)) return {a > b ? as + bs : bs + as};
    Rows all{as + bs, bs + as};
    if (on(goal_gap_inside) && a > 1) all.insert(all.end(), {"A.." + as.substr(1) + bs, bs + as.substr(1) + "..A"});
    if (on(goal_three_groups) && a > 1) all.insert(all.end(), {"A" + bs + as.substr(1), as.substr(1) + bs + "A"});
    return all;
}

// Returns the key by which rows are compared.
string key(string row) {
    if (on(seen_without_gaps)) return without_gaps(row);
    if (on(seen_without_kinds)) std::replace(row.begin(), row.end(), 'B', 'A');
    if (on(mirrors_merged)) return std::min(row, string(row.rbegin(), row.rend()));
    if (on(seen_hash_small)) return std::to_string(std::hash<string>()(row) & 0xffff);
    return row;
}

struct Entry {
    string row, from;  // a row and the key of the row before it
};

struct Side {
    std::unordered_map<string, Entry> seen;
    Rows frontier;

    explicit Side(const Rows& first) : frontier(first) {
        for (const string& row : first) seen.emplace(key(row), Entry{row, key(row)});
    }

    Rows way_back(string at) const {
        Rows rows;
        for (;;) {
            const Entry& entry = seen.at(at);
            rows.push_back(entry.row);
            if (entry.from == at) return rows;
            at = entry.from;
        }
    }
};

// Expands one level. Returns the key of a row that both sides have reached, or "" if there is none.
string expand(Side& side, const Side& other) {
    Rows level;
    string met;
    for (const string& row : side.frontier) {
        for (const string& next : moves(row)) {
            const string k = key(next);
            if (!side.seen.emplace(k, Entry{next, key(row)}).second) continue;
            level.push_back(next);
            if (met.empty() && other.seen.count(k)) met = k;
        }
    }
    side.frontier.swap(level);
    return met;
}

Rows join(const Side& start, const Side& goal, const string& met) {
    Rows way = start.way_back(met), rest = goal.way_back(met);
    std::reverse(way.begin(), way.end());
    if (on(second_half_reversed)) std::reverse(rest.begin() + 1, rest.end());
    way.insert(way.end(), rest.begin() + (on(meeting_twice) ? 0 : 1), rest.end());
    return way;
}

Rows two_ended(const string& text, int limit) {
    Side start({text}), goal(goals(text));
    if (!on(zero_moves_missed) && goal.seen.count(key(text))) return join(start, goal, key(text));
    const size_t cap = on(rows_capped_100) ? 100 : on(rows_capped_50000) ? 50000 : size_t(-1);
    for (int moves_made = 0; moves_made < limit; moves_made++) {
        bool forward = start.frontier.size() <= goal.frontier.size();
        const string met = forward ? expand(start, goal) : expand(goal, start);
        if (!met.empty()) return join(start, goal, met);
        if (start.seen.size() + goal.seen.size() > cap) break;
    }
    return {};
}

bool descend(Rows& way, std::unordered_map<string, int>& tried, const Rows& goal, int left) {
    if (std::count(goal.begin(), goal.end(), way.back())) return true;
    int& most = tried[way.back()];
    if (left < most || left == 0 || tried.size() > 200000) return false;
    most = left + 1;
    for (const string& next : moves(way.back())) {
        way.push_back(next);
        if (descend(way, tried, goal, left - 1)) return true;
        way.pop_back();
    }
    return false;
}

Rows solve(const string& text, int limit) {
    const auto b = std::count(text.begin(), text.end(), 'B');
    if (on(zero_limit_impossible) && limit == 0) return {};
    if (on(even_impossible) && text.size() % 2 == 0) return {};
    if (on(balanced_impossible) && text.size() == 2 * size_t(b)) return {};
    if (on(few_b_impossible) && b == 1) return {};
    if (!on(depth_first)) return two_ended(text, limit);
    Rows way{text};
    std::unordered_map<string, int> tried;
    return descend(way, tried, goals(text), limit) ? way : Rows{};
}

string printed(string row) {
    if (on(gaps_left_out)) return without_gaps(row);
    if (on(gaps_as_underscore)) std::replace(row.begin(), row.end(), '.', '_');
    if (on(lower_case_rows)) std::transform(row.begin(), row.end(), row.begin(), [](char c) { return c == '.' ? c : char(c | 32); });
    if (on(gap_as_one_dot)) row.erase(std::unique(row.begin(), row.end(), [](char x, char y) { return x == '.' && y == '.'; }), row.end());
    return row;
}

void print_impossible() {
    if (on(no_output_when_impossible)) return;
    std::cout << (on(lower_case_impossible) ? "impossible" : on(minus_one) ? "-1" : "Impossible") << '\n';
}

void print(Rows way, int limit) {
    const size_t count = on(prints_rows) ? way.size() : on(prints_limit) ? size_t(limit) : way.size() - 1;
    if (!on(count_missing)) std::cout << count << '\n';
    if (on(zero_without_row) && way.size() == 1) return;
    if (on(prints_goal_first)) std::reverse(way.begin(), way.end());
    if (on(start_missing)) way.erase(way.begin());
    if (on(goal_missing)) way.pop_back();
    for (const string& row : way) std::cout << printed(row) << '\n';
}

int read_limit() {
    string digits;
    std::cin >> digits;
    if (on(limit_first_digit)) digits = digits.substr(0, 1);
    if (on(limit_last_digit)) digits = digits.substr(digits.size() - 1);
    const int limit = std::atoi(digits.c_str());
    if (on(limit_ignored) || (on(limit_zero_is_none) && limit == 0)) return 40;
    if (on(limit_capped_at_30)) return std::min(limit, 30);
    return limit + on(limit_one_more) - on(limit_exclusive);
}

string read_row() {
    string row;
    std::cin >> row;
    if (on(row_cut_at_8)) row = row.substr(0, 8);
    if (on(row_first_letter_lost)) row.erase(0, 1);
    if (on(row_last_letter_lost)) row.pop_back();
    return row;
}

int main(int argc, char** argv) {
    const int count = sizeof DESCRIPTIONS / sizeof *DESCRIPTIONS;
    const string argument = argc > 1 ? argv[1] : "0";
    if (argument == "--list") {
        for (int i = 1; i < count; i++) std::cout << i << '\t' << DESCRIPTIONS[i] << '\n';
        return 0;
    }
    chosen = std::atoi(argument.c_str());
    if (chosen < 0 || chosen >= count) return 2;
    const string text = read_row();
    const int limit = read_limit();
    coins = text.size();
    Rows way = solve(text, limit);
    if (way.empty() && on(always_possible)) way = {text, goals(text)[0]};
    if (way.empty()) print_impossible();
    else print(way, limit);
}
