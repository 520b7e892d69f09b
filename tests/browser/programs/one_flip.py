#!/usr/bin/env python3
"""Prints 1 for a board with a black field, and 0 for any other board."""
import sys

board = sys.stdin.read().split()
print(1 if "b" in "".join(board) else 0)
