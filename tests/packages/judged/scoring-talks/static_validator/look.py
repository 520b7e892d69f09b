import sys
if "cheat" in open(sys.argv[2]).read():
    open(sys.argv[3] + "judgemessage.txt", "w").write("it cheats")
    sys.exit(43)
open(sys.argv[3] + "score_multiplier.txt", "w").write("0.5")
sys.exit(42)
