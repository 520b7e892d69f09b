import sys
sys.exit(42 if sys.stdin.read() == open(sys.argv[2]).read() else 43)
