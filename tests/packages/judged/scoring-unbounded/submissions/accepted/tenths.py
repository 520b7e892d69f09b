print(input(), 0.1)
