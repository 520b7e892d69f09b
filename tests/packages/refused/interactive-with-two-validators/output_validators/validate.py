# The submission must guess the number within eight guesses, and print nothing after the right guess.
import sys


def reject(why):
    open(sys.argv[3] + "judgemessage.txt", "w").write(why)
    sys.exit(43)


number = int(open(sys.argv[1]).read())
for _ in range(8):
    line = sys.stdin.readline()
    if not line:
        reject("no more guesses")
    if not line.strip().isdigit() or not 1 <= int(line) <= 100:
        reject("no guess: " + line.strip()[:40])
    guess = int(line)
    if guess == number:
        print("correct", flush=True)
        break
    print("lower" if number < guess else "higher", flush=True)
else:
    reject("too many guesses")
if sys.stdin.read():
    reject("more after the right guess")
sys.exit(42)
