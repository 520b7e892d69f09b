import sys
answer = open(sys.argv[2]).read()
output = sys.stdin.read()
flags = sys.argv[4:]
with open(sys.argv[3] + "judgemessage.txt", "w") as message:
    message.write(" ".join(["equal:"] + flags))
sys.exit(42 if output == answer and flags == ["every"] else 43)
