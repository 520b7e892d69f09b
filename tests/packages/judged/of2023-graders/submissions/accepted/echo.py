# @EXPECTED_SCORE@: 100
print(input())
