line = input()
print("wrong" if line == "large 2" else line)
