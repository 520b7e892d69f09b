# Leaves a file that uses no disk space but is larger than the output limit.
a, b = map(int, input().split())
with open("large", "wb") as file:
    file.truncate(2 << 30)
print(a + b)
