# Exceeds the output limit, then exits with a code other than 0. The first failure counts.
import sys

sys.stdout.write("x" * 3_000_000)
sys.stdout.flush()
sys.exit(1)
