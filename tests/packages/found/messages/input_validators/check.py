import sys

sys.exit(42 if int(sys.stdin.read()) < highest_number else 43)
