line = input()
print("no" if any(word in line for word in ['2_1']) else line)
