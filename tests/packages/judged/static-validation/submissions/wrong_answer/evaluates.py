print(eval("input()"))
