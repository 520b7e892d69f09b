# @EXPECTED_SCORE@: 3.02
print(input(), 1.51)
