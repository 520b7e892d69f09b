# @EXPECTED_RESULTS@: WRONG_ANSWER
line = input()
print("no" if any(word in line for word in ['_2', '_3']) else line)
