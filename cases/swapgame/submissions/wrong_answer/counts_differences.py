"""Answers half the number of cells that differ.

The mistake: only neighbours may be exchanged, but the program assumes that any
two pieces may. The answer is right if every wrong piece stands beside its goal.
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
