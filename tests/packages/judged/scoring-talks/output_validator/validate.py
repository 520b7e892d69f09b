# The submission must guess a number. With the argument `scored`, each guess after the first costs 5 of 40 points.
import sys


def reject(why):
    open(sys.argv[3] + "judgemessage.txt", "w").write(why)
    sys.exit(43)


number, scored = int(open(sys.argv[1]).read()), sys.argv[4:] == ["scored"]
print("scored" if scored else "plain", flush=True)
for guesses in range(8):
    line = sys.stdin.readline().strip()
    if not line.isdigit():
        reject("no guess: " + line[:40])
    if int(line) == number:
        print("correct", flush=True)
        break
    print("lower" if number < int(line) else "higher", flush=True)
else:
    reject("too many guesses")
if scored:
    open(sys.argv[3] + "score.txt", "w").write("%d\n" % (40 - 5 * guesses))
if sys.stdin.read():
    reject("more after the right guess")
sys.exit(42)
