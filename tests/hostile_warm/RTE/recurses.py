# Recurses without end.
def deeper(n):
    return deeper(n + 1) + 1


print(deeper(int(input().split()[0])))
