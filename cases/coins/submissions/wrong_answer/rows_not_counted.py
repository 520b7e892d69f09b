# Search with mirrored rows that prints the number of rows, not that of moves.
# Caught by secret/05-one-move-limit-one.
import sys


def invariant_allows(text):
    a, b = text.count("A"), text.count("B")
    value = sum(i if c == "A" else -i for i, c in enumerate(text))
    left = a * (a - 1) // 2 - a * b - b * (b - 1) // 2
    goals = (left, left + 2 * a * b)
    period = 2 * abs(a - b)
    return any((value - g) % period == 0 if period else value == g for g in goals)


def moves(row):
    width = len(row)
    for unlike in ("AB", "BA"):
        i = row.find(unlike)
        while i >= 0:
            if i + 2 < width and row[i + 2] != ".":
                j = row.find(".", i + 2)
                if j < 0:
                    j = width
                yield (row[:i] + ".." + row[i + 2:j] + unlike + row[j + 2:]).strip(".")
            if i > 0 and row[i - 1] != ".":
                j = row.rfind(".", 0, i) + 1
                yield (row[:max(j - 2, 0)] + unlike + row[j:i] + ".." + row[i + 2:]).strip(".")
            i = row.find(unlike, i + 1)


def canonical(row):
    mirrored = row[::-1]
    return row if row < mirrored else mirrored


def search(start, limit):
    """The classes of rows from the start to a goal, or None."""
    a, b = start.count("A"), start.count("B")
    goal = canonical("A" * a + "B" * b)
    first = canonical(start)
    if first == goal:
        return [first]
    if not invariant_allows(start):
        return None
    sides = [{first: None}, {goal: None}]
    frontiers = [list(sides[0]), list(sides[1])]
    for _ in range(limit):
        turn = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        seen, other, level = sides[turn], sides[1 - turn], []
        for row in frontiers[turn]:
            for following in moves(row):
                mirrored = following[::-1]
                if mirrored < following:
                    following = mirrored
                if following not in seen:
                    seen[following] = row
                    if following in other:
                        return chain(sides[0], following)[::-1] + chain(sides[1], following)[1:]
                    level.append(following)
        frontiers[turn] = level
    return None


def chain(parents, row):
    rows = []
    while row is not None:
        rows.append(row)
        row = parents[row]
    return rows


def unfold(start, classes):
    """Replaces each class by that row of its two to which a move leads."""
    rows = [start]
    for wanted in classes[1:]:
        rows.append(next(r for r in moves(rows[-1]) if canonical(r) == wanted))
    return rows


def main():
    text, limit = sys.stdin.read().split()
    classes = search(text, int(limit))
    if classes is None:
        print("Impossible")
        return
    rows = unfold(text, classes)
    print(len(rows))
    print("\n".join(rows))


main()
