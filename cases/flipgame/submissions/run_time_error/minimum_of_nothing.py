"""Collects the weights of all sets of presses that reach a goal by forced rows, and prints the smallest.
Mistake: the list is empty for an impossible field, and min() of an empty list raises ValueError.
Caught by secret/29-one-black-corner."""

import sys

SIDE = 4
FULL_ROW = 15


def spread(presses):
    return (presses ^ presses << 1 ^ presses >> 1) & FULL_ROW


def weights(wrong):
    for first in range(FULL_ROW + 1):
        above, presses, weight = 0, first, 0
        for row in wrong:
            weight += bin(presses).count("1")
            above, presses = presses, row ^ spread(presses) ^ above
        if presses == 0:
            yield weight


lines = sys.stdin.read().split()
rows = [sum(1 << c for c, letter in enumerate(line) if letter == "b") for line in lines]
found = [weight for goal in (0, FULL_ROW) for weight in weights([row ^ goal for row in rows])]
print(min(found))
