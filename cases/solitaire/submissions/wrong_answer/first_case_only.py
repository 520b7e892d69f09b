# Mistake: answers the first test case and stops. In many copies of this problem,
# the sample has only one test case.
# Caught by secret/24-no-then-yes.
import sys

# A configuration is an integer with four bits set. For every square: the bit of
# each neighbour, and the bit of the square behind it (0 if that is off the board).
AHEAD = []
for square in range(64):
    row, column = divmod(square, 8)
    AHEAD.append([])
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        bits = []
        for far in (1, 2):
            r, c = row + far * down, column + far * right
            bits.append(1 << (8 * r + c) if 0 <= r < 8 and 0 <= c < 8 else 0)
        AHEAD[square].append(bits)


def neighbours(board):
    found = []
    rest = board
    while rest:
        piece = rest & -rest
        rest ^= piece
        for near, behind in AHEAD[piece.bit_length() - 1]:
            if near and not board & near:
                found.append(board ^ piece | near)
            elif behind and not board & behind:
                found.append(board ^ piece | behind)
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


start = board_of(sys.stdin.readline())
goal = board_of(sys.stdin.readline())
print("NO" if ball(start).isdisjoint(ball(goal)) else "YES")
