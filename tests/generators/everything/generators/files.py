# Writes files itself. Some of them belong to the test case.
import random
import sys
random.seed(int(sys.argv[1]))
print("ignored")
with open("testcase.in", "w") as file:
    print(random.randrange(1000), file=file)
with open("testcase.ans", "w") as file:
    print("given", file=file)
with open("notes.txt", "w") as file:
    print("not of a test case", file=file)
