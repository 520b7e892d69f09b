"""Breadth-first search for the all-white field.
Mistake: tries only white, as in the well-known form "make all pieces white". Black can be reached whenever
white can, so the word Impossible is always right, and small tests do not detect the mistake.
Caught by secret/02-all-black (4 instead of 0)."""

import sys
from collections import deque

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


def fewest_rounds(start):
    rounds = {start: 0}
    waiting = deque([start])
    while waiting:
        board = waiting.popleft()
        if board == 0:
            return rounds[board]
        for cell in range(CELLS):
            following = board ^ press(cell)
            if following not in rounds:
                rounds[following] = rounds[board] + 1
                waiting.append(following)
    return None


answer = fewest_rounds(read_board())
print("Impossible" if answer is None else answer)
