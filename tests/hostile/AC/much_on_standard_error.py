# Half of what may be written, on standard error; the answer is right.
import sys

a, b = map(int, sys.stdin.read().split())
sys.stderr.write("x" * 500_000)
print(a + b)
