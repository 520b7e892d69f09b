# Breadth-first search from the start only, with a set of strings. The program is
# right, and fast enough for up to eight coins. But nine coins that need about 30
# moves have millions of rows within reach.
# Caught by secret/49-nine-hardest.
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


def search(start, limit):
    a, b = start.count("A"), start.count("B")
    goals = ("A" * a + "B" * b, "B" * b + "A" * a)
    parents, level = {start: None}, [start]
    if not invariant_allows(start) and start not in goals:
        return None
    for _ in range(limit + 1):
        for goal in goals:
            if goal in parents:
                return chain(parents, goal)[::-1]
        following = []
        for row in level:
            for reached in moves(row):
                if reached not in parents:
                    parents[reached] = row
                    following.append(reached)
        level = following
    return None


def chain(parents, row):
    rows = []
    while row is not None:
        rows.append(row)
        row = parents[row]
    return rows


def main():
    text, limit = sys.stdin.read().split()
    rows = search(text, int(limit))
    if rows is None:
        print("Impossible")
        return
    print(len(rows) - 1)
    print("\n".join(rows))


main()
