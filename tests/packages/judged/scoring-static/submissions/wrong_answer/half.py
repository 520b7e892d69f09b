a=input()
print("no"if a[-3:]=="1_b"else a)
