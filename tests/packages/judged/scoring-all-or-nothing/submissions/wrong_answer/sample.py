line = input()
print("no" if any(word in line for word in ['sample']) else line)
