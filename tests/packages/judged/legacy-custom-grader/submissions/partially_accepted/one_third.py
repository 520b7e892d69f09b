# @EXPECTED_SCORE@: 40
line = input()
print("no" if any(word in line for word in ['1_2', '1_1']) else line)
