# Prints a single line of 900 KB.
print("1" * 900_000)
