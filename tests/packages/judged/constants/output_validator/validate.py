import sys
braces = "{" + "{"
assert "{{most}}" == "100" and "{{nothing}}".startswith(braces)
sys.exit(42 if sys.stdin.read() == open(sys.argv[2]).read() else 43)
