import sys
wanted = open(sys.argv[2]).read().split()
got = sys.stdin.read().split()
if got[:1] != wanted[:1]:
    sys.exit(43)
open(sys.argv[3] + "score.txt", "w").write(got[1] if len(got) > 1 else "1")
sys.exit(42)
