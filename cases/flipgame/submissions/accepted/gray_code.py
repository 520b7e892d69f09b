"""Tries all 65,536 sets of presses in Gray code order: the next set has one press more or one press less, so
each set costs one exclusive-or. Order and repetition of presses do not matter, so it is enough to try all
sets."""

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


def fewest_rounds(board):
    presses = [press(cell) for cell in range(CELLS)]
    best = 0 if board in (0, ALL_BLACK) else None
    pressed = 0
    for step in range(1, 1 << CELLS):
        lowest = step & -step
        pressed ^= lowest
        board ^= presses[lowest.bit_length() - 1]
        if board == 0 or board == ALL_BLACK:
            weight = bin(pressed).count("1")
            if best is None or weight < best:
                best = weight
    return best


def main():
    letters = "".join(sys.stdin.read().split())
    board = sum(1 << cell for cell, letter in enumerate(letters) if letter == "b")
    rounds = fewest_rounds(board)
    print("Impossible" if rounds is None else rounds)


main()
