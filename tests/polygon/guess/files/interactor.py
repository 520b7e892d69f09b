# Exits with the codes of testlib's interactors: 0 for ok, 1 for a wrong answer, 3 if the test itself is wrong.
import sys

secret = int(open(sys.argv[1]).read())
if secret < 0:
    sys.stderr.write("FAIL the secret is negative\n")
    sys.exit(3)
tries = 0
for line in sys.stdin:
    tries += 1
    if int(line) == secret:
        open(sys.argv[2], "w").write(f"{tries}\n")
        print("right", flush=True)
        sys.exit(0)
    print("wrong", flush=True)
sys.stderr.write("never right\n")
sys.exit(1)
