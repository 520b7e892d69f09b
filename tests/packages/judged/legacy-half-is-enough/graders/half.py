import sys

results = [line.split() for line in sys.stdin]
assert all(verdict in ("AC", "WA", "RTE", "TLE") for verdict, _ in results)
best = int(next((word[8:] for word in sys.argv[1:] if word.startswith("subtask=")), 0))
accepted = sum(verdict == "AC" for verdict, _ in results)
if 2 * accepted < len(results):
    print("WA 0")
else:
    print("AC", best * accepted / len(results) if best else sum(float(score) for _, score in results))
