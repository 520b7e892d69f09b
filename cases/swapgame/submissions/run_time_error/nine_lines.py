"""Breadth-first search that reads the goal from lines 6 to 9.

The mistake: the blank line is optional. Without it there is no ninth line, and
the list index is out of range.
Caught by secret/35-no-blank-line.
"""
import sys

lines = sys.stdin.read().split("\n")[:-1]
start = lines[0] + lines[1] + lines[2] + lines[3]
goal = lines[5] + lines[6] + lines[7] + lines[8]
EDGES = [(c, c + 1) for c in range(16) if c % 4 < 3] + [(c, c + 4) for c in range(12)]
start, goal = int(start[::-1], 2), int(goal[::-1], 2)
came = {goal: None}
queue = [goal]
for board in queue:
    for a, b in EDGES:
        if (board >> a ^ board >> b) & 1:
            reached = board ^ (1 << a | 1 << b)
            if reached not in came:
                came[reached] = (board, a, b)
                queue.append(reached)
moves = []
while start != goal:
    start, a, b = came[start]
    moves.append(f"{a // 4 + 1}{a % 4 + 1}{b // 4 + 1}{b % 4 + 1}")
print(len(moves))
print("\n".join(moves))
