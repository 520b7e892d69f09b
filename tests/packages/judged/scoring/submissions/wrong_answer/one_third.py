line = input()
print("no" if any(word in line for word in ['2-parts_1', '2-parts_2']) else line)
