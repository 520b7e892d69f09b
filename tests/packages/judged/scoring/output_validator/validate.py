import sys
wanted = open(sys.argv[2]).read().split()
got = sys.stdin.read().split()
if got[:1] != wanted[:1]:
    open(sys.argv[3] + "judgemessage.txt", "w").write("not the first word")
    sys.exit(43)
if len(got) > 1:
    open(sys.argv[3] + "score_multiplier.txt", "w").write(got[1] + "\n")
sys.exit(42)
