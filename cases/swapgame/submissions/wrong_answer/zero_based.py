"""A right search whose output counts rows and columns from 0.

The mistake: the program does not add 1 to its own numbers before it prints them.
Caught by secret/04-one-step-across.
"""
import sys

EDGES = [(c, c + 1) for c in range(16) if c % 4 < 3] + [(c, c + 4) for c in range(12)]
digits = "".join(sys.stdin.read().split())
start, goal = digits[:16], digits[16:]
came = {goal: None}
queue = [goal]
for board in queue:
    for a, b in EDGES:
        if board[a] != board[b]:
            cells = list(board)
            cells[a], cells[b] = cells[b], cells[a]
            reached = "".join(cells)
            if reached not in came:
                came[reached] = (board, a, b)
                queue.append(reached)
moves = []
while start != goal:
    start, a, b = came[start]
    moves.append(f"{a // 4}{a % 4}{b // 4}{b % 4}")
print(len(moves))
print("\n".join(moves))
