import sys

# Accepts only the first case, and writes a score for both.
answer = open(sys.argv[2]).read().strip()
accepted = answer == "1" and sys.stdin.read().strip() == answer
open(sys.argv[3] + "/score.txt", "w").write("10" if accepted else "2.5")
sys.exit(42 if accepted else 43)
