line = input()
print("no" if any(word in line for word in ['3-least_2']) else line)
