import sys

open(sys.argv[3] + "nextpass.in", "w").write("1" * (2 << 20))
sys.exit(42)
