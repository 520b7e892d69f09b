# @EXPECTED_RESULTS@: WRONG-ANSWER
line = input()
if line != "5":
    raise SystemExit(1)
print(6)
