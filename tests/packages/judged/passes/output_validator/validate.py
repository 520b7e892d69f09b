# Three passes, in each of which the right output is the input plus one. The validator's files stay between passes.
import os
import sys


def reject(why):
    open(sys.argv[3] + "judgemessage.txt", "a").write(why + "\n")
    sys.exit(43)


assert not os.path.exists(sys.argv[3] + "nextpass.in")
count = sys.argv[3] + "count"
passes = int(open(count).read()) + 1 if os.path.exists(count) else 1
open(count, "w").write(str(passes))
number = int(open(sys.argv[1]).read())
assert number == int(open(sys.argv[2]).read()) + passes - 1
found = sys.stdin.readline().split()
open(sys.argv[3] + "judgemessage.txt", "a").write("pass %d: %s\n" % (passes, found[:1]))
if found != [str(number + 1)]:
    reject("expected %d" % (number + 1))
if passes < 3:
    open(sys.argv[3] + "nextpass.in", "w").write("%d\n" % (number + 1))
sys.exit(42)
