import sys
half = open("limits.txt").read().strip()
assert "{{most}}" == "100"
print(input(), *sys.argv[1:], half)
