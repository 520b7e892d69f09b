line = input()
print("no" if line == "secret_2_b" else line, 7)
