n = int(input())
while n == 2:
    pass
print(n)
