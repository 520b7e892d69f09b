# Too much output, and then a bad exit code: what came first counts.
import sys

sys.stdout.write("x" * 3_000_000)
sys.stdout.flush()
sys.exit(1)
