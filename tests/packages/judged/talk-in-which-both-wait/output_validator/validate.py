import sys

sys.exit(42 if sys.stdin.readline() == "hello\n" else 43)
