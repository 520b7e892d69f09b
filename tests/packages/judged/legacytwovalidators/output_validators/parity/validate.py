import sys
answer = open(sys.argv[2]).read()
output = sys.stdin.read()
flags = sys.argv[4:]
with open(sys.argv[3] + "judgemessage.txt", "w") as message:
    message.write(" ".join(["parity:"] + flags))
odd = output.strip().isdigit() and int(output) % 2 == 1
wanted = ["every", "of", "parity"] if "secret" in sys.argv[1] else ["every"]
sys.exit(42 if odd and flags == wanted else 43)
