import sys

sys.exit(42 if sys.stdin.read().split() == open(sys.argv[2]).read().split() else 43)
