import os
import sys

language, entry_point, feedback = sys.argv[1:4]
limit = int(sys.argv[4]) if len(sys.argv) > 4 else 200
assert feedback.endswith("/") and language == "python3", sys.argv
text = open(entry_point).read()
if "eval" in text:
    open(feedback + "judgemessage.txt", "w").write("it uses eval")
    sys.exit(43)
if len(text) > limit:
    open(feedback + "score_multiplier.txt", "w").write("0.5")
sys.exit(42)
