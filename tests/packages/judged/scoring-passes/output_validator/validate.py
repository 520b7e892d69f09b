# Three passes. The right output is the input plus one; a smaller number gets fewer points. A file sums up the passes.
import os
import sys

assert not os.path.exists(sys.argv[3] + "nextpass.in")
number, first = int(open(sys.argv[1]).read()), int(open(sys.argv[2]).read())
said = sys.stdin.read().split()
if len(said) != 1 or not said[0].isdigit() or int(said[0]) > number + 1:
    sys.exit(43)
with open(sys.argv[3] + "costs", "a") as costs:
    costs.write("%d\n" % (number + 1 - int(said[0])))
if number < first + 2:
    open(sys.argv[3] + "nextpass.in", "w").write("%d\n" % (number + 1))
else:
    cost = sum(map(int, open(sys.argv[3] + "costs")))
    open(sys.argv[3] + "score.txt", "w").write("%d\n" % max(0, 50 - cost))
sys.exit(42)
