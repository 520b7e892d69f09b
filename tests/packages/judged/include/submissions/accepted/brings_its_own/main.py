from judge import answer
answer(int(input()) if open("notes.txt").read() == "for Python\n" else -1)
