# Writes its input to a file and moves the file into a new folder, copies it to a temporary file, and reads that back.
import os
import tempfile

with open("notes", "w") as file:
    file.write(input())
os.mkdir("more")
os.rename("notes", "more/notes")
with tempfile.TemporaryFile("w+") as file:
    file.write(open("more/notes").read())
    file.seek(0)
    print(sum(map(int, file.read().split())))
