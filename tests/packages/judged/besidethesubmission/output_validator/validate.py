import os
import sys
right = sys.stdin.read() == open(sys.argv[2]).read()
with open(sys.argv[3] + "judgemessage.txt", "w") as message:
    message.write(" ".join(sorted(os.listdir("."))))
with open(sys.argv[3] + "teammessage.txt", "w") as message:
    message.write("shorter, please")
try:
    open("mine", "w")
    sys.exit(1)
except OSError:
    pass
sources = [name for name in os.listdir(".") if name.endswith(".py")]
long = any(os.path.getsize(name) > 40 for name in sources)
sys.exit(42 if right and sources and not long else 43)
