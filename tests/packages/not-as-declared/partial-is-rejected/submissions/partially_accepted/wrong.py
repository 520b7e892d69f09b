line = input()
print("no" if any(word in line for word in ['_2']) else line)
