# Writes more than the output limit into a folder that is nested too deep for a path.
import os

a, b = map(int, input().split())
for _ in range(3000):
    os.mkdir("a")
    os.chdir("a")
with open("large", "wb") as file:
    file.write(bytes(20 << 20))
print(a + b)
