# Replaces itself with a new interpreter, whose input is at the beginning.
import os
import sys

if os.environ.get("AGAIN") is None:
    os.execve(sys.executable, [sys.executable, sys.argv[0]], {**os.environ, "AGAIN": "1"})
print(sum(map(int, input().split())))
