# @EXPECTED_SCORE@: 3
print(input(), 1.5)
