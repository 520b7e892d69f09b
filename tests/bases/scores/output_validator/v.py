import sys

open(sys.argv[3] + "score_multiplier.txt", "w").write("1")
sys.exit(42)
