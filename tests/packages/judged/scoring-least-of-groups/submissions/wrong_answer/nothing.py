line = input()
print("no" if any(word in line for word in ['b_1']) else line)
