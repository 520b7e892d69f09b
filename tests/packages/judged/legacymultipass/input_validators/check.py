import sys
int(sys.stdin.read())
sys.exit(42)
