import sys

from tokens import same_tokens

sys.exit(42 if same_tokens(open(sys.argv[2]).read(), sys.stdin.read()) else 43)
