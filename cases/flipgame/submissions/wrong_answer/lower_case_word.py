"""Breadth-first search that is right except for the word that it prints.
Mistake: prints "impossible" in lower case. Many output validators ignore case; this one does not.
Caught by secret/29-one-black-corner."""

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
        if board in (0, ALL_BLACK):
            return rounds[board]
        for cell in range(CELLS):
            following = board ^ press(cell)
            if following not in rounds:
                rounds[following] = rounds[board] + 1
                waiting.append(following)
    return None


answer = fewest_rounds(read_board())
print("impossible" if answer is None else answer)
