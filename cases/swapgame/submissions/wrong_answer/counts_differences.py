"""Half the number of differing cells, as if any two pieces could be exchanged.

The mistake: the rule "neighbours only" is forgotten, and it seems to work on
boards where every wrong piece stands beside its goal.
Caught by secret/10-one-black-far.
"""
import sys

digits = "".join(sys.stdin.read().split())
start, goal = digits[:16], digits[16:]
surplus = [c for c in range(16) if start[c] > goal[c]]
missing = [c for c in range(16) if start[c] < goal[c]]
print(len(surplus))
for a, b in zip(surplus, missing):
    print(f"{a // 4 + 1}{a % 4 + 1}{b // 4 + 1}{b % 4 + 1}")
