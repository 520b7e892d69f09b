#!/usr/bin/env python3
"""Says of every board that one flip is enough, and that none can be."""
import sys

board = sys.stdin.read().split()
print(1 if "b" in "".join(board) else 0)
