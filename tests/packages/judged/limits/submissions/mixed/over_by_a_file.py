import sys
print(input())
with open("notes", "w") as file:
    file.write("x" * (1 << 19))
sys.stderr.write("x" * (1 << 19))
