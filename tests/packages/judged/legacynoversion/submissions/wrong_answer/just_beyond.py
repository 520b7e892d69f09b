line = input()
print(line if line == "Nine" else float(line) + 0.50001)
