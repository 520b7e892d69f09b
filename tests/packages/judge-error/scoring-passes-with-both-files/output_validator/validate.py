# Writes a multiplier in the first pass and a score in the second, which is an error.
import os
import sys
if os.path.exists(sys.argv[3] + "score_multiplier.txt"):
    open(sys.argv[3] + "score.txt", "w").write("1\n")
else:
    open(sys.argv[3] + "score_multiplier.txt", "w").write("1\n")
    open(sys.argv[3] + "nextpass.in", "w").write("x\n")
sys.exit(42)
