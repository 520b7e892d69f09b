line = input()
print("no" if any(word in line for word in ['2_a_2']) else line)
