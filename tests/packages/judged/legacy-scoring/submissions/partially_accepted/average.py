line = input()
print("no" if any(word in line for word in ['1_2', 'b_2']) else line)
