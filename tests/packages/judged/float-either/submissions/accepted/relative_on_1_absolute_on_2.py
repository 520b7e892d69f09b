print("1001" if input() == "1" else "0.001")
