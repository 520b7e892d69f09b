import sys
input()
print("/".join(sys.argv[1:]), flush=True)
with open("notes", "wb") as notes:
    notes.write(bytes(2 << 20))
input()
print(open("secret.txt").read().strip(), flush=True)
