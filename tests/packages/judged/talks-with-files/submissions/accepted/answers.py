import sys
input()
print("/".join(sys.argv[1:]), flush=True)
with open("notes", "x") as notes:
    notes.write(input())
assert open("notes").read() == "file"
print(open("secret.txt").read().strip(), flush=True)
