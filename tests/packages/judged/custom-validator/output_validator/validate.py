# Accepts the number in the input. The judge message contains the number that was read.
import sys

wanted = open(sys.argv[1]).read().split()
found = sys.stdin.read().split()
with open(sys.argv[3] + "judgemessage.txt", "w") as message:
    message.write("read %s, flags %s" % (found[:1], sys.argv[4:]))
sys.exit(42 if found == wanted else 43)
