# Gets the input, the output that the interactor wrote, and the answer.
import sys

tries = int(open(sys.argv[2]).read())
if tries > 5:
    sys.stderr.write(f"{tries} tries\n")
    sys.exit(1)
