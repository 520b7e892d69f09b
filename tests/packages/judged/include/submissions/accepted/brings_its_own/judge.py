def answer(n):
    print("this file is replaced")
