line = input()
print("no" if any(word in line for word in ['1-first_2']) else line)
