print("JE 0")
