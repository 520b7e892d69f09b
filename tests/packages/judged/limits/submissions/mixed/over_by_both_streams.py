import sys
print(input())
sys.stderr.write("x" * ((1 << 20) - 1))
