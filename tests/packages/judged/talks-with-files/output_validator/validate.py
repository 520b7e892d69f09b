# Asks for the submission's arguments and for the content of its file. The answer file has the right replies.
import os
import sys

arguments, content = open(sys.argv[2]).read().splitlines()
assert sys.argv[4:] == ["two words"] and not os.path.exists("secret.txt")
for question, answer in [("arguments", arguments), ("file", content)]:
    print(question, flush=True)
    if sys.stdin.readline().strip() != answer:
        open(sys.argv[3] + "judgemessage.txt", "w").write("wrong " + question)
        sys.exit(43)
sys.exit(43 if sys.stdin.read() else 42)
