# @EXPECTED_SCORE@: 50
line = input()
print("no" if any(word in line for word in ['1_2']) else line)
