import sys

sys.exit(42 if sys.stdin.read().strip() else 43)
