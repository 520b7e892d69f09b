import sys
name = "score.txt" if sys.argv[1].endswith("1.in") else "score_multiplier.txt"
open(sys.argv[3] + name, "w").write("1")
sys.exit(42)
