line = input()
print("no" if any(word in line for word in ['a_2']) else line)
