# Meet in the middle: one set has the configurations at most four moves from the
# start, the other those at most four moves from the goal. The answer is YES if
# the sets have a common element. A configuration is an integer with four bits
# set. A table holds the steps and jumps of every square.
import sys

STEPS = []  # square -> [(bit of the neighbour, bit of the square behind it or 0)]
for square in range(64):
    row, column = divmod(square, 8)
    steps = []
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        near = (row + down, column + right)
        far = (row + 2 * down, column + 2 * right)
        if 0 <= near[0] < 8 and 0 <= near[1] < 8:
            inside = 0 <= far[0] < 8 and 0 <= far[1] < 8
            steps.append((1 << (8 * near[0] + near[1]),
                          1 << (8 * far[0] + far[1]) if inside else 0))
    STEPS.append(steps)


def neighbours(board):
    found = []
    rest = board
    while rest:
        piece = rest & -rest
        rest ^= piece
        others = board ^ piece
        for near, far in STEPS[piece.bit_length() - 1]:
            if not board & near:
                found.append(others | near)
            elif far and not board & far:
                found.append(others | far)
    return found


def grow(ball, frontier):
    """Adds the configurations one move from the frontier to the ball; returns the new frontier."""
    fresh = set()
    for board in frontier:
        fresh.update(neighbours(board))
    fresh -= ball
    ball |= fresh
    return fresh


def reachable(start, goal):
    ball_a, ball_b = {start}, {goal}
    edge_a, edge_b = ball_a.copy(), ball_b.copy()
    for _ in range(4):
        edge_a = grow(ball_a, edge_a)
        edge_b = grow(ball_b, edge_b)
        if not ball_a.isdisjoint(ball_b):
            return True
    return start == goal


def board_of(line):
    numbers = [int(word) - 1 for word in line.split()]
    return sum(1 << (8 * r + c) for r, c in zip(numbers[::2], numbers[1::2]))


def main():
    boards = [board_of(line) for line in sys.stdin]
    for start, goal in zip(boards[::2], boards[1::2]):
        print("YES" if reachable(start, goal) else "NO")


main()
