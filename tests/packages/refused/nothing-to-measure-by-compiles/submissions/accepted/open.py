print(input()
