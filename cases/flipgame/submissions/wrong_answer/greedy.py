"""Always plays the round that leaves the fewest pieces of the wrong colour, until no round lowers that number.
Mistake: greedy. On some fields, every solution first increases the number of wrong pieces.
Caught by secret/28-greedy-gets-stuck (Impossible instead of 3)."""

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


def standing_out(board):
    black = bin(board).count("1")
    return min(black, CELLS - black)


def greedy_rounds(board):
    rounds = 0
    while board not in (0, ALL_BLACK):
        following = min((board ^ press(cell) for cell in range(CELLS)), key=standing_out)
        if standing_out(following) >= standing_out(board):
            return None
        board = following
        rounds += 1
    return rounds


answer = greedy_rounds(read_board())
print("Impossible" if answer is None else answer)
