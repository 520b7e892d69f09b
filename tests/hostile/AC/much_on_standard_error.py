# Prints the right answer, and half of the output limit on standard error.
import sys

a, b = map(int, sys.stdin.read().split())
sys.stderr.write("x" * 500_000)
print(a + b)
