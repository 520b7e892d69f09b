// Bidirectional breadth-first search over 16-bit masks: the smaller of the two
// frontiers grows by one level until the two meet. Each move is its own inverse,
// so the search from the goal uses the same moves.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <vector>

using namespace std;

struct Edge {
    int a, b;
    unsigned mask;
};

struct Side {
    // Edge by which a board was first reached: -1 for an unseen board, -2 for the root.
    vector<int> via = vector<int>(1 << 16, -1);
    vector<unsigned> frontier;
    explicit Side(unsigned root) : frontier{root} { via[root] = -2; }
};

vector<Edge> all_edges() {
    vector<Edge> edges;
    for (int cell = 0; cell < 16; ++cell) {
        if (cell % 4 < 3) edges.push_back({cell, cell + 1, 3u << cell});
        if (cell < 12) edges.push_back({cell, cell + 4, 17u << cell});
    }
    return edges;
}

const vector<Edge> kEdges = all_edges();

// Adds one level. Returns a board that the other side has seen, or -1.
int grow(Side &side, const Side &other) {
    vector<unsigned> next;
    int meeting = -1;
    for (unsigned board : side.frontier) {
        for (size_t e = 0; e < kEdges.size(); ++e) {
            const unsigned both = board & kEdges[e].mask;
            if (both == 0 || both == kEdges[e].mask) continue;
            const unsigned reached = board ^ kEdges[e].mask;
            if (side.via[reached] != -1) continue;
            side.via[reached] = static_cast<int>(e);
            next.push_back(reached);
            if (other.via[reached] != -1) meeting = static_cast<int>(reached);
        }
    }
    side.frontier = next;
    return meeting;
}

vector<int> way_to_root(const Side &side, unsigned board) {
    vector<int> way;
    while (side.via[board] != -2) {
        way.push_back(side.via[board]);
        board ^= kEdges[side.via[board]].mask;
    }
    return way;
}

unsigned read_board() {
    unsigned board = 0;
    for (int cell = 0; cell < 16; ++cell) {
        char digit;
        cin >> digit;
        if (digit == '1') board |= 1u << cell;
    }
    return board;
}

int main() {
    const unsigned start = read_board(), goal = read_board();
    Side from_start(start), from_goal(goal);
    int meeting = start == goal ? static_cast<int>(start) : -1;
    while (meeting < 0) {
        const bool forward = from_start.frontier.size() <= from_goal.frontier.size();
        meeting = forward ? grow(from_start, from_goal) : grow(from_goal, from_start);
    }
    vector<int> moves = way_to_root(from_start, meeting);
    reverse(moves.begin(), moves.end());
    for (int e : way_to_root(from_goal, meeting)) moves.push_back(e);
    printf("%zu\n", moves.size());
    for (int e : moves) {
        const auto [a, b, mask] = kEdges[e];
        printf("%d%d%d%d\n", a / 4 + 1, a % 4 + 1, b / 4 + 1, b % 4 + 1);
    }
}
