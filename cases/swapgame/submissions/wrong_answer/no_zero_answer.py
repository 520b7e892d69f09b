"""A search that looks for the goal only among the boards after a move.

The mistake: it never compares the start itself with the goal. For equal boards
it prints 2 (there and back), or nothing if no exchange is possible.
Caught by secret/01-identical.
"""
import sys

EDGES = [(c, c + 1) for c in range(16) if c % 4 < 3] + [(c, c + 4) for c in range(12)]


def search(start, goal):
    came = {}
    queue = [(start, 0)]
    for board, depth in queue:
        for a, b in EDGES:
            if (board >> a ^ board >> b) & 1:
                reached = board ^ (1 << a | 1 << b)
                if reached in came:
                    continue
                came[reached] = (board, a, b)
                queue.append((reached, depth + 1))
                if reached == goal:
                    return depth + 1, came
    return None, came


digits = "".join(sys.stdin.read().split())
start, board = int(digits[:16][::-1], 2), int(digits[16:][::-1], 2)
depth, came = search(start, board)
if depth is not None:
    moves = []
    for _ in range(depth):
        board, a, b = came[board]
        moves.append(f"{a // 4 + 1}{a % 4 + 1}{b // 4 + 1}{b % 4 + 1}")
    print(depth)
    print("\n".join(reversed(moves)))
