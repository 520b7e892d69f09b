n = int(input())
assert n == 1
print(n)
