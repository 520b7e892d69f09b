"""Breadth-first search from the goal over 16-bit masks.

The search from the goal computes the distance of every board to the goal. So
a walk from the start to ever nearer boards gives the moves in playing order.
"""
import sys

SIDE = 4
EDGES = [(cell, cell + 1) for cell in range(16) if cell % SIDE < SIDE - 1]
EDGES += [(cell, cell + SIDE) for cell in range(12)]
EDGE_MASKS = [((1 << a) | (1 << b), a, b) for a, b in EDGES]


def neighbours(board):
    for mask, a, b in EDGE_MASKS:
        both = board & mask
        if both and both != mask:
            yield board ^ mask, a, b


def distances_to(goal, start):
    distance = {goal: 0}
    queue = [goal]
    for board in queue:
        if board == start:
            break
        for following, _, _ in neighbours(board):
            if following not in distance:
                distance[following] = distance[board] + 1
                queue.append(following)
    return distance


def name(cell):
    return f"{cell // SIDE + 1}{cell % SIDE + 1}"


def main():
    digits = "".join(sys.stdin.read().split())
    start, goal = int(digits[:16][::-1], 2), int(digits[16:][::-1], 2)
    distance = distances_to(goal, start)
    print(distance[start])
    board = start
    while board != goal:
        wanted = distance[board] - 1
        board, a, b = next(m for m in neighbours(board) if distance.get(m[0]) == wanted)
        print(name(a) + name(b))


main()
