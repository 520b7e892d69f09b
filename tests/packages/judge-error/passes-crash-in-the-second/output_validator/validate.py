import sys

if len(open(sys.argv[1]).read()) > 2:
    sys.exit(1)
open(sys.argv[3] + "nextpass.in", "w").write("123\n")
sys.exit(42)
