# Mistake: pieces step, but never jump. A hasty reader of the statement can
# overlook the jump.
# Caught by secret/06-jumps-needed.
import sys

# A configuration is an integer with four bits set. For every square: the bits of
# its neighbours.
NEAR = []
for square in range(64):
    row, column = divmod(square, 8)
    beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    NEAR.append([1 << (8 * r + c) for r, c in beside if 0 <= r < 8 and 0 <= c < 8])


def neighbours(board):
    found = []
    rest = board
    while rest:
        piece = rest & -rest
        rest ^= piece
        found.extend(board ^ piece | near for near in NEAR[piece.bit_length() - 1] if not board & near)
    return found


def ball(centre, moves=4):
    seen, frontier = {centre}, {centre}
    for _ in range(moves):
        fresh = set()
        for board in frontier:
            fresh.update(neighbours(board))
        frontier = fresh - seen
        seen |= frontier
    return seen


def board_of(line):
    numbers = [int(word) - 1 for word in line.split()]
    return sum(1 << (8 * r + c) for r, c in zip(numbers[::2], numbers[1::2]))


boards = [board_of(line) for line in sys.stdin]
for start, goal in zip(boards[::2], boards[1::2]):
    print("NO" if ball(start).isdisjoint(ball(goal)) else "YES")
