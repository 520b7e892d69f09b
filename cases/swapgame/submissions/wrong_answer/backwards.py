"""A right search from the start that prints the moves in reverse order.

The mistake: the program follows the parents from the goal and does not reverse
the list. The output is still right if the moves do not depend on one another.
Caught by secret/21-blocked-lane.
"""
import sys

EDGES = [(c, c + 1) for c in range(16) if c % 4 < 3] + [(c, c + 4) for c in range(12)]
digits = "".join(sys.stdin.read().split())
start, goal = int(digits[:16][::-1], 2), int(digits[16:][::-1], 2)
came = {start: None}
queue = [start]
for board in queue:
    for a, b in EDGES:
        if (board >> a ^ board >> b) & 1:
            reached = board ^ (1 << a | 1 << b)
            if reached not in came:
                came[reached] = (board, a, b)
                queue.append(reached)
moves = []
while goal != start:
    goal, a, b = came[goal]
    moves.append(f"{a // 4 + 1}{a % 4 + 1}{b // 4 + 1}{b % 4 + 1}")
print(len(moves))
print("\n".join(moves))
