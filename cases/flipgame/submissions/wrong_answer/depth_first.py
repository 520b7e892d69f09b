"""Depth-first search with a set of seen fields.
Mistake: the first path found is not a shortest one, and the set of seen fields hides shorter paths.
A search with a visited set ends, but only a breadth-first search finds the fewest rounds.
Caught by secret/11-two-in-a-row."""

import sys

SIDE = 4
CELLS = SIDE * SIDE
ALL_BLACK = (1 << CELLS) - 1


def press(cell):
    row, column = divmod(cell, SIDE)
    changed = 1 << cell
    if row > 0:
        changed |= 1 << (cell - SIDE)
    if row < SIDE - 1:
        changed |= 1 << (cell + SIDE)
    if column > 0:
        changed |= 1 << (cell - 1)
    if column < SIDE - 1:
        changed |= 1 << (cell + 1)
    return changed


def read_board():
    letters = sys.stdin.read().split()
    return sum(1 << i for i, letter in enumerate("".join(letters)) if letter == "b")


def rounds_of_first_way(start):
    seen = {start}
    waiting = [(start, 0)]
    while waiting:
        board, rounds = waiting.pop()
        if board in (0, ALL_BLACK):
            return rounds
        for cell in range(CELLS):
            following = board ^ press(cell)
            if following not in seen:
                seen.add(following)
                waiting.append((following, rounds + 1))
    return None


answer = rounds_of_first_way(read_board())
print("Impossible" if answer is None else answer)
