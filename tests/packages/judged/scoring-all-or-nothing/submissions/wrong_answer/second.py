line = input()
print("no" if any(word in line for word in ['secret_2']) else line)
