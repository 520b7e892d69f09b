def answer(n):
    print(n)
