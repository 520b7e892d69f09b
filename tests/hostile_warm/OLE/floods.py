# Prints without end.
while True:
    print("flood" * 1000)
